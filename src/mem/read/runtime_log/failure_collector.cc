#include "mem/read/runtime_log/failure_collector.h"

#include <fmt/format.h>

namespace ttscope::mem {
namespace {

/// An exception with its backtrace follows the logger's line so closely; further away it is another failure.
constexpr std::uint32_t kNearbyLines = 100;

/// What two prints of one failure have in common. The state of the bank, where it is told, is exact to the
/// byte and tells failures apart; a cut print may lack the figures that follow it.
std::string figures_of(const OutOfMemory& f) {
  const auto kind = static_cast<int>(f.kind);
  if (f.allocated_bytes >= 0)
    return fmt::format("{} {} {} {}", kind, f.requested_bytes, f.allocated_bytes, f.free_bytes);
  return fmt::format("{} {} {} {} {} {} {} {}", kind, static_cast<int>(f.memory), f.requested_bytes, f.banks,
                     f.per_bank_bytes, f.bank_size_bytes, f.reached_bytes, f.limit_bytes);
}

bool agree(std::int64_t a, std::int64_t b) { return a < 0 || b < 0 || a == b; }

/// Whether a print right behind another can be of the same failure: nothing in it says otherwise.
bool can_be_same(const OutOfMemory& a, const OutOfMemory& b) {
  return a.kind == b.kind && a.memory == b.memory && a.last_op == b.last_op &&
         a.requested_bytes == b.requested_bytes && agree(a.per_bank_bytes, b.per_bank_bytes) &&
         agree(a.banks, b.banks) && agree(a.bank_size_bytes, b.bank_size_bytes) &&
         agree(a.allocated_bytes, b.allocated_bytes) && agree(a.free_bytes, b.free_bytes) &&
         agree(a.largest_free_bytes, b.largest_free_bytes) && agree(a.reached_bytes, b.reached_bytes) &&
         agree(a.limit_bytes, b.limit_bytes);
}

void take_missing(std::int64_t& known, std::int64_t other) {
  if (known < 0) known = other;
}

void complete(OutOfMemory& failure, const OutOfMemory& print) {
  take_missing(failure.banks, print.banks);
  take_missing(failure.per_bank_bytes, print.per_bank_bytes);
  take_missing(failure.bank_size_bytes, print.bank_size_bytes);
  take_missing(failure.allocated_bytes, print.allocated_bytes);
  take_missing(failure.free_bytes, print.free_bytes);
  take_missing(failure.largest_free_bytes, print.largest_free_bytes);
  take_missing(failure.reached_bytes, print.reached_bytes);
  take_missing(failure.limit_bytes, print.limit_bytes);
  failure.is_cut &= print.is_cut;
}

}  // namespace

/// In which failures_ a print belongs, kNone for a new one. The logger prints a failure when it happens, so
/// its line at another op is another failure; what tests and Python print again comes at any time.
std::uint32_t FailureCollector::failure_of(const OutOfMemory& printed, const std::string& figures) const {
  const auto found = newest_with_.find(figures);
  if (found != newest_with_.end()) {
    const OutOfMemory& known = failures_[found->second];
    if (!printed.from_logger || known.last_op == printed.last_op) return found->second;
  }
  if (messages_.empty()) return kNone;
  const FailureMessage& last = messages_.back();
  const bool follows =
      last.printed.from_logger && !printed.from_logger && printed.line - last.printed.line <= kNearbyLines;
  return follows && can_be_same(last.printed, printed) ? last.failure : kNone;
}

void FailureCollector::add(const OutOfMemory& printed) {
  const std::string figures = figures_of(printed);
  std::uint32_t failure = failure_of(printed, figures);
  if (failure == kNone) {
    failure = static_cast<std::uint32_t>(failures_.size());
    failures_.push_back(printed);
  } else {
    complete(failures_[failure], printed);
  }
  newest_with_[figures] = failure;
  messages_.push_back({printed, failure});
}

std::vector<OutOfMemory> FailureCollector::take_prints() {
  std::vector<OutOfMemory> prints;
  for (FailureMessage& message : messages_) prints.push_back(std::move(message.printed));
  *this = {};
  return prints;
}

/// Of the prints of a failure, the first with frames below it tells for all.
void FailureCollector::hand_over(RankTrace& rank) {
  for (const FailureMessage& message : messages_) {
    Backtrace& known = failures_[message.failure].backtrace;
    if (known.empty()) known = message.printed.backtrace;
  }
  rank.failures = std::move(failures_);
  rank.failure_messages = std::move(messages_);
}

}  // namespace ttscope::mem
