#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ttscope::report {

/// `93 B`, `1.5 KB`, `12.34 MB`, `1.20 GB`; units of 1024, named as the runtime names them.
std::string size_text(std::int64_t size_bytes);
/// The same with a sign: `+12.34 MB`.
std::string signed_size_text(std::int64_t size_bytes);
/// Always in MB, without the unit: `0.28`.
std::string mb_text(std::int64_t size_bytes, int decimals = 2);
/// `1,234,567`.
std::string count_text(std::uint64_t count);
/// `1 program`, `2 programs`; `plural` when adding an s is not enough.
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural = {});
/// `93.4%`; a value that is not 0 never reads `0.0%`.
std::string percent_text(double fraction);
/// part / whole, 0 when there is no whole.
double ratio(std::int64_t part, std::int64_t whole);
/// `part` of `banks` banks, without overflow.
std::int64_t all_banks(std::int64_t bytes_per_bank, std::int64_t banks);

}  // namespace ttscope::report
