#include "perf/write/notes_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "perf/analyze/kind_facts.h"
#include "perf/model/ops_report.h"
#include "ui/text.h"

namespace ttscope::perf {
namespace {

constexpr std::size_t kMaxNameColumns = 80;

/// Reads what a note brings; what is not there is empty.
class NoteText {
 public:
  explicit NoteText(const OpNote& note) : note_(note) {}

  std::string text() const;

 private:
  const std::string& name(std::size_t index) const {
    static const std::string kEmpty;
    return index < note_.names.size() ? note_.names[index] : kEmpty;
  }
  /// A name of an op, which can be of any length.
  std::string op_name(std::size_t index) const { return ui::fit(name(index), kMaxNameColumns); }
  double figure(std::size_t index) const { return index < note_.figures.size() ? note_.figures[index] : 0; }
  /// A figure as a whole number.
  std::string count(std::size_t index) const { return fmt::format("{:.0f}", figure(index)); }
  /// `1 op is`, `3 ops are`.
  std::string counted(std::size_t index, std::string_view noun, std::string_view one = {},
                      std::string_view many = {}) const {
    const bool is_one = figure(index) == 1;
    const std::string_view verb = is_one ? one : many;
    return fmt::format("{} {}{}{}{}", count(index), noun, is_one ? "" : "s", verb.empty() ? "" : " ", verb);
  }
  bool is_set(std::size_t index) const { return figure(index) != 0; }

  std::string names_from(std::size_t first, std::string_view quote) const;
  std::string counts_from(std::size_t first, int decimals) const;
  std::string format_note() const;
  std::string host_note() const;
  std::string stretch_note() const;
  std::string warm_up_note() const;
  std::string input_note() const;
  std::string peak_note() const;
  std::string window_note() const;
  std::string device_note() const;
  std::string unknown_op_note() const;

  const OpNote& note_;
};

std::string NoteText::names_from(std::size_t first, std::string_view quote) const {
  std::string list;
  for (std::size_t i = first; i < note_.names.size(); ++i)
    list.append(i > first ? ", " : "").append(quote).append(note_.names[i]).append(quote);
  return list;
}

std::string NoteText::counts_from(std::size_t first, int decimals) const {
  std::string list;
  for (std::size_t i = first; i < note_.figures.size(); ++i)
    list += fmt::format("{}{:.{}f}", i > first ? ", " : "", note_.figures[i], decimals);
  return list;
}

std::string NoteText::format_note() const {
  switch (static_cast<ReportFormat>(static_cast<int>(figure(0)))) {
    case ReportFormat::kV1:
      return "Detected CSV format: v1 (legacy format)";
    case ReportFormat::kV2:
      return "Detected CSV format: v2";
    case ReportFormat::kTable:
      return "Detected CSV format: table of tt-perf-report";
    case ReportFormat::kV21:
      break;
  }
  return "Detected CSV format: v2.1 (with device arch and worker core count)";
}

std::string NoteText::host_note() const {
  std::string text;
  for (std::size_t i = 0; i < note_.names.size(); ++i) {
    const auto first = count(2 * i);
    const auto last = count(2 * i + 1);
    const std::string devices =
        first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
    text += fmt::format("{}{}: {}", text.empty() ? "Devices " : "; ", devices, note_.names[i]);
  }
  const std::size_t more = 2 * note_.names.size();
  if (is_set(more)) text += fmt::format("; {} more hosts", count(more));
  return text + ".";
}

std::string NoteText::stretch_note() const {
  const std::string until = note_.names.size() > 1 ? fmt::format(" and before '{}'", name(1)) : std::string();
  return fmt::format(
      "Using the last stretch with {}operations: after signpost '{}' (row {}){}; --ignore-signposts takes "
      "all.",
      is_set(1) ? "measured " : "", name(0), count(0), until);
}

std::string NoteText::warm_up_note() const {
  if (note_.kind == NoteKind::kSetUpLeftOut) {
    return fmt::format("Left out as set-up, told by {}: {} before the first replay. --warm-up shows {}.",
                       is_set(1) ? "cache misses" : "gaps of compiling", counted(0, "op"),
                       figure(0) == 1 ? "it" : "them");
  }
  return fmt::format("Left out as warm-up, told by {}: the first {} ({}); {} shown. --warm-up shows all.",
                     is_set(3) ? "cache misses" : "gaps of compiling",
                     figure(0) == 1 ? "pass" : fmt::format("{} passes", count(0)), counted(1, "op"),
                     figure(2) == 1 ? "the one behind it is" : fmt::format("the {} behind it are", count(2)));
}

std::string NoteText::input_note() const {
  switch (note_.kind) {
    case NoteKind::kStandInDuration:
      return fmt::format(
          "{} has no column DEVICE KERNEL DURATION [ns]: {}, which also has the time of launching, stands "
          "for it.",
          name(0), name(1));
    case NoteKind::kTableOnly:
      return "A table of tt-perf-report, not the ops report it was made of: places of outputs, shapes of ops "
             "that are no matmul, attributes, kernels, host times and device cycles are not in it, so that "
             "no wall time, no skew of devices and no bound by them can be told.";
    case NoteKind::kPeaksOfTable:
      return fmt::format(
          "Which architecture it was, and how many cores it has, a table does not say: percentages are of "
          "the "
          "peaks that those of the table are of (DRAM {:.0f} GB/s), whether the device has them or not; "
          "--arch "
          "says which it was.",
          figure(0));
    case NoteKind::kReplaysOnOps:
      return fmt::format(
          "{} of different ops take the same time on the same cores, and no RISC has a time: whole replays "
          "of a "
          "trace, which the writer of the report booked on ops. They are shown as replays; what their ops "
          "take "
          "is not known.",
          counted(0, "row"));
    case NoteKind::kRowsOfSlowest:
      return "Its rows are ops of several devices, merged: each is that of the slowest device, and all stand "
             "as those of one.";
    case NoteKind::kNoOpIds:
      return std::string(no_op_ids_text());
    case NoteKind::kHosts:
      return host_note();
    default:
      return format_note();
  }
}

std::string NoteText::peak_note() const {
  switch (note_.kind) {
    case NoteKind::kSeveralArchs:
      return fmt::format("Warning: the rows name {} architectures; using the first one: '{}'.", count(0),
                         name(0));
    case NoteKind::kArchAsAsked:
      return fmt::format("The report says {}; using {} as asked.", name(0), name(1));
    case NoteKind::kArchOfReport:
      return "Using architecture from CSV: " + name(0);
    case NoteKind::kArchByClock:
      return fmt::format("No architecture in the report; its clock of {} MHz is that of {}.", count(0),
                         name(0));
    case NoteKind::kNoArch:
      return "No architecture in the report: no percentages of a peak (give --arch).";
    case NoteKind::kUnknownArch:
      return fmt::format("No figures for architecture '{}': no percentages of a peak.", name(0));
    case NoteKind::kNoClock:
      return "No clock in the report: no percentages of compute.";
    case NoteKind::kArchColumnLacks:
      return "DEVICE ARCH column not found. Defaulting to 'wormhole'.";
    case NoteKind::kArchValuesLack:
      return "No DEVICE ARCH values found. Defaulting to 'wormhole'.";
    case NoteKind::kArchsListed:
      return fmt::format("Warning: Multiple DEVICE ARCH values found: [{}]. Using first value: '{}'.",
                         names_from(1, "'"), name(0));
    case NoteKind::kArchIgnored:
      return fmt::format("Warning: Ignoring user-specified architecture: {}, CSV detected {} architecture",
                         name(0), name(1));
    case NoteKind::kCoresColumnLacks:
      return "AVAILABLE WORKER CORE COUNT column not found. Defaulting to 64 cores.";
    case NoteKind::kCoreValuesLack:
      return "No non-zero AVAILABLE WORKER CORE COUNT values found. Defaulting to 64 cores.";
    case NoteKind::kCoresListed:
      return fmt::format(
          "Warning: Multiple AVAILABLE WORKER CORE COUNT values found: [{}]. Using first value: {}.",
          counts_from(2, is_set(1) ? 1 : 0), count(0));
    default:
      return fmt::format("Architecture: {}, Worker cores: {}", name(0), count(0));
  }
}

std::string NoteText::window_note() const {
  switch (note_.kind) {
    case NoteKind::kDeviceOrder:
      return "Ops are in the order in which the devices ran them.";
    case NoteKind::kHostOrder:
      return "Sorting CSV by 'HOST START TS' column...";
    case NoteKind::kNoHostTimes:
      return "Warning: 'HOST START TS' column not found. CSV will not be sorted.";
    case NoteKind::kFileOrder:
      return "Rows are in the order of the file: traced ops carry the time of their capture.";
    case NoteKind::kPlacedOrder:
      return "Rows are in the order of the file: signposts alone have host times.";
    case NoteKind::kAfterSignpost:
      return fmt::format("Using operations after '{}'.", name(0));
    case NoteKind::kUntilSignpost:
      return fmt::format("Using operations until '{}'.", name(0));
    case NoteKind::kNoStartSignpost:
      return fmt::format("Specified staring signpost '{}' not found.", name(0));
    case NoteKind::kNoEndSignpost:
      return fmt::format("Specified ending signpost '{}' not found.", name(0));
    case NoteKind::kSecondSignpost:
      return fmt::format(
          "Multiple occurrences of signpost '{}' found. Using the second occurrence for the end filter.",
          name(0));
    case NoteKind::kTooFewSignposts:
      return fmt::format("Not enough occurrences of signpost '{}' to apply to both start and end filters.",
                         name(0));
    case NoteKind::kSignpostsListed:
      return "Detected signposts: " + names_from(0, "");
    case NoteKind::kFromLastSignpost:
      return fmt::format("Using last signpost: {} for analysis.", name(0));
    case NoteKind::kLastStretch:
      return stretch_note();
    case NoteKind::kStretchWithoutTimes:
      return "None of these operations has device data; others have: --ignore-signposts takes all.";
    case NoteKind::kNothingAfterSignposts:
      return "No operations follow a signpost. Using the operations before the first one.";
    case NoteKind::kSignpostsIgnored:
      return "Ignoring all signposts. Using the entire file for analysis.";
    case NoteKind::kSetUpLeftOut:
    case NoteKind::kWarmUpLeftOut:
      return warm_up_note();
    case NoteKind::kIdsUpTo:
      return "Filtering rows with IDs up to " + count(0);
    case NoteKind::kIdsFrom:
      return fmt::format("Filtering rows with IDs from {} onwards", count(0));
    case NoteKind::kIdsBetween:
      return fmt::format("Filtering rows with IDs from {} to {}", count(0), count(1));
    default:
      return "No signposts found in the file. Using the entire file for analysis.";
  }
}

std::string_view words_of(CategoryBasis basis) {
  switch (basis) {
    case CategoryBasis::kLinks:
      return "its attributes name links, a topology, a ring or an axis of the mesh";
    case CategoryBasis::kOtherForm:
      return "one tensor in, as much out in another shape, layout or type";
    case CategoryBasis::kOtherPlace:
      return "one tensor in, the same out in another memory";
    case CategoryBasis::kNoInputOrOutput:
      return "it has inputs or outputs, not both";
    case CategoryBasis::kNoCompute:
      return "its compute processors did nothing";
    case CategoryBasis::kCompute:
      return "its compute processors worked";
    case CategoryBasis::kTensors:
      return "by its tensors; no times of processors are recorded";
    default:
      return "neither tensors nor times of processors are recorded";
  }
}

std::string NoteText::unknown_op_note() const {
  std::string list;
  for (std::size_t i = 0; i < note_.names.size(); ++i) {
    const auto category = static_cast<OpCategory>(static_cast<int>(figure(2 * i)));
    const auto basis = static_cast<CategoryBasis>(static_cast<int>(figure(2 * i + 1)));
    list += fmt::format("{}{} is {} ({})", i > 0 ? "; " : "", op_name(i), name_of(category), words_of(basis));
  }
  const std::size_t more = 2 * note_.names.size();
  if (is_set(more)) list += fmt::format("; {} more", count(more));
  return fmt::format("Names that no list knows go by what the op does: {}.", list);
}

std::string NoteText::device_note() const {
  switch (note_.kind) {
    case NoteKind::kDevicesApart:
      return fmt::format("Detected data from {} devices. Keeping separate device data...", count(0));
    case NoteKind::kDevicesMerged:
      return fmt::format("Detected data from {} devices. Merging device data...", count(0));
    case NoteKind::kNoDeviceOps:
      return "No device operations found in the CSV data.";
    case NoteKind::kDeviceLacksOp:
      return fmt::format("Warning: Device {} is missing operation {} at index {}", count(0),
                         note_.names.empty() ? "None" : name(0), count(1));
    case NoteKind::kOpOfSomeDevices:
      return fmt::format(
          "Warning: {} at index {} not present in CSV for {} devices [{}] - do not trust data for this op "
          "or directly subsequent ops with the same name",
          name(0), count(0), note_.figures.size() - 1, counts_from(1, 0));
    case NoteKind::kOpsOfSomeDevices:
      return fmt::format(
          "Warning: {} not on all devices (first: {}, row {}; lacking on device {}): it ended early, lost "
          "its "
          "markers, or runs another program.",
          counted(0, "op", "is", "are"), op_name(0), count(1), counts_from(2, 0));
    case NoteKind::kMoreOfThese:
      return fmt::format("Warning: {} more of these.", count(0));
    case NoteKind::kUnknownOps:
      return unknown_op_note();
    default:
      return fmt::format(
          "{} ran faster than bytes and operations allow: cores are missing in the times, or the model does "
          "not fit. There is no percentage of a peak.",
          counted(0, "op"));
  }
}

std::string NoteText::text() const {
  if (note_.kind < NoteKind::kSeveralArchs) return input_note();
  if (note_.kind < NoteKind::kDeviceOrder) return peak_note();
  return note_.kind < NoteKind::kDevicesApart ? window_note() : device_note();
}

}  // namespace

std::string_view no_op_ids_text() {
  return "no op has firmware or kernel zones (accumulate mode and dispatch cores have no op ids), so there "
         "is "
         "no ops report of the device";
}

std::string note_text(const OpNote& note) { return NoteText(note).text(); }

std::vector<std::string> names_in(const OpNote& note) {
  std::vector<std::string> names = note.names;
  for (const std::string& name : note.names) names.push_back(ui::fit(name, kMaxNameColumns));
  return names;
}

std::string perf_problem_text(const PerfProblems& problems, PerfProblem problem) {
  return ui::count_text(problems.count(problem)) + " x " + std::string(info_of(problem).sentence);
}

std::string perf_problem_lines(const PerfProblems& problems) {
  std::string text;
  for (std::size_t i = 0; i < kPerfProblemCount; ++i) {
    const auto problem = static_cast<PerfProblem>(i);
    if (problems.count(problem) == 0) continue;
    text += "  " + perf_problem_text(problems, problem) + "\n";
    std::string places;
    for (const std::string& place : problems.places(problem)) {
      if (!places.empty()) places += "; ";
      places += terminal_safe(place);
    }
    if (problems.places(problem).size() < problems.count(problem) && !places.empty()) places += "; ...";
    if (!places.empty()) text += "      " + places + "\n";
  }
  return text;
}

namespace {

/// `device 2 (20, its last ones)`.
std::string missing_devices_text(const RunClock& clock) {
  constexpr std::size_t kMaxNamed = 8;
  std::string text;
  std::size_t devices = 0;
  for (const DeviceLane& lane : clock.lanes) {
    const std::size_t lacked = lane.absent.size() + lane.missing_at_end.size();
    if (lacked == 0 || ++devices > kMaxNamed) continue;
    text += (devices > 1 ? ", device " : "device ") + std::to_string(lane.device) + " (" +
            ui::count_text(lacked) + (lane.absent.empty() ? ", its last ones)" : ")");
  }
  if (devices > kMaxNamed) text += " and " + std::to_string(devices - kMaxNamed) + " more";
  return text;
}

}  // namespace

std::vector<std::string> lost_lines(const OpsReport& table, const ShownOps& ops) {
  std::vector<std::string> lines;
  if (table.has_modeled_times()) lines.push_back("Simulated chips: the " + std::string(ui::kTimesAreModeled));
  for (const std::uint32_t row : table.problems.places(ReportProblem::kCutRow)) {
    lines.push_back("Not whole: the file ends inside row " + std::to_string(row) +
                    " (is it cut off?); what came after it is in no figure");
  }
  for (const PerfProblem problem : {PerfProblem::kFileCut, PerfProblem::kMarkersDropped,
                                    PerfProblem::kDeviceMissing, PerfProblem::kOpWithoutDeviceData}) {
    const std::uint64_t count = table.capture_problems.count(problem);
    // Captures of traces have ops that the host sent and no device ran: outside the window nothing lacks
    // them.
    const bool is_outside = problem == PerfProblem::kOpWithoutDeviceData && ops.without_duration == 0;
    if (count == 0 || is_outside) continue;
    lines.push_back("Not whole: " + perf_problem_text(table.capture_problems, problem));
  }
  const std::string devices = missing_devices_text(ops.clock);
  if (!devices.empty())
    lines.push_back("Not whole: there are no rows of ops that others show to have run on " + devices);
  return lines;
}

std::string report_problem_text(const OpsReport& table, const ShownOps& ops, ReportProblem problem) {
  const std::uint64_t count = table.problems.count(problem);
  std::string text = ui::count_text(count) + " x ";
  const std::string_view what = info_of(problem).sentence;
  if (problem != ReportProblem::kNoDuration || ops.without_duration >= count) return text.append(what);
  // Only what is missing in the window is missing in the sums.
  text += what.substr(0, what.find(';'));
  if (ops.without_duration == 0) return text + ", none in the window";
  return text + ", " + ui::count_text(ops.without_duration) + " in the window" +
         std::string(what.substr(what.find(';')));
}

std::string perf_trust_text(const PerfProblems& problems) {
  const std::string lines = perf_problem_lines(problems);
  return lines.empty() ? lines : "Trust\n" + lines;
}

}  // namespace ttscope::perf
