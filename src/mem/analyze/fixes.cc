#include "mem/analyze/fixes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include "mem/analyze/failures.h"
#include "mem/analyze/growth.h"
#include "mem/analyze/replay.h"
#include "mem/analyze/resized_type.h"
#include "mem/analyze/tensor_origins.h"

namespace ttscope::mem {
namespace {

constexpr double kMinPeakShare = 0.01;  ///< what saves less of the peak is not worth a line
constexpr std::size_t kMaxShown = 5;

constexpr std::int64_t kUnknownRoom = std::numeric_limits<std::int64_t>::min();

/// What a failed allocation asked for, and of what.
struct Demand {
  Moment moment = 0;
  std::int64_t allocated_bytes_per_bank = 0;
  std::int64_t asked_bytes_per_bank = 0;
  std::int64_t capacity_bytes_per_bank = 0;  ///< kUnknownRoom: a clash whose text has no addresses
  bool in_pieces = false;                    ///< enough was free, but not in one piece
  bool is_clash = false;  ///< of circular buffers: what is held at another moment does not matter
};

class FixFinder {
 public:
  FixFinder(const RuntimeLog& log, const MemoryProfile& profile, const FixQuestion& question)
      : scene_{log, profile, question.rank, question.memory}, question_(question) {
    if (question.failure == nullptr) return;
    demand_ = demand_of(*question.failure);
    scene_.asked = asked_buffer(log, scene_.ops, scene_.rank, *question.failure);
  }

  std::vector<Fix> find() {
    if (!add_plain_fix() && !add_region_fix()) {
      add_smaller_tensor();
      replay_kinds(add_circular_buffer_fix());
    }
    if (fixes_.empty() && question_.failure != nullptr) add_hold_less();
    std::stable_sort(fixes_.begin(), fixes_.end(), [](const Fix& a, const Fix& b) {
      return a.saves_bytes_per_bank > b.saves_bytes_per_bank;
    });
    return std::move(fixes_);
  }

 private:
  /// Tensors of L1 must give way by what circular buffers reach into them, when their op runs.
  std::optional<Demand> demand_of_clash(const OutOfMemory& failure) const {
    if (failure.last_op >= scene_.ops.ops.size()) return std::nullopt;
    constexpr std::size_t kL1 = index_of(Memory::kL1);
    const std::uint32_t block = scene_.ops.ops[failure.last_op].block;
    const bool measured = block < scene_.ops.blocks.size() && scene_.ops.blocks[block].has(Memory::kL1);
    Demand demand;
    demand.moment = before_op(failure.last_op);
    demand.allocated_bytes_per_bank = measured ? bytes_of(scene_.ops.blocks[block].allocated[kL1])
                                               : scene_.rank.accounted[failure.last_op][kL1];
    const bool is_stated = failure.reached_bytes >= 0 && failure.limit_bytes >= 0;
    demand.capacity_bytes_per_bank =
        is_stated ? demand.allocated_bytes_per_bank - (failure.reached_bytes - failure.limit_bytes)
                  : kUnknownRoom;
    demand.in_pieces = demand.is_clash = true;
    return demand;
  }

  std::optional<Demand> demand_of(const OutOfMemory& failure) const {
    if (failure.kind == FailureKind::kBuffersClash) return demand_of_clash(failure);
    const FailedBank bank = examine_failure(scene_.log, scene_.ops, failure);
    if (failure.per_bank_bytes < 0 || bank.size_bytes < 0) return std::nullopt;
    Demand demand;
    const bool during_op = failure.last_op < scene_.ops.ops.size();
    demand.moment = during_op                ? before_op(failure.last_op)
                    : failure.before_op == 0 ? 0
                                             : after_op(failure.before_op - 1);
    demand.allocated_bytes_per_bank = std::max<std::int64_t>(bank.allocated_bytes, 0);
    demand.asked_bytes_per_bank = failure.per_bank_bytes;
    demand.capacity_bytes_per_bank = bank.size_bytes;
    demand.in_pieces = bank.free_bytes >= failure.per_bank_bytes;
    return demand;
  }

  void replay_kinds(bool too_many_buffers) {
    const std::int64_t before = peak_before();
    const bool helps = !too_many_buffers || question_.failure->kind != FailureKind::kBuffersBeyondL1;
    if (before <= 0 || !helps || index_of(question_.memory) >= kTensorMemoryCount) return;
    Replay replay(scene_.log, question_.rank, scene_.rank, question_.memory);
    for (std::size_t k = 0; k < static_cast<std::size_t>(FixKind::kLargerRegion); ++k)
      try_kind(static_cast<FixKind>(k), before, replay);
  }

  Fix& add_fix(FixKind kind) {
    Fix& fix = fixes_.emplace_back();
    fix.kind = kind;
    fix.rank = question_.rank;
    fix.memory = question_.memory;
    fix.peak_before_bytes_per_bank = fix.peak_after_bytes_per_bank = peak_before();
    return fix;
  }

  /// What no tensor has to do with: the host's memory and the code of kernels.
  bool add_plain_fix() {
    const OutOfMemory* failure = question_.failure;
    if (failure == nullptr) return false;
    if (failure->kind == FailureKind::kHostMemory) {
      add_fix(FixKind::kLessOnHost).amount = std::max<std::int64_t>(failure->requested_bytes, 0);
      return true;
    }
    if (failure->kind != FailureKind::kProgramSize) return false;
    const std::int64_t size =
        failure->requested_bytes >= 0 ? failure->requested_bytes : failure->reached_bytes;
    const bool is_known = size >= 0 && failure->limit_bytes >= 0;
    add_fix(FixKind::kSmallerProgram).amount = is_known ? size - failure->limit_bytes : 0;
    return true;
  }

  /// More than a whole bank: what else is held does not matter.
  void add_smaller_tensor() {
    if (!demand_ || demand_->is_clash || demand_->asked_bytes_per_bank <= demand_->capacity_bytes_per_bank)
      return;
    Fix& fix = add_fix(FixKind::kSmallerTensor);
    fix.peak_before_bytes_per_bank = demand_->asked_bytes_per_bank;
    fix.peak_after_bytes_per_bank = demand_->capacity_bytes_per_bank;
    fix.amount = demand_->asked_bytes_per_bank - demand_->capacity_bytes_per_bank;
    if (demand_->allocated_bytes_per_bank > 0) fix.enough = false;
  }

  /// What the message says is all that is known.
  void add_hold_less() {
    const FailedBank bank = examine_failure(scene_.log, scene_.ops, *question_.failure);
    Fix& fix = add_fix(FixKind::kHoldLess);
    fix.against = bank.verdict;
    if (bank.needed_bytes < 0 || !demand_) return;
    if (bank.verdict == FailureVerdict::kExhausted) fix.amount = bank.needed_bytes - bank.free_bytes;
    if (bank.verdict == FailureVerdict::kFragmented && bank.largest_free_bytes >= 0)
      fix.amount = bank.needed_bytes - bank.largest_free_bytes;
    if (bank.verdict != FailureVerdict::kExhausted) return;
    fix.saves_bytes_per_bank = fix.amount;
    fix.peak_after_bytes_per_bank -= fix.amount;
  }

  std::int64_t peak_before() const {
    const std::int64_t peak = scene_.rank.peaks[index_of(question_.memory)].bytes_per_bank;
    if (!demand_) return peak;
    if (demand_->is_clash) return demand_->allocated_bytes_per_bank;
    return std::max(peak, saturating_add(demand_->allocated_bytes_per_bank, demand_->asked_bytes_per_bank));
  }

  /// L1_SMALL and TRACE are as large as a setting makes them.
  bool add_region_fix() {
    const bool is_region = question_.memory == Memory::kL1Small || question_.memory == Memory::kTrace;
    if (question_.failure == nullptr || !is_region) return false;
    const bool of_traces = question_.failure->kind == FailureKind::kTraceRegion;
    // A text without the used bytes: what was asked for may be less than what the region has already.
    const bool is_stated = demand_ && peak_before() > demand_->capacity_bytes_per_bank;
    const bool is_known = of_traces ? question_.failure->requested_bytes >= 0 : is_stated;
    Fix& fix = add_fix(FixKind::kLargerRegion);
    fix.amount_is_total = of_traces;
    fix.amount = !is_known ? 0 : of_traces ? question_.failure->requested_bytes : peak_before();
    if (is_known) fix.enough = true;
    return true;
  }

  /// Circular buffers that end too high: beyond L1, where no tensor is to blame, or in the lowest tensor.
  bool add_circular_buffer_fix() {
    const OutOfMemory* failure = question_.failure;
    if (failure == nullptr) return false;
    if (failure->kind != FailureKind::kBuffersBeyondL1 && failure->kind != FailureKind::kBuffersClash)
      return false;
    const std::int64_t too_much = failure->reached_bytes - failure->limit_bytes;
    Fix& fix = add_fix(FixKind::kSmallerCircularBuffers);
    if (failure->limit_bytes < 0 || too_much <= 0) return true;  // by how much, the text does not tell
    fix.peak_before_bytes_per_bank = failure->reached_bytes;
    fix.peak_after_bytes_per_bank = failure->limit_bytes;
    fix.saves_bytes_per_bank = fix.amount = too_much;
    fix.enough = true;
    return true;
  }

  void try_kind(FixKind kind, std::int64_t before, Replay& replay) {
    const FixChanges changes = changes_of(scene_, kind);
    if (changes.smaller.empty() && changes.asked_less_bytes_per_bank == 0) return;
    std::int64_t after = replay.peak_with(changes.smaller);
    if (demand_) {
      std::int64_t asked = saturating_add(demand_->allocated_bytes_per_bank,
                                          demand_->asked_bytes_per_bank - changes.asked_less_bytes_per_bank);
      for (const SizeReduction& change : changes.smaller) {
        if (change.from <= demand_->moment && demand_->moment < change.until)
          asked = saturating_add(asked, -change.bytes_per_bank);
      }
      after = demand_->is_clash ? asked : std::max(after, asked);
    }
    const std::int64_t saves = before - after;
    if (saves <= kRoundingBytes || static_cast<double>(saves) < kMinPeakShare * static_cast<double>(before))
      return;
    Fix fix;
    fix.kind = kind;
    fix.rank = question_.rank;
    fix.memory = question_.memory;
    fix.peak_before_bytes_per_bank = before;
    fix.peak_after_bytes_per_bank = after;
    fix.saves_bytes_per_bank = saves;
    fix.amount = changes.halved;
    if (demand_ && demand_->is_clash) fix.against = FailureVerdict::kBuffersClash;
    const bool is_room_known = demand_ && demand_->capacity_bytes_per_bank != kUnknownRoom;
    if (is_room_known && after > demand_->capacity_bytes_per_bank) fix.enough = false;
    if (is_room_known && after <= demand_->capacity_bytes_per_bank) {
      fix.maybe_in_pieces = demand_->in_pieces;
      if (!demand_->in_pieces) fix.enough = true;
    }
    describe_tensors(changes, fix);
    fixes_.push_back(std::move(fix));
  }

  /// The tensors that take less at the moment of the peak, or of the failed allocation.
  void describe_tensors(const FixChanges& changes, Fix& fix) const {
    const Moment peak = demand_ ? demand_->moment : scene_.rank.peaks[index_of(question_.memory)].moment;
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < changes.smaller.size(); ++i) {
      const SizeReduction& change = changes.smaller[i];
      if (peak < change.from || change.until <= peak) continue;
      order.push_back(i);
      fix.tensor_bytes_per_bank = saturating_add(fix.tensor_bytes_per_bank, change.bytes_per_bank);
    }
    const auto more = [&](std::uint32_t a, std::uint32_t b) {
      const std::int64_t left = changes.smaller[a].bytes_per_bank;
      const std::int64_t right = changes.smaller[b].bytes_per_bank;
      return left != right ? left > right : a < b;
    };
    const std::size_t shown = std::min(order.size(), kMaxShown);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(), more);
    for (std::size_t i = 0; i < shown; ++i) fix.largest.push_back(changes.buffers[order[i]]);
    const bool asks_less = changes.asked_less_bytes_per_bank > 0;
    fix.tensors = order.size() + (asks_less ? 1 : 0);
    fix.tensor_bytes_per_bank = saturating_add(fix.tensor_bytes_per_bank, changes.asked_less_bytes_per_bank);
  }

  FixScene scene_;
  FixQuestion question_;
  std::optional<Demand> demand_;
  std::vector<Fix> fixes_;
};

}  // namespace

std::string_view name_of(FixKind kind) {
  constexpr std::array<std::string_view, kFixKindCount> kNames = {"free_copied_originals",
                                                                  "bfp8_weights",
                                                                  "bfp4_weights",
                                                                  "less_padding",
                                                                  "shared_pages",
                                                                  "deallocate_earlier",
                                                                  "inputs_on_host",
                                                                  "smaller_batch",
                                                                  "shorter_sequence",
                                                                  "more_devices",
                                                                  "larger_region",
                                                                  "smaller_circular_buffers",
                                                                  "hold_less",
                                                                  "smaller_tensor",
                                                                  "smaller_program",
                                                                  "less_on_host"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Fix> find_fixes(const RuntimeLog& log, const MemoryProfile& profile,
                            const FixQuestion& question) {
  return FixFinder(log, profile, question).find();
}

std::vector<Fix> find_fixes(const RuntimeLog& log, const MemoryProfile& profile) {
  std::vector<Fix> fixes;
  bool failed = false;
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r) {
    std::array<bool, kMemoryCount + 2> asked{};
    for (const OutOfMemory& failure : log.ranks[r].failures) {
      const std::size_t what = failure.kind == FailureKind::kHostMemory    ? kMemoryCount
                               : failure.kind == FailureKind::kProgramSize ? kMemoryCount + 1
                                                                           : index_of(failure.memory);
      if (std::exchange(asked[what], true)) continue;
      failed = true;
      const std::vector<Fix> found = find_fixes(log, profile, {r, failure.memory, &failure});
      fixes.insert(fixes.end(), found.begin(), found.end());
    }
  }
  if (failed || profile.ranks.empty()) return fixes;
  return find_fixes(log, profile, {profile.main_rank, Memory::kDram, nullptr});
}

Replay::Replay(const RuntimeLog& log, std::uint32_t rank, const RankProfile& profile, Memory memory) {
  const RankLog& ops = log.ranks[rank];
  if (ops.blocks.empty()) {
    if (index_of(memory) < kTensorMemoryCount) add_modeled(profile, memory);
  } else {
    add_measured(ops, memory);
  }
  for (const OutOfMemory& failure : ops.failures) {
    if (failure.memory != memory || failure.allocated_bytes < 0) continue;
    add_point(moment_of(failure), failure.allocated_bytes);
  }
  steps_.resize(2 * ops.ops.size() + 2);
}

/// The state before an op is also that after the op before it, where nothing is between them: what was freed
/// there had still been live when that op had its result.
void Replay::add_measured(const RankLog& rank, Memory memory) {
  const MeasuredCurve curve(rank);
  const std::vector<MeasurePoint> measured = measure_points(rank);
  points_.reserve(2 * measured.size());
  for (const MeasurePoint& point : measured) {
    const MemoryBlock& block = rank.blocks[point.block];
    if (!block.has(memory)) continue;
    const std::int64_t allocated = bytes_of(block.allocated[index_of(memory)]);
    const std::uint32_t op = point.before_op;
    if (op > 0 && point.moment == before_op(op) && curve.change_by(op - 1))
      points_.push_back({after_op(op - 1), allocated});
    points_.push_back({point.moment, allocated});
  }
}

void Replay::add_modeled(const RankProfile& profile, Memory memory) {
  const std::size_t m = index_of(memory);
  const std::size_t ops = std::min(profile.accounted.size(), profile.effects.size());
  points_.reserve(2 * ops);
  for (std::uint32_t i = 0; i < ops; ++i) {
    const std::int64_t before = profile.accounted[i][m];
    points_.push_back({before_op(i), before});
    points_.push_back({after_op(i), saturating_add(before, profile.effects[i].own_growth[m])});
  }
}

void Replay::add_point(Moment moment, std::int64_t bytes_per_bank) {
  const auto later = std::upper_bound(points_.begin(), points_.end(), moment,
                                      [](Moment value, const Point& point) { return value < point.moment; });
  points_.insert(later, {moment, bytes_per_bank});
}

std::int64_t Replay::peak() const {
  std::int64_t peak = 0;
  for (const Point& point : points_) peak = std::max(peak, point.bytes_per_bank);
  return peak;
}

std::int64_t Replay::peak_with(const std::vector<SizeReduction>& changes) {
  const auto end = static_cast<Moment>(steps_.size() - 1);
  for (const SizeReduction& change : changes) {
    if (change.from >= change.until) continue;
    std::int64_t& begins = steps_[std::min(change.from, end)];
    std::int64_t& ends = steps_[std::min(change.until, end)];
    begins = saturating_add(begins, change.bytes_per_bank);
    ends = saturating_add(ends, -change.bytes_per_bank);
  }
  std::int64_t peak = 0;
  std::int64_t less = 0;
  Moment next = 0;
  for (const Point& point : points_) {
    for (; next <= std::min(point.moment, end); ++next) less = saturating_add(less, steps_[next]);
    peak = std::max(peak, saturating_add(point.bytes_per_bank, -less));
  }
  std::fill(steps_.begin(), steps_.end(), 0);
  return peak;
}

namespace {

/// Below, reshaping is not worth the trouble.
constexpr std::int64_t kPaddingFactor = 4;
constexpr std::int64_t kMinSequence = 64;

bool is_float(std::string_view dtype) {
  return dtype == "bf16" || dtype == "f16" || dtype == "f32" || dtype.starts_with("bfp_");
}

bool is_weight(const Buffer& buffer) {
  return buffer.kind == TensorKind::kWeight || buffer.kind == TensorKind::kConstEval;
}

bool depends_on_data(const Buffer& buffer) {
  return buffer.kind == TensorKind::kActivation || buffer.kind == TensorKind::kInput;
}

bool is_kv_cache(const FixScene& scene, const Buffer& buffer) {
  return buffer.argument < scene.profile.arguments.size() &&
         scene.profile.arguments[buffer.argument].kv_cache;
}

/// What a step takes off the buffers of one type is the same for all of them.
class FixCollector {
 public:
  explicit FixCollector(const FixScene& scene) : scene_(scene) {}

  /// What a failed allocation asked for is resized like the buffers that are there.
  template <typename IsMeant, typename SizeOf>
  void resize(IsMeant is_meant, SizeOf size_of) {
    std::unordered_map<std::uint64_t, std::int64_t> sizes;
    for (std::uint32_t b = 0; b < scene_.rank.buffers.size(); ++b) {
      const Buffer& buffer = scene_.rank.buffers[b];
      if (buffer.memory != index_of(scene_.memory) || !is_meant(buffer)) continue;
      const auto [known, is_new] =
          sizes.try_emplace(std::uint64_t{buffer.type} << 1 | is_kv_cache(scene_, buffer), 0);
      if (is_new) known->second = size_of(type_of(scene_.log, scene_.rank, buffer), buffer);
      add(b, buffer.born, buffer.died, buffer.bytes_per_bank - known->second);
    }
    if (scene_.asked.type == kNone || !is_meant(scene_.asked)) return;
    const std::int64_t size = size_of(type_of(scene_.log, scene_.rank, scene_.asked), scene_.asked);
    out_.asked_less_bytes_per_bank = std::max<std::int64_t>(scene_.asked.bytes_per_bank - size, 0);
  }

  void add(std::uint32_t buffer, Moment from, Moment until, std::int64_t bytes) {
    if (bytes <= 0 || from >= until) return;
    out_.smaller.push_back({from, until, bytes});
    out_.buffers.push_back(buffer);
  }

  FixChanges take() { return std::move(out_); }
  FixChanges& changes() { return out_; }

 private:
  const FixScene& scene_;
  FixChanges out_;
};

/// What a buffer takes as another type; as it is where that changes nothing.
std::int64_t size_as(const FixScene& scene, const TensorType& now, const TensorType& changed,
                     const Buffer& buffer) {
  const bool same = changed.padded_bytes == now.padded_bytes && changed.page_bytes == now.page_bytes;
  return same ? buffer.bytes_per_bank : bytes_per_bank(changed, scene.rank.device);
}

std::int64_t cores_of(const FixScene& scene) { return scene.rank.device.banks[index_of(Memory::kL1)]; }

FixChanges in_block_format(const FixScene& scene, std::string_view dtype) {
  FixCollector collector(scene);
  const EmbeddingTables tables(scene.log, scene.profile, scene.rank_index);
  const auto is_meant = [&](const Buffer& buffer) { return is_weight(buffer) && !tables.has(buffer); };
  collector.resize(is_meant, [&](const TensorType& type, const Buffer& buffer) {
    return size_as(scene, type, mem::in_block_format(type, dtype), buffer);
  });
  return collector.take();
}

std::int64_t banks_of(const FixScene& scene) {
  return std::max<std::int64_t>(scene.rank.device.banks[index_of(scene.memory)], 1);
}

/// The same data in as few whole pages as hold them.
FixChanges without_padding(const FixScene& scene) {
  FixCollector collector(scene);
  const std::int64_t banks = banks_of(scene);
  const auto always = [](const Buffer&) { return true; };
  collector.resize(always, [&](const TensorType& type, const Buffer& buffer) {
    const bool costs = type.logical_bytes > 0 && type.page_bytes > 0 && type.is_tiled() &&
                       type.padded_bytes / kPaddingFactor >= type.logical_bytes;
    if (!costs) return buffer.bytes_per_bank;
    const std::int64_t pages = (type.logical_bytes + type.page_bytes - 1) / type.page_bytes;
    return saturating_multiply((pages + banks - 1) / banks, type.page_bytes);
  });
  return collector.take();
}

FixChanges with_shared_pages(const FixScene& scene) {
  FixCollector collector(scene);
  const auto always = [](const Buffer&) { return true; };
  collector.resize(always, [&](const TensorType& type, const Buffer& buffer) {
    return buffer.bytes_per_bank - lockstep_waste(type, buffer, scene.rank.device);
  });
  return collector.take();
}

/// A weight is not needed any more once its last copy is made and nothing else has used it since.
FixChanges without_originals(const FixScene& scene) {
  std::unordered_map<std::uint32_t, Moment> free_from;
  for (const DuplicatedWeight& pair : scene.rank.copied_weights) {
    const Buffer& weight = scene.rank.buffers[pair.weight];
    if (weight.memory != index_of(scene.memory)) continue;
    Moment& from = free_from.try_emplace(pair.weight, 0).first->second;
    from = std::max({from, scene.rank.buffers[pair.copy].born, weight.last_used});
  }
  FixCollector collector(scene);
  for (const DuplicatedWeight& pair : scene.rank.copied_weights) {
    const auto found = free_from.find(pair.weight);
    if (found == free_from.end()) continue;
    const Buffer& weight = scene.rank.buffers[pair.weight];
    collector.add(pair.weight, found->second + 1, weight.died, weight.bytes_per_bank);
    free_from.erase(found);
  }
  return collector.take();
}

/// Until its deallocate, which would be the op after the last that uses it.
FixChanges freed_after_last_use(const FixScene& scene) {
  FixCollector collector(scene);
  for (std::uint32_t b = 0; b < scene.rank.buffers.size(); ++b) {
    const Buffer& buffer = scene.rank.buffers[b];
    const bool meant = buffer.memory == index_of(scene.memory) && buffer.kind == TensorKind::kActivation &&
                       buffer.instance < scene.ops.programs.size() && buffer.died != kForever;
    if (!meant) continue;
    const ProgramInstance& program = scene.ops.programs[buffer.instance];
    const bool in_program = program.end_op > 0 && buffer.died <= after_op(program.end_op - 1);
    const Moment last_use = std::max(buffer.last_used, buffer.born);
    constexpr Moment kOneOp = 2;
    if (in_program) collector.add(b, last_use + kOneOp, buffer.died, buffer.bytes_per_bank);
  }
  return collector.take();
}

FixChanges inputs_on_host(const FixScene& scene) {
  FixCollector collector(scene);
  for (std::uint32_t b = 0; b < scene.rank.buffers.size(); ++b) {
    const Buffer& buffer = scene.rank.buffers[b];
    if (buffer.memory != index_of(scene.memory) || buffer.kind != TensorKind::kInput) continue;
    if (buffer.first_used == kForever) {
      collector.add(b, buffer.born, buffer.died, buffer.bytes_per_bank);
      continue;
    }
    const Moment arrives = buffer.first_used == 0 ? 0 : buffer.first_used - 1;  // before the op that uses it
    collector.add(b, buffer.born, std::min(arrives, buffer.died), buffer.bytes_per_bank);
    collector.add(b, std::max(buffer.last_used, buffer.born) + 1, buffer.died, buffer.bytes_per_bank);
  }
  return collector.take();
}

std::int64_t half(std::int64_t dim) { return dim - dim / 2; }

/// Integers of two dimensions: the tokens of a sequence that can be shorter, unlike the patches of an image.
bool has_tokens(const FixScene& scene, std::int64_t sequence) {
  const auto& buffers = scene.rank.buffers;
  return std::any_of(buffers.begin(), buffers.end(), [&](const Buffer& buffer) {
    if (buffer.kind != TensorKind::kInput) return false;
    const TensorType& type = type_of(scene.log, scene.rank, buffer);
    return type.shape.size() == 2 && type.shape[1] == sequence && !is_float(type.dtype);
  });
}

DataDimensions dimensions_of(const FixScene& scene) {
  DataDimensions dimensions = find_dimensions(scene.log, scene.profile, scene.rank_index);
  note_collisions(scene.profile, dimensions);
  return dimensions;
}

FixChanges halve_batch(const FixScene& scene) {
  const DataDimensions now = dimensions_of(scene);
  FixCollector collector(scene);
  if (now.batch < 2) return collector.take();
  const auto is_meant = [&](const Buffer& buffer) {
    return depends_on_data(buffer) || is_kv_cache(scene, buffer);
  };
  collector.resize(is_meant, [&](const TensorType& type, const Buffer& buffer) {
    return size_as(scene, type, with_batch(type, now, half(now.batch), cores_of(scene)), buffer);
  });
  collector.changes().halved = now.batch;
  return collector.take();
}

FixChanges halve_sequence(const FixScene& scene) {
  const DataDimensions now = dimensions_of(scene);
  FixCollector collector(scene);
  if (now.sequence < kMinSequence || !has_tokens(scene, now.sequence)) return collector.take();
  const auto is_meant = [&](const Buffer& buffer) {
    return depends_on_data(buffer) && !is_kv_cache(scene, buffer);
  };
  collector.resize(is_meant, [&](const TensorType& type, const Buffer& buffer) {
    return size_as(scene, type, with_sequence(type, now, half(now.sequence), cores_of(scene)), buffer);
  });
  collector.changes().halved = now.sequence;
  return collector.take();
}

/// As `ttscope fit --tp 2` splits them.
FixChanges on_more_devices(const FixScene& scene) {
  constexpr std::int64_t kWays = 2;
  FixCollector collector(scene);
  const auto is_meant = [&](const Buffer& buffer) { return is_weight(buffer) || is_kv_cache(scene, buffer); };
  collector.resize(is_meant, [&](const TensorType& type, const Buffer& buffer) {
    TensorType split = is_weight(buffer) ? split_matrix(type, kWays) : type;
    if (is_kv_cache(scene, buffer)) split = split_heads(split, kWays);
    return size_as(scene, type, split, buffer);
  });
  return collector.take();
}

}  // namespace

FixChanges changes_of(const FixScene& scene, FixKind kind) {
  switch (kind) {
    case FixKind::kFreeCopiedOriginals:
      return without_originals(scene);
    case FixKind::kBfp8Weights:
      return in_block_format(scene, "bfp_bf8");
    case FixKind::kBfp4Weights:
      return in_block_format(scene, "bfp_bf4");
    case FixKind::kLessPadding:
      return without_padding(scene);
    case FixKind::kSharedPages:
      return with_shared_pages(scene);
    case FixKind::kDeallocateEarlier:
      return freed_after_last_use(scene);
    case FixKind::kInputsOnHost:
      return inputs_on_host(scene);
    case FixKind::kSmallerBatch:
      return halve_batch(scene);
    case FixKind::kShorterSequence:
      return halve_sequence(scene);
    case FixKind::kMoreDevices:
      return on_more_devices(scene);
    case FixKind::kLargerRegion:
    case FixKind::kSmallerCircularBuffers:
    case FixKind::kHoldLess:
    case FixKind::kSmallerTensor:
    case FixKind::kSmallerProgram:
    case FixKind::kLessOnHost:
      break;
  }
  return {};
}

}  // namespace ttscope::mem
