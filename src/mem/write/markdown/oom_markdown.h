#pragma once

#include <vector>

#include "base/writer.h"
#include "mem/analyse/oom_log.h"

namespace ttscope::mem {

/// The failures as markdown: a packet to paste into an issue, or (`everything`) with all candidates and all
/// tensors that lived. The caller finishes the writer.
struct OomMarkdownOptions {
  bool everything = false;
};
void write_oom_markdown(const std::vector<OomLog>& logs, Writer& out, const OomMarkdownOptions& options = {});

}  // namespace ttscope::mem
