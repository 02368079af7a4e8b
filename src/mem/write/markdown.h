#pragma once

#include <string>
#include <vector>

#include "base/writer.h"
#include "mem/analyze/logs.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

/// The memory report for language models and for people who read markdown: the sections that `ttmem --llm`
/// always had, in their order, then trust, growth, live set and failure. Ends with one newline.
void write_mem_markdown(const RuntimeLog& log, const MemoryProfile& profile, const std::string& name,
                        Writer& out);

/// The failures as markdown: a packet to paste into an issue, or (`everything`) with all candidates and all
/// tensors that lived. The caller finishes the writer.
struct OomMarkdownOptions {
  bool everything = false;
};

void write_oom_markdown(const std::vector<OomLog>& logs, Writer& out, const OomMarkdownOptions& options = {});

}  // namespace ttscope::mem
