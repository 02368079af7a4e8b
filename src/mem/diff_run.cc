#include "mem/diff_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/module_path.h"
#include "mem/write/labels.h"
#include "mem/write/verdict_text.h"
#include "ui/text.h"

namespace ttscope::mem {
namespace {

using diff::ItemKind;
using diff::RunTotal;

/// What became of the tensors of an op by the time of the peak.
enum class AtPeak : std::uint8_t { kNothing, kFreed, kLive, kNotYet };

/// What happened to the tensors of one op.
struct OpTensors {
  AtPeak state = AtPeak::kNothing;
  std::uint16_t made = 0;
  std::uint16_t live = 0;
  TensorKind kind = TensorKind::kUnknown;  ///< of what is live
  double cost = 0;
  auto key() const { return std::make_tuple(state, made, live, kind); }
};

std::string lifetime_text(const OpTensors& tensors) {
  switch (tensors.state) {
    case AtPeak::kFreed:
      return "freed before the peak";
    case AtPeak::kLive:
      return tensors.live < tensors.made
                 ? fmt::format("{} of {} live at the peak", tensors.live, tensors.made)
                 : "live at the peak";
    case AtPeak::kNotYet:
      return "made after the peak";
    case AtPeak::kNothing:
      break;
  }
  return {};
}

/// Whether modules of the log tell what its arguments are; without them some are weights by their use alone.
bool has_argument_names(const MemoryProfile& memory) {
  return std::any_of(memory.arguments.begin(), memory.arguments.end(), [](const Argument& argument) {
    return !argument.name.starts_with('%') ||
           (argument.role != ArgumentRole::kUnknown && !argument.role_from_flow);
  });
}

std::uint32_t highest_rank(const MemoryProfile& memory, Memory which) {
  std::uint32_t best = memory.main_rank;
  for (std::uint32_t rank = 0; rank < memory.ranks.size(); ++rank) {
    if (memory.ranks[rank].peaks[index_of(which)].bytes_per_bank >
        memory.ranks[best].peaks[index_of(which)].bytes_per_bank) {
      best = rank;
    }
  }
  return best;
}

/// What a tensor is, as far as it decides about bytes.
struct TypeFacts {
  std::string dtype, layout, buffer_type, sharding, shape, padding;
};

std::string padding_text(const TensorType& type) {
  if (type.logical_bytes <= 0) return {};
  return fmt::format("{:+.1f} %", 100.0 * static_cast<double>(type.padded_bytes - type.logical_bytes) /
                                      static_cast<double>(type.logical_bytes));
}

void add_type(const TensorType& type, TypeFacts& facts) {
  const auto add = [](std::string& list, std::string_view own) {
    if (!own.empty()) list.append(list.empty() ? "" : ", ").append(own);
  };
  add(facts.dtype, type.dtype);
  add(facts.layout, type.is_tiled() ? "tile" : "row_major");
  add(facts.buffer_type, type.buffer == BufferType::kNone ? "" : name_of(type.buffer));
  if (type.layout != MemoryLayout::kNone) {
    const std::string grid = type.is_sharded() ? " " + shape_text(type.grid) : std::string();
    add(facts.sharding, std::string(name_of(type.layout)) + grid);
  }
  add(facts.shape, type.shape.empty() ? "scalar" : shape_text(type.shape));
  add(facts.padding, padding_text(type));
}

class PeakRun {
 public:
  PeakRun(const Profile& profile, Memory memory, const ComparedIn& shared)
      : profile_(profile),
        log_(profile.log),
        view_{profile.log, profile.memory},
        memory_(memory),
        has_argument_names_(shared.has_argument_names),
        rank_(highest_rank(profile.memory, memory)) {
    if (rank_ < profile.memory.ranks.size()) take_moment(shared.pass);
  }

  diff::ComparedRun make() {
    run_.name = log_.files.empty() ? "" : log_.files.front();
    run_.cost_name = memory_ == Memory::kDram ? "peak_dram" : "peak_l1";
    run_.unit = "bytes";
    run_.row_name = "op";
    run_.warnings = log_.warnings;
    if (rank_ >= profile_.memory.ranks.size()) return std::move(run_);
    run_.exact_within = static_cast<double>(all_banks(rank(), memory_, kLogResolutionBytes));
    run_.device = device_text(rank().device);
    const Outcome outcome = profile_.memory.verdict.outcome;
    if (profile_.memory.verdict.failed() || outcome == Outcome::kCut || outcome == Outcome::kRunning)
      run_.failure = verdict_text(view_).outcome;
    describe_peak();
    if (rank().buffers.empty()) {
      note_growth();
    } else {
      note_states();
    }
    add_arguments();
    add_ops();
    add_rest();
    add_totals();
    add_settings();
    return std::move(run_);
  }

 private:
  const RankProfile& rank() const { return profile_.memory.ranks[rank_]; }
  const RankLog& ops() const { return log_.ranks[rank_]; }
  const Peak& peak() const { return peak_; }
  const LiveSet& live() const { return live_; }
  std::size_t tensor_memory() const { return memory_ == Memory::kDram ? 0 : 1; }

  /// The peak, or the same height in another pass.
  void take_moment(const PassName& pass) {
    peak_ = rank().peaks[index_of(memory_)];
    live_ = rank().live_at_peak[tensor_memory()];
    if (pass.program.empty()) return;
    for (const PeakPass& candidate : peak_passes(profile_, rank_, memory_)) {
      if (candidate.name != pass || candidate.peak.moment == peak_.moment) continue;
      peak_ = candidate.peak;
      live_ = live_set_at(log_, rank(), {memory_, peak_.moment, rank().measured ? peak_.bytes_per_bank : -1});
    }
  }

  static std::int64_t all_banks(const RankProfile& rank, Memory memory, std::int64_t bytes_per_bank) {
    return ui::all_banks(bytes_per_bank, rank.device.banks[index_of(memory)]);
  }
  double cost_of(std::int64_t bytes_per_bank) const {
    return static_cast<double>(all_banks(rank(), memory_, bytes_per_bank));
  }

  void describe_peak() {
    run_.what = fmt::format("{} peak{}", name_of(memory_), rank().measured ? "" : ", modelled");
    if (peak().op < ops().ops.size() && peak().bytes_per_bank > 0) {
      const OpPlace place = place_of(view_, rank_, peak().op);
      run_.what += fmt::format(" {} {} at line {}{}", peak().at_program_start ? "before" : "at", place.name,
                               ui::count_text(place.line),
                               place.program.empty() ? "" : fmt::format(" of {}", place.program));
    }
  }

  /// What became of the tensors of each op, and what of them is live.
  void note_states() {
    tensors_.assign(ops().ops.size(), {});
    const Moment moment = peak().moment;
    for (const Buffer& buffer : rank().buffers) {
      if (buffer.memory != tensor_memory() || buffer.producer_op >= tensors_.size()) continue;
      if (buffer.renamed_from != kNone) continue;
      OpTensors& own = tensors_[buffer.producer_op];
      ++own.made;
      if (own.state == AtPeak::kNothing) own.state = buffer.born > moment ? AtPeak::kNotYet : AtPeak::kFreed;
    }
    for (const std::uint32_t index : live().buffers) {
      const Buffer& buffer = rank().buffers[index];
      if (buffer.producer_op >= tensors_.size()) continue;
      OpTensors& own = tensors_[buffer.producer_op];
      own.state = AtPeak::kLive;
      ++own.live;
      own.cost += cost_of(buffer.bytes_per_bank);
      own.kind = buffer.kind;
    }
  }

  /// Without tensors: what each op added until the peak.
  void note_growth() {
    tensors_.assign(ops().ops.size(), {});
    const std::size_t end = std::min<std::size_t>(rank().effects.size(), std::size_t{peak().moment} / 2 + 1);
    for (std::size_t i = 0; i < end && i < tensors_.size(); ++i) {
      tensors_[i].cost = cost_of(rank().effects[i].own_growth[tensor_memory()]);
    }
  }

  // ---- items -----------------------------------------------------------------------------------------

  void add(std::uint32_t kind, std::uint64_t row, double cost) {
    run_.items.push_back({kind, row, cost, 0});
    listed_ += cost;
  }

  std::uint32_t new_kind(ItemKind kind) {
    run_.kinds.push_back(std::move(kind));
    return static_cast<std::uint32_t>(run_.kinds.size() - 1);
  }

  static void take_facts(const TypeFacts& types, const OpTensors& tensors, ItemKind& kind) {
    kind.shape = types.shape;
    kind.form = types.dtype + " " + types.layout;
    kind.placement = types.buffer_type.substr(0, types.buffer_type.find(','));
    kind.facts = {{"dtype", types.dtype},
                  {"layout", types.layout},
                  {"buffer_type", types.buffer_type},
                  {"sharding", types.sharding},
                  {"shape", types.shape},
                  {"padding", types.padding},
                  {"lifetime", lifetime_text(tensors)}};
  }

  /// Without names a weight or an input is the same as any other of its shape and type.
  ItemKind kind_of_argument(const Buffer& buffer) const {
    const TensorType& type = type_of(log_, rank(), buffer);
    const std::string name = buffer_label(view_, rank_, buffer);
    const bool is_known = buffer.kind != TensorKind::kUnknown;
    ItemKind kind;
    if (has_argument_names_) {
      kind.op = is_known ? name_of(buffer.kind) : "tensor";
      kind.place = name;
      kind.layer = module_of_location('"' + name + '"');
    } else {
      kind.op = "argument";
      kind.place = tensor_text(type);
    }
    kind.is_named = is_known || !has_argument_names_;
    kind.category = kind.op;
    kind.label = fmt::format("{} {} {}", kind.op, name, tensor_text(type));
    TypeFacts types;
    add_type(type, types);
    take_facts(types, {}, kind);
    return kind;
  }

  /// Weights and inputs that are live at the peak; by name, because their order means nothing.
  void add_arguments() {
    std::vector<std::pair<ItemKind, std::uint32_t>> arguments;
    for (const std::uint32_t index : live().buffers) {
      const Buffer& buffer = rank().buffers[index];
      if (buffer.producer_op >= tensors_.size()) arguments.emplace_back(kind_of_argument(buffer), index);
    }
    std::sort(arguments.begin(), arguments.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first.op, a.first.place, a.second) < std::tie(b.first.op, b.first.place, b.second);
    });
    for (auto& [kind, index] : arguments) {
      add(new_kind(std::move(kind)), ops().ops.size() + index, cost_of(rank().buffers[index].bytes_per_bank));
    }
  }

  void add_ops() {
    for (std::uint32_t i = 0; i < ops().ops.size(); ++i) {
      const ExecutedOp& op = ops().ops[i];
      if (is_counted(log_, op) || tensors_[i].cost != 0) add(kind_of_op(i), i, tensors_[i].cost);
    }
  }

  /// Ops of one text at one place of one program that fared the same share a kind.
  std::uint32_t kind_of_op(std::uint32_t index) {
    const ExecutedOp& op = ops().ops[index];
    const std::uint32_t program =
        op.instance < rank().programs.size() ? rank().programs[op.instance].graph : kNone;
    const OpTensors& tensors = tensors_[index];
    const auto key = std::make_tuple(op.text, op.loc, op.op_type, program, tensors.key());
    const auto found = kinds_.find(key);
    if (found != kinds_.end()) return found->second;
    ItemKind kind;
    kind.op = log_.name_of(op);
    if (kind.op.empty()) kind.op = "unreadable op";
    const bool is_weight = index < rank().is_weight_op.size() && rank().is_weight_op[index];
    kind.category = tensors.kind != TensorKind::kUnknown ? name_of(tensors.kind)
                    : is_weight                          ? "const_eval"
                                                         : "activation";
    const std::string_view loc = op.loc == kNone ? std::string_view() : log_.locs[op.loc];
    kind.place = program == kNone ? "" : std::string(log_.names[profile_.memory.graphs[program].name]);
    kind.place += ' ' + display_loc(loc);
    kind.location = loc;
    kind.layer = module_of_location(loc);
    TypeFacts types;
    std::string first;
    if (const OpText* text = log_.text_of(op)) {
      for (const std::uint32_t type : log_.ids(text->result_types)) {
        if (type >= log_.types.size() || !log_.types[type].is_tensor) continue;
        if (first.empty()) first = " " + tensor_text(log_.types[type]);
        add_type(log_.types[type], types);
      }
    }
    kind.label = kind.op + first;
    take_facts(types, tensors, kind);
    return kinds_[key] = new_kind(std::move(kind));
  }

  /// What the peak is more than the tensors that are known: kernels, buffers of traces, what a failing op had
  /// got.
  void add_rest() {
    ItemKind kind;
    kind.op = "(unaccounted)";
    kind.label = "what no tensor accounts for";
    kind.category = "unaccounted";
    add(new_kind(std::move(kind)), ops().ops.size() + rank().buffers.size(),
        cost_of(peak().bytes_per_bank) - listed_);
  }

  // ---- the run as a whole ----------------------------------------------------------------------------

  RunTotal peak_total(Memory memory, const std::string& name) const {
    const RankProfile& highest = profile_.memory.ranks[highest_rank(profile_.memory, memory)];
    const Peak& own = highest.peaks[index_of(memory)];
    RunTotal total = {name, "bytes", static_cast<double>(all_banks(highest, memory, own.bytes_per_bank)),
                      true};
    const std::int64_t capacity = highest.device.capacity_bytes_per_bank[index_of(memory)];
    if (capacity > 0) total.whole = static_cast<double>(all_banks(highest, memory, capacity));
    total.exact_within = static_cast<double>(all_banks(highest, memory, kLogResolutionBytes));
    total.how = own.confidence == Confidence::kNone ? "" : name_of(own.confidence);
    return total;
  }

  void add_totals() {
    run_.totals = {peak_total(Memory::kDram, "peak_dram"), peak_total(Memory::kL1, "peak_l1")};
    for (const auto& [memory, name] :
         {std::pair(Memory::kL1Small, "peak_l1_small"), std::pair(Memory::kTrace, "peak_trace")}) {
      RunTotal total = peak_total(memory, name);
      total.is_known = total.value > 0;
      run_.totals.push_back(std::move(total));
    }
    const RunVerdict& verdict = profile_.memory.verdict;
    RunTotal fits = {"fits", "flag", verdict.fit == Fit::kYes ? 1.0 : 0.0, verdict.fit != Fit::kUnknown};
    fits.exact_within = 0;
    run_.totals.push_back(std::move(fits));
    RunTotal failures = {"failures", "count", 0, true};
    for (const RankLog& each : log_.ranks) {
      // Lines of a crash that follow a failed allocation tell of the same end.
      const std::size_t crashes = each.failures.empty() && !each.crashes.empty() ? 1 : 0;
      failures.value += static_cast<double>(each.failures.size() + crashes);
    }
    failures.exact_within = 0;
    run_.totals.push_back(std::move(failures));
    RunTotal padding = {"padding", "bytes", static_cast<double>(live().padded_bytes - live().logical_bytes),
                        !rank().buffers.empty()};
    padding.whole = static_cast<double>(live().logical_bytes);
    padding.exact_within = 0;
    padding.how = name_of(Confidence::kModeled);
    run_.totals.push_back(std::move(padding));
  }

  void add_settings() {
    const DeviceFacts& device = rank().device;
    run_.settings = {
        {"architecture", device.arch},
        {"chips", device.chips == 0 ? "" : std::to_string(device.chips)},
        {"banks of DRAM", std::to_string(device.banks[index_of(Memory::kDram)]), false,
         memory_ == Memory::kDram},
        {"banks of L1", std::to_string(device.banks[index_of(Memory::kL1)]), false, memory_ == Memory::kL1},
        {"DRAM of the device", capacity_text()},
        {"ranks", std::to_string(profile_.memory.ranks.size())},
        {"figures", rank().measured ? "measured" : "modelled"},
        {"how it ended", std::string(name_of(profile_.memory.verdict.outcome))}};
    if (!has_argument_names_)
      run_.settings.push_back({"names of arguments",
                               has_argument_names(profile_.memory) ? "from its modules" : "not in the log"});
  }

  /// Without decimals: what a runtime keeps for itself is another amount in each version.
  std::string capacity_text() const {
    constexpr double kGb = 1024.0 * 1024 * 1024;
    const std::int64_t per_bank = rank().device.capacity_bytes_per_bank[index_of(Memory::kDram)];
    const double all = static_cast<double>(all_banks(rank(), Memory::kDram, per_bank)) / kGb;
    return per_bank <= 0 ? "" : fmt::format("{:.0f} GB", all);
  }

  const Profile& profile_;
  const RuntimeLog& log_;
  ProfileView view_;
  Memory memory_;
  bool has_argument_names_;
  std::uint32_t rank_;
  Peak peak_;
  LiveSet live_;
  diff::ComparedRun run_;
  std::vector<OpTensors> tensors_;  ///< by op
  std::map<
      std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, decltype(OpTensors().key())>,
      std::uint32_t>
      kinds_;
  double listed_ = 0;
};

}  // namespace

diff::ComparedRun diff_run_of(const Profile& profile, Memory memory, const ComparedIn& shared) {
  return PeakRun(profile, memory, shared).make();
}

ComparedIn shared_by(const std::vector<const Profile*>& profiles, Memory memory) {
  ComparedIn in;
  in.has_argument_names = std::all_of(profiles.begin(), profiles.end(), [&](const Profile* profile) {
    return has_argument_names(profile->memory) == has_argument_names(profiles.front()->memory);
  });
  std::vector<PassName> shared;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const std::uint32_t rank = highest_rank(profiles[i]->memory, memory);
    if (rank >= profiles[i]->memory.ranks.size()) return in;
    std::vector<PassName> own;
    for (const PeakPass& pass : peak_passes(*profiles[i], rank, memory)) own.push_back(pass.name);
    if (i == 0) {
      shared = std::move(own);
    } else {
      std::erase_if(
          shared, [&](const PassName& pass) { return std::find(own.begin(), own.end(), pass) == own.end(); });
    }
  }
  if (!shared.empty()) in.pass = shared.front();
  return in;
}

}  // namespace ttscope::mem
