// A file of a report folder, of which the list of reports shows figures: whatever it holds, they stay within
// bounds.
#include <string>

#include "fuzz/fuzz_target.h"
#include "serve/report_summary.h"

namespace ttscope::serve {
namespace {

using fuzz::require;

void check(const ReportSummary& summary) {
  require(summary.curve.size() <= kCurvePoints, "a curve is short");
  require(summary.ops >= -9'000'000'000'000'000, "ops are counted");
}

ReportSummary summary_in_pieces(std::string_view text, std::size_t piece_bytes) {
  return memory_file_summary([&] {
    const std::string_view piece = text.substr(0, piece_bytes);
    text.remove_prefix(piece.size());
    return piece;
  });
}

TTSCOPE_FUZZ_TARGET(serve_summary) {
  check(page_facts(text).summary);
  const ReportSummary summary = summary_in_pieces(text, text.size());
  check(summary);
  require(summary.ops == summary_in_pieces(text, 1 + text.size() % 61).ops,
          "a summary does not depend on pieces");
  static_cast<void>(source_log(text));
}

}  // namespace
}  // namespace ttscope::serve
