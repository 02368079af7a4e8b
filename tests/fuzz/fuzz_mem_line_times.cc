// The times in front of the lines of a log.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "fuzz/fuzz_target.h"
#include "mem/read/line_times.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

TTSCOPE_FUZZ_TARGET(mem_line_times) {
  const LineTimes times(text);
  if (!times.is_known()) return;
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n') + 1);
  require(times.moments().back().line <= lines, "a time is that of a line");
  require(times.resolution_ns() > 0, "no clock is exact");
  std::int64_t before = times.at(0);
  for (std::uint32_t line = 1; line <= lines; ++line) {
    const std::int64_t at = times.at(line);
    require(at >= before, "time goes on");
    require(times.doubt_ns(line) >= times.resolution_ns(), "no line is surer than the digits");
    before = at;
  }
  std::uint32_t last = 0;
  for (const LineTimes::Moment& moment : times.moments()) {
    require(moment.line > last, "a line has one time");
    require(times.at(moment.line) == moment.ns, "which is its own");
    last = moment.line;
  }
}

}  // namespace
}  // namespace ttscope::mem
