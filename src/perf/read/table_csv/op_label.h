#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ttscope::perf {

/// Sizes in the name of a matmul: `Matmul b={8} x 32 x 64 x 96`, or `Matmul 32 x 64 x 96`.
struct MatmulSizes {
  std::string_view op_code;  ///< `Matmul`
  std::int64_t batch = 1;
  std::int64_t m = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
};
/// Nothing for a name that is none of a matmul, or has no sizes that can be read.
std::optional<MatmulSizes> matmul_sizes(std::string_view label);

}  // namespace ttscope::perf
