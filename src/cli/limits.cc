#include "cli/limits.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "output/wording/number_text.h"
#include "output/wording/op_facts.h"

namespace ttscope::cli {
namespace {

/// Factor of a unit, 0 if it is none.
double unit_bytes(std::string_view unit) {
  std::string lower;
  for (const char c : unit) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (lower.empty() || lower == "b") return 1;
  constexpr std::array<std::string_view, 4> kPrefixes = {"k", "m", "g", "t"};
  double factor = 1;
  for (const std::string_view prefix : kPrefixes) {
    factor *= 1024;
    const std::string start(prefix);
    if (lower == start || lower == start + "b" || lower == start + "ib") return factor;
  }
  return 0;
}

/// The rank with the highest peak of a memory.
std::uint32_t highest_rank(const ProfiledLog& log, Memory memory) {
  std::uint32_t best = log.profile.main_rank;
  for (std::uint32_t rank = 0; rank < log.profile.ranks.size(); ++rank) {
    const auto peak_of = [&](std::uint32_t r) {
      return log.profile.ranks[r].peaks[index_of(memory)].bytes_per_bank;
    };
    if (peak_of(rank) > peak_of(best)) best = rank;
  }
  return best;
}

std::string maker_text(const ProfiledLog& log, std::uint32_t rank, const analysis::Peak& peak) {
  if (peak.op >= log.trace.ranks[rank].ops.size()) return {};
  const output::OpFacts op = output::facts_of({log.trace, log.profile}, rank, peak.op);
  if (peak.at_program_start)
    return fmt::format(", at program start of {} (before line {})", op.program, op.line);
  return fmt::format(", made by {} at line {}", op.name, op.line);
}

}  // namespace

std::optional<MemoryLimit> parse_limit(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - copy.c_str()));
  if (unit.size() == text.size() || !std::isfinite(number) || number < 0) return std::nullopt;
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  MemoryLimit limit;
  limit.text = text;
  if (unit == "%") {
    limit.fraction = number / 100;
    return limit;
  }
  const double size_bytes = number * unit_bytes(unit);
  constexpr double kMost = 4e18;
  if (unit_bytes(unit) == 0 || size_bytes > kMost) return std::nullopt;
  limit.bytes_per_bank = std::llround(size_bytes);
  return limit;
}

Result<std::string> check_limit(const ProfiledLog& log, const MemoryLimit& limit) {
  const std::uint32_t rank = highest_rank(log, limit.memory);
  const analysis::RankProfile& profile = log.profile.ranks[rank];
  const analysis::Peak& peak = profile.peaks[index_of(limit.memory)];
  const std::int64_t capacity = profile.device.capacity_bytes_per_bank[index_of(limit.memory)];
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
          : fmt::format(" ({})", output::percent_text(output::ratio(peak.bytes_per_bank, capacity)));
  return fmt::format("limit exceeded: {} peak of {} per bank{} is over {} {}{}", name_of(limit.memory),
                     output::size_text(peak.bytes_per_bank), share, limit.option, limit.text,
                     maker_text(log, rank, peak));
}

}  // namespace ttscope::cli
