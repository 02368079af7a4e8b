#include "input/runtime_log/trace_tables.h"

#include "input/runtime_log/type_parser.h"

namespace ttscope::input {

std::uint32_t TraceTables::type(std::string_view text) {
  const std::uint32_t id = trace_.type_texts.intern(text);
  if (id == trace_.types.size()) {
    TensorType type;
    if (!parse_type(text, type)) ++unreadable_types_;
    type.text = trace_.type_texts[id];
    trace_.types.push_back(std::move(type));
  }
  return id;
}

IdRange TraceTables::store(const std::vector<std::uint32_t>& ids) {
  const IdRange range{static_cast<std::uint32_t>(trace_.id_lists.size()), static_cast<std::uint32_t>(ids.size())};
  trace_.id_lists.insert(trace_.id_lists.end(), ids.begin(), ids.end());
  return range;
}

}  // namespace ttscope::input
