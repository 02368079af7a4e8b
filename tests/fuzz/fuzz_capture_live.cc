// A log as it grows. What is told of it must not depend on the pieces that it comes in.
#include <algorithm>
#include <string>

#include "fuzz/fuzz_target.h"
#include "launch/live_log.h"
#include "launch/log_capture.h"

namespace ttscope::launch {
namespace {

using fuzz::require;

LiveState scan(std::string_view text, std::size_t piece_bytes) {
  LiveScan live;
  while (!text.empty()) {
    live.add(text.substr(0, piece_bytes));
    text.remove_prefix(std::min(piece_bytes, text.size()));
  }
  live.finish();
  return live.state();
}

std::string converted(std::string_view text, std::size_t piece_bytes) {
  LineEnds ends;
  std::string all;
  while (!text.empty()) {
    all += ends.convert(text.substr(0, piece_bytes));
    text.remove_prefix(std::min(piece_bytes, text.size()));
  }
  return all += ends.finish();
}

TTSCOPE_FUZZ_TARGET(capture_live) {
  const LiveState whole = scan(text, text.size());
  const LiveState pieces = scan(text, 1 + text.size() % 61);
  require(whole.lines == pieces.lines && whole.ops == pieces.ops && whole.ranks == pieces.ranks,
          "lines and ops do not depend on pieces");
  require(whole.trouble_count == pieces.trouble_count, "failures do not depend on pieces");
  require(status_text(whole, 80).size() <= 4 * 80, "a status is one line");
  static_cast<void>(troubles_text(whole, 80));
  require(converted(text, text.size()) == converted(text, 3), "line ends do not depend on pieces");
}

}  // namespace
}  // namespace ttscope::launch
