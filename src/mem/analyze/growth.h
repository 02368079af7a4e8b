#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "mem/analyze/live_tracker.h"
#include "mem/analyze/memory_profile.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// Splits the measured changes among the ops and program boundaries that made them, the model saying how
/// where several share one interval between two blocks. Fills RankProfile::effects and changes; what no cause
/// explains is listed as unattributed, so that effects and changes always add up to the measured difference.
void attribute_changes(const RuntimeLog& log, std::uint32_t rank, const ModeledChanges& model,
                       RankProfile& profile);

/// Fills RankProfile::peaks and worst_fragmentation from every block (or the modeled curve), and
/// live_at_peak.
void find_peaks(const RuntimeLog& log, std::uint32_t rank, RankProfile& profile);

/// A block in its place among ops and events.
struct MeasurePoint {
  Moment moment = 0;
  std::uint32_t before_op = 0;
  std::uint32_t block = 0;
};

/// The blocks of a rank in order of what they show (displaced ones put back).
std::vector<MeasurePoint> measure_points(const RankLog& rank);

/// The measured side of a rank: states before ops and which change can only be one op's.
class MeasuredCurve {
 public:
  explicit MeasuredCurve(const RankLog& rank);

  /// Allocated bytes per bank before op `i`, if its block was printed with every view that this log has.
  std::optional<PerTensorMemory> before(std::uint32_t op) const;
  /// Change from before op `i` to before op `i + 1` when nothing but op `i` happened in between.
  std::optional<PerTensorMemory> change_by(std::uint32_t op) const;

 private:
  const RankLog& rank_;
  std::uint8_t views_seen_ = 0;  ///< tensor memories of which any view was printed
  std::vector<bool>
      boundary_before_;  ///< [op]: a program starts or ends, or a submit block stands, right before it
};

/// One of several runs of a program: the same one in two logs.
struct PassName {
  std::string program;
  std::uint32_t number = 0;  ///< of the programs of that name, which differ in their ops
  std::uint32_t run = 0;     ///< how often the program ran before
  bool operator==(const PassName&) const = default;
};

/// A run of a program in which a memory is as full as at its peak, but for rounding.
struct PeakPass {
  PassName name;
  Peak peak;  ///< the first of that run
};

/// All of a rank, in the order in which they ran: a model that leaves nothing behind is as full in every
/// pass. None where only the message of a failure tells the peak.
std::vector<PeakPass> peak_passes(const Profile& profile, std::uint32_t rank, Memory memory);

/// The executions of one op (same text and location, any run, any rank) that made a memory grow.
struct GrowthGroup {
  std::uint32_t rank = 0;  ///< of the execution that grew most, the first if several did
  std::uint32_t op = 0;
  std::uint8_t memory = 0;
  std::int64_t bytes_per_bank = 0;  ///< own growth of that execution
  std::uint64_t times = 0;
  Confidence confidence = Confidence::kNone;
};

/// The `limit` largest groups. Repeated runs would fill a plain list with copies of one op.
std::vector<GrowthGroup> top_growth(const RuntimeLog& log, const MemoryProfile& profile, Memory memory,
                                    std::size_t limit);

/// All executions of ops with one name, of all ranks; the type in the header of memory lines stands for the
/// name where no op line has it.
struct OpKind {
  std::uint32_t rank = 0;  ///< of the first one
  std::uint32_t op = kNone;
  std::uint64_t count = 0;
  std::uint64_t weight_ops = 0;
  PerTensorMemory growth{};  ///< sum of the positive own growths
};

/// Most frequent first, ties in the order of the first ones. Ops whose name is unknown are one kind.
std::vector<OpKind> op_kinds(const RuntimeLog& log, const MemoryProfile& profile);

struct OpNameCount {
  std::string_view name;  ///< in the trace
  std::uint64_t times = 0;
};

/// What the markdown report has always counted, which is not op_kinds(): ops that count alone, by what stands
/// behind the last dot of their names; an op line without a name is `unreadable` whatever its memory lines
/// say. Most frequent first, ties in the order of the distinct op lines.
std::vector<OpNameCount> counted_names(const RuntimeLog& log);

}  // namespace ttscope::mem
