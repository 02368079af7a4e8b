#include "perf/analyse/ops/matmul_size.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "perf/analyse/ops/attributes.h"

namespace ttscope::perf {
namespace {

struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

Matrix matrix_of(const OpTensor& tensor, bool is_turned) {
  Matrix matrix{tensor.padded[2], tensor.padded[3]};
  if (is_turned) std::swap(matrix.rows, matrix.columns);
  return matrix;
}

/// `'transpose_b': 'true'`
bool is_transposed(std::string_view attributes, std::string_view operand) {
  const std::optional<std::string_view> told = text_behind(attributes, fmt::format("'{}': '", operand), '\'');
  return told && (*told == "true" || *told == "1");
}

}  // namespace

MatmulSize matmul_size(const OpsReport& table, const ReportKind& kind, const Rules& rules) {
  const OpTensor* in0 = table.input(kind, 0);
  const OpTensor* in1 = table.input(kind, 1);
  const OpTensor* out = table.output(kind, 0);
  if (in0 == nullptr || in1 == nullptr || !in0->has_shape() || !in1->has_shape()) return {};
  const std::string_view attributes = table.text(kind.attributes);
  const bool may_turn_a = rules.turns_transposed_operands && is_transposed(attributes, "transpose_a");
  const bool may_turn_b = rules.turns_transposed_operands && is_transposed(attributes, "transpose_b");
  MatmulSize best{in0->padded[2], in0->padded[3], in1->padded[3]};
  int best_signs = -1;
  for (const bool turns_a : {false, may_turn_a}) {
    for (const bool turns_b : {false, may_turn_b}) {
      const Matrix a = matrix_of(*in0, turns_a);
      const Matrix b = matrix_of(*in1, turns_b);
      if (a.columns != b.rows) continue;
      const bool makes_output =
          out != nullptr && out->has_shape() && out->padded[2] == a.rows && out->padded[3] == b.columns;
      const int signs = (makes_output ? 2 : 0) + (turns_a == may_turn_a && turns_b == may_turn_b ? 1 : 0);
      if (signs <= best_signs) continue;
      best_signs = signs;
      best = {a.rows, a.columns, b.columns};
    }
  }
  return best;
}

}  // namespace ttscope::perf
