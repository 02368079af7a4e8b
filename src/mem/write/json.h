#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "mem/analyze/logs.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

struct MemJsonOptions {
  std::string_view tool_version;  ///< of the program that writes the document; empty gives null
  std::size_t list_limit = 0;  ///< cut every list that grows with the log to its first records; 0: no limit
};

/// Writes the document `ttscope.mem/1` (docs/formats/mem_json.md). Lists that grow with the log have one
/// record a line and are streamed. The caller finishes the writer.
void write_mem_json(const RuntimeLog& log, const MemoryProfile& profile, Writer& out,
                    const MemJsonOptions& options = {});

/// Writes the document `ttscope.oom/1` (docs/formats/oom_json.md). The caller finishes the writer.
void write_oom_json(const std::vector<OomLog>& logs, Writer& out, std::string_view tool_version);

}  // namespace ttscope::mem
