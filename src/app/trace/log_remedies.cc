#include "app/trace/log_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/timeline/open_timeline.h"
#include "base/file_names.h"
#include "perf/analyze/clock_sync.h"
#include "perf/load.h"
#include "perf/model/capture_files.h"
#include "perf/read/log_rows.h"
#include "perf/read/side_files.h"

namespace ttscope::app {

bool uses_simulated_chips(const std::string& logs) {
  std::error_code error;
  const bool is_said = std::filesystem::exists(logs + "/" + perf::kSimulatedChips, error);
  std::ifstream file(logs + "/" + profiler_names::kSyncInfo, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  perf::PerfProblems problems;
  return perf::are_simulated(perf::clock_lines(perf::read_sync_info(text, problems)), is_said);
}

namespace {

constexpr std::uint64_t kProgramWords = 12;     ///< ids and the markers of firmware and kernel
constexpr std::uint64_t kL1Words = 512;         ///< of a processor: the most that a program sends at once
constexpr std::uint64_t kSumProgramWords = 16;  ///< by the support count, where zones are summed

/// A program as it was sent to a device: each replay of a trace sends its own again.
struct SentProgram {
  perf::ExecutionKey key;
  std::string_view program;  ///< by its hash, else by its name
  std::int64_t time_ns = 0;
};

std::vector<SentProgram> sent_programs(const perf::HostCapture& host, std::uint32_t device) {
  std::vector<SentProgram> sent;
  for (const perf::HostOp& op : host.ops) {
    if (op.device != static_cast<std::int64_t>(device)) continue;
    const perf::OpInfo& info = host.infos[op.info];
    SentProgram program{{0, op.id, -1, -1}, info.program_hash, op.message_ns};
    if (program.program.empty()) program.program = info.op_code;
    if (op.trace < 0) {
      sent.push_back(program);
      continue;
    }
    program.key.trace = op.trace;
    const auto replays = host.replays.find({op.device, op.trace});
    if (replays == host.replays.end()) continue;
    for (std::size_t i = 0; i < replays->second.size(); ++i) {
      program.key.replay = static_cast<std::int64_t>(i) + 1;
      program.time_ns = replays->second[i];
      sent.push_back(program);
    }
  }
  std::stable_sort(sent.begin(), sent.end(),
                   [](const SentProgram& a, const SentProgram& b) { return a.time_ns < b.time_ns; });
  return sent;
}

/// Words that a row takes beside the part that each program has.
std::uint64_t words_of(const perf::LogMarker& row) {
  constexpr std::uint64_t kMarkerWords = 2;
  constexpr std::uint64_t kEarlyPushWords = 16;  // all that each program has is sent again, and padding
  if (row.type == "TS_DATA_16B") return 3 * kMarkerWords;
  if (row.type == "TS_DATA") return 2 * kMarkerWords;
  if (row.zone.ends_with("RISC-FW") || row.zone.ends_with("RISC-KERNEL")) return 0;
  const bool is_push = row.zone == "PROFILER-NOC-QUICK-PUSH" && row.type == "ZONE_START";
  return kMarkerWords + (is_push ? kEarlyPushWords : 0);
}

/// What the programs of one device took of the buffers of its processors, one processor at a time.
class BufferUse {
 public:
  BufferUse(const perf::MarkerLog& log, const perf::DeviceMarkers& device, const perf::HostCapture& host)
      : rows_(*log.rows), device_(device), sent_(sent_programs(host, device.device)) {
    std::map<perf::ExecutionKey, std::size_t> logged;
    for (std::size_t i = 0; i < device.ops.size(); ++i) logged.emplace(device.ops[i], i);
    for (const SentProgram& sent : sent_) {
      const auto found = logged.find(sent.key);
      logged_.push_back(found == logged.end() ? device.ops.size() : found->second);
      if (found != logged.end()) seen_.insert(sent.program);
    }
  }

  /// The most that was lost between two reads, and the mean of a program, over all processors.
  struct Loss {
    std::uint64_t words = 0;
    std::uint64_t mean_words = 0;
    bool is_guessed = false;  ///< what some of the lost programs take is not known
    bool has_sums = false;
  };
  Loss of(std::uint64_t full_words) const {
    Loss loss;
    std::vector<std::uint64_t> words;
    for (std::size_t lane = 0; lane < device_.lanes.size();) {
      const std::uint32_t processor = device_.lanes[lane].processor;
      words.assign(device_.ops.size() + 1, 0);
      for (; lane < device_.lanes.size() && device_.lanes[lane].processor == processor; ++lane)
        loss.has_sums |= add_words(device_.lanes[lane], words);
      // What is sent is padded.
      for (std::uint64_t& each : words) each = (each + 3) / 4 * 4;
      add_loss(words, full_words, loss);
    }
    return loss;
  }

 private:
  /// Whether zones were summed.
  bool add_words(const perf::MarkerLane& lane, std::vector<std::uint64_t>& words) const {
    bool has_sums = false;
    for (const perf::MarkerExtent& extent : lane.extents) {
      std::uint64_t& sum = words[extent.op];
      if (sum == 0) sum = kProgramWords;
      std::uint64_t at = extent.at;
      for (std::uint32_t i = 0; i < extent.rows; ++i, at = rows_.after(at)) {
        const perf::LogMarker row = rows_.read(at);
        sum += words_of(row);
        has_sums |= row.type == "ZONE_TOTAL";
      }
    }
    return has_sums;
  }

  /// What the programs took of one processor.
  struct MarkerUse {
    std::unordered_map<std::string_view, std::uint64_t> most;  ///< of each that runs there
    std::set<std::string_view> whole;                          ///< those that were surely kept as a whole
    std::uint64_t mean = 0;                                    ///< 0: none runs there
  };
  /// `words` are those of the processor, by the device's ops; 0: not there.
  MarkerUse marker_use_of(const std::vector<std::uint64_t>& words, std::uint64_t full_words) const {
    MarkerUse taken;
    std::uint64_t total = 0;
    std::uint64_t kept = 0;
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      const std::uint64_t own = words[logged_[i]];
      if (own == 0) continue;
      std::uint64_t& most = taken.most[sent_[i].program];
      most = std::max(most, own);
      // Before the buffer can have been full, the least is all that there is.
      if (own > kProgramWords || total + kL1Words <= full_words) taken.whole.insert(sent_[i].program);
      total += own;
      ++kept;
    }
    if (kept > 0) taken.mean = (total + kept - 1) / kept;
    return taken;
  }

  void add_loss(const std::vector<std::uint64_t>& words, std::uint64_t full_words, Loss& loss) const {
    const MarkerUse known = marker_use_of(words, full_words);
    if (known.mean == 0) return;
    loss.mean_words = std::max(loss.mean_words, known.mean);
    std::uint64_t lost = 0;
    std::uint64_t kept_since = 0;
    bool is_guessed = false;
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      const std::uint64_t taken = words[logged_[i]];
      const std::uint64_t wanted = words_wanted(sent_[i].program, known);
      // A full buffer takes what each program has, or nothing; other differences are those of its runs.
      if (taken < wanted && taken <= kProgramWords) {
        lost += wanted;
        kept_since = 0;
        is_guessed = is_guessed || known.whole.count(sent_[i].program) == 0;
        if (lost <= loss.words) continue;
        loss.words = lost;
        loss.is_guessed = is_guessed;
        continue;
      }
      kept_since += taken;
      // As much as fills a buffer is kept only behind a read, which began again.
      if (kept_since + kL1Words <= full_words) continue;
      lost = 0;
      is_guessed = false;
    }
  }

  std::uint64_t words_wanted(std::string_view program, const MarkerUse& known) const {
    if (const auto place = known.most.find(program); place != known.most.end()) return place->second;
    // Where others of its kind left nothing, it runs on other processors.
    return seen_.count(program) != 0 ? 0 : known.mean;
  }

  const perf::MarkerRows& rows_;
  const perf::DeviceMarkers& device_;
  std::vector<SentProgram> sent_;
  std::vector<std::size_t> logged_;  ///< of each one sent: into the device's ops; their number: not logged
  std::set<std::string_view> seen_;
};

void find_fitting_count(const perf::Capture& capture, std::uint64_t full_words, DroppedPrograms& dropped) {
  constexpr std::uint64_t kStep = 100;
  const perf::MarkerLog log = perf::find_marker_lanes(capture.log_text.bytes());
  BufferUse::Loss most;
  for (const perf::DeviceMarkers& device : log.devices) {
    const BufferUse::Loss loss = BufferUse(log, device, capture.host).of(full_words);
    if (loss.words > most.words) most.is_guessed = loss.is_guessed;
    most.words = std::max(most.words, loss.words);
    most.mean_words = std::max(most.mean_words, loss.mean_words);
    most.has_sums |= loss.has_sums;
  }
  if (most.mean_words > 0) dropped.kept = full_words / most.mean_words;
  if (most.has_sums) dropped.share_words = kSumProgramWords;
  // Warnings alone: which programs were lost is not told.
  if (most.words == 0) return;
  dropped.is_guessed = most.is_guessed;
  const std::uint64_t words = full_words + most.words;
  const std::uint64_t count = (words + dropped.share_words - 1) / dropped.share_words;
  dropped.fitting_count = (count + kStep - 1) / kStep * kStep;
}

}  // namespace

DropWarnings drop_warnings_in(std::string_view output) {
  constexpr std::string_view kDropped = "markers were dropped";
  constexpr std::string_view kEnd = "bufferEndIndex = ";
  DropWarnings warnings;
  for (std::size_t at = output.find(kDropped); at != std::string_view::npos; at = output.find(kDropped, at)) {
    ++warnings.count;
    at += kDropped.size();
    const std::string_view line = output.substr(at, output.find('\n', at) - at);
    const std::size_t end = line.find(kEnd);
    if (end == std::string_view::npos) continue;
    const std::string_view number = line.substr(end + kEnd.size());
    std::uint64_t words = 0;
    std::from_chars(number.data(), number.data() + number.size(), words);
    warnings.full_words = std::max(warnings.full_words, words);
  }
  return warnings;
}

DroppedPrograms dropped_programs(const std::string& logs, const DropWarnings& warnings) {
  DroppedPrograms dropped;
  Result<perf::FoundFiles> files = perf::find_files({logs});
  if (!files) return dropped;
  perf::CaptureOptions options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.read_host_capture = host_tables_of;
  const Result<perf::Profile> run = perf::read_files(*files, options);
  if (!run || run->captures.empty()) return dropped;
  const perf::Capture& capture = run->captures.front();
  dropped.ops =
      static_cast<std::uint64_t>(std::count_if(capture.host.ops.begin(), capture.host.ops.end(),
                                               [](const perf::HostOp& op) { return op.device >= 0; }));
  // Where whole replays are recorded, or buffers without ids, no op has data of its own.
  const bool has_ops =
      capture.problems.count(perf::PerfProblem::kTraceOnlyRows) == 0 && !capture.lacks_op_ids();
  if (has_ops) dropped.without_data = capture.report.problems.count(perf::PerfProblem::kOpWithoutDeviceData);
  dropped.has_empty_log = capture.log && capture.log->rows == 0;
  if (has_ops && capture.log && warnings.count > 0 && warnings.full_words > 0)
    find_fitting_count(capture, warnings.full_words, dropped);
  return dropped;
}

std::string end_of_output(const std::string& path) {
  constexpr std::streamoff kMaxBytes = 16 << 20;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - kMaxBytes));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

namespace {

constexpr std::string_view kOutOfSync = "zones will be out of sync";

/// A warning whose remedy needs no figure.
struct KnownWarning {
  std::string_view text;
  std::string_view what;
  std::string_view remedy;
};

constexpr KnownWarning kWarnings[] = {
    {"Cannot enable both debug printing and profiling", "kernel prints and the profiler exclude each other",
     "unset TT_METAL_DPRINT_CORES"},
    {"Debug print server is running", "kernel prints and the profiler exclude each other",
     "unset TT_METAL_DPRINT_CORES"},
    {"Source location hashes are colliding", "two zones have the same 16-bit number",
     "rename one of the zones of your kernels"},
    {kDevicesOfOneProcess, "several processes used devices at a time, and a run records those of one",
     "let one process at a time have its devices open, or trace each by itself (-o)"},
    {kOutOfSync, "host and devices are not on one clock", "add --sync-host-device"},
    {"Device profiling never finished", "a core had not finished when it was read",
     "call ttnn.synchronize_device() before ttnn.ReadDeviceProfiler()"},
    {"start markers detected without", "zones without an end", "close devices before the program ends"},
    {"Too many source locations", "the capture tool gave up: more than 32767 distinct places",
     "use -p, and Profiler().enable() around what is of interest"},
};

/// The runtime raises a count that is too small for a full buffer of L1, and says so.
std::uint32_t support_count_in(std::string_view log, std::uint32_t asked) {
  constexpr std::string_view kRaised = "Increasing program support count from ";
  constexpr std::string_view kTo = " to ";
  const std::size_t at = log.rfind(kRaised);
  const std::size_t to = at == std::string_view::npos ? at : log.find(kTo, at + kRaised.size());
  if (to == std::string_view::npos) return asked;
  std::uint32_t count = asked;
  const std::string_view number = log.substr(to + kTo.size());
  std::from_chars(number.data(), number.data() + number.size(), count);
  return count;
}

LogRemedy remedy_of_drops(const DropWarnings& warnings, const std::string& text,
                          const TracedRunFacts& facts) {
  const std::uint32_t kept = support_count_in(text, facts.support_count);
  const DroppedPrograms dropped =
      facts.logs.empty() ? DroppedPrograms{} : dropped_programs(facts.logs, warnings);
  const AdvisedCount advised = advised_support_count(dropped, warnings);
  // Large programs fill a buffer sooner than the count says.
  std::uint64_t between = kept / 2;
  if (dropped.kept > 0) between = std::min(between, dropped.kept * 3 / 4);
  return {fmt::format("markers were dropped: {} buffers were full with {} programs", warnings.count, kept),
          fmt::format("--op-support-count {}{}, or ttnn.ReadDeviceProfiler(device) at least every {} ops, or "
                      "--dump-device-data-mid-run with such calls",
                      advised.count, advised.doubt.empty() ? "" : fmt::format(" or more ({})", advised.doubt),
                      std::max<std::uint64_t>(1, between))};
}

}  // namespace

AdvisedCount advised_support_count(const DroppedPrograms& dropped, const DropWarnings& warnings) {
  if (dropped.fitting_count > 0)
    return {dropped.fitting_count, dropped.is_guessed ? "of some programs nothing was kept" : ""};
  constexpr std::uint64_t kStandard = 1000;
  const std::uint64_t held = (warnings.full_words + dropped.share_words - 1) / dropped.share_words;
  return {2 * (held == 0 ? kStandard : held),
          dropped.ops == 0 ? "with -r it is known how many" : "the logs do not tell how many"};
}

std::vector<LogRemedy> remedies_for_log(const std::string& text, const TracedRunFacts& facts) {
  std::vector<LogRemedy> remedies;
  if (const DropWarnings warnings = drop_warnings_in(text); warnings.count > 0)
    remedies.push_back(remedy_of_drops(warnings, text, facts));
  for (const KnownWarning& warning : kWarnings) {
    if (text.find(warning.text) == std::string::npos) continue;
    if (facts.simulated && warning.text == kOutOfSync) continue;
    LogRemedy remedy{std::string(warning.what), std::string(warning.remedy)};
    const auto is_same = [&](const LogRemedy& other) { return other.what == remedy.what; };
    if (std::none_of(remedies.begin(), remedies.end(), is_same)) remedies.push_back(std::move(remedy));
  }
  if (facts.has_host && facts.has_device && !facts.synchronized && !facts.simulated)
    remedies.push_back(
        {"host and devices have clocks of their own", "add --sync-host-device to see them on one axis"});
  return remedies;
}

std::vector<LogRemedy> remedies_for_log_file(const std::string& path, const TracedRunFacts& facts) {
  return remedies_for_log(end_of_output(path), facts);
}

}  // namespace ttscope::app
