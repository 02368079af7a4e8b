// Messages of failures: marks in a line, the sentence behind each, and what is concluded from its figures.
#include <string>

#include "fuzz/fuzz_target.h"
#include "mem/analyze/failures.h"
#include "mem/read/failures.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

void check_figures(const OutOfMemory& failure) {
  for (const std::int64_t figure : {failure.requested_bytes, failure.banks, failure.per_bank_bytes,
                                    failure.bank_size_bytes, failure.allocated_bytes, failure.free_bytes,
                                    failure.largest_free_bytes, failure.reached_bytes, failure.limit_bytes}) {
    require(figure >= -1, "a figure is known or -1");
  }
  const FailedBank bank = examine_failure({}, {}, failure);
  if (bank.verdict == FailureVerdict::kExhausted)
    require(bank.needed_bytes > bank.free_bytes, "exhausted: more is needed than is free");
  if (bank.verdict == FailureVerdict::kFragmented)
    require(bank.needed_bytes <= bank.free_bytes, "fragmented: enough is free");
  if (failure.kind != FailureKind::kAllocation) return;
  for (const TensorCandidate& candidate : plausible_tensors(failure)) {
    const TensorType type = converted(candidate.shape, candidate.dtype, candidate.tiled, BufferType::kDram);
    require(type.padded_bytes == failure.requested_bytes,
            "a plausible tensor has the size that was asked for");
  }
}

TTSCOPE_FUZZ_TARGET(mem_failure) {
  FailureCollector collector;
  std::uint32_t line = 0;
  for (std::size_t at = find_failure_marker(text, 0); at != std::string_view::npos && line < 16;
       at = find_failure_marker(text, at + 1)) {
    OutOfMemory failure;
    failure.line = ++line;
    if (!parse_failure(text.substr(at), failure)) continue;
    check_figures(failure);
    collector.add(failure);
  }
  static_cast<void>(is_module_text(text));
  RankLog rank;
  collector.hand_over(rank);
  require(rank.failures.size() <= rank.failure_messages.size(), "each failure is printed");
  for (const FailureMessage& message : rank.failure_messages)
    require(message.failure < rank.failures.size(), "each print is of a failure");
}

}  // namespace
}  // namespace ttscope::mem
