// One of the four files of mem/read/ttmem_files/records.h: NAME_inputs_registry.json.
#include <charconv>

#include "mem/read/ttmem_files/records.h"

namespace ttscope::mem {
namespace {

using simdjson::error_code;
using simdjson::SUCCESS;

ArgumentRole role_named(std::string_view name) {
  for (const ArgumentRole role : {ArgumentRole::kInput, ArgumentRole::kParameter, ArgumentRole::kConstant}) {
    if (name == name_of(role)) return role;
  }
  return ArgumentRole::kUnknown;
}

/// `2304x768`; a dim that is no number is unknown.
std::vector<std::int64_t> dims_of(std::string_view text) {
  std::vector<std::int64_t> dims;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('x'), text.size());
    std::int64_t dim = -1;
    const auto read = std::from_chars(text.data(), text.data() + end, dim);
    dims.push_back(read.ec == std::errc() && read.ptr == text.data() + end && dim >= 0 ? dim : -1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return dims;
}

error_code read_entry_field(std::string_view key, json::value value, RunBuilder& builder) {
  RecordedArgument& entry = builder.run().arguments.back();
  if (key == "const_eval_graphs") {
    return for_each_element(value, [&](json::value element) {
      if (const auto text = text_in(element)) entry.const_eval_graphs.emplace_back(*text);
      return SUCCESS;
    });
  }
  const auto text = [&] { return text_in(value).value_or(std::string_view()); };
  if (key == "ssa") {
    if (const std::string_view ssa = text(); !ssa.empty()) entry.ssa = builder.tables().name(ssa);
  } else if (key == "name") {
    entry.name = text();
  } else if (key == "type") {
    entry.role = role_named(text());
  } else if (key == "shape") {
    entry.shape = dims_of(text());
  } else if (key == "dtype") {
    entry.dtype = text();
  } else if (key == "bytes") {
    const auto bytes = integer_in(value);
    entry.bytes = bytes && *bytes > 0 ? *bytes : 0;
  } else if (key == "same_as") {
    const auto index = integer_in(value);
    if (index && *index >= 0 && *index < kNone) entry.same_as = static_cast<std::uint32_t>(*index);
  } else if (key == "counted") {
    entry.counted = truth_in(value);
  } else if (key == "kv_cache") {
    entry.kv_cache = truth_in(value);
  } else if (key == "type_from_flow") {
    entry.role_from_flow = truth_in(value);
  }
  return SUCCESS;
}

}  // namespace

Result<void> read_registry(JsonDocument& file, RunBuilder& builder) {
  json::value whole;
  if (const auto error = file.document.get_value().get(whole)) return failure(bad_file(file, error));
  bool found = false;
  const error_code broken = for_each_field(whole, [&](std::string_view key, json::value list) {
    if (key != "entries") return SUCCESS;
    found = true;
    return for_each_element(list, [&](json::value element) {
      builder.run().arguments.emplace_back();
      return for_each_field(element, [&](std::string_view name, json::value value) {
        return read_entry_field(name, value, builder);
      });
    });
  });
  if (broken != SUCCESS) return failure(bad_file(file, broken));
  if (!found)
    return failure(bad_file(file, "has no entries; expected {\"metadata\": ..., \"entries\": [...]}"));
  return check_end(file);
}

}  // namespace ttscope::mem
