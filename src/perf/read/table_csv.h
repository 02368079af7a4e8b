#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "perf/model/ops_report.h"
#include "perf/read/ops_report.h"

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

/// A table of tt-perf-report 1.x or of `ttscope perf --csv`, which people keep instead of the report that it
/// was made of. Adds its rows to `table` as far as it tells them: times, gaps, cores, types, the place of the
/// first input, sizes of matmuls. The architecture and where the operands of matmuls lie follow from its DRAM
/// figures, and it is said so. OpsReport::remarks says what it cannot tell.
Result<void> read_table_csv(const ReportSource& source, OpsReport& table);

}  // namespace ttscope::perf
