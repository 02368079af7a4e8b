#include "perf/analyse/ops/collective_links.h"

#include <algorithm>
#include <cmath>

#include "base/text_search.h"
#include "perf/analyse/ops/attributes.h"
#include "perf/analyse/ops/op_traffic.h"

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

/// Attention whose keys and values go round a ring of devices.
bool is_ring_attention(std::string_view op_name) {
  return contains(op_name, "Ring") &&
         (contains(op_name, "SDPA") || contains(op_name, "Sdpa") || contains(op_name, "Attention"));
}

/// Without padding, which a part has and the whole has not.
double elements_of(const OpTensor& tensor) {
  double product = 1;
  for (std::size_t i = 0; i < tensor.padded.size(); ++i)
    product *= static_cast<double>(tensor.logical[i] >= 0 ? tensor.logical[i] : tensor.padded[i]);
  return product;
}

}  // namespace

double busiest_link_bytes(std::string_view op_name, const CollectiveLinks& links) {
  if (contains(op_name, "AllGather") || contains(op_name, "AllBroadcast") || is_ring_attention(op_name))
    return gather_bytes(links);
  if (contains(op_name, "ReduceScatter")) return scatter_bytes(links);
  if (contains(op_name, "AllReduce")) return 2 * scatter_bytes(links);
  if (contains(op_name, "AllToAll")) return exchange_bytes(links);
  const bool is_one_way =
      contains(op_name, "PointToPoint") || contains(op_name, "SendAsync") || contains(op_name, "RecvAsync");
  return is_one_way ? links.input_bytes : kNoNumber;
}

double most_hops(std::string_view op_name, const CollectiveLinks& links) {
  const double others = links.devices - 1;
  // Sums are added up on their way: they go past every device, in a ring too.
  if (contains(op_name, "ReduceScatter")) return others;
  if (contains(op_name, "AllReduce")) return 2 * others;
  return links.is_ring ? std::floor(links.devices / 2) : others;
}

double brought_bytes(const OpsReport& table, const ReportKind& kind, const MatmulSize& product,
                     bool exact_block_floats) {
  const std::string_view name = table.text(kind.op_code);
  const auto bytes = [&](const OpTensor* tensor) {
    return tensor == nullptr ? 0 : tensor_bytes(table, *tensor, exact_block_floats);
  };
  const OpTensor* in0 = table.input(kind, 0);
  const OpTensor* in1 = table.input(kind, 1);
  if (is_ring_attention(name)) return bytes(in1) + bytes(table.input(kind, 2));
  if (!contains(name, "Matmul") || !contains(name, "ReduceScatter")) return bytes(in0);
  if (in0 == nullptr || product.m == 0) return 0;
  OpTensor result = *in0;
  result.padded[2] = product.m;
  result.padded[3] = product.n;
  if (const OpTensor* out = table.output(kind, 0)) result.datatype = out->datatype;
  return bytes(&result);
}

double devices_of_collective(const OpsReport& table, const ReportKind& kind) {
  const std::string_view attributes = table.text(kind.attributes);
  if (const auto ring = number_behind(attributes, "'ring_size': '"); ring && *ring > 1)
    return static_cast<double>(*ring);
  const OpTensor* in0 = table.input(kind, 0);
  if (in0 == nullptr || !in0->has_shape() || contains(table.text(kind.op_code), "Matmul")) return 0;
  const double brought = elements_of(*in0);
  double least = HUGE_VAL;  // an intermediate output of a reduce-scatter is larger
  for (std::size_t i = 0; i < kind.output_count; ++i)
    if (table.output(kind, i)->has_shape()) least = std::min(least, elements_of(*table.output(kind, i)));
  double times = 0;
  if (contains(table.text(kind.op_code), "AllGather")) times = least / brought;
  if (contains(table.text(kind.op_code), "ReduceScatter")) times = brought / least;
  return times > 1 && times < HUGE_VAL && times == std::floor(times) ? times : 0;
}

}  // namespace ttscope::perf
