#pragma once

#include <string_view>

#include "perf/analyse/ops/matmul_size.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// What decides how much a collective sends.
struct CollectiveLinks {
  double input_bytes = 0;  ///< that each device brings
  double devices = 2;      ///< that take part
  bool is_ring = true;     ///< else a line: the devices at its ends have one neighbour
};

/// Bytes over the busiest link in its busier direction, when nothing is sent twice. A ring sends both ways at
/// once. Counted from the input: the first output of a reduce-scatter can be an intermediate one that is
/// larger. Not a number for an op that is no known collective.
double busiest_link_bytes(std::string_view op_name, const CollectiveLinks& links);

/// How many links data cross one after the other before the last device has all.
double most_hops(std::string_view op_name, const CollectiveLinks& links);

/// What each device brings into a collective: its first input; of attention in a ring keys and values, of a
/// matmul whose result is scattered that `product`. 0: not known.
double brought_bytes(const OpsReport& table, const ReportKind& kind, const MatmulSize& product,
                     bool exact_block_floats);

/// How many devices take part, by its attributes or by how much larger the output of an all-gather is than
/// its input, or how much smaller that of a reduce-scatter. 0: neither says it.
double devices_of_collective(const OpsReport& table, const ReportKind& kind);

}  // namespace ttscope::perf
