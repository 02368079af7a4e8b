#include "mem/write/ttmem_files/op_fragments.h"

#include <optional>
#include <string>

#include "mem/write/ttmem_files/files.h"

namespace ttscope::mem {
namespace {

std::optional<std::string_view> text_or_null(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

void write_numbers(JsonWriter& json, std::string_view name, const std::vector<std::int64_t>& numbers) {
  json.key(name);
  json.begin_array();
  for (const std::int64_t number : numbers) json.value(number);
  json.end_array();
}

void write_numbers_or_null(JsonWriter& json, std::string_view name, bool known,
                           const std::vector<std::int64_t>& numbers) {
  if (known) {
    write_numbers(json, name, numbers);
  } else {
    json.field(name, nullptr);
  }
}

/// What JsonWriter puts before the first element of an array.
constexpr std::string_view kArrayStart = "[";

}  // namespace

void write_layout_info(JsonWriter& json, const TensorType& type) {
  const std::int64_t padded = type.has_layout ? type.padded_bytes : type.logical_bytes;
  const double logical = static_cast<double>(type.logical_bytes);
  const bool comparable = type.logical_bytes > 0 && padded > 0;
  json.begin_object();
  write_numbers(json, "logical_shape", type.shape);
  json.field("dtype", type.tensor_dtype);
  json.field("unpadded_bytes", type.logical_bytes);
  json.field("is_tiled", type.is_tiled());
  write_numbers_or_null(json, "memref_shape", type.is_tiled(), type.memref);
  write_numbers_or_null(json, "tile_size", type.is_tiled(), {type.tile_height, type.tile_width});
  write_numbers(json, "padded_shape", padded_shape(type));
  json.field("padded_bytes", padded);
  json.field("buffer_type", text_or_null(name_of(type.buffer)));
  json.field("overhead_pct",
             comparable ? static_cast<double>(padded - type.logical_bytes) / logical * 100 : 0.0);
  json.field("stored_dtype", type.dtype);
  json.field("memory_layout", text_or_null(name_of(type.layout)));
  write_numbers_or_null(json, "grid", type.has_layout, type.grid);
  json.end_object();
}

OpFragments::OpFragments(const RuntimeTrace& trace) : trace_(trace), repeated_(trace.op_texts.size()) {
  std::vector<bool> seen(trace.op_texts.size());
  for (const RankTrace& rank : trace.ranks) {
    for (const ExecutedOp& op : rank.ops) {
      if (op.text == kNone) continue;
      if (seen[op.text]) repeated_[op.text] = true;
      seen[op.text] = true;
    }
  }
}

OpFragment OpFragments::get(const ExecutedOp& op) {
  if (op.text == kNone || !repeated_[op.text]) return make(op);
  if (const OpFragment* kept = kept_.find(op.text)) return *kept;
  const OpFragment made = make(op);
  const std::size_t size_bytes = made.head.size() + made.tail.size();
  if (kept_bytes_ + size_bytes > kKeptBytes) return made;
  kept_bytes_ += size_bytes;
  const OpFragment kept{arena_.copy(made.head), arena_.copy(made.tail)};
  kept_.set(op.text, kept);
  return kept;
}

OpFragment OpFragments::make(const ExecutedOp& op) {
  head_.clear();
  tail_.clear();
  JsonWriter head(head_, kTtmemStyle);
  head.begin_array();
  write_head(head, op);
  OpFragment fragment;
  fragment.head = head_.text().substr(kArrayStart.size());
  const OpText* text = trace_.text_of(op);
  if (text == nullptr) return fragment;
  JsonWriter tail(tail_, kTtmemStyle);
  tail.begin_array();
  tail.begin_object();
  tail.field("", nullptr);
  const std::size_t placeholder = tail_.text().size();
  write_tail(tail, *text);
  fragment.tail = tail_.text().substr(placeholder);
  return fragment;
}

void OpFragments::write_head(JsonWriter& json, const ExecutedOp& op) {
  static const OpText kNoText;
  const OpText* known = trace_.text_of(op);
  const OpText& text = known == nullptr ? kNoText : *known;
  json.begin_object();
  write_result(json, text);
  const std::string_view name = trace_.name_of(op);
  json.field("mlir_op", name.empty() ? std::string_view("unknown") : name);
  write_inputs(json, text);
  write_part(json, "attributes", text, text.attributes);
  write_types(json, text);
  const auto results = trace_.ids(text.result_types);
  const TensorType* first = results.empty() ? nullptr : tensor(results[0]);
  json.key("output_layout_info");
  if (first == nullptr) {
    json.value(nullptr);
  } else {
    write_layout_info(json, *first);
  }
  json.key("loc");
}

/// `%27:2` has the results `%27#0` and `%27#1`; the file calls it `%27`.
void OpFragments::write_result(JsonWriter& json, const OpText& text) {
  const auto results = trace_.ids(text.results);
  if (results.empty()) {
    json.field("result", nullptr);
    return;
  }
  const std::string_view first = trace_.names[results[0]];
  json.field("result", first.substr(0, first.find('#')));
}

void OpFragments::write_inputs(JsonWriter& json, const OpText& text) {
  json.key("inputs");
  json.begin_array();
  if (text.callee != kNone) json.value(std::string("@").append(trace_.names[text.callee]));
  for (const std::uint32_t operand : trace_.ids(text.operands)) json.value(trace_.names[operand]);
  json.end_array();
}

void OpFragments::write_part(JsonWriter& json, std::string_view name, const OpText& text, TextPart part) {
  json.field(name, text_or_null(trace_.part(text, part)));
}

void OpFragments::write_types(JsonWriter& json, const OpText& text) {
  const bool has_signature = text.result_signature.length > 0;
  if (has_signature) {
    json.field("input_types", trace_.part(text, text.input_signature));
  } else {
    json.field("input_types", nullptr);
  }
  write_part(json, "output_type", text, text.result_signature);
  write_shapes(json, "input_shapes", text.input_types);
  write_dtypes(json, "input_dtypes", text.input_types);
  write_shapes(json, "output_shapes", text.result_types);
  write_dtypes(json, "output_dtypes", text.result_types);
}

void OpFragments::write_shapes(JsonWriter& json, std::string_view name, IdRange types) {
  json.key(name);
  json.begin_array();
  for (const std::uint32_t id : trace_.ids(types)) {
    const TensorType* type = tensor(id);
    json.value(type == nullptr ? std::nullopt : std::optional<std::string>(shape_text(type->shape)));
  }
  json.end_array();
}

void OpFragments::write_dtypes(JsonWriter& json, std::string_view name, IdRange types) {
  json.key(name);
  json.begin_array();
  for (const std::uint32_t id : trace_.ids(types)) {
    const TensorType* type = tensor(id);
    json.value(type == nullptr ? std::nullopt : text_or_null(type->tensor_dtype));
  }
  json.end_array();
}

void OpFragments::write_tail(JsonWriter& json, const OpText& text) {
  const auto results = trace_.ids(text.results);
  const auto types = trace_.ids(text.result_types);
  if (results.size() > 1) {
    json.key("results");
    json.begin_array();
    for (const std::uint32_t result : results) json.value(trace_.names[result]);
    json.end_array();
    json.key("output_layouts");
    json.begin_array();
    for (const std::uint32_t id : types) {
      const TensorType* type = tensor(id);
      if (type == nullptr) {
        json.value(nullptr);
      } else {
        write_layout_info(json, *type);
      }
    }
    json.end_array();
  }
  if (text.discardable.length > 0) write_part(json, "discardable_attributes", text, text.discardable);
}

const TensorType* OpFragments::tensor(std::uint32_t id) const {
  return id < trace_.types.size() && trace_.types[id].is_tensor ? &trace_.types[id] : nullptr;
}

}  // namespace ttscope::mem
