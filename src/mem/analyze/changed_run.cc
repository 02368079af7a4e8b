#include "mem/analyze/changed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "mem/analyze/failures.h"
#include "mem/analyze/memory_profile.h"
#include "mem/analyze/resized_type.h"
#include "mem/analyze/tensor_origins.h"

namespace ttscope::mem {
namespace {

/// Names that are near are looked for among so many.
constexpr std::size_t kMaxCandidates = 2000;

class NameFinder {
 public:
  NameFinder(const RuntimeLog& log, const MemoryProfile& profile, std::uint32_t rank, std::string_view name)
      : log_(log), profile_(profile), ops_(log.ranks[rank]), rank_(profile.ranks[rank]), name_(name) {
    const std::size_t colon = name.rfind(":%");
    if (colon != std::string_view::npos) {
      program_ = name.substr(0, colon);
      ssa_ = name.substr(colon + 1);
    } else if (name.starts_with('%')) {
      ssa_ = name;
    }
  }

  std::vector<std::uint32_t> find() {
    std::vector<std::uint32_t> found;
    for (std::uint32_t b = 0; b < rank_.buffers.size(); ++b) {
      if (is_meant(rank_.buffers[b])) found.push_back(b);
    }
    return found;
  }

  std::string nearest() {
    std::vector<std::string_view> candidates;
    for (const Argument& argument : profile_.arguments) {
      if (candidates.size() < kMaxCandidates) candidates.emplace_back(argument.name);
    }
    for (const auto& [loc, text] : shown_locs_) {
      if (candidates.size() < kMaxCandidates && !text.empty()) candidates.emplace_back(text);
    }
    return std::string(nearest_name(name_, candidates));
  }

 private:
  bool is_meant(const Buffer& buffer) {
    if (!ssa_.empty()) {
      if (buffer.name == kNone || log_.names[buffer.name] != ssa_) return false;
      return program_.empty() || program_of(buffer) == program_;
    }
    if (buffer.argument < profile_.arguments.size() && profile_.arguments[buffer.argument].name == name_)
      return true;
    if (buffer.producer_op >= ops_.ops.size()) return false;
    const std::uint32_t loc = ops_.ops[buffer.producer_op].loc;
    return loc != kNone && shown(loc) == name_;
  }

  std::string_view program_of(const Buffer& buffer) const {
    if (buffer.instance >= ops_.programs.size()) return {};
    const std::uint32_t name = ops_.programs[buffer.instance].name;
    return name == kNone ? std::string_view{} : log_.names[name];
  }

  const std::string& shown(std::uint32_t loc) {
    const auto [found, is_new] = shown_locs_.try_emplace(loc);
    if (is_new) found->second = display_loc(log_.locs[loc]);
    return found->second;
  }

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  const RankLog& ops_;
  const RankProfile& rank_;
  std::string_view name_;
  std::string_view program_;
  std::string_view ssa_;
  std::unordered_map<std::uint32_t, std::string> shown_locs_;
};

/// The buffers that a user names: by the model's name of an argument, by SSA name (`%12`, `main:%12`), or by
/// the location of the op that makes it. The error of a name that none has says which is near.
Result<std::vector<std::uint32_t>> buffers_named(const RuntimeLog& log, const MemoryProfile& profile,
                                                 std::uint32_t rank, const std::string& name) {
  NameFinder finder(log, profile, rank, name);
  std::vector<std::uint32_t> found = finder.find();
  if (!found.empty()) return found;
  const std::string near = finder.nearest();
  return failure(bad_input(fmt::format(
      "no tensor on the device is called {}{}: expected a model name, an SSA name (%12 or main:%12) or "
      "the location of the op that makes it",
      terminal_safe(name), near.empty() ? "" : fmt::format(", did you mean {}?", terminal_safe(near)))));
}

DeviceFacts facts_of(const fit::Device& device) {
  DeviceFacts facts;
  facts.arch = device.arch;
  for (std::size_t m = 0; m < kMemoryCount; ++m) facts.banks[m] = device.regions[m].banks;
  facts.dram_alignment_bytes = device.alignment_bytes;
  facts.l1_alignment_bytes = device.l1_alignment_bytes;
  return facts;
}

bool same_layout(const fit::Device& a, const fit::Device& b) {
  const auto banks = [](const fit::Device& d, Memory memory) { return d.region(memory).banks; };
  return a.alignment_bytes == b.alignment_bytes && a.l1_alignment_bytes == b.l1_alignment_bytes &&
         banks(a, Memory::kDram) == banks(b, Memory::kDram) && banks(a, Memory::kL1) == banks(b, Memory::kL1);
}

bool is_of_weights(TensorKind kind) { return kind == TensorKind::kWeight || kind == TensorKind::kConstEval; }

bool is_of_data(TensorKind kind) { return kind == TensorKind::kActivation || kind == TensorKind::kInput; }

/// Which changes of type a life takes part in; lives of one type and one such set have one size.
enum TypeChange : unsigned {
  kFormat = 1,
  kRows = 2,
  kBatch = 4,
  kSequence = 8,
  kSplit = 16,
  kSplitHeads = 32,
  kLength = 64
};

class RunChanger {
 public:
  RunChanger(const FitScene& scene, const fit::Device& device, const fit::Changes& changes)
      : scene_(scene),
        device_(device),
        changes_(changes),
        facts_(facts_of(device)),
        as_recorded_(same_layout(device, scene.replay.device)),
        dimensions_(dimensions_of(scene, changes)),
        tables_(scene.log, scene.profile, scene.rank) {}

  Result<ChangedDemands> change() {
    const std::vector<Life>& lives = scene_.replay.lives.lives;
    type_changes_.assign(lives.size(), 0);
    for (const Life& life : lives) out_.demands.push_back(plain_demand(life));
    choose_by_kind();
    RETURN_IF_ERROR(choose_named());
    RETURN_IF_ERROR(check_scaling());
    change_lifetimes();
    for (std::uint32_t i = 0; i < lives.size(); ++i) size_demand(i);
    RETURN_IF_ERROR(check_followed());
    report_changes();
    return std::move(out_);
  }

 private:
  static fit::Demand plain_demand(const Life& life) {
    fit::Demand demand = demand_of(life);
    if (life.source == LifeSource::kCircularBuffers) demand.kind = fit::DemandKind::kRoomAtBottom;
    return demand;
  }

  void choose_by_kind() {
    const std::vector<Life>& lives = scene_.replay.lives.lives;
    for (std::size_t i = 0; i < lives.size(); ++i) {
      const Life& life = lives[i];
      if (life.type == kNone) continue;
      unsigned& chosen = type_changes_[i];
      const bool cache = is_kv_cache(life);
      if (is_of_weights(life.kind) && changes_.weights != fit::WeightFormat::kAsRecorded && !is_table(life))
        chosen |= kFormat;
      if (changes_.tensor_parallel > 1 && is_of_weights(life.kind)) chosen |= kSplit;
      if (changes_.tensor_parallel > 1 && cache) chosen |= kSplitHeads;
      if (changes_.batch.to > 0 && (is_of_data(life.kind) || cache)) chosen |= kBatch;
      const bool outgrows = cache && changes_.sequence.to > dimensions_.cache_length;
      if (changes_.sequence.to > 0 && outgrows) chosen |= kLength;
      if (changes_.sequence.to > 0 && !cache && follows_sequence(life.kind)) chosen |= kSequence;
    }
  }

  bool is_table(const Life& life) const {
    return life.buffer != kNone && tables_.has(scene_.memory().buffers[life.buffer]);
  }

  /// Tables of positions and masks are results of const-eval; where no weight and no head has the length of
  /// the sequence, such a dimension can only be it.
  bool follows_sequence(TensorKind kind) const {
    const bool collides = dimensions_.is_width_too || dimensions_.head_size == dimensions_.sequence;
    return is_of_data(kind) || (kind == TensorKind::kConstEval && !collides);
  }

  bool is_kv_cache(const Life& life) const {
    if (life.buffer == kNone) return false;
    const std::uint32_t argument = scene_.memory().buffers[life.buffer].argument;
    return argument < scene_.profile.arguments.size() && scene_.profile.arguments[argument].kv_cache;
  }

  Result<std::vector<std::uint32_t>> lives_named(std::string_view option, const std::string& name) const {
    const auto buffers = buffers_named(scene_.log, scene_.profile, scene_.rank, name);
    if (!buffers) return failure(bad_input(fmt::format("{} {}", option, buffers.error().message)));
    std::vector<std::uint32_t> lives;
    for (const std::uint32_t buffer : *buffers) lives.push_back(scene_.replay.lives.life_of_buffer[buffer]);
    std::sort(lives.begin(), lives.end());
    lives.erase(std::unique(lives.begin(), lives.end()), lives.end());
    return lives;
  }

  Result<void> choose_named() {
    for (const std::string& name : changes_.row_major) {
      const auto lives = lives_named("--row-major:", name);
      if (!lives) return failure(lives.error());
      bool any = false;
      for (const std::uint32_t life : *lives) {
        type_changes_[life] |= kRows;
        any |= in_rows(type_at(scene_.replay.lives.lives[life])).is_tiled() !=
               type_at(scene_.replay.lives.lives[life]).is_tiled();
      }
      if (!any)
        return failure(bad_input(fmt::format(
            "--row-major {}: it is not stored in tiles, or in a form that only tiles and shards have",
            name)));
    }
    for (const std::string& name : changes_.free_early) {
      const auto lives = lives_named("--free-early:", name);
      if (!lives) return failure(lives.error());
      for (const std::uint32_t life : *lives) free_early(life);
      note("--free-early", name, early_, fit::Basis::kReplayed);
      early_ = 0;
    }
    return {};
  }

  void free_early(std::uint32_t index) {
    const Life& life = scene_.replay.lives.lives[index];
    const fit::Tick from = std::max(life.born, life.last_used) + 1;
    if (from >= out_.demands[index].died) return;
    out_.demands[index].died = from;
    ++early_;
  }

  Result<void> check_scaling() const {
    const auto wanted = [](std::string_view option, std::string_view what, std::int64_t to) {
      return failure(bad_input(
          fmt::format("{} {}: the inputs of the log do not tell the {}; give what it was, as in {} 1:{}",
                      option, to, what, option, to)));
    };
    if (changes_.batch.to > 0 && dimensions_.batch == 0) return wanted("--batch", "batch", changes_.batch.to);
    if (changes_.sequence.to > 0 && dimensions_.sequence == 0)
      return wanted("--sequence", "sequence", changes_.sequence.to);
    return {};
  }

  /// A batch or sequence that the run did not have scales nothing, and would answer about the run as it was.
  Result<void> check_followed() const {
    if (scene_.rank != scene_.profile.main_rank) return {};  // others may run something else
    const DataDimensions recorded = find_dimensions(scene_.log, scene_.profile, scene_.rank);
    const auto nothing = [](std::string_view option, const fit::Scaling& asked, std::int64_t of_inputs) {
      return failure(bad_input(fmt::format(
          "{} {}:{}: no tensor has a dimension of {}{}", option, asked.from, asked.to, asked.from,
          of_inputs > 0 ? fmt::format("; the inputs of the log tell {}", of_inputs) : std::string())));
    };
    const auto is_idle = [&](const fit::Scaling& asked, TypeChange change) {
      return asked.from > 0 && asked.to > 0 && asked.to != asked.from && (followed_ & change) == 0;
    };
    if (is_idle(changes_.batch, kBatch)) return nothing("--batch", changes_.batch, recorded.batch);
    if (is_idle(changes_.sequence, kSequence))
      return nothing("--sequence", changes_.sequence, recorded.sequence);
    return {};
  }

  const TensorType& type_at(const Life& life) const {
    return life.type >= kLocalTypeBase ? scene_.memory().local_types[life.type - kLocalTypeBase]
                                       : scene_.log.types[life.type];
  }

  // -- lifetimes

  void change_lifetimes() {
    if (!changes_.free_originals && !changes_.originals_on_host) return;
    const RankProfile& rank = scene_.memory();
    std::unordered_map<std::uint32_t, fit::Tick> needed_until;  // by life of the original
    for (const DuplicatedWeight& pair : rank.copied_weights) {
      const std::uint32_t original = scene_.replay.lives.life_of_buffer[pair.weight];
      const Life& life = scene_.replay.lives.lives[original];
      const fit::Tick copied = scene_.replay.lives.lives[scene_.replay.lives.life_of_buffer[pair.copy]].born;
      fit::Tick& until = needed_until.try_emplace(original, 0).first->second;
      until = std::max({until, copied, life.last_used});
    }
    for (const auto& [original, until] : needed_until) {
      fit::Demand& demand = out_.demands[original];
      if (until + 1 < demand.died) {
        demand.died = until + 1;
        ++freed_;
      }
      if (changes_.originals_on_host) move_to_host(original);
    }
  }

  /// Const-eval moves it to the device for as long as it reads it.
  void move_to_host(std::uint32_t original) {
    const Life& life = scene_.replay.lives.lives[original];
    fit::Demand& demand = out_.demands[original];
    if (life.first_used == fit::kNever) {
      demand.died = demand.born;
      ++moved_;
      return;
    }
    if (!is_read_by_const_eval(life.first_used) || !is_read_by_const_eval(life.last_used)) return;
    demand.born = std::max(demand.born, life.first_used - 1);
    demand.died = std::min(demand.died, life.last_used + 1);
    ++moved_;
  }

  bool is_read_by_const_eval(fit::Tick use) const {
    const std::uint32_t op = moment_of_tick(use) / 2;
    if (op >= scene_.ops().ops.size()) return false;
    const std::uint32_t instance = scene_.ops().ops[op].instance;
    return instance < scene_.memory().programs.size() && scene_.memory().programs[instance].const_eval;
  }

  // -- sizes

  void size_demand(std::uint32_t index) {
    const Life& life = scene_.replay.lives.lives[index];
    fit::Demand& demand = out_.demands[index];
    if (life.type == kNone) {
      if (!as_recorded_) demand.bytes_per_bank = on_other_banks(life);
      return;
    }
    const Sized& sized = size_of(life, type_changes_[index]);
    demand.bytes_per_bank = sized.bytes_per_bank;
    count_changes(sized.changed);
    followed_ |= sized.followed;
    if (sized.shards > out_.cores_needed) {
      out_.cores_needed = sized.shards;
      out_.sharded_life = index;
    }
  }

  /// Of blocks without a type only the bytes are known: spread over other banks, in whole blocks. A core has
  /// its circular buffers to itself, however many there are.
  std::int64_t on_other_banks(const Life& life) {
    if (life.source == LifeSource::kCircularBuffers) return life.bytes_per_bank;
    const std::int64_t from = std::max<std::int64_t>(scene_.replay.device.region(life.memory).banks, 1);
    const std::int64_t to = std::max<std::int64_t>(device_.region(life.memory).banks, 1);
    const std::int64_t all = saturating_multiply(life.bytes_per_bank, from);
    scaled_blocks_ = true;
    return all / to + (all % to == 0 ? 0 : 1);
  }

  struct Sized {
    std::int64_t bytes_per_bank = 0;
    std::int64_t shards = 0;  ///< of a tensor in L1
    unsigned changed = 0;     ///< the changes that made a difference
    unsigned followed = 0;    ///< those that gave it another shape, if only within its tiles
  };

  const Sized& size_of(const Life& life, unsigned chosen) {
    const auto [found, is_new] = sizes_.try_emplace(std::uint64_t{life.type} << 8 | chosen);
    if (!is_new) return found->second;
    Sized& sized = found->second;
    TensorType type = type_at(life);
    const std::int64_t cores = device_.region(Memory::kL1).banks;
    const auto take = [&](TensorType changed, unsigned by) {
      if (changed.shape != type.shape) sized.followed |= by;
      if (changed.padded_bytes == type.padded_bytes && changed.page_bytes == type.page_bytes) return;
      sized.changed |= by;
      type = std::move(changed);
    };
    if ((chosen & kFormat) != 0)
      take(in_block_format(type, changes_.weights == fit::WeightFormat::kBfp8 ? "bfp_bf8" : "bfp_bf4"),
           kFormat);
    if ((chosen & kBatch) != 0) take(with_batch(type, dimensions_, changes_.batch.to, cores), kBatch);
    if ((chosen & kSequence) != 0)
      take(with_sequence(type, after_batch(), changes_.sequence.to, cores), kSequence);
    if ((chosen & kLength) != 0) take(with_cache_length(type, changes_.sequence.to), kSequence);
    if ((chosen & kSplit) != 0) take(split_matrix(type, changes_.tensor_parallel), kSplit);
    if ((chosen & kSplitHeads) != 0) take(split_heads(type, changes_.tensor_parallel), kSplit);
    if ((chosen & kRows) != 0) take(in_rows(type), kRows);
    sized.bytes_per_bank =
        sized.changed == 0 && as_recorded_ ? life.bytes_per_bank : bytes_per_bank(type, facts_);
    if (type.is_sharded() && life.memory == Memory::kL1) sized.shards = type.shard_count;
    return sized;
  }

  /// What batch x sequence has become when the sequence is looked for.
  DataDimensions after_batch() const {
    DataDimensions now = dimensions_;
    if (changes_.batch.to > 0 && now.batch > 0)
      now.tokens = saturating_multiply(now.tokens / now.batch, changes_.batch.to);
    return now;
  }

  void count_changes(unsigned changed) {
    if (changed == 0) return;
    formatted_ += (changed & kFormat) != 0;
    rows_ += (changed & kRows) != 0;
    batched_ += (changed & kBatch) != 0;
    lengthened_ += (changed & kSequence) != 0;
    split_ += (changed & kSplit) != 0;
  }

  // -- what was done

  void note(std::string_view option, std::string value, std::uint64_t tensors, fit::Basis basis) {
    out_.applied.push_back({std::string(option), std::move(value), tensors, 0, 0, basis});
  }

  void note_scaling(std::string_view option, std::uint64_t tensors, std::int64_t from, std::int64_t to) {
    out_.applied.push_back(
        {std::string(option), std::to_string(to), tensors, from, to, fit::Basis::kEstimated});
    out_.omissions.push_back(fit::Omission::kDimensionsGuessed);
    out_.estimated = true;
  }

  /// Where another length cannot come out exact, and why.
  void note_sequence() {
    const std::int64_t from = dimensions_.sequence;
    const std::int64_t to = changes_.sequence.to;
    note_scaling("--sequence", lengthened_, from, to);
    if (to < from && dimensions_.cache_length > 0) out_.omissions.push_back(fit::Omission::kCachesKept);
    const bool collides = dimensions_.is_width_too || dimensions_.tokens_are_width_too ||
                          dimensions_.cache_is_width_too || dimensions_.head_size == from ||
                          dimensions_.cache_length == from;
    if (collides) out_.omissions.push_back(fit::Omission::kSequenceIsWidth);
  }

  void report_changes() {
    using fit::Basis;
    if (changes_.weights != fit::WeightFormat::kAsRecorded)
      note("--weights", changes_.weights == fit::WeightFormat::kBfp8 ? "bfp8" : "bfp4", formatted_,
           Basis::kReplayed);
    if (changes_.free_originals) note("--free-originals", "", freed_, Basis::kReplayed);
    if (changes_.originals_on_host) note("--originals-on-host", "", moved_, Basis::kReplayed);
    for (const std::string& name : changes_.row_major) note("--row-major", name, rows_, Basis::kReplayed);
    if (changes_.tensor_parallel > 1) {
      note("--tp", std::to_string(changes_.tensor_parallel), split_, Basis::kEstimated);
      out_.omissions.push_back(fit::Omission::kActivationsNotSplit);
      out_.estimated = true;
    }
    if (changes_.batch.to > 0) note_scaling("--batch", batched_, dimensions_.batch, changes_.batch.to);
    if (changes_.sequence.to > 0) note_sequence();
    if (changes_.best_fit) note("--best-fit", "", out_.demands.size(), Basis::kReplayed);
    if (!as_recorded_) out_.omissions.push_back(fit::Omission::kSameSchedule);
    note_held();
    out_.estimated |= scaled_blocks_;
    out_.other_lifetimes =
        changes_.free_originals || changes_.originals_on_host || !changes_.free_early.empty();
  }

  /// Where memory is held by a message alone, how it lies there is an assumption.
  void note_held() {
    const std::uint32_t failed = scene_.replay.lives.failed_life;
    const bool of_clash =
        failed != kNone && scene_.replay.lives.lives[failed].source == LifeSource::kCircularBuffers;
    for (const Life& life : scene_.replay.lives.lives) {
      const bool assumed = life.source == LifeSource::kAssumedHeld;
      if (!assumed && life.source != LifeSource::kFromFailureMessage) continue;
      if (assumed || !of_clash)
        out_.omissions.push_back(assumed ? fit::Omission::kHeldAssumed : fit::Omission::kHolesAssumed);
      out_.estimated = true;
      return;
    }
  }

  const FitScene& scene_;
  const fit::Device& device_;
  const fit::Changes& changes_;
  DeviceFacts facts_;
  bool as_recorded_;  ///< sizes of unchanged tensors are the recorded ones
  DataDimensions dimensions_;
  EmbeddingTables tables_;
  std::vector<unsigned> type_changes_;  ///< by life
  std::unordered_map<std::uint64_t, Sized> sizes_;
  std::uint64_t formatted_ = 0, rows_ = 0, batched_ = 0, lengthened_ = 0, split_ = 0, freed_ = 0, moved_ = 0,
                early_ = 0;
  unsigned followed_ = 0;  ///< changes of type that any tensor followed
  bool scaled_blocks_ = false;
  ChangedDemands out_;
};

}  // namespace

DataDimensions dimensions_of(const FitScene& scene, const fit::Changes& changes) {
  DataDimensions dimensions = find_dimensions(scene.log, scene.profile, scene.rank);
  if (changes.batch.from > 0) dimensions.batch = changes.batch.from;
  if (changes.sequence.from > 0 && changes.sequence.from != dimensions.sequence) {
    dimensions.sequence = changes.sequence.from;
    dimensions.tokens =
        saturating_multiply(std::max<std::int64_t>(dimensions.batch, 1), changes.sequence.from);
  }
  note_collisions(scene.profile, dimensions);
  return dimensions;
}

Result<ChangedDemands> apply_changes(const FitScene& scene, const fit::Device& device,
                                     const fit::Changes& changes) {
  if (changes.recompute)
    return failure(
        bad_input("--recompute: a log does not tell what could be computed again; a training config does"));
  if (!changes.optimizer.empty())
    return failure(
        bad_input("--optimizer: a log has no optimizer that could be another; a training config has"));
  return RunChanger(scene, device, changes).change();
}

namespace {

fit::Shortage shortage_of(const fit::Demand& demand, const fit::FreeListStats& stats) {
  if (demand.kind == fit::DemandKind::kRoomAtBottom) return fit::Shortage::kCircularBuffers;
  const auto wanted = static_cast<std::uint64_t>(std::max<std::int64_t>(demand.bytes_per_bank, 0));
  if (stats.total_bytes == 0) return fit::Shortage::kRegionMissing;
  if (wanted > stats.total_bytes) return fit::Shortage::kLargerThanBank;
  return wanted > stats.free_bytes ? fit::Shortage::kExhausted : fit::Shortage::kFragmented;
}

RankShortage unplaced(const ChangedDemands& run, const fit::Unplaced& failure) {
  const fit::Demand& demand = run.demands[failure.demand];
  RankShortage shortage;
  shortage.shortage = shortage_of(demand, failure.stats);
  shortage.memory = demand.memory;
  shortage.life = static_cast<std::uint32_t>(failure.demand);
  shortage.tick = failure.tick;
  shortage.bytes_per_bank = demand.bytes_per_bank;
  shortage.free_bytes_per_bank = static_cast<std::int64_t>(failure.stats.free_bytes);
  shortage.largest_free_bytes_per_bank = static_cast<std::int64_t>(failure.stats.largest_free_bytes);
  return shortage;
}

fit::Shortage shortage_of(const FailedBank& bank, const OutOfMemory& failure) {
  if (failure.kind == FailureKind::kBuffersBeyondL1 || failure.kind == FailureKind::kBuffersClash)
    return fit::Shortage::kCircularBuffers;
  if (failure.kind == FailureKind::kProgramSize) return fit::Shortage::kProgramTooLarge;
  if (bank.verdict == FailureVerdict::kRegionMissing) return fit::Shortage::kRegionMissing;
  switch (bank.cause) {
    case FailureCause::kNeverFits:
      return fit::Shortage::kLargerThanBank;
    case FailureCause::kFragmented:
      return fit::Shortage::kFragmented;
    case FailureCause::kRegionAbsent:
      return fit::Shortage::kRegionMissing;
    case FailureCause::kExhausted:
      return fit::Shortage::kExhausted;
    case FailureCause::kUnknown:
      break;
  }
  return fit::Shortage::kUndecided;
}

/// What the run itself says about its end counts more than any model.
RankShortage measured_shortage(const FitScene& scene, const OutOfMemory& failure,
                               const fit::PlacementResult& placing) {
  RankShortage shortage;
  shortage.largest_free_bytes_per_bank = shortage.free_bytes_per_bank = -1;
  const RankLives& lives = scene.replay.lives;
  if (placing.failure && placing.failure->demand == lives.failed_life && scene.memory().measured) {
    shortage.largest_free_bytes_per_bank =
        static_cast<std::int64_t>(placing.failure->stats.largest_free_bytes);
    shortage.free_bytes_per_bank = static_cast<std::int64_t>(placing.failure->stats.free_bytes);
  }
  const FailedBank bank = examine_failure(scene.log, scene.ops(), failure);
  shortage.shortage = shortage_of(bank, failure);
  shortage.memory = failure.memory;
  shortage.measured = &failure;
  shortage.life = lives.failed_life;
  shortage.tick = lives.failed_tick;
  shortage.bytes_per_bank =
      shortage.shortage == fit::Shortage::kCircularBuffers ? failure.reached_bytes : bank.needed_bytes;
  if (bank.free_bytes >= 0) shortage.free_bytes_per_bank = bank.free_bytes;
  if (bank.largest_free_bytes >= 0) shortage.largest_free_bytes_per_bank = bank.largest_free_bytes;
  return shortage;
}

std::optional<RankShortage> missing_parts(const FitScene& scene, const fit::Device& device,
                                          const fit::Changes& changes, const ChangedDemands& run) {
  RankShortage shortage;
  const std::int64_t chips =
      std::int64_t{std::max(scene.memory().device.chips, 1U)} * changes.tensor_parallel;
  const bool counts = !device.is_own || changes.tensor_parallel > 1;
  if (counts && !device.is_own && device.chips > 0 && chips > device.chips) {
    shortage.shortage = fit::Shortage::kTooFewChips;
    shortage.needed = chips;
    return shortage;
  }
  const std::int64_t cores = device.region(Memory::kL1).banks;
  if (!device.is_own && run.cores_needed > cores) {
    shortage.shortage = fit::Shortage::kTooFewCores;
    shortage.memory = Memory::kL1;
    shortage.needed = run.cores_needed;
    shortage.life = run.sharded_life;
    shortage.tick = scene.replay.lives.lives[run.sharded_life].born;
    shortage.bytes_per_bank = run.demands[run.sharded_life].bytes_per_bank;
    return shortage;
  }
  return std::nullopt;
}

}  // namespace

Result<RankFit> fit_rank(const FitScene& scene, const fit::Device& device, const fit::Changes& changes) {
  Result<ChangedDemands> run = apply_changes(scene, device, changes);
  if (!run) return failure(run.error());
  RankFit result{std::move(*run), {}, {}, false};
  const fit::Policy policy = changes.best_fit ? fit::Policy::kBestFit : fit::Policy::kFirstFit;
  result.placing = result.run.other_lifetimes
                       ? fit::place_all(result.run.demands, device, policy)
                       : fit::place_all(result.run.demands, scene.replay.events, device, policy);
  const bool as_it_ran = device.is_own && !changes.any();
  const OutOfMemory* failed = as_it_ran ? deciding_failure(scene.ops()) : ending_failure(scene.ops());
  const bool is_undecided = device.is_own && scene.replay.lives.failed_life == kNone;
  if (failed != nullptr && (as_it_ran || is_undecided)) {
    result.shortage = measured_shortage(scene, *failed, result.placing);
  } else if (as_it_ran && scene.memory().measured) {
    // The run itself shows that it fits, whatever the model says of its placement.
  } else if (result.placing.failure) {
    result.shortage = unplaced(result.run, *result.placing.failure);
  }
  if (!result.shortage) result.shortage = missing_parts(scene, device, changes, result.run);
  result.past_failure = failed != nullptr && !result.shortage;
  return result;
}

}  // namespace ttscope::mem
