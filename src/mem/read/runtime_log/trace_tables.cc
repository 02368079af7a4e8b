#include "mem/read/runtime_log/trace_tables.h"

#include <algorithm>

#include "mem/read/runtime_log/mlir_text.h"
#include "mem/read/runtime_log/type_parser.h"

namespace ttscope::mem {

std::size_t expected_ops(std::uint64_t log_bytes) {
  constexpr std::uint64_t kBytesPerOp = 1600;
  return static_cast<std::size_t>(std::min<std::uint64_t>(log_bytes, std::uint64_t{16} << 30) / kBytesPerOp);
}

void TraceTables::expect_bytes(std::uint64_t log_bytes) {
  const std::size_t ops = expected_ops(log_bytes);
  trace_.op_texts.reserve(trace_.op_texts.size() + ops);
  trace_.op_bodies.reserve(trace_.op_bodies.size() + ops);
  trace_.names.reserve(trace_.names.size() + ops);
  trace_.locs.reserve(trace_.locs.size() + ops);
  trace_.id_lists.reserve(trace_.id_lists.size() + 4 * ops);
}

void TraceTables::prefetch(const OpPartsTable& table, const OpParts& op) const {
  signature_texts_.prefetch(op.signature.hash);
  const std::size_t end = op.first_name + op.results + op.operands;
  for (std::size_t i = op.first_name; i < end; ++i) {
    if (table.names[i].number >= numbered_names_.size()) trace_.names.prefetch(table.names[i].hash);
  }
}

std::uint32_t TraceTables::new_name(const HashedText& name) {
  const std::uint32_t id = trace_.names.intern(name.text, name.hash, StringPool::Bytes::kCopy);
  // A number far ahead of all others would cost memory and is not worth it.
  if (name.number == kNone || name.number > 2 * numbered_names_.size() + 4096) return id;
  if (name.number >= numbered_names_.size()) numbered_names_.resize(name.number + 1, kNone);
  numbered_names_[name.number] = id;
  return id;
}

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

const Signature& TraceTables::signature(const HashedText& text) {
  const std::uint32_t id = signature_texts_.intern(text.text, text.hash, StringPool::Bytes::kCopy);
  if (id == signatures_.size()) signatures_.push_back(parse_signature(text.text));
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
  signature.cut = results.empty();
  if (results.empty()) return signature;  // an empty text stands nowhere
  signature.results = {static_cast<std::uint32_t>(results.data() - text.data()),
                       static_cast<std::uint32_t>(results.size())};
  if (results[0] == '(') {
    const std::size_t end = find_closing(results, 0);
    signature.cut = end == std::string_view::npos;
    results = results.substr(1, signature.cut ? end : end - 1);
  }
  signature.result_types = types_of(results);
  return signature;
}

IdRange TraceTables::types_of(std::string_view list) {
  const std::uint32_t begin = list_end();
  for_each_item(list, [&](std::string_view item) { append(type(item)); });
  return {begin, list_end() - begin};
}

}  // namespace ttscope::mem
