// How RunBuilder (mem/read/ttmem_files/run_builder.h) puts an op line together again.
#include "mem/read/ttmem_files/run_builder.h"

namespace ttscope::mem {
namespace {

void append_list(std::string& to, const std::vector<std::string_view>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) to.append(i == 0 ? "" : ", ").append(items[i]);
}

/// The Python tool cuts `[%arg1, %arg2]` at its comma and leaves the brackets on.
std::string_view without_brackets(std::string_view text) {
  while (!text.empty() && text.front() == '[') text.remove_prefix(1);
  while (!text.empty() && text.back() == ']') text.remove_suffix(1);
  return text;
}

/// `%3:2` for `%3#0` and `%3#1`; any other names one by one.
void append_results(std::string& to, const std::vector<std::string_view>& results) {
  const std::string_view base = results.front().substr(0, results.front().find('#'));
  bool is_group = results.size() > 1;
  for (std::size_t i = 0; i < results.size() && is_group; ++i) {
    is_group = results[i].starts_with(base) &&
               results[i].substr(base.size()) == std::string("#").append(std::to_string(i));
  }
  if (!is_group) return append_list(to, results);
  to.append(base).append(":").append(std::to_string(results.size()));
}

void append_call(std::string& to, const OperationRecord& record) {
  std::vector<std::string_view> operands;
  for (std::size_t i = 1; i < record.inputs.size(); ++i) {
    const std::string_view operand = without_brackets(record.inputs[i]);
    if (!operand.empty()) operands.push_back(operand);
  }
  const bool is_cached = record.op.find("load_cached") != std::string_view::npos;
  to.append(record.op).append(is_cached ? "(" : " ").append(record.inputs.front());
  to.append(is_cached ? ", [" : "(");
  append_list(to, operands);
  to.append(is_cached ? "])" : ")");
}

}  // namespace

void append_op_text(std::string& to, const OperationRecord& record) {
  if (!record.results.empty()) {
    append_results(to, record.results);
    to += " = ";
  } else if (!record.result.empty()) {
    to.append(record.result).append(" = ");
  }
  if (!record.inputs.empty() && record.inputs.front().starts_with('@')) {
    append_call(to, record);
  } else {
    to.append("\"").append(record.op).append("\"(");
    append_list(to, record.inputs);
    to += ')';
  }
  if (!record.attributes.empty()) to.append(" <{").append(record.attributes).append("}>");
  if (!record.discardable.empty()) to.append(" {").append(record.discardable).append("}");
  if (!record.has_types) return;
  to.append(" : (").append(record.input_types).append(") -> ");
  to.append(record.output_type.empty() ? "()" : record.output_type);
}

}  // namespace ttscope::mem
