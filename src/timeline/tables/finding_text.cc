#include "timeline/tables/finding_text.h"

#include <fmt/format.h>

#include <string_view>

#include "report/simulated_chips.h"

namespace ttscope::timeline {
namespace {

constexpr std::uint64_t kBytesPerMb = std::uint64_t{1} << 20;

/// Figures that a kind always has.
template <typename Number>
Number known(const std::optional<Number>& figure) {
  return figure.value_or(0);
}

/// `3 x rows have no time; first: line 7`.
std::string records_text(const Finding& finding, std::string_view what) {
  return fmt::format("{} x {}{}{}", known(finding.count), what,
                     finding.place.empty() ? "" : "; first: ", finding.place);
}

/// What is said of the file that the sentence begins with.
std::string capture_text(const Finding& finding) {
  if (finding.kind == FindingKind::kCaptureRestUnread)
    return fmt::format("{}; zones, messages and plots were read, they stand before", finding.text);
  return fmt::format("{}; read up to byte {} of its content, in the {}; what follows is not known",
                     finding.text.empty() ? "the file ends too early" : finding.text, known(finding.bytes),
                     finding.place);
}

std::string recording_text(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kMarksDroppedDisk:
      return fmt::format("{} marks were dropped: the disk was full", known(finding.count));
    case FindingKind::kMarksDroppedRoom:
      return fmt::format("{} marks were dropped: they found no room in {} MB (TTSCOPE_RECORD_MB sets more)",
                         known(finding.count), known(finding.whole_bytes) / kBytesPerMb);
    case FindingKind::kRecordingDamaged:
      return fmt::format("damaged: {} pages and {} events were not understood", known(finding.count),
                         known(finding.events));
    case FindingKind::kRecordingCut:
      return fmt::format("the file is cut: it has {} of {} bytes, and its last marks are missing",
                         known(finding.bytes), known(finding.whole_bytes));
    default:
      return fmt::format("the last marks of {} {} are missing", known(finding.count),
                         known(finding.count) == 1 ? "thread" : "threads");
  }
}

std::string log_text(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kLogWithoutTimes:
      return "its lines have no times, and no op of it is named elsewhere: its memory is not on the axis";
    case FindingKind::kHostGuessed:
      return fmt::format(
          "which host wrote it is not told; it is put beside {}, which has the most of its ops",
          finding.place.empty() ? "one" : finding.place);
    case FindingKind::kLogWithoutMemory:
      return "no line tells how much memory is in use";
    default:
      return "not a whole list of NoC events; it is left out";
  }
}

std::string clocks_text(const Finding& finding) {
  const bool is_early = finding.kind == FindingKind::kOpBeforeHost;
  return fmt::format(
      "device {}: {} {:.6g} ms {} the host sent {}: the capture does not seem to have the clocks of host and "
      "device together (tt-metal's --sync-host-device brings them)",
      finding.device, is_early ? "an op begins" : "all ops begin more than",
      static_cast<double>(finding.distance_ns) / 1e6, is_early ? "before" : "after",
      is_early ? "it" : "them");
}

/// Without the file that it is about.
std::string statement_of(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kReaderWarning:
      return finding.text;
    case FindingKind::kBadRecords:
      return records_text(finding, finding.text);
    case FindingKind::kCaptureCut:
    case FindingKind::kCaptureRestUnread:
      return capture_text(finding);
    case FindingKind::kMarksDroppedDisk:
    case FindingKind::kMarksDroppedRoom:
    case FindingKind::kRecordingDamaged:
    case FindingKind::kRecordingCut:
    case FindingKind::kThreadsCut:
      return recording_text(finding);
    case FindingKind::kOpBeforeHost:
    case FindingKind::kOpsLongAfterHost:
      return clocks_text(finding);
    case FindingKind::kNoSuchCore:
      return fmt::format("--core {},{}: no processor of a device is on this core", known(finding.core_x),
                         known(finding.core_y));
    case FindingKind::kZonesReachOver:
      return records_text(finding, "zones reach over --from or --to: they are whole, in all sums too");
    case FindingKind::kNocEventsDamaged:
    case FindingKind::kLogWithoutTimes:
    case FindingKind::kHostGuessed:
    case FindingKind::kLogWithoutMemory:
      return log_text(finding);
    case FindingKind::kDeviceZonesDropped:
      return "the device zones of the capture are left out: the log of the device profiler has them with "
             "their ops";
    case FindingKind::kOpsWithoutHost:
      return records_text(
          finding, "executions on devices are not in the host's messages: they are in no track of ops");
    case FindingKind::kOpsWithoutDevice:
      return records_text(finding, "ops of the host have no device data: they are in no track of ops");
    case FindingKind::kSimulatedChips:
      return std::string(report::kSimulatedChipsWords);
  }
  return finding.text;
}

}  // namespace

std::string finding_text(const Finding& finding) {
  const std::string statement = statement_of(finding);
  return finding.file.empty() ? statement : fmt::format("{}: {}", finding.file, statement);
}

std::vector<std::string> warning_texts(const Timeline& timeline) {
  std::vector<std::string> texts;
  texts.reserve(timeline.findings.size());
  for (const Finding& finding : timeline.findings) texts.push_back(finding_text(finding));
  return texts;
}

}  // namespace ttscope::timeline
