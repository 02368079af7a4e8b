#include "graph/write/terminal/graph_words.h"

#include <fmt/format.h>

namespace ttscope::graph {

std::string difference_words(const Difference& difference) {
  switch (difference.kind) {
    case DifferenceKind::kOlderL1Freed:
      return fmt::format(
          "L1 buffers of {} bytes per core that are older than the capture were freed in it; L1 figures are "
          "relative to its start and never below 0, where the original's wrap round at 2^64",
          difference.figure);
    case DifferenceKind::kChipsApart:
      return fmt::format(
          "circular buffers are recorded once for each of {} chips; the fullest chip counts, where the "
          "original adds all chips up",
          difference.figure);
    case DifferenceKind::kBankDerived:
      break;
  }
  return fmt::format(
      "{} L1 events of this old capture do not record the size in a bank; the share of a core (sharded) or "
      "the whole buffer is counted, where the original fails",
      difference.figure);
}

std::string skipped_words(const std::string& path) {
  return fmt::format("{}: skipped, only reports of version 1 can be imported", path);
}

std::string nothing_words(const std::vector<std::string>& files) {
  return fmt::format(
      "{}: a graph capture without nodes\n"
      "expected what ttnn records between begin_graph_capture and end_graph_capture",
      fmt::join(files, ", "));
}

}  // namespace ttscope::graph
