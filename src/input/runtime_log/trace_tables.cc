#include "input/runtime_log/trace_tables.h"

#include "input/runtime_log/mlir_text.h"
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

const Signature& TraceTables::signature(std::string_view text) {
  const std::uint32_t id = signature_texts_.intern(text);
  if (id == signatures_.size()) signatures_.push_back(parse_signature(text));
  return signatures_[id];
}

Signature TraceTables::parse_signature(std::string_view text) {
  Signature signature;
  signature.cut = true;
  const std::size_t close = text.empty() || text[0] != '(' ? std::string_view::npos : find_closing(text, 0);
  if (close == std::string_view::npos) return signature;
  signature.inputs = {1, static_cast<std::uint32_t>(close - 1)};
  signature.input_types = types_of(text.substr(1, close - 1));
  if (text.substr(close + 1, 4) != " -> ") return signature;
  std::string_view results = trimmed(text.substr(close + 5));
  signature.results = {static_cast<std::uint32_t>(results.data() - text.data()),
                       static_cast<std::uint32_t>(results.size())};
  signature.cut = results.empty();
  if (!results.empty() && results[0] == '(') {
    const std::size_t end = find_closing(results, 0);
    signature.cut = end == std::string_view::npos;
    results = results.substr(1, signature.cut ? end : end - 1);
  }
  signature.result_types = types_of(results);
  return signature;
}

IdRange TraceTables::types_of(std::string_view list) {
  std::vector<std::uint32_t> ids;
  for_each_item(list, [&](std::string_view item) { ids.push_back(type(item)); });
  return store(ids);
}

IdRange TraceTables::store(const std::vector<std::uint32_t>& ids) {
  const IdRange range{static_cast<std::uint32_t>(trace_.id_lists.size()),
                      static_cast<std::uint32_t>(ids.size())};
  trace_.id_lists.insert(trace_.id_lists.end(), ids.begin(), ids.end());
  return range;
}

}  // namespace ttscope::input
