#pragma once

#include <string_view>

#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// Bytes that an op must move at least, each once.
struct OpTraffic {
  double dram = 0;  ///< from and to DRAM
  double noc = 0;   ///< between the cores of the chip, in the busier direction: each has a network of its own
};

/// Worked out from where the tensors are. Ops that touch a part of a tensor (slices, embeddings, updates of
/// caches) count that part; shards that stay in the L1 of their core count nothing for the network.
OpTraffic traffic_of(const OpsReport& table, const ReportKind& kind, bool exact_block_floats);

/// Bytes of a tensor with its padding; 0 if the report does not say its shape.
double tensor_bytes(const OpsReport& table, const OpTensor& tensor, bool exact_block_floats);

/// Bytes of one element: 2 for BFLOAT16; of block floats with their share of the exponent if `exact`.
double datatype_bytes(std::string_view datatype, bool exact);

}  // namespace ttscope::perf
