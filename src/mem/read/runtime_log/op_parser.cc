#include "mem/read/runtime_log/op_parser.h"

#include <span>
#include <string>

namespace ttscope::mem {
namespace {

/// Names of the results; `%3:4` stands for `%3#0` to `%3#3`.
IdRange intern_results(std::span<const HashedText> items, TraceTables& tables) {
  const std::uint32_t begin = tables.list_end();
  for (const HashedText& item : items) {
    const std::uint32_t count = results_of(item.text);
    if (count == 0) {
      tables.append(tables.name(item));
      continue;
    }
    const std::string base(item.text.substr(0, item.text.find(':')));
    for (std::uint32_t i = 0; i < count; ++i) tables.append(tables.name(base + '#' + std::to_string(i)));
  }
  return {begin, tables.list_end() - begin};
}

IdRange intern_operands(std::span<const HashedText> items, TraceTables& tables) {
  const std::uint32_t begin = tables.list_end();
  for (const HashedText& item : items) tables.append(tables.name(item));
  return {begin, tables.list_end() - begin};
}

void intern_signature(const HashedText& text, std::size_t begin, TraceTables& tables, OpText& op) {
  const Signature& signature = tables.signature(text);
  const auto offset = static_cast<std::uint32_t>(begin);
  op.input_types = signature.input_types;
  op.result_types = signature.result_types;
  op.input_signature = {offset + signature.inputs.begin, signature.inputs.length};
  op.result_signature = {offset + signature.results.begin, signature.results.length};
  op.cut = signature.cut;
}

}  // namespace

OpText intern_op(const OpParts& parts, const OpPartsTable& table, std::string_view text,
                 TraceTables& tables) {
  OpText op;
  op.text = text;
  op.role = parts.role;
  if (parts.role == OpRole::kUnparsed) return op;
  op.name = tables.name(parts.name);
  if (!parts.callee.text.empty()) op.callee = tables.name(parts.callee);
  const auto names = std::span(table.names).subspan(parts.first_name, parts.results + parts.operands);
  op.results = intern_results(names.first(parts.results), tables);
  op.operands = intern_operands(names.subspan(parts.results), tables);
  op.attributes = parts.attributes;
  op.discardable = parts.discardable;
  op.cut = true;
  if (!parts.signature.text.empty())
    intern_signature(parts.signature, text.size() - parts.signature.text.size(), tables, op);
  op.frees_first_operand = parts.frees_first_operand;
  op.identity_mesh_shard = parts.identity_mesh_shard;
  op.may_be_view = parts.may_be_view;
  return op;
}

OpText parse_op(std::string_view text, TraceTables& tables) {
  OpPartsTable table;
  split_op(text, table);
  return intern_op(table.ops.back(), table, text, tables);
}

}  // namespace ttscope::mem
