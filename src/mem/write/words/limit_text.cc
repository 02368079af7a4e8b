#include "mem/write/words/limit_text.h"

#include <fmt/format.h>

#include "mem/write/words/labels.h"
#include "mem/write/words/verdict_text.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

std::string peak_maker_text(const Profile& profile, const PeakOverLimit& over) {
  if (over.peak.op >= profile.trace.ranks[over.rank].ops.size()) return {};
  const OpPlace op = place_of({profile.trace, profile.memory}, over.rank, over.peak.op);
  if (over.peak.at_program_start)
    return fmt::format(", at program start of {} (before line {})", op.program, op.line);
  return fmt::format(", made by {} at line {}", op.name, op.line);
}

}  // namespace

std::string limit_text(const Profile& profile, const PeakOverLimit& over, std::string_view asked) {
  if (over.failed) {
    return fmt::format("limit exceeded: {}, which is over any limit ({})",
                       verdict_text({profile.trace, profile.memory}).outcome, asked);
  }
  const std::int64_t bytes = over.peak.bytes_per_bank;
  const std::int64_t capacity = over.capacity_bytes_per_bank;
  const std::string share =
      capacity == 0 ? "" : fmt::format(" ({})", report::percent_text(report::ratio(bytes, capacity)));
  return fmt::format("limit exceeded: {} peak of {} per bank{} is over {}{}", name_of(over.memory),
                     report::size_text(bytes), share, asked, peak_maker_text(profile, over));
}

}  // namespace ttscope::mem
