#include "mem/analyse/fixes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "mem/analyse/failed_tensor.h"
#include "mem/analyse/failure.h"
#include "mem/analyse/fix_changes.h"

namespace ttscope::mem {
namespace {

constexpr double kWorthOfPeak = 0.01;  ///< what saves less of the peak is not worth a line
constexpr std::size_t kLargestShown = 5;

constexpr std::int64_t kNoRoomTold = std::numeric_limits<std::int64_t>::min();

/// What a failed allocation asked for, and of what.
struct Demand {
  Moment moment = 0;
  std::int64_t allocated_bytes_per_bank = 0;
  std::int64_t asked_bytes_per_bank = 0;
  std::int64_t capacity_bytes_per_bank = 0;  ///< kNoRoomTold: a clash whose text has no addresses
  bool in_pieces = false;                    ///< enough was free, but not in one piece
  bool is_clash = false;  ///< of circular buffers: what is held at another moment does not matter
};

class FixFinder {
 public:
  FixFinder(const RuntimeTrace& trace, const MemoryProfile& profile, const FixQuestion& question)
      : scene_{trace, profile, question.rank, question.memory}, question_(question) {
    if (question.failure == nullptr) return;
    demand_ = demand_of(*question.failure);
    scene_.asked = asked_buffer(trace, scene_.ops, scene_.rank, *question.failure);
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
    const bool is_told = failure.reached_bytes >= 0 && failure.limit_bytes >= 0;
    demand.capacity_bytes_per_bank =
        is_told ? demand.allocated_bytes_per_bank - (failure.reached_bytes - failure.limit_bytes)
                : kNoRoomTold;
    demand.in_pieces = demand.is_clash = true;
    return demand;
  }

  std::optional<Demand> demand_of(const OutOfMemory& failure) const {
    if (failure.kind == FailureKind::kBuffersClash) return demand_of_clash(failure);
    const FailedBank bank = examine_failure(scene_.trace, scene_.ops, failure);
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
    Replay replay(scene_.trace, question_.rank, scene_.rank, question_.memory);
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
    const FailedBank bank = examine_failure(scene_.trace, scene_.ops, *question_.failure);
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
    const bool is_told = demand_ && peak_before() > demand_->capacity_bytes_per_bank;
    const bool is_known = of_traces ? question_.failure->requested_bytes >= 0 : is_told;
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
      for (const SmallerFor& change : changes.smaller) {
        if (change.from <= demand_->moment && demand_->moment < change.until)
          asked = saturating_add(asked, -change.bytes_per_bank);
      }
      after = demand_->is_clash ? asked : std::max(after, asked);
    }
    const std::int64_t saves = before - after;
    if (saves <= kRoundingBytes || static_cast<double>(saves) < kWorthOfPeak * static_cast<double>(before))
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
    const bool knows_room = demand_ && demand_->capacity_bytes_per_bank != kNoRoomTold;
    if (knows_room && after > demand_->capacity_bytes_per_bank) fix.enough = false;
    if (knows_room && after <= demand_->capacity_bytes_per_bank) {
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
      const SmallerFor& change = changes.smaller[i];
      if (peak < change.from || change.until <= peak) continue;
      order.push_back(i);
      fix.tensor_bytes_per_bank = saturating_add(fix.tensor_bytes_per_bank, change.bytes_per_bank);
    }
    const auto more = [&](std::uint32_t a, std::uint32_t b) {
      const std::int64_t left = changes.smaller[a].bytes_per_bank;
      const std::int64_t right = changes.smaller[b].bytes_per_bank;
      return left != right ? left > right : a < b;
    };
    const std::size_t shown = std::min(order.size(), kLargestShown);
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

std::vector<Fix> find_fixes(const RuntimeTrace& trace, const MemoryProfile& profile,
                            const FixQuestion& question) {
  return FixFinder(trace, profile, question).find();
}

std::vector<Fix> find_fixes(const RuntimeTrace& trace, const MemoryProfile& profile) {
  std::vector<Fix> fixes;
  bool failed = false;
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r) {
    std::array<bool, kMemoryCount + 2> asked{};
    for (const OutOfMemory& failure : trace.ranks[r].failures) {
      const std::size_t what = failure.kind == FailureKind::kHostMemory    ? kMemoryCount
                               : failure.kind == FailureKind::kProgramSize ? kMemoryCount + 1
                                                                           : index_of(failure.memory);
      if (std::exchange(asked[what], true)) continue;
      failed = true;
      const std::vector<Fix> found = find_fixes(trace, profile, {r, failure.memory, &failure});
      fixes.insert(fixes.end(), found.begin(), found.end());
    }
  }
  if (failed || profile.ranks.empty()) return fixes;
  return find_fixes(trace, profile, {profile.main_rank, Memory::kDram, nullptr});
}

}  // namespace ttscope::mem
