#include "cli/limits.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/size_value.h"
#include "mem/write/words/op_facts.h"
#include "report/number_text.h"

namespace ttscope::cli {
namespace {

/// The rank with the highest peak of a memory.
std::uint32_t highest_rank(const ProfiledLog& log, mem::Memory memory) {
  std::uint32_t best = log.profile.main_rank;
  for (std::uint32_t rank = 0; rank < log.profile.ranks.size(); ++rank) {
    const auto peak_of = [&](std::uint32_t r) {
      return log.profile.ranks[r].peaks[mem::index_of(memory)].bytes_per_bank;
    };
    if (peak_of(rank) > peak_of(best)) best = rank;
  }
  return best;
}

std::string maker_text(const ProfiledLog& log, std::uint32_t rank, const mem::Peak& peak) {
  if (peak.op >= log.trace.ranks[rank].ops.size()) return {};
  const mem::OpFacts op = mem::facts_of({log.trace, log.profile}, rank, peak.op);
  if (peak.at_program_start)
    return fmt::format(", at program start of {} (before line {})", op.program, op.line);
  return fmt::format(", made by {} at line {}", op.name, op.line);
}

}  // namespace

std::optional<MemoryLimit> parse_limit(std::string_view text) {
  MemoryLimit limit;
  limit.text = text;
  if (const std::optional<double> share = parse_share(text)) {
    limit.fraction = *share;
    return limit;
  }
  const std::optional<std::int64_t> size = parse_size(text);
  if (!size) return std::nullopt;
  limit.bytes_per_bank = *size;
  return limit;
}

Result<std::string> check_limit(const ProfiledLog& log, const MemoryLimit& limit) {
  const std::uint32_t rank = highest_rank(log, limit.memory);
  const mem::RankProfile& profile = log.profile.ranks[rank];
  const mem::Peak& peak = profile.peaks[mem::index_of(limit.memory)];
  const std::int64_t capacity = profile.device.capacity_bytes_per_bank[mem::index_of(limit.memory)];
  std::int64_t allowed = limit.bytes_per_bank;
  if (limit.fraction >= 0) {
    if (capacity == 0) {
      return failure(bad_input(
          fmt::format("{} {}: the log does not say how large a bank is; give the limit in bytes per bank",
                      limit.option, limit.text)));
    }
    allowed = std::llround(limit.fraction * static_cast<double>(capacity));
  }
  if (peak.bytes_per_bank <= allowed) return std::string();
  const std::string share =
      capacity == 0
          ? ""
          : fmt::format(" ({})", report::percent_text(report::ratio(peak.bytes_per_bank, capacity)));
  return fmt::format("limit exceeded: {} peak of {} per bank{} is over {} {}{}", mem::name_of(limit.memory),
                     report::size_text(peak.bytes_per_bank), share, limit.option, limit.text,
                     maker_text(log, rank, peak));
}

}  // namespace ttscope::cli
