#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ttscope::phases {

/// How a release of analyze_memory.py reads a log. A set is chosen by the words of the log, in
/// read_classic_log() alone, and handed down with what was read.
struct ClassicRules {
  /// So far above a summary, in characters, the script looks for its title and its facts.
  std::size_t window_characters = 1000;
  /// The words before the number of parameters.
  std::string_view parameters_words = "Total parameters:";
  /// The rows of the trainers' table are read as well: `params  969,369,600`, `memory  12,288 MB`.
  bool reads_table = true;
  /// The device memory that is assumed where none is given; absent: that is an error.
  std::optional<double> assumed_device_mb{};
};

inline constexpr ClassicRules kCurrentClassicRules{};
/// The first release assumed devices of 12 GiB.
inline constexpr ClassicRules kFirstClassicRules{500, "Number of parameters:", false, 12.0 * 1024};

}  // namespace ttscope::phases
