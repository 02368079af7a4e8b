#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// What a device can do at best. Public figures of the chips (see docs/perf.md); compute scales with the
/// clock.
struct DevicePeaks {
  std::string arch;               ///< `wormhole`, `blackhole`, ...; empty: unknown, no percentage of anything
  bool arch_is_recorded = false;  ///< from the report or the user, not guessed
  double clock_mhz = 0;           ///< that the figures are for; 0: unknown, no percentage of compute
  double worker_cores = 0;
  double dram_gb_s = 0;
  double dram_banks = 0;         ///< cores that a DRAM-sharded matmul computes on; 0: unknown
  double noc_gb_s_per_core = 0;  ///< what one core can take in; 0 without a clock
  double link_gb_s = 0;          ///< one Ethernet link, one direction
  double hifi4_tflops_per_core = 0;
  double hifi3_tflops_per_core = 0;
  double hifi2_tflops_per_core = 0;
  double lofi_tflops_per_core = 0;

  /// kNoNumber for a fidelity that is not known.
  double tflops_per_core(std::string_view fidelity) const;
};

struct PeakOptions {
  std::string arch;      ///< what the user says; empty: as recorded
  double clock_mhz = 0;  ///< of the device log; 0: that of the report
};

/// The figures of one kind of chip.
struct ArchFacts {
  std::string_view name;
  double worker_cores;
  double dram_gb_s;
  double dram_banks;
  double nominal_mhz;
  double noc_bytes_per_cycle;
  double link_gb_s;
};

/// By any spelling that the option takes; null: unknown.
const ArchFacts* facts_of_arch(std::string_view name);

/// What such a chip can do at the clock of `peaks`.
void set_peaks_of_chip(const ArchFacts& facts, DevicePeaks& peaks);

/// AVAILABLE WORKER CORE COUNT of the first row that has one; 0: none has.
double recorded_cores(const OpsReport& table);

/// Whether there are figures for that architecture (any spelling that the option takes).
bool is_known_arch(std::string_view name);

DevicePeaks find_peaks(const OpsReport& table, const PeakOptions& options, std::vector<OpNote>& notes);

/// Bytes that an op must move at least, each once.
struct OpTraffic {
  double dram = 0;  ///< from and to DRAM
  double noc = 0;   ///< between the cores of the chip, in the busier direction: each has a network of its own
};

/// Worked out from where the tensors are. Ops that touch a part of a tensor (slices, embeddings, updates of
/// caches) count that part; shards that stay in the L1 of their core count nothing for the network.
OpTraffic traffic_of(const OpsReport& table, const OpKind& kind, bool exact_block_floats);

/// Bytes of a tensor with its padding; 0 if the report does not say its shape.
double tensor_bytes(const OpsReport& table, const OpTensor& tensor, bool exact_block_floats);

/// Bytes of one element: 2 for BFLOAT16; of block floats with their share of the exponent if `exact`.
double datatype_bytes(std::string_view datatype, bool exact);

/// M x K times K x N, each with its padding; all 0 where the shapes are not known.
struct MatmulSize {
  std::int64_t m = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
};

/// What a matmul multiplies. `transpose_a` and `transpose_b` do not say how the tensors of a report lie:
/// older tt-metal turned such an operand before the op, newer turns it inside. The shapes tell them apart: an
/// operand counts turned where only so the inner sizes meet; where both ways would do, the output decides.
MatmulSize matmul_size(const OpsReport& table, const OpKind& kind);

/// What decides how much a collective sends.
struct CollectiveLinks {
  double input_bytes = 0;  ///< that each device brings
  double devices = 2;      ///< that take part
  bool is_ring = true;     ///< else a line: the devices at its ends have one neighbor
};

/// Bytes over the busiest link in its busier direction, when nothing is sent twice. A ring sends both ways at
/// once. Counted from the input: the first output of a reduce-scatter can be an intermediate one that is
/// larger. Not a number for an op that is no known collective.
double busiest_link_bytes(std::string_view op_name, const CollectiveLinks& links);

/// How many links data cross one after the other before the last device has all.
double max_hops(std::string_view op_name, const CollectiveLinks& links);

/// What each device brings into a collective: its first input; of attention in a ring keys and values, of a
/// matmul whose result is scattered that `product`. 0: not known.
double input_bytes_per_device(const OpsReport& table, const OpKind& kind, const MatmulSize& product,
                              bool exact_block_floats);

/// How many devices take part, by its attributes or by how much larger the output of an all-gather is than
/// its input, or how much smaller that of a reduce-scatter. 0: neither says it.
double devices_of_collective(const OpsReport& table, const OpKind& kind);

}  // namespace ttscope::perf
