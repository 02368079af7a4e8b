#include "mem/analyze/memory_profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "base/text.h"
#include "mem/analyze/graphs.h"
#include "mem/analyze/growth.h"
#include "mem/analyze/live_tracker.h"
#include "mem/analyze/verdict.h"
#include "mem/model/device.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {
namespace {

constexpr std::uint32_t kMaxChips = 1 << 20;  // more than any mesh has: hostile text

/// `2x4` at the beginning of a text; 0 chips where there is none.
std::uint32_t chips_of(std::string_view text, std::string& mesh) {
  std::uint64_t chips = 1;
  std::size_t at = 0;
  for (;;) {
    std::uint32_t side = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), side);
    if (read.ec != std::errc() || side == 0 || side > kMaxChips) return 0;
    chips *= side;
    if (chips > kMaxChips) return 0;
    at = static_cast<std::size_t>(read.ptr - text.data());
    if (text.substr(at, 1) != "x") break;
    ++at;
  }
  mesh = text.substr(0, at);
  return static_cast<std::uint32_t>(chips);
}

/// The largest mesh counts: a run may open parts of it on the way.
void take_mesh(std::string_view text, std::string_view marker, DeviceFacts& facts) {
  const std::size_t at = text.find(marker);
  if (at == kNoPlace) return;
  std::string mesh;
  const std::uint32_t chips = chips_of(text.substr(at + marker.size()), mesh);
  if (chips <= facts.chips) return;
  facts.chips = chips;
  facts.mesh = mesh;
}

/// How many chips the run has: memory lines and layouts are those of one of them. By the get_device ops, else
/// by the device of the module dumps; what nothing tells stays as it is.
void find_mesh(const RuntimeLog& log, DeviceFacts& facts) {
  // %0 = "ttnn.get_device"() <{mesh_offset = ..., mesh_shape = #ttnn<mesh_shape 1x2>}> : () -> !ttnn.device
  for (const OpText& op : log.op_texts) {
    if (op.role == OpRole::kGetDevice) take_mesh(op.text, "#ttnn<mesh_shape ", facts);
  }
  if (facts.chips > 0) return;
  // ttcore.device @default_device = <workerGrid = ..., meshShape = 1x2, chipIds = [0, 1]>
  for (const ModuleDump& module : log.modules) {
    if (module.stage != Stage::kTtnn && module.stage != Stage::kTtnnRuntime) continue;
    constexpr std::size_t kHeadLines = 200;
    for (std::size_t i = 0; i < std::min(module.lines.size(), kHeadLines); ++i) {
      if (contains(module.lines[i], "ttcore.device ")) take_mesh(module.lines[i], "meshShape = ", facts);
    }
  }
}

/// Banks of a rank that has blocks. Where processes of a log open the device with different sizes, those of
/// each memory where most of it was allocated: what a peak is compared with.
Geometry geometry_at_peaks(const RuntimeLog& log, const RankLog& rank) {
  Geometry geometry = log.geometries[rank.blocks.back().geometry];
  if (log.geometries.size() == 1) return geometry;
  std::array<MilliMib, kMemoryCount> highest{};
  for (const MemoryBlock& block : rank.blocks) {
    const Geometry& of_block = log.geometries[block.geometry];
    for (const Memory memory : kMemories) {
      const std::size_t m = index_of(memory);
      if (!block.has(memory) || of_block.total[m] == 0 || block.allocated[m] < highest[m]) continue;
      highest[m] = block.allocated[m];
      geometry.banks[m] = of_block.banks[m];
      geometry.total[m] = of_block.total[m];
    }
  }
  return geometry;
}

/// What the memory lines of a rank say of its device; nothing where it has none.
void take_printed_facts(const RuntimeLog& log, const RankLog& rank, DeviceFacts& facts) {
  if (rank.blocks.empty()) return;
  const Geometry geometry = geometry_at_peaks(log, rank);
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if (geometry.banks[m] != 0) facts.banks[m] = geometry.banks[m];
    facts.capacity_bytes_per_bank[m] = bytes_of(geometry.total[m]);
  }
  facts.source = FactSource::kMemoryLines;
}

/// A message says how large a bank is, and of DRAM over how many banks a buffer is spread: all of them. It
/// was measured, while a system description is what the compiler was told.
void take_facts_of_messages(const RankLog& rank, DeviceFacts& facts) {
  constexpr std::int64_t kMaxBanks = 64;
  std::array<bool, kMemoryCount>
      has_size{};  // a text can quote messages of several devices: the first counts
  for (const OutOfMemory& failure : rank.failures) {
    const std::size_t memory = index_of(failure.memory);
    if (failure.kind != FailureKind::kAllocation || failure.bank_size_bytes <= 0 || has_size[memory])
      continue;
    has_size[memory] = true;
    facts.has_message_sizes = true;
    facts.capacity_bytes_per_bank[memory] = failure.bank_size_bytes;
    const bool has_banks = failure.memory == Memory::kDram && failure.banks > 0 && failure.banks <= kMaxBanks;
    if (!has_banks) continue;
    const auto banks = static_cast<std::uint32_t>(failure.banks);
    const bool agrees = facts.source == FactSource::kSystemDescription && facts.banks[memory] == banks;
    if (agrees) continue;
    facts.arch.clear();
    facts.banks[memory] = banks;
    facts.source = FactSource::kFailureMessage;
  }
}

/// Facts printed with the memory lines, else those of messages of failures, else those of the compiler's
/// system description, else those of the product that the user names, else a Wormhole.
DeviceFacts device_of(const RuntimeLog& log, const RankLog& rank, const Product* given) {
  DeviceFacts facts;
  take_printed_facts(log, rank, facts);
  if (rank.blocks.empty() && !log.systems.empty()) {
    const SystemDescription& system = log.systems.front();
    facts.arch = system.arch;
    facts.banks = {system.dram_channels, std::max(system.worker_cores, 1u), std::max(system.worker_cores, 1u),
                   system.dram_channels};
    facts.capacity_bytes_per_bank = {system.dram_bytes_per_channel, system.l1_bytes, 0, 0};
    facts.source = FactSource::kSystemDescription;
  }
  if (rank.blocks.empty()) take_facts_of_messages(rank, facts);
  if (given != nullptr) supply_facts(facts, *given);
  infer_architecture(facts);
  return facts;
}

void count_ops(const RuntimeLog& log, const RankLog& rank, RankProfile& profile) {
  profile.executed_ops = rank.ops.size();
  for (std::size_t i = 0; i < rank.ops.size(); ++i) {
    const ExecutedOp& op = rank.ops[i];
    profile.has_op_lines |= op.text != kNone;
    const bool counted = is_counted(log, op);
    profile.counted_ops += counted ? 1 : 0;
    profile.weight_ops += counted && profile.is_weight_op[i] ? 1 : 0;
    if (op.instance == kNone) continue;
    ProgramSummary& program = profile.programs[op.instance];
    ++program.executed_ops;
    program.counted_ops += counted ? 1 : 0;
  }
}

/// Peaks of programs, nested ones included in their callers (children come after their parents).
void summarize_programs(const RankLog& rank, RankProfile& profile) {
  for (std::uint32_t i = 0; i < rank.ops.size(); ++i) {
    const ExecutedOp& op = rank.ops[i];
    if (op.instance == kNone) continue;
    std::int64_t state = profile.accounted[i][index_of(Memory::kDram)];
    if (profile.measured) {
      if (op.block == kNone) continue;
      state = bytes_of(rank.blocks[op.block].allocated[index_of(Memory::kDram)]);
    }
    std::int64_t& peak = profile.programs[op.instance].dram_peak_bytes_per_bank;
    peak = std::max(peak, state);
  }
  for (std::size_t p = rank.programs.size(); p-- > 0;) {
    const std::uint32_t parent = rank.programs[p].parent;
    if (parent == kNone) continue;
    std::int64_t& peak = profile.programs[parent].dram_peak_bytes_per_bank;
    peak = std::max(peak, profile.programs[p].dram_peak_bytes_per_bank);
  }
}

/// Of all weights with copies, those where both are on the device at the DRAM peak.
void pick_duplicates_at_peak(const RuntimeLog& log, RankProfile& profile) {
  const Moment moment = profile.peaks[index_of(Memory::kDram)].moment;
  const auto lives = [&](std::uint32_t id) {
    const Buffer& buffer = profile.buffers[id];
    return buffer.born <= moment && moment < buffer.died;
  };
  std::vector<DuplicatedWeight> both;
  std::vector<std::uint32_t> copies;
  for (const DuplicatedWeight& pair : profile.copied_weights) {
    if (!lives(pair.weight) || !lives(pair.copy)) continue;
    both.push_back(pair);
    copies.push_back(pair.copy);
  }
  profile.duplicated_weights = std::move(both);
  std::sort(copies.begin(), copies.end());
  copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
  for (const std::uint32_t copy : copies) {
    profile.duplicated_weight_bytes += type_of(log, profile, profile.buffers[copy]).padded_bytes;
  }
}

void profile_rank(const RankInput& input, MemoryProfile& profile) {
  const auto& [log, r, graphs, options] = input;
  const RankLog& rank = log.ranks[r];
  RankProfile& out = profile.ranks[r];
  out.device = device_of(log, rank, options.device);
  out.measured = !rank.blocks.empty();
  out.local_types = graphs.local_types;
  out.programs.resize(rank.programs.size());
  for (std::uint32_t p = 0; p < rank.programs.size(); ++p) {
    out.programs[p].graph = graphs.graph_of_instance[r][p];
    out.programs[p].run = graphs.run_of_instance[r][p];
    out.programs[p].const_eval = graphs.graphs[out.programs[p].graph].const_eval;
  }
  const ModeledChanges model = track_live_buffers(input, profile);
  attribute_changes(log, r, model, out);
  find_peaks(log, r, out);
  count_ops(log, rank, out);
  summarize_programs(rank, out);
  pick_duplicates_at_peak(log, out);
}

/// All ranks of a run open meshes of one shape.
void set_mesh(const RuntimeLog& log, MemoryProfile& profile) {
  DeviceFacts opened;
  find_mesh(log, opened);
  if (opened.chips == 0) return;
  for (RankProfile& rank : profile.ranks) {
    rank.device.chips = opened.chips;
    rank.device.mesh = opened.mesh;
  }
}

/// Distinct parameters and constants of the graphs that the main rank runs (other ranks hold shards or copies
/// of them).
void total_weights(const GraphTable& graphs, MemoryProfile& profile) {
  std::vector<bool> runs(graphs.graphs.size(), false);
  if (!profile.ranks.empty()) {
    for (const std::uint32_t graph : graphs.graph_of_instance[profile.main_rank]) runs[graph] = true;
  }
  std::vector<bool> counted(profile.arguments.size(), false);
  for (std::uint32_t a = 0; a < profile.arguments.size(); ++a) {
    Argument& argument = profile.arguments[a];
    const std::uint32_t first = argument.same_as == kNone ? a : argument.same_as;
    const bool elsewhere = argument.graph != kNone && !runs[argument.graph];
    if (!argument.is_weight() || elsewhere || counted[first]) continue;
    counted[first] = argument.counted_weight = true;
    ++profile.weight_count;
    profile.weight_bytes = saturating_add(profile.weight_bytes, argument.logical_bytes);
  }
}

/// Distinct result types by what their padding costs, with the first op that makes each.
void find_worst_padding(const RuntimeLog& log, MemoryProfile& profile) {
  constexpr std::size_t kKept = 100;
  std::vector<bool> seen(log.types.size(), false);
  for (std::uint32_t r = 0; r < log.ranks.size(); ++r) {
    const RankProfile& rank = profile.ranks[r];
    for (const Buffer& buffer : rank.buffers) {
      if (buffer.type >= kLocalTypeBase || seen[buffer.type] || buffer.producer_op == kNone) continue;
      seen[buffer.type] = true;
      const TensorType& type = log.types[buffer.type];
      const std::int64_t waste = type.padded_bytes - type.logical_bytes;
      if (waste > 0) profile.worst_padding.push_back({r, buffer.producer_op, buffer.type, waste});
    }
  }
  std::stable_sort(
      profile.worst_padding.begin(), profile.worst_padding.end(),
      [](const PaddingEntry& a, const PaddingEntry& b) { return a.waste_bytes > b.waste_bytes; });
  if (profile.worst_padding.size() > kKept) profile.worst_padding.resize(kKept);
}

/// The op of a rank whose line is the next at or behind a line. A log prints ops in order; the functions of a
/// module stand in another order than they run in.
HugeVector<ExecutedOp>::const_iterator first_at_line(const RuntimeLog& log, const HugeVector<ExecutedOp>& ops,
                                                     std::uint32_t line) {
  if (!log.is_from_modules()) {
    return std::lower_bound(ops.begin(), ops.end(), line,
                            [](const ExecutedOp& op, std::uint32_t wanted) { return op.line < wanted; });
  }
  auto best = ops.end();
  for (auto op = ops.begin(); op != ops.end(); ++op) {
    if (op->line >= line && (best == ops.end() || op->line < best->line)) best = op;
  }
  return best;
}

/// The first op at or behind a line, of all ranks.
std::optional<LiveMoment> moment_at_line(const RuntimeLog& log, std::uint32_t line) {
  std::optional<LiveMoment> moment;
  for (std::uint32_t r = 0; r < log.ranks.size(); ++r) {
    const auto& ops = log.ranks[r].ops;
    const auto found = first_at_line(log, ops, line);
    if (found == ops.end() || (moment && log.ranks[moment->rank].ops[moment->op].line <= found->line))
      continue;
    moment = LiveMoment{r, static_cast<std::uint32_t>(found - ops.begin()), {}, {}};
  }
  return moment;
}

std::optional<LiveMoment> find_live_moment(const RuntimeLog& log, const MemoryProfile& profile,
                                           const ProfileOptions& options) {
  std::optional<LiveMoment> moment;
  if (options.live_at_line > 0) {
    moment = moment_at_line(log, options.live_at_line);
  } else if (options.live_at_op != kNone && profile.main_rank < log.ranks.size() &&
             options.live_at_op < log.ranks[profile.main_rank].ops.size()) {
    moment = LiveMoment{profile.main_rank, options.live_at_op, {}, {}};
  }
  if (!moment) return moment;
  const RankLog& rank = log.ranks[moment->rank];
  for (const Memory memory : kTensorMemories) {
    const std::size_t m = index_of(memory);
    const std::uint32_t block = rank.ops[moment->op].block;
    const bool measured = block != kNone && rank.blocks[block].has(memory);
    const std::int64_t state = measured ? bytes_of(rank.blocks[block].allocated[m]) : -1;
    moment->live[m] = live_set_at(log, profile.ranks[moment->rank], {memory, before_op(moment->op), state});
    moment->bytes_per_bank[m] = measured ? state : moment->live[m].accounted_bytes_per_bank;
  }
  return moment;
}

}  // namespace

std::string_view name_of(TensorKind kind) {
  constexpr std::array<std::string_view, kTensorKindCount> kNames = {"unknown", "weight", "const_eval",
                                                                     "activation", "input"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(BoundaryChange::Cause cause) {
  constexpr std::array<std::string_view, 3> kNames = {"program start", "program end", "unattributed"};
  return kNames[static_cast<std::size_t>(cause)];
}

const TensorType& type_of(const RuntimeLog& log, const RankProfile& rank, const Buffer& buffer) {
  return buffer.type >= kLocalTypeBase ? rank.local_types[buffer.type - kLocalTypeBase]
                                       : log.types[buffer.type];
}

std::int64_t lockstep_waste(const TensorType& type, const Buffer& buffer, const DeviceFacts& device) {
  const std::int64_t banks = std::max<std::int64_t>(device.banks[buffer.memory], 1);
  const std::int64_t even = type.padded_bytes / banks + (type.padded_bytes % banks == 0 ? 0 : 1);
  return std::max<std::int64_t>(buffer.bytes_per_bank - even, 0);
}

LiveSet live_set_at(const RuntimeLog& log, const RankProfile& rank, const LiveQuestion& asked) {
  LiveSet live;
  for (std::uint32_t b = 0; b < rank.buffers.size(); ++b) {
    const Buffer& buffer = rank.buffers[b];
    if (buffer.memory != index_of(asked.memory) || buffer.born > asked.moment || asked.moment >= buffer.died)
      continue;
    const TensorType& type = type_of(log, rank, buffer);
    live.buffers.push_back(b);
    live.accounted_bytes_per_bank = saturating_add(live.accounted_bytes_per_bank, buffer.bytes_per_bank);
    live.logical_bytes = saturating_add(live.logical_bytes, type.logical_bytes);
    live.padded_bytes = saturating_add(live.padded_bytes, type.padded_bytes);
    std::int64_t& kind = live.kind_bytes_per_bank[static_cast<std::size_t>(buffer.kind)];
    kind = saturating_add(kind, buffer.bytes_per_bank);
    live.lockstep_bytes_per_bank =
        saturating_add(live.lockstep_bytes_per_bank, lockstep_waste(type, buffer, rank.device));
  }
  if (asked.measured_bytes_per_bank >= 0) {
    live.unaccounted_bytes_per_bank = asked.measured_bytes_per_bank - live.accounted_bytes_per_bank;
  }
  std::stable_sort(live.buffers.begin(), live.buffers.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rank.buffers[a].bytes_per_bank > rank.buffers[b].bytes_per_bank;
  });
  return live;
}

std::vector<GrowthEntry> growth_of(const MemoryProfile& profile) {
  std::vector<GrowthEntry> growth;
  std::size_t most = 0;
  for (const RankProfile& rank : profile.ranks) most += kTensorMemoryCount * rank.effects.size();
  growth.reserve(most);  // room that is not used costs no memory
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r) {
    const RankProfile& rank = profile.ranks[r];
    for (std::uint32_t i = 0; i < rank.effects.size(); ++i) {
      for (std::uint8_t m = 0; m < kTensorMemoryCount; ++m) {
        const std::int64_t bytes = rank.effects[i].own_growth[m];
        if (bytes > 0) growth.push_back({r, i, m, bytes});
      }
    }
  }
  std::stable_sort(growth.begin(), growth.end(), [](const GrowthEntry& a, const GrowthEntry& b) {
    return a.bytes_per_bank > b.bytes_per_bank;
  });
  return growth;
}

bool has_peak(const RankLog& rank, const Peak& peak) {
  return peak.bytes_per_bank > 0 || !rank.ops.empty() || !rank.blocks.empty();
}

MemoryProfile profile_memory(const RuntimeLog& log, const ProfileOptions& options) {
  MemoryProfile profile;
  profile.ranks.resize(log.ranks.size());
  GraphTable graphs = find_graphs(log);
  describe_arguments(log, graphs, profile);
  for (std::uint32_t r = 0; r < log.ranks.size(); ++r) profile_rank({log, r, graphs, options}, profile);
  set_mesh(log, profile);
  for (std::uint32_t r = 1; r < log.ranks.size(); ++r) {
    constexpr std::size_t kDram = index_of(Memory::kDram);
    if (profile.ranks[r].peaks[kDram].bytes_per_bank >
        profile.ranks[profile.main_rank].peaks[kDram].bytes_per_bank) {
      profile.main_rank = r;
    }
  }
  profile.live_at = find_live_moment(log, profile, options);
  total_weights(graphs, profile);
  find_worst_padding(log, profile);
  add_findings(log, profile, options.facts);
  profile.fixes = find_fixes(log, profile);
  profile.failures = explain_failures(log, profile);
  return profile;
}

namespace {

DeviceFacts recorded_device_of(const RuntimeLog& log, const RankLog& rank) {
  DeviceFacts facts;
  take_printed_facts(log, rank, facts);
  infer_architecture(facts);
  return facts;
}

class RecordedProfiler {
 public:
  explicit RecordedProfiler(const RecordedRun& run)
      : run_(run), log_(run.log), graphs_(find_graphs(run.log)) {}

  MemoryProfile profile() {
    profile_.ranks.resize(log_.ranks.size());
    profile_.graphs = graphs_.graphs;
    for (std::uint32_t r = 0; r < log_.ranks.size(); ++r) profile_rank(r);
    for (std::uint32_t r = 1; r < log_.ranks.size(); ++r) {
      if (dram_peak(r) > dram_peak(profile_.main_rank)) profile_.main_rank = r;
    }
    group_modules();
    list_arguments();
    find_worst_padding();
    add_findings(log_, profile_, {.is_being_written = {}, .from_files = true});
    describe_source();
    return std::move(profile_);
  }

 private:
  std::int64_t dram_peak(std::uint32_t rank) const {
    return profile_.ranks[rank].peaks[index_of(Memory::kDram)].bytes_per_bank;
  }

  void profile_rank(std::uint32_t r) {
    const RankLog& rank = log_.ranks[r];
    RankProfile& out = profile_.ranks[r];
    out.device = recorded_device_of(log_, rank);
    out.measured = !rank.blocks.empty() && !run_.modeled_memory;
    out.has_op_lines =
        std::any_of(rank.ops.begin(), rank.ops.end(), [](const ExecutedOp& op) { return op.text != kNone; });
    out.executed_ops = rank.ops.size();
    out.accounted.resize(rank.ops.size());
    summarize_programs(r);
    take_effects(r);
    count_ops(r);
    find_peaks(log_, r, out);
    for (LiveSet& live : out.live_at_peak) live = {};  // nothing is known, not even that it is unaccounted
    if (!run_.modeled_memory) return;
    for (Peak& peak : out.peaks) peak.confidence = Confidence::kModeled;
    out.worst_fragmentation = {};
  }

  void summarize_programs(std::uint32_t r) {
    const RankLog& rank = log_.ranks[r];
    std::vector<ProgramSummary>& programs = profile_.ranks[r].programs;
    programs.resize(rank.programs.size());
    for (std::uint32_t p = 0; p < programs.size(); ++p) {
      programs[p].graph = graphs_.graph_of_instance[r][p];
      programs[p].run = graphs_.run_of_instance[r][p];
      programs[p].const_eval = graphs_.graphs[programs[p].graph].const_eval;
    }
    for (const ExecutedOp& op : rank.ops) {
      if (op.instance == kNone) continue;
      ProgramSummary& program = programs[op.instance];
      ++program.executed_ops;
      program.counted_ops += is_counted(log_, op) ? 1 : 0;
      if (op.block == kNone) continue;
      const std::int64_t state = bytes_of(rank.blocks[op.block].allocated[index_of(Memory::kDram)]);
      program.dram_peak_bytes_per_bank = std::max(program.dram_peak_bytes_per_bank, state);
    }
    for (std::size_t p = programs.size(); p-- > 0;) {  // callers come before what they call
      const std::uint32_t parent = rank.programs[p].parent;
      if (parent == kNone) continue;
      std::int64_t& peak = programs[parent].dram_peak_bytes_per_bank;
      peak = std::max(peak, programs[p].dram_peak_bytes_per_bank);
    }
  }

  void take_effects(std::uint32_t r) {
    const RankLog& rank = log_.ranks[r];
    RankProfile& out = profile_.ranks[r];
    out.effects.resize(rank.ops.size());
    out.is_weight_op.resize(rank.ops.size());
    if (run_.has_totals) out.live_totals.resize(rank.ops.size());
    for (std::uint32_t i = 0; i < rank.ops.size(); ++i) {
      const RecordedOp& recorded = run_.ops[r][i];
      out.is_weight_op[i] = recorded.is_weight_op;
      for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
        if (run_.has_totals) {
          const RecordedTotals& totals = recorded.live_before[m];
          out.live_totals[i][m] = {totals.logical_bytes, totals.padded_bytes, totals.tensors};
        }
        if (!recorded.has_own_growth) continue;
        out.effects[i].own_growth[m] = recorded.own_growth[m];
        out.effects[i].confidence[m] = run_.modeled_memory            ? Confidence::kModeled
                                       : recorded.own_growth_measured ? Confidence::kMeasured
                                                                      : Confidence::kDerived;
      }
      if (!recorded.has_own_growth && i + 1 < rank.ops.size()) take_change(rank, i, out.effects[i]);
    }
  }

  /// What deallocates freed before the next recorded op is part of the change.
  static void take_change(const RankLog& rank, std::uint32_t i, OpEffect& effect) {
    if (rank.ops[i].block == kNone || rank.ops[i + 1].block == kNone) return;
    const MemoryBlock& now = rank.blocks[rank.ops[i].block];
    const MemoryBlock& next = rank.blocks[rank.ops[i + 1].block];
    for (const Memory memory : kTensorMemories) {
      const std::size_t m = index_of(memory);
      if (!now.has(memory) || !next.has(memory)) continue;
      effect.own_growth[m] = bytes_between(now.allocated[m], next.allocated[m]);
      effect.confidence[m] = Confidence::kDerived;
    }
  }

  void count_ops(std::uint32_t r) {
    RankProfile& out = profile_.ranks[r];
    for (std::size_t i = 0; i < log_.ranks[r].ops.size(); ++i) {
      const bool counted = is_counted(log_, log_.ranks[r].ops[i]);
      out.counted_ops += counted ? 1 : 0;
      out.weight_ops += counted && out.is_weight_op[i] ? 1 : 0;
    }
  }

  /// The files name the programs of a compilation; where several have the same name, they are in order.
  void group_modules() {
    for (const RecordedModules& compilation : run_.compilations) {
      ModuleGroup& group = profile_.module_groups.emplace_back();
      group.by_stage.fill(kNone);
      for (const std::uint32_t module : compilation.modules) {
        group.by_stage[static_cast<std::size_t>(log_.modules[module].stage)] = module;
      }
    }
    std::map<std::uint32_t, std::uint32_t> next;  // by name: first compilation that is not taken
    for (Graph& graph : profile_.graphs) {
      if (graph.const_eval) {
        // With one compilation there is no doubt, also where the caller is not recorded.
        if (run_.compilations.size() == 1) graph.module_group = 0;
        continue;
      }
      std::uint32_t& from = next[graph.name];
      for (std::uint32_t c = from; c < run_.compilations.size(); ++c) {
        const auto& programs = run_.compilations[c].programs;
        const bool named = programs.empty() || std::find(programs.begin(), programs.end(),
                                                         log_.names[graph.name]) != programs.end();
        if (!named) continue;
        graph.module_group = c;
        from = c + 1;
        break;
      }
    }
  }

  void list_arguments() {
    for (const RecordedArgument& entry : run_.arguments) {
      Argument& argument = profile_.arguments.emplace_back();
      argument.ssa = entry.ssa;
      argument.name = entry.name;
      if (argument.name.empty() && entry.ssa != kNone) argument.name = log_.names[entry.ssa];
      argument.role = entry.role;
      argument.role_from_flow = entry.role_from_flow;
      argument.kv_cache = entry.kv_cache;
      argument.shape = entry.shape;
      argument.dtype = entry.dtype;
      argument.logical_bytes = entry.bytes;
      argument.const_eval_graphs = entry.const_eval_graphs;
      argument.same_as = entry.same_as < run_.arguments.size() ? entry.same_as : kNone;
      argument.counted_weight = argument.is_weight() && entry.counted.value_or(true);
      if (!argument.counted_weight) continue;
      ++profile_.weight_count;
      profile_.weight_bytes = saturating_add(profile_.weight_bytes, argument.logical_bytes);
    }
  }

  void find_worst_padding() {
    constexpr std::size_t kKept = 100;
    std::vector<bool> seen(log_.types.size(), false);
    for (std::uint32_t r = 0; r < log_.ranks.size(); ++r) {
      const auto& ops = log_.ranks[r].ops;
      for (std::uint32_t i = 0; i < ops.size(); ++i) {
        const OpText* text = log_.text_of(ops[i]);
        if (text == nullptr) continue;
        for (const std::uint32_t type : log_.ids(text->result_types)) {
          if (seen[type] || !log_.types[type].on_device()) continue;
          seen[type] = true;
          const std::int64_t waste = log_.types[type].padded_bytes - log_.types[type].logical_bytes;
          if (waste > 0) profile_.worst_padding.push_back({r, i, type, waste});
        }
      }
    }
    std::stable_sort(
        profile_.worst_padding.begin(), profile_.worst_padding.end(),
        [](const PaddingEntry& a, const PaddingEntry& b) { return a.waste_bytes > b.waste_bytes; });
    if (profile_.worst_padding.size() > kKept) profile_.worst_padding.resize(kKept);
  }

  /// The general sentences speak of logs; these are files made from one.
  void describe_source() {
    profile_.missing.clear();
    for (const std::string& file : run_.absent_files) profile_.missing.push_back({MissingPart::kFile, file});
    profile_.missing.push_back({MissingPart::kDeallocations});
    profile_.notes.clear();
    const auto note = [&](MemoryNoteKind kind) { profile_.notes.push_back({kind}); };
    note(MemoryNoteKind::kFromFiles);
    note(run_.modeled_memory ? MemoryNoteKind::kFilesAllModeled : MemoryNoteKind::kFilesRounded);
    if (!has_own_growth()) {
      note(MemoryNoteKind::kFilesGrowth);
      note(MemoryNoteKind::kFilesPadding);
    }
    note(MemoryNoteKind::kFilesL1TensorsOnly);
  }

  bool has_own_growth() const {
    return std::any_of(run_.ops.begin(), run_.ops.end(), [](const std::vector<RecordedOp>& ops) {
      return std::any_of(ops.begin(), ops.end(), [](const RecordedOp& op) { return op.has_own_growth; });
    });
  }

  const RecordedRun& run_;
  const RuntimeLog& log_;
  GraphTable graphs_;
  MemoryProfile profile_;
};

}  // namespace

MemoryProfile profile_recorded_run(const RecordedRun& run) { return RecordedProfiler(run).profile(); }

}  // namespace ttscope::mem
