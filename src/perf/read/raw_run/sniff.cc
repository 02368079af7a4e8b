#include "perf/read/raw_run/sniff.h"

#include "base/json_shape.h"

namespace ttscope::perf {

bool is_raw_run(const io::Beginning& beginning) {
  const std::string_view text = beginning.text();
  return text.starts_with('{') && looks_like_json(text) && has_json_key(text, "riscs") &&
         has_json_key(text, "dram") && has_json_key(text, "bytes_per_risc");
}

}  // namespace ttscope::perf
