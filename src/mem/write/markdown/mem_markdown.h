#pragma once

#include <string>

#include "base/writer.h"
#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// The memory report for language models and for people who read markdown: the sections that `ttmem --llm`
/// always had, in their order, then trust, growth, live set and failure. Ends with one newline.
void write_mem_markdown(const RuntimeTrace& trace, const MemoryProfile& profile, const std::string& name,
                        Writer& out);

}  // namespace ttscope::mem
