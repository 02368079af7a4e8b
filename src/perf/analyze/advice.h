#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/trust.h"
#include "perf/analyze/op_bounds.h"
#include "perf/analyze/op_waits.h"
#include "perf/analyze/shown_ops.h"

/// What would make the run faster, without words: those are in perf/write/words/advice_text.h.

namespace ttscope::perf {

/// How sure a gain is.
enum class GainBasis : std::uint8_t {
  kMeasured,  ///< recorded times alone
  kDerived,   ///< recorded times and what is known of the cause
  kModeled,   ///< against a peak
};

std::string_view key_of(GainBasis basis);

enum class AdviceCause : std::uint8_t {
  kSlowDevice,           ///< a device is slower at an op than the others, who wait for it
  kUnevenDevices,        ///< now this device is slower at an op, now that one
  kLateStart,            ///< a device begins later than the first, and others wait for it
  kHostLate,             ///< the device waits for the host between ops
  kHostSync,             ///< the host did other things in between
  kHostOps,              ///< ops on the host between those of the device
  kTraceGaps,            ///< gaps inside a replayed trace
  kUnknownGaps,          ///< gaps without a known cause
  kOpBelowPeak,          ///< an op takes longer than what limits it allows
  kMatmulBelowPeak,      ///< so does a matmul
  kCollectiveBelowPeak,  ///< so does a collective, without what it waits for late devices
  kFewCores,             ///< an op runs on one or two cores
  kHighFidelity,         ///< more passes than the data types need
  kSlowConversion,       ///< an op that only moves or converts data does so slowly
  kViewCostsTime,        ///< a view that copies
  kConversions,          ///< layouts and memories change between ops
};

inline constexpr std::size_t kAdviceCauseCount = 16;

/// `use_trace`, for other programs: what to do.
std::string_view key_of(AdviceCause cause);

/// What the attributes of an op say that could be tried.
enum class AdviceHint : std::uint8_t {
  kInputOutsideL1,    ///< the first input of a matmul is not in L1
  kNoProgramConfig,   ///< the runtime chose the program config
  kSmallInnerBlock,   ///< in0_block_w below 2
  kSmallSubblock,     ///< an output subblock of one tile
  kTryDramSharded,    ///< DRAM limits it, and its weights are not sharded over the banks
  kCoresFixedByBatch  ///< as many cores as the batch has users: more do not help
};

/// Where the time is known from that a collective takes however little it sends.
enum class LatencyBasis : std::uint8_t {
  kNone,
  kShortestOfRun,  ///< measured: the shortest of its name in this run, which links hardly limit
  kPerHop,         ///< stated: kHopLatencyUs for each link that data cross one after the other
};

std::string_view key_of(LatencyBasis basis);

/// What one hop between neighbors takes at least, by the order of what is usual for these links.
inline constexpr double kHopLatencyUs = 1;

/// One thing to change, what it would bring, and the rows that say so.
struct OpAdvice {
  static constexpr std::size_t kRowsKept = 50;
  AdviceCause cause = AdviceCause::kOpBelowPeak;
  Severity severity = Severity::kOk;  ///< from 15 % of the counted time on critical, from 2 % a warning
  GainBasis basis = GainBasis::kDerived;
  double gain_us = 0;                        ///< by how much the wall time of the window becomes shorter
  bool is_after_others = false;              ///< most of it shows only when the advice before it is followed
  std::int32_t device = -1;                  ///< at fault; -1: all alike
  std::vector<std::int32_t> more_devices{};  ///< at fault with it: the wall waits for each of them
  std::uint32_t kind = kNone;                ///< op at fault, in OpsReport::kinds
  double measured_us = 0;                    ///< what its rows take now, or the gaps
  double target_us = 0;                      ///< what they would take
  OpLimit limit = OpLimit::kUnknown;
  LimitModel model = LimitModel::kNone;   ///< what decided that
  LimitModel figure = LimitModel::kNone;  ///< where `ideal_us` comes from
  double ideal_us = 0;                    ///< of its rows at the peak of that
  double latency_us = 0;                  ///< of a collective: part of the target, for all its rows
  LatencyBasis latency_basis = LatencyBasis::kNone;
  double all_cores_us = 0;  ///< the same with all cores; 0: unknown
  bool is_floor = false;    ///< the target is a floor: the shortest kernel of the run (1 μs at most),
                            ///< or the usual price of a conversion; the bound is less
  double bytes = 0;         ///< that all its rows move, of a conversion; 0: unknown
  std::vector<AdviceHint> hints{};
  std::vector<std::uint32_t> rows{};  ///< of the table, the first ones
  std::uint64_t row_count = 0;
};

struct AdviceInput {
  const OpsReport& table;
  const ShownOps& ops;
  const OpBounds& bounds;
  const OpGaps& gaps;
};

/// Advice whose gain is 0.5 % of the counted time or more, the largest first; what only shows behind others
/// comes last. A gain is what the wall time loses when the run is replayed with that change on top of those
/// before it: gains can be added.
std::vector<OpAdvice> find_advice(const AdviceInput& input);

}  // namespace ttscope::perf
