#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ttscope::perf {

/// One finished report, whatever its kind.
struct ReportSource {
  std::string name;       ///< for messages
  std::string_view text;  ///< only read during the call
  std::string host;       ///< empty when there is one host
  unsigned threads = 1;   ///< that read, the caller's included
  /// What a thread reads at a time: so small that the parts of a turn are nothing beside the table.
  std::size_t part_bytes = std::size_t{8} << 20;
};

}  // namespace ttscope::perf
