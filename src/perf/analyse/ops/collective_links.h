#pragma once

#include <string_view>

namespace ttscope::perf {

/// What decides how much a collective sends.
struct CollectiveLinks {
  double input_bytes = 0;  ///< of the first input on each device
  double devices = 2;      ///< that take part
  bool is_ring = true;     ///< else a line: the devices at its ends have one neighbour
};

/// Bytes over the busiest link in its busier direction, when nothing is sent twice. A ring sends both ways at
/// once. Counted from the input: the first output of a reduce-scatter can be an intermediate one that is
/// larger. Not a number for an op that is no known collective.
double busiest_link_bytes(std::string_view op_name, const CollectiveLinks& links);

}  // namespace ttscope::perf
