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

std::string no_database_words(const std::string& database_path) {
  return fmt::format(
      "{}: not written, it would be empty\n"
      "expected a capture with function_start and function_end nodes, or a report of version 1",
      database_path);
}

std::vector<std::string> import_warnings(const VisualizerImport& import) {
  std::vector<std::string> warnings;
  if (import.allocations > 0 && import.placed == 0) {
    warnings.push_back(fmt::format(
        "all {} addresses are 0 (NO_DISPATCH): the buffers of the database have no places, and a free removes "
        "every one of them, as in the importer of ttnn; capture in NORMAL mode for a view of the memory",
        import.allocations));
  }
  if (import.described_devices == 0) {
    warnings.emplace_back(
        "the capture does not describe its device: the database has no row in `devices`, and ttnn-visualizer "
        "cannot draw the memory; a report of end_graph_capture_to_file has them");
  }
  return warnings;
}

std::string nothing_words(const std::vector<std::string>& files) {
  return fmt::format(
      "{}: a graph capture without nodes\n"
      "expected what ttnn records between begin_graph_capture and end_graph_capture",
      fmt::join(files, ", "));
}

}  // namespace ttscope::graph
