#include "perf/analyse/ops/collective_links.h"

#include <cmath>

#include "base/text_search.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {
namespace {

/// Each device has a part that all others need: on a line the last link carries the parts of all others.
double gather_bytes(const CollectiveLinks& links) {
  return links.input_bytes * (links.devices - 1) / (links.is_ring ? 2 : 1);
}

/// Each device has a sum of its own part to bring together: every part crosses a link once, summed up on its
/// way.
double scatter_bytes(const CollectiveLinks& links) {
  return links.input_bytes * (links.devices - 1) / links.devices / (links.is_ring ? 2 : 1);
}

/// Each device has another part for each other device. Line: what both halves have for each other crosses the
/// middle. Ring: parts go the shorter way.
double exchange_bytes(const CollectiveLinks& links) {
  const double half = std::floor(links.devices / 2) * std::ceil(links.devices / 2);
  return links.input_bytes / links.devices * half / (links.is_ring ? 2 : 1);
}

}  // namespace

double busiest_link_bytes(std::string_view op_name, const CollectiveLinks& links) {
  if (contains(op_name, "AllGather") || contains(op_name, "AllBroadcast")) return gather_bytes(links);
  if (contains(op_name, "ReduceScatter")) return scatter_bytes(links);
  if (contains(op_name, "AllReduce")) return 2 * scatter_bytes(links);
  if (contains(op_name, "AllToAll")) return exchange_bytes(links);
  const bool is_one_way =
      contains(op_name, "PointToPoint") || contains(op_name, "SendAsync") || contains(op_name, "RecvAsync");
  return is_one_way ? links.input_bytes : kNoNumber;
}

}  // namespace ttscope::perf
