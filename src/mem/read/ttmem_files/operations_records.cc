// One of the four files of mem/read/ttmem_files/records.h: NAME_operations.json.
#include "mem/read/ttmem_files/records.h"

namespace ttscope::mem {
namespace {

simdjson::error_code read_texts(json::value value, std::vector<std::string_view>& texts) {
  return for_each_element(value, [&](json::value element) {
    if (const auto text = text_in(element)) texts.push_back(*text);
    return simdjson::SUCCESS;
  });
}

simdjson::error_code read_field(std::string_view key, json::value value, OperationRecord& record) {
  const auto take_text = [&](std::string_view& to) {
    const auto text = text_in(value);
    if (text) to = *text;
    return text.has_value();
  };
  if (key == "inputs") return read_texts(value, record.inputs);
  if (key == "results") return read_texts(value, record.results);
  if (key == "result") {
    take_text(record.result);
  } else if (key == "mlir_op") {
    take_text(record.op);
  } else if (key == "attributes") {
    take_text(record.attributes);
  } else if (key == "discardable_attributes") {
    take_text(record.discardable);
  } else if (key == "input_types") {
    take_text(record.input_types);
  } else if (key == "output_type") {
    record.has_types = take_text(record.output_type);
  } else if (key == "is_weight_op") {
    record.is_weight_op = truth_in(value);
  }
  return simdjson::SUCCESS;
}

}  // namespace

Result<void> read_operations(JsonDocument& file, RunBuilder& builder) {
  json::value whole;
  if (const auto error = file.document.get_value().get(whole)) return failure(bad_file(file, error));
  json::json_type type{};
  if (const auto error = whole.type().get(type)) return failure(bad_file(file, error));
  if (type != json::json_type::array) {
    return failure(bad_file(file, "is no array; expected the operations of a run, one object each"));
  }
  OperationRecord record;
  const simdjson::error_code error = for_each_element(whole, [&](json::value element) {
    OperationRecord next;
    next.inputs = std::move(record.inputs);  // their room is used again
    next.results = std::move(record.results);
    next.inputs.clear();
    next.results.clear();
    record = std::move(next);
    const simdjson::error_code broken = for_each_field(
        element, [&](std::string_view key, json::value value) { return read_field(key, value, record); });
    if (broken == simdjson::SUCCESS) builder.add_operation(record);
    return broken;
  });
  if (error != simdjson::SUCCESS) return failure(bad_file(file, error));
  return check_end(file);
}

}  // namespace ttscope::mem
