#include "op_text.h"

#include <array>
#include <utility>

namespace ttscope::gen_log {

namespace {

struct OpTypeRow {
  std::string_view op_type;
  std::string_view names;  // each with a space on both sides
};

// Ops whose header word is not their own name in camel case.
constexpr std::array<OpTypeRow, 10> kOpTypes = {{
    {"EltwiseBinaryOp", " add multiply subtract divide le "},
    {"EltwiseUnaryOp", " neg rsqrt silu cos sin "},
    {"EltwiseTernaryWhereOp", " where "},
    {"ReductionOp", " sum mean max "},
    {"ReductionArgMaxOp", " argmax "},
    {"SliceOp", " slice_static "},
    {"RMSNormOp", " rms_norm "},
    {"EltwiseBinaryCompositeScalarOp", " pow_scalar "},
    {"NamedFullOp", " zeros ones "},
    {"CpuOp", " call "},
}};

constexpr std::string_view kComputeConfig =
    "compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>";

std::string types_text(const std::vector<ValueId>& values, const Program& program) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : ", ") + program.values[values[i]].type->text;
  return text + ")";
}

std::string integers(const Shape& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(values[i]) + " : i32";
  return text + "]";
}

std::string data_type(Element element) {
  return "#ttcore.supportedDataTypes<" + std::string(element_name(element)) + ">";
}

}  // namespace

std::string op_type_of(std::string_view op_name) {
  const std::string_view name = op_name.substr(op_name.find('.') + 1);
  const std::string padded = " " + std::string(name) + " ";
  for (const OpTypeRow& row : kOpTypes) {
    if (row.names.find(padded) != std::string_view::npos) return std::string(row.op_type);
  }
  std::string camel;
  bool upper = true;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
    } else {
      camel += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      upper = false;
    }
  }
  return camel + "Op";
}

void complete_text(Op& op, const Program& program) {
  op.op_type = op_type_of(op.name);
  op.moment = "before operation " + op.op_type;
  op.signature = op.properties + " : " + types_text(op.operands, program) + " -> ";
  op.signature += op.results.size() == 1 ? program.values[op.results.front()].type->text
                                         : types_text(op.results, program);
  op.location_text = op.location.text();
  const std::size_t quote = op.location_text.find('"');
  op.location_cut = quote == std::string::npos ? quote : op.location_text.find('"', quote + 1);
}

void append_callee(std::string& out, const Op& op, std::string_view call_word) {
  switch (op.form) {
    case Op::Form::kGeneric:
      out += '"';
      out += op.name;
      out += "\"(";
      break;
    case Op::Form::kLoadCached:
      out += "ttcore.load_cached(@";
      out += op.callee;
      out += ", [";
      break;
    case Op::Form::kCall:
      out += call_word;
      out += " @";
      out += op.callee;
      out += '(';
      break;
  }
}

std::string dtype_properties(Element element) { return " <{dtype = " + data_type(element) + "}>"; }

std::string matmul_properties(bool transpose_b) {
  return " <{" + std::string(kComputeConfig) +
         ", transpose_a = false, transpose_b = " + (transpose_b ? "true" : "false") + "}>";
}

std::string rms_norm_properties() {
  return " <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, math_approx_mode = "
         "false, "
         "fp32_dest_acc_en = true, packer_l1_acc = true>, epsilon = 9.99999974E-6 : f32, "
         "operandSegmentSizes = array<i32: 1, 1, 0>}>";
}

std::string reshape_properties(const Shape& shape) { return " <{shape = " + integers(shape) + "}>"; }

std::string slice_properties(const Shape& begins, const Shape& ends) {
  return " <{begins = " + integers(begins) + ", ends = " + integers(ends) +
         ", step = " + integers(Shape(begins.size(), 1)) + "}>";
}

std::string dim_properties(std::string_view key, int value) {
  return " <{" + std::string(key) + " = " + std::to_string(value) + " : si32}>";
}

std::string permute_properties(std::initializer_list<int> order) {
  std::string text;
  for (const int axis : order) text += (text.empty() ? "" : ", ") + std::to_string(axis);
  return " <{permutation = array<i64: " + text + ">}>";
}

std::string reduce_properties(int dimension) {
  return " <{" + std::string(kComputeConfig) + ", dim_arg = [" + std::to_string(dimension) +
         " : i32], keep_dim = true}>";
}

std::string layout_properties(bool tile) {
  return std::string(" <{layout = #ttnn.layout<") + (tile ? "tile" : "row_major") + ">}>";
}

std::string memory_config_properties(const TensorType& target) {
  std::string text = " <{memory_config = #ttnn.memory_config<<" + std::string(target.buffer_name()) + ">, <" +
                     std::string(target.sharding_name()) + ">";
  if (!target.core_ranges.empty()) {
    text += ", #ttnn.shard_spec<<[" + target.core_ranges + "]>, " + target.shard_shape + ", <row_major>>";
  }
  return text + ">}>";
}

std::string get_device_properties() {
  return " <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}>";
}

std::string split_heads_properties(std::int64_t heads, std::int64_t kv_heads) {
  return " <{num_heads = " + std::to_string(heads) + " : ui32, num_kv_heads = " + std::to_string(kv_heads) +
         " : ui32, transpose_key = false}>";
}

std::string constant_properties(const TensorType& type) {
  return " <{dtype = " + data_type(type.spec.element) +
         ", layout = #ttnn.layout<tile>, memory_config = #ttnn.memory_config<<dram>, <interleaved>>, "
         "value = dense_resource<__elided__> : tensor<" +
         shape_text(type.spec.shape) + "x" + type.dtype + ">}>";
}

std::string attention_properties() {
  return " <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : "
         "f32}>";
}

}  // namespace ttscope::gen_log
