#include "perf/read/noc_trace/sniff.h"

#include "base/json_shape.h"

namespace ttscope::perf {

bool is_noc_trace(const io::Beginning& beginning) {
  const std::string_view text = beginning.text();
  return text.starts_with('[') && looks_like_json(text) && has_json_key(text, "proc") &&
         has_json_key(text, "timestamp") && (has_json_key(text, "sx") || has_json_key(text, "noc"));
}

}  // namespace ttscope::perf
