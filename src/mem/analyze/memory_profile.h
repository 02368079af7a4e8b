#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/trust.h"
#include "mem/analyze/failure_report.h"
#include "mem/analyze/findings.h"
#include "mem/analyze/fixes.h"
#include "mem/analyze/live_set.h"
#include "mem/model/device.h"
#include "mem/model/recorded_run.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// One device allocation as modeled from op lines. Live at moment t when born <= t < died.
struct Buffer {
  std::uint32_t type = kNone;  ///< in RuntimeLog::types, or RankProfile::local_types from kLocalTypeBase on
  std::uint32_t name = kNone;  ///< SSA name under which it was made or last bound as an argument
  std::uint32_t instance = kNone;     ///< program instance of that name
  std::uint32_t producer_op = kNone;  ///< kNone: moved to the device before the program started
  std::uint32_t argument = kNone;     ///< in MemoryProfile::arguments when it is a known program argument
  Moment born = 0;
  Moment died = kForever;
  std::int64_t bytes_per_bank = 0;
  Moment first_used = kForever;  ///< end of the first op that computes with it; kForever: none does
  Moment last_used = 0;          ///< end of the last; 0: none does
  std::uint8_t memory = 0;       ///< index in kTensorMemories
  TensorKind kind = TensorKind::kUnknown;
  std::uint32_t renamed_from =
      kNone;  ///< earlier record of the same allocation, which went on under another name
};

inline constexpr std::uint32_t kLocalTypeBase = 0x80000000;

/// What one op did to the tensor memories, net of everything else.
struct OpEffect {
  PerTensorMemory own_growth{};  ///< bytes per bank; negative when it freed
  std::array<Confidence, kTensorMemoryCount> confidence{};
};

/// Highest state of one memory over every block of a rank.
struct Peak {
  std::int64_t bytes_per_bank = 0;
  std::uint32_t op = kNone;  ///< op that made it; with at_program_start the op before which it was first seen
  bool at_program_start = false;  ///< made by what happened between programs (inputs moved to the device)
  std::uint32_t block = kNone;    ///< block that shows it; kNone when modeled
  Moment moment = 0;
  Confidence confidence = Confidence::kNone;
  std::uint32_t message_line =
      0;  ///< of the failure whose message tells it; 0: printed by a block, or modeled
};

/// Whether anything tells the peak of that rank: one of 0 where neither ops nor memory lines are is no
/// figure.
bool has_peak(const RankLog& rank, const Peak& peak);

/// A change of memory that no op made.
struct BoundaryChange {
  enum class Cause : std::uint8_t { kProgramStart, kProgramEnd, kUnattributed };
  Cause cause = Cause::kProgramStart;
  std::uint32_t before_op = 0;
  std::uint32_t instance = kNone;
  PerTensorMemory delta{};  ///< bytes per bank
};

std::string_view name_of(BoundaryChange::Cause cause);

/// Lowest usability of the free memory: 1 - largest free block / free.
struct FragmentationMoment {
  double fraction = 0;
  std::uint32_t block = kNone;
};

/// Live totals before an op, for the per-op outputs.
struct LiveTotals {
  std::int64_t logical_bytes = 0;
  std::int64_t padded_bytes = 0;
  std::uint32_t tensors = 0;
};

/// A weight on the device and the copy that const-eval made of it, both resident.
struct DuplicatedWeight {
  std::uint32_t weight = kNone;  ///< buffer
  std::uint32_t copy = kNone;    ///< buffer
};

struct ProgramSummary {
  std::uint32_t graph = kNone;     ///< in MemoryProfile::graphs
  std::uint32_t run = 0;           ///< how many times the graph ran before on this rank
  std::uint32_t executed_ops = 0;  ///< own ops, nested programs not included
  std::uint32_t counted_ops = 0;   ///< own ops less deallocate and get_device
  bool const_eval = false;
  std::int64_t dram_peak_bytes_per_bank = 0;  ///< over its own blocks and those of nested programs
};

struct RankProfile {
  DeviceFacts device;
  bool measured = false;  ///< the rank has memory blocks
  bool has_op_lines = false;
  std::uint64_t executed_ops = 0;
  std::uint64_t counted_ops = 0;
  std::uint64_t weight_ops = 0;           ///< counted ops whose result depends on weights alone
  HugeVector<OpEffect> effects;           ///< one for each op
  HugeVector<PerTensorMemory> accounted;  ///< modeled bytes per bank before each op
  std::vector<std::array<LiveTotals, kTensorMemoryCount>> live_totals;  ///< empty unless asked for
  std::vector<bool> is_weight_op;
  HugeVector<Buffer> buffers;           ///< in order of birth
  std::vector<TensorType> local_types;  ///< types resized to one device of a mesh
  std::vector<BoundaryChange> changes;
  std::vector<ProgramSummary> programs;  ///< parallel to RankLog::programs
  std::array<Peak, kMemoryCount> peaks;
  std::array<LiveSet, kTensorMemoryCount> live_at_peak;
  std::array<FragmentationMoment, kMemoryCount> worst_fragmentation;
  std::vector<DuplicatedWeight> copied_weights;      ///< all that const-eval made copies of
  std::vector<DuplicatedWeight> duplicated_weights;  ///< of these, resident together at the DRAM peak
  std::int64_t duplicated_weight_bytes = 0;          ///< padded bytes of those copies
  std::int64_t duplicated_weight_bytes_highest = 0;  ///< the most over the whole log
  PerTensorMemory after_last_op{};  ///< modeled state after the last op, which no block shows
};

/// A program argument as the module dumps and the op lines describe it.
struct Argument {
  std::uint32_t graph = kNone;  ///< in MemoryProfile::graphs
  std::uint32_t ssa = kNone;    ///< in RuntimeLog::names
  std::string name;             ///< model name, else the SSA name
  ArgumentRole role = ArgumentRole::kUnknown;
  bool role_from_flow = false;  ///< no dump says it, but const-eval consumes it: a weight
  bool kv_cache = false;
  std::uint32_t type = kNone;       ///< in RuntimeLog::types
  std::vector<std::int64_t> shape;  ///< of one device
  std::string dtype;
  std::int64_t logical_bytes = 0;
  std::vector<std::string> const_eval_graphs;  ///< const-eval functions that consume it
  bool counted_weight = false;    ///< one of MemoryProfile::weight_count: distinct, of the main rank's graphs
  std::uint32_t same_as = kNone;  ///< earlier argument that is the same model tensor (other graph)
  bool is_weight() const { return role == ArgumentRole::kParameter || role == ArgumentRole::kConstant; }
};

/// A distinct program: the same op sequence under the same name.
struct Graph {
  std::uint32_t name = kNone;  ///< in RuntimeLog::names
  std::uint32_t instances = 0;
  std::uint32_t first_rank = 0;
  std::uint32_t first_instance = 0;
  std::uint32_t module_group = kNone;  ///< in MemoryProfile::module_groups
  bool const_eval = false;
};

/// The modules that one compilation printed, by stage; kNone where a stage is missing.
struct ModuleGroup {
  std::array<std::uint32_t, 9> by_stage{};  ///< in RuntimeLog::modules
};

struct PaddingEntry {
  std::uint32_t rank = 0;
  std::uint32_t op = 0;
  std::uint32_t type = kNone;
  std::int64_t waste_bytes = 0;  ///< padded - logical of the whole tensor
};

/// The live set before an op that was asked for.
struct LiveMoment {
  std::uint32_t rank = 0;
  std::uint32_t op = 0;
  std::array<std::int64_t, kTensorMemoryCount>
      bytes_per_bank{};  ///< measured where a block shows it, else accounted
  std::array<LiveSet, kTensorMemoryCount> live;
};

/// Everything `ttscope mem` tells. Indices refer to the RuntimeLog it was made from.
struct MemoryProfile {
  std::vector<RankProfile> ranks;  ///< parallel to RuntimeLog::ranks
  std::uint32_t main_rank = 0;     ///< the rank with the highest DRAM peak
  std::vector<Graph> graphs;
  std::vector<ModuleGroup> module_groups;
  std::vector<Argument> arguments;          ///< of all graphs, in order of graph and position
  std::uint64_t weight_count = 0;           ///< distinct parameters and constants of the main rank's graphs
  std::int64_t weight_bytes = 0;            ///< their logical bytes
  std::vector<PaddingEntry> worst_padding;  ///< distinct result types by waste, largest first, at most 100
  std::optional<LiveMoment> live_at;        ///< where ProfileOptions::live_at_line asked for it
  RunVerdict verdict;
  Severity severity = Severity::kOk;    ///< of the worst finding
  std::vector<Finding> findings;        ///< most severe first
  std::vector<Fix> fixes;               ///< what would make the peak smaller, what saves most first
  std::vector<FailureReport> failures;  ///< explained, in order of file and line
  std::vector<MissingInput> missing;    ///< what the log lacks
  std::vector<MemoryNote> notes;        ///< what the figures include and leave out
};

struct ProfileOptions {
  bool live_totals = false;  ///< fill RankProfile::live_totals (needed by the per-op files)
  std::uint32_t live_at_line =
      0;  ///< fill MemoryProfile::live_at for the first op at or behind this line; 0: none
  std::uint32_t live_at_op = kNone;  ///< the same for an op of the main rank by its index
  const Product* device = nullptr;   ///< supplies what the log does not tell; null: nothing does
  RunFacts facts{};
};

MemoryProfile profile_memory(const RuntimeLog& log, const ProfileOptions& options);

const TensorType& type_of(const RuntimeLog& log, const RankProfile& rank, const Buffer& buffer);
/// What a buffer takes of every bank beyond an even spread of what it stores.
std::int64_t lockstep_waste(const TensorType& type, const Buffer& buffer, const DeviceFacts& device);

struct LiveQuestion {
  Memory memory = Memory::kDram;
  Moment moment = 0;
  std::int64_t measured_bytes_per_bank = -1;  ///< below 0 when no block shows it
};

/// The tensors live at a moment.
LiveSet live_set_at(const RuntimeLog& log, const RankProfile& rank, const LiveQuestion& asked);

/// Ops that grew, largest own growth first, ties in log order: (rank, op, memory).
struct GrowthEntry {
  std::uint32_t rank = 0;
  std::uint32_t op = 0;
  std::uint8_t memory = 0;
  std::int64_t bytes_per_bank = 0;
};

std::vector<GrowthEntry> growth_of(const MemoryProfile& profile);

/// All that tables and outputs of device memory need: what was read and what was found in it. Made by load()
/// in mem/load.h, then read-only; threads may share it.
struct Profile {
  RuntimeLog log;
  MemoryProfile memory;
  std::optional<RecordedFiles> recorded;  ///< read from the files of a run, not from its log: what they hold
};

/// What the files of a run tell about memory: states, growth, padding, weights. They have no deallocations,
/// so nothing is said about lifetimes: no buffers, no live sets, no duplicated weights. Indices refer to the
/// run's trace. The growth of an op is what the files say, else the measured change until the next recorded
/// op.
MemoryProfile profile_recorded_run(const RecordedRun& run);

}  // namespace ttscope::mem
