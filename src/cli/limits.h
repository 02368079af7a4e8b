#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/profile_run.h"

namespace ttscope::cli {

/// A bound on a peak, as given: a share of the bank or bytes per bank.
struct MemoryLimit {
  std::string option;  ///< `--max-dram`
  std::string text;    ///< `90%`, `900MB`
  mem::Memory memory = mem::Memory::kDram;
  double fraction = -1;  ///< of the bank; < 0 when bytes are given
  std::int64_t bytes_per_bank = 0;
};

/// `90%`, `1048576`, `900MB`, `1.5GiB`; units of 1024. Nothing when it is none of these.
std::optional<MemoryLimit> parse_limit(std::string_view text);

/// What exceeds the limit, for the user; empty when nothing does. Fails when a share is asked of a bank of
/// unknown size.
Result<std::string> check_limit(const ProfiledLog& log, const MemoryLimit& limit);

}  // namespace ttscope::cli
