#include "perf/analyse/ops/op_sections.h"

namespace ttscope::perf {

std::vector<std::uint32_t> last_signposts(const OpsReport& table) {
  std::vector<std::uint32_t> last(table.rows.size());
  std::uint32_t signpost = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i > 0 && table.rows[i].file != table.rows[i - 1].file) signpost = 0;
    if (table.rows[i].type == OpRowType::kSignpost) signpost = static_cast<std::uint32_t>(i + 1);
    last[i] = signpost;
  }
  return last;
}

}  // namespace ttscope::perf
