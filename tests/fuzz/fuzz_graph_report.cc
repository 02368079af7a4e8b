// A graph report with its sidecars as the rows of a database: report, Python's records, comparisons.
#include <optional>
#include <string>

#include "fuzz/fuzz_target.h"
#include "graph/read/visualizer_import.h"

namespace {

/// Sources as they may be, without a look at any file.
std::optional<std::string> source(const std::string& path) {
  if (!path.ends_with(".py")) return std::nullopt;
  return path;
}

}  // namespace

TTSCOPE_FUZZ_TARGET(graph_report) {
  ttscope::graph::TtnnReportTexts texts;
  texts.name = "report.json";
  texts.report = ttscope::fuzz::take_part(text);
  if (!text.empty()) texts.python_io = ttscope::fuzz::take_part(text);
  if (!text.empty()) texts.comparisons = text;
  ttscope::graph::VisualizerRows rows;
  const auto import = ttscope::graph::import_ttnn_texts({texts}, source, rows);
  ttscope::fuzz::require(import.has_value() || !import.error().message.empty(), "an error says something");
}
