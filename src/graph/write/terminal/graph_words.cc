#include "graph/write/terminal/graph_words.h"

#include <fmt/format.h>

#include "graph/analyse/names.h"
#include "report/number_text.h"

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

namespace {

std::string_view lack_words(Lack lack) {
  switch (lack) {
    case Lack::kDevice:
      return "a description of its device (the largest core there is was taken)";
    case Lack::kReleases:
      return "circular_buffer_deallocate_all (the circular buffers of all programs add up)";
    case Lack::kCoreRanges:
      return "core ranges that can be read (all circular buffers count as if on one core)";
    case Lack::kBankSizes:
      return "max_size_per_bank (whole buffers count)";
    case Lack::kPlacement:
      break;
  }
  return "addresses (NO_DISPATCH: no allocator was asked, which would have refused)";
}

std::string l1_words(const Finding& finding) {
  const bool only_sum = finding.kind == FindingKind::kL1SumBeyond;
  std::string text =
      only_sum ? fmt::format(
                     "the L1 peak of {} bytes per core is a sum over circular buffers on different cores: "
                     "the busiest core holds {} of the {} that a core has",
                     finding.bytes, finding.busiest_bytes, finding.limit_bytes)
               : fmt::format("the L1 peak of {} bytes per core is more than the {} that a core has",
                             finding.bytes, finding.limit_bytes);
  for (std::size_t i = 0; i < finding.lacks.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "; the capture lacks " : ", ", lack_words(finding.lacks[i]));
  return text;
}

}  // namespace

std::string finding_words(const Profile& profile, const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kStopped: {
      const ProfiledSegment& segment = profile.segments[finding.segment];
      return fmt::format(
          "the capture ends inside of {} ({} never ended): the program failed there, or the capture was cut; "
          "figures are those up to that moment",
          call_path(*segment.trace, segment.profile, finding.call), report::counted(finding.count, "call"));
    }
    case FindingKind::kL1BeyondCore:
    case FindingKind::kL1SumBeyond:
      return l1_words(finding);
    case FindingKind::kTiedBySize:
      break;
  }
  return fmt::format(
      "{} of earlier segments are known by their size alone (no address, no tensor): which of several equal "
      "buffers was freed cannot be told, totals are right",
      report::counted(finding.count, "freed buffer"));
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
        "all {} addresses are 0 (NO_DISPATCH): the buffers of the database have no places, and a free "
        "removes "
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
