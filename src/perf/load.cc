#include "perf/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/file_names.h"
#include "base/resources.h"
#include "base/result.h"
#include "io/chunk_source.h"
#include "io/input_files.h"
#include "perf/analyze/clock_sync.h"
#include "perf/analyze/executions.h"
#include "perf/analyze/profile.h"
#include "perf/analyze/raw_run.h"
#include "perf/analyze/report_builder.h"
#include "perf/analyze/zones.h"
#include "perf/compat/captures.h"
#include "perf/compat/shown_ops.h"
#include "perf/formats.h"
#include "perf/model/capture_files.h"
#include "perf/model/device_profile.h"
#include "perf/read/device_log.h"
#include "perf/read/host_logs.h"
#include "perf/read/log_rows.h"
#include "perf/read/ops_report.h"
#include "perf/read/raw_run.h"
#include "perf/read/side_files.h"

namespace ttscope::perf {
namespace {

/// A thread's reader and what it collected; the collector refers to the reader's numbers.
struct ZoneWorker {
  explicit ZoneWorker(const ProcessorRowIndex& places) : reader(places), collector(reader.catalog()) {}
  ZoneGroupReader reader;
  ZoneCollector collector;
};

ZoneStats zone_stats_of(std::string_view text, unsigned threads) {
  const ProcessorRowIndex places(text, threads);
  const std::size_t count = std::clamp<std::size_t>(places.size(), 1, std::max(1u, threads));
  std::vector<std::unique_ptr<ZoneWorker>> workers;
  workers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) workers.push_back(std::make_unique<ZoneWorker>(places));
  std::atomic<std::size_t> next = 0;
  run_parallel(count, threads, [&](std::size_t worker) {
    for (std::size_t place = next++; place < places.size(); place = next++) {
      workers[worker]->collector.take(workers[worker]->reader.read(places[place]), place);
    }
  });
  for (std::size_t i = 1; i < count; ++i) {
    workers.front()->collector.join(workers[i]->collector);
    workers[i] = nullptr;
  }
  return workers.front()->collector.stats();
}

/// Fills in the zones of a capture by a second pass over its device log; nothing without one.
void collect_zones(unsigned threads, Capture& capture) {
  if (!capture.log) return;
  CaptureZones& zones = capture.zones.emplace();
  zones.stats = zone_stats_of(capture.log_text.bytes(), threads);
  zones.clocks = capture.clocks;
  zones.is_modeled = capture.problems.count(PerfProblem::kSimulatedChips) > 0;
  // Logs without ops have no executions from which the clocks of devices would be known.
  for (const ProcessorFigures& processor : zones.stats.processors) {
    zones.clocks.try_emplace(processor.device, capture.log->clock_mhz);
  }
  capture.problems.add(PerfProblem::kZoneUnmatched, zones.stats.unmatched, {});
  for (const std::string& place : zones.stats.unmatched_places) {
    capture.problems.add_place(PerfProblem::kZoneUnmatched, place);
  }
}

/// What of a compressed file could not be unpacked is told with the other problems.
Result<io::WholeText> open_counting_problems(const std::string& path, OpenedTexts& texts,
                                             PerfProblems& problems) {
  Result<io::WholeText> text = texts.open(path);
  if (text && !text->warning.empty()) problems.add(PerfProblem::kFileCut, text->warning);
  return text;
}

void read_messages(std::string_view text, const CaptureOptions& options, HostCapture& host) {
  options.compat ? read_host_messages_as_cells(text, host) : read_host_messages(text, host);
}

/// What is wrong with the capture must not cost what the device's files tell; alone it is the whole input.
Result<void> read_host_capture(const CaptureFiles& files, const CaptureOptions& options, HostCapture& host) {
  const Result<HostTables> tables = options.read_host_capture(files.host_capture);
  if (!tables) {
    if (!files.has_device()) return failure(tables.error());
    host.problems.add(PerfProblem::kFileCut, tables.error().message);
    return {};
  }
  if (!tables->warning.empty()) host.problems.add(PerfProblem::kFileCut, tables->warning);
  host.is_simulated = tables->is_simulated;
  host.has_files = true;
  read_messages(tables->messages, options, host);
  read_host_zones(tables->times, host);
  return {};
}

/// Both files are needed: ops without times cannot be ordered, times without ops have no names.
Result<void> read_host(const CaptureFiles& files, const CaptureOptions& options, OpenedTexts& texts,
                       HostCapture& host) {
  if (files.reads_host_capture() && options.read_host_capture != nullptr) {
    return read_host_capture(files, options, host);
  }
  ASSIGN_OR_RETURN(const io::WholeText messages,
                   open_counting_problems(files.host_messages, texts, host.problems));
  ASSIGN_OR_RETURN(const io::WholeText times, open_counting_problems(files.host_times, texts, host.problems));
  if (files.host_messages.empty()) return {};
  host.has_files = true;
  read_messages(messages.bytes(), options, host);
  if (!files.host_times.empty()) read_host_zones(times.bytes(), host);
  return {};
}

Result<void> read_log(const CaptureOptions& options, OpenedTexts& texts, Capture& capture) {
  const std::string& path = capture.files.device_log;
  ASSIGN_OR_RETURN(io::WholeText text, open_counting_problems(path, texts, capture.problems));
  if (path.empty()) return {};
  capture.log_text = std::move(text);
  Result<DeviceProfile> log =
      read_device_log(capture.log_text.bytes(), {.threads = options.threads, .unwrap = !options.compat});
  if (!log) {
    // A damaged or empty log must not cost the report that the other files give.
    capture.problems.add(PerfProblem::kRowUnreadable, fmt::format("{}: {}", path, log.error().message));
    return {};
  }
  capture.log = std::move(*log);
  capture.problems.merge(capture.log->problems);
  return {};
}

Result<std::vector<Execution>> read_cpp(OpenedTexts& texts, Capture& capture) {
  if (capture.files.cpp_report.empty()) return std::vector<Execution>();
  ASSIGN_OR_RETURN(const io::WholeText text,
                   open_counting_problems(capture.files.cpp_report, texts, capture.problems));
  return read_cpp_report(text.bytes(), capture.problems);
}

Result<void> read_side_files(OpenedTexts& texts, Capture& capture) {
  ASSIGN_OR_RETURN(const io::WholeText zones,
                   open_counting_problems(capture.files.zone_locations, texts, capture.problems));
  find_zone_collisions(zones.bytes(), capture.problems);
  ASSIGN_OR_RETURN(const io::WholeText sync,
                   open_counting_problems(capture.files.sync_info, texts, capture.problems));
  capture.sync = clock_lines(read_sync_info(sync.bytes(), capture.problems));
  return {};
}

/// tt-npe's results lie beside the logs, one compressed file for each op.
std::vector<NpeResult> read_npe_results(const CaptureFiles& files) {
  std::vector<NpeResult> results;
  if (files.npe_results.empty()) return results;
  const auto manifest = io::open_whole_text(files.npe_results);
  if (!manifest) return results;
  const std::filesystem::path folder = std::filesystem::path(files.npe_results).parent_path();
  for (const auto& [id, name] : read_npe_manifest(manifest->bytes())) {
    // Names come from a file: only plain ones, below the folder.
    if (name.empty() || name.find('/') != std::string::npos) continue;
    const auto source = io::open_source((folder / name).string());
    if (!source) continue;
    const auto chunk = (*source)->next();
    if (!chunk) continue;
    if (auto result = read_npe_result(chunk->bytes)) {
      result->op_id = id;
      results.push_back(*result);
    }
  }
  return results;
}

void read_noc_traces(const CaptureFiles& files, Capture& capture) {
  for (const std::string& path : files.noc_traces) {
    const auto text = io::open_whole_text(path);
    const std::string name = std::filesystem::path(path).filename().string();
    std::optional<NocSummary> summary;
    if (text) summary = read_noc_trace(name, text->bytes());
    if (!summary) {
      capture.problems.add(PerfProblem::kNocTraceUnreadable, name);
      continue;
    }
    capture.problems.add(PerfProblem::kNocEventSaturated, summary->saturated, name);
    capture.noc.push_back(std::move(*summary));
  }
  capture.network = noc_columns(capture.noc, read_npe_results(files), capture.report);
}

/// A capture of which files were lost says so; what only a device wrote is one of its own.
void note_missing_files(const CaptureFiles& files, bool device_only, PerfProblems& problems) {
  if (files.is_noc_alone()) return;
  if (!files.has_device()) {
    problems.add(PerfProblem::kFileMissing,
                 "profile_log_device.csv or cpp_device_perf_report.csv: no op has a device time");
  }
  if (device_only || files.reads_host_capture()) return;
  if (!files.has_host())
    problems.add(PerfProblem::kHostFilesMissing, "tracy_ops_data.csv, tracy_ops_times.csv");
  if (files.has_host() && files.host_messages.empty())
    problems.add(PerfProblem::kFileMissing, "tracy_ops_data.csv: ops have no names");
  if (files.has_host() && files.host_times.empty())
    problems.add(PerfProblem::kFileMissing, "tracy_ops_times.csv: ops have no host times");
}

void note_simulated_chips(Capture& capture) {
  const bool is_reported = !capture.files.simulated.empty() || capture.host.is_simulated;
  if (!are_simulated(capture.sync, is_reported)) return;
  std::string place = !capture.files.simulated.empty() ? kSimulatedChips
                      : capture.host.is_simulated      ? capture.files.host_capture
                                                       : profiler_names::kSyncInfo;
  capture.problems.add(PerfProblem::kSimulatedChips, std::move(place));
}

/// Reads what files there are. Only files that cannot be opened or are none of the profiler's are errors.
Result<Capture> read_capture(const CaptureFiles& files, const CaptureOptions& options, OpenedTexts& texts) {
  Capture capture;
  capture.files = files;
  Result<void> read = options.device_only ? Result<void>() : read_host(files, options, texts, capture.host);
  if (read) read = read_log(options, texts, capture);
  if (!read) return failure(read.error());
  Result<std::vector<Execution>> rows = std::vector<Execution>();
  // For the reference the runtime's own report has no part in one of the device alone.
  if (!options.from_device_log && !(options.compat && options.device_only)) rows = read_cpp(texts, capture);
  if (!rows) return failure(rows.error());
  capture.problems.merge(capture.host.problems);
  if (!options.compat) note_missing_files(files, options.device_only, capture.problems);
  RETURN_IF_ERROR(read_side_files(texts, capture));
  if (options.compat) {
    capture.sync.clear();  // one clock is that of all devices
  } else {
    note_simulated_chips(capture);
  }
  capture.clocks = find_clocks(capture.log ? &*capture.log : nullptr, *rows, capture.sync);
  if (options.compat) {
    compat::make_rows(std::move(*rows), options.device_only, capture);
  } else {
    make_rows(std::move(*rows), options.device_only, capture);
  }
  capture.problems.merge(capture.report.problems);
  if (options.noc_traces || files.is_noc_alone()) read_noc_traces(files, capture);
  const bool has_marks = capture.log && capture.log->user_markers > 0;
  if (options.zones || (!options.compat && (has_marks || capture.lacks_op_ids())))
    collect_zones(options.threads, capture);
  return capture;
}

/// Keeps what pairing finds.
class LaneSink final : public ZoneSink {
 public:
  explicit LaneSink(LaneZones& lane) : lane_(lane) {}
  void take_zone(const PairedZone& zone) override {
    lane_.zones.push_back({zone.start_cycle, zone.start_cycle + zone.cycles, zone.zone, zone.execution, 0});
  }
  void take_roots(std::uint64_t /*cycles*/) override {}
  void take_unmatched(const ZoneMarker& /*marker*/) override { ++lane_.unmatched; }

 private:
  LaneZones& lane_;
};

/// Pairing gives zones in the order of their ends, so that what lies inside comes first.
void put_in_order(std::vector<LaneZone>& zones) {
  std::reverse(zones.begin(), zones.end());
  std::stable_sort(zones.begin(), zones.end(), [](const LaneZone& a, const LaneZone& b) {
    return a.start_cycle != b.start_cycle ? a.start_cycle < b.start_cycle : a.end_cycle > b.end_cycle;
  });
  std::vector<std::uint64_t> ends;
  for (LaneZone& zone : zones) {
    while (!ends.empty() && (ends.back() <= zone.start_cycle || ends.back() < zone.end_cycle))
      ends.pop_back();
    zone.depth = static_cast<std::uint16_t>(std::min<std::size_t>(ends.size(), UINT16_MAX));
    ends.push_back(zone.end_cycle);
  }
}

/// The timer begins again after 44 bits, the zones around the marks tell how often it had.
void add_marks(const ZoneGroup& group, LaneZones& lane) {
  constexpr std::uint64_t kTurn = std::uint64_t{1} << kTimerBits;
  std::uint64_t last = 0;
  for (const LaneZone& zone : lane.zones) last = std::max(last, zone.end_cycle);
  const std::uint64_t first = lane.zones.empty() ? 0 : lane.zones.front().start_cycle;
  for (const ZoneTotal& mark : group.totals) {
    const ZoneKind kind = lane.catalog->zones[mark.zone].kind;
    if (kind != ZoneKind::kData && kind != ZoneKind::kEvent) continue;
    std::uint64_t cycle = mark.cycle;
    while (group.wraps && cycle < first && cycle + kTurn <= last) cycle += kTurn;
    lane.marks.push_back({cycle, mark.cycles, mark.zone, mark.execution});
  }
  std::stable_sort(lane.marks.begin(), lane.marks.end(),
                   [](const LaneMarker& a, const LaneMarker& b) { return a.cycle < b.cycle; });
}

LaneZones lane_of(ZoneGroupReader& reader, const ProcessorRows& place) {
  ZoneGroup& group = reader.read(place);
  LaneZones lane;
  lane.device = place.device;
  lane.x = place.x;
  lane.y = place.y;
  lane.risc = place.risc;
  lane.catalog = &reader.catalog();
  lane.zones.reserve(group.markers.size() / 2);
  LaneSink sink(lane);
  pair_zones(group, reader.catalog(), sink);
  put_in_order(lane.zones);
  add_marks(group, lane);
  return lane;
}

}  // namespace

void read_lane_zones(std::string_view log, unsigned threads,
                     const std::function<void(const LaneZones&)>& take) {
  const ProcessorRowIndex places(log, threads);
  const std::size_t workers = std::clamp<std::size_t>(places.size(), 1, std::max(1u, threads));
  std::vector<std::unique_ptr<ZoneGroupReader>> readers;
  readers.reserve(workers);
  for (std::size_t i = 0; i < workers; ++i) readers.push_back(std::make_unique<ZoneGroupReader>(places));
  // A few lanes at a time: all of them would be the timeline twice.
  for (std::size_t first = 0; first < places.size(); first += workers) {
    std::vector<LaneZones> lanes(std::min(workers, places.size() - first));
    run_parallel(lanes.size(), threads,
                 [&](std::size_t i) { lanes[i] = lane_of(*readers[i], places[first + i]); });
    for (const LaneZones& lane : lanes) take(lane);
  }
}

Result<RawRun> load_raw(const std::string& path) {
  Result<RawRun> run = read_raw_run(path);
  if (run) judge_markers(*run);
  return run;
}

ProfilerReadout readout_of(const RawRun& run) {
  ProfilerReadout read;
  collect_markers(run, {}, read);
  return read;
}

namespace {

/// Several captures are hosts of one run: they get names, and the numbers of their devices go on.
void number_hosts(std::vector<Capture>& captures) {
  if (captures.size() < 2) return;
  std::vector<std::string> paths;
  paths.reserve(captures.size());
  for (const Capture& capture : captures) paths.push_back(capture.files.name);
  const std::vector<std::string> names = io::input_names(paths);
  std::int64_t devices = 0;
  for (std::size_t i = 0; i < captures.size(); ++i) {
    captures[i].host_name = names[i];
    captures[i].device_offset = devices;
    if (captures[i].zones) captures[i].zones->host = names[i];
    devices += captures[i].devices();
  }
}

Result<Profile> read_captures(FoundFiles& files, const CaptureOptions& options) {
  Profile profile;
  for (const CaptureFiles& own : files.captures) {
    ASSIGN_OR_RETURN(Capture capture, read_capture(own, options, files.texts));
    profile.captures.push_back(std::move(capture));
  }
  number_hosts(profile.captures);
  profile.name = profile.captures.front().files.name;
  profile.zones_only = !options.compat && !has_report(profile.captures);
  return profile;
}

/// `ttscope trace` leaves the word of simulated chips beside a report, too. Standard input is in no folder.
void note_simulated_chips(const std::string& path, OpsReport& report) {
  std::string word = find_simulated_marker(path);
  if (!word.empty()) report.capture_problems.add(PerfProblem::kSimulatedChips, std::move(word));
}

/// The reader of a finished report; what none knows is read as an ops report, whose reader says what it
/// lacks.
auto reader_of(std::string_view text) {
  constexpr std::size_t kHeaderBytes = 1 << 16;
  io::Beginning beginning;
  beginning.bytes = std::string(text.substr(0, std::min(text.find('\n'), kHeaderBytes)));
  const Format* format = format_by_content(beginning);
  return format != nullptr && format->read_report != nullptr ? format->read_report : read_ops_report;
}

Result<Profile> read_reports(FoundFiles& files, const CaptureOptions& options) {
  Profile profile;
  const std::vector<std::string> hosts = io::input_names(files.reports);
  for (std::size_t i = 0; i < files.reports.size(); ++i) {
    const std::string& path = files.reports[i];
    ASSIGN_OR_RETURN(const io::WholeText text, files.texts.open(path));
    if (!text.warning.empty()) profile.warnings.push_back(text.warning);
    const std::string name = path == "-" ? "standard input" : path;
    if (i == 0) profile.name = name;
    const std::string host = hosts.size() > 1 ? hosts[i] : "";
    RETURN_IF_ERROR(reader_of(text.bytes())({name, text.bytes(), host, options.threads}, profile.report));
    if (!options.compat) note_simulated_chips(path, profile.report);
  }
  finish_ops_report(profile.report);
  if (!options.compat) fix_misbooked_replays(profile.report);
  return profile;
}

Result<Profile> read_raw(const std::string& path) {
  ASSIGN_OR_RETURN(RawRun run, load_raw(path));
  Profile profile;
  profile.name = path;
  profile.warnings = run.warnings;
  profile.raw = std::make_shared<const RawRun>(std::move(run));
  return profile;
}

/// What the raw files know beyond the report counts where the user does not say otherwise.
ShownOptions with_known(ShownOptions shown, const std::vector<Capture>& captures) {
  if (captures.empty()) return shown;
  const Capture& first = captures.front();
  if (shown.clock_mhz == 0 && !first.clocks.empty()) shown.clock_mhz = first.clocks.begin()->second;
  if (shown.arch.empty() && !first.report.executions.empty())
    shown.arch = first.report.executions.front().arch;
  return shown;
}

/// The first of them that has anything of a host.
const Capture* capture_with_host(const std::vector<Capture>& captures) {
  const auto host = std::find_if(captures.begin(), captures.end(), [](const Capture& capture) {
    return !capture.files.host_times.empty() || !capture.files.host_capture.empty();
  });
  return host == captures.end() ? nullptr : &*host;
}

/// A .tracy may hold zones of devices, of which no row is made.
bool is_tracy_alone(const CaptureFiles& files) { return files.host_times.empty() && !files.has_device(); }

Error with_found_files(Error error, const std::string& name, const std::vector<Capture>& captures) {
  const Capture* const host = capture_with_host(captures);
  if (host == nullptr) return error;
  if (is_tracy_alone(host->files)) {
    error.message = fmt::format("{}: {}", name, no_device_text(captures));
  } else {
    error.message += "; " + host_advice(captures);
  }
  return error;
}

/// The report of the reference is what it writes: it is written and read. It has one capture.
Result<OpsReport> reference_report(const Profile& profile, unsigned threads) {
  const std::vector<CaptureRows> parts = rows_of(profile.captures);
  StringWriter csv;
  compat::write_ops_csv(parts, form_of(profile.captures), csv);
  static_cast<void>(csv.finish());
  OpsReport report;
  if (!read_ops_report({profile.name, csv.text(), "", threads}, report))
    return failure(
        nothing_found(profile.name + ": no op in it has a duration, so there is no ops report to read"));
  for (OpRow& row : report.rows) row.line = 0;  // there is no file
  report.noc_core_bytes = noc_core_bytes(parts);
  finish_ops_report(report);
  return report;
}

Result<void> make_report(const CaptureOptions& options, Profile& profile) {
  if (!profile.zones_only) {
    Result<OpsReport> report =
        options.compat ? reference_report(profile, options.threads)
                       : make_ops_report(rows_of(profile.captures), form_of(profile.captures), profile.name);
    if (!report) return failure(with_found_files(report.error(), profile.name, profile.captures));
    profile.report = std::move(*report);
  }
  for (const Capture& capture : profile.captures) profile.report.capture_problems.merge(capture.problems);
  // Hosts have clocks of their own: only those of one can be compared.
  if (profile.captures.size() == 1) profile.report.sync = profile.captures.front().sync;
  if (profile.captures.size() == 1 && profile.captures.front().log) {
    profile.cores = core_loads(*profile.captures.front().log);
  }
  return {};
}

}  // namespace

std::string host_advice(const std::vector<Capture>& captures) {
  const Capture* const host = capture_with_host(captures);
  if (host == nullptr) return {};
  return fmt::format("`ttscope timeline {}` shows what {}", host->files.name,
                     is_tracy_alone(host->files) ? "it holds of host and devices" : "its host did");
}

std::string no_device_text(const std::vector<Capture>& captures) {
  const Capture* const host = capture_with_host(captures);
  if (host == nullptr) return {};
  return fmt::format("{}; {}",
                     is_tracy_alone(host->files)
                         ? "no file of a device is given, and perf takes no device times from a .tracy"
                         : "no op and no file of a device in it",
                     host_advice(captures));
}

std::string refusal_of(const FoundFiles& files, const CaptureOptions& options) {
  const std::size_t others = files.captures.size() + files.reports.size();
  if (!files.raw_runs.empty() && files.raw_runs.size() + others > 1) {
    return "saved profiler buffers are read one run at a time, and not together with other files";
  }
  if (!files.captures.empty() && !files.reports.empty()) {
    return "finished reports and files of the profiler cannot be given together";
  }
  if (options.compat && files.captures.size() > 1) {
    return "by the rules of the reference a report is made of one capture: it has none of several hosts";
  }
  return {};
}

Result<Profile> read_files(FoundFiles& files, const CaptureOptions& options) {
  if (!files.raw_runs.empty()) return read_raw(files.raw_runs.front());
  return files.captures.empty() ? read_reports(files, options) : read_captures(files, options);
}

Result<void> analyze_profile(const LoadOptions& options, Profile& profile) {
  if (profile.raw) return {};  // markers, of which no op is known
  if (!profile.captures.empty()) {
    if (Result<void> made = make_report(options.capture, profile); !made) return made;
  }
  const ShownOptions shown = with_known(options.shown, profile.captures);
  if (options.capture.compat) {
    profile.analysis = compat::analyze_ops(profile.report, shown);
  } else {
    ASSIGN_OR_RETURN(OpAnalysis analysis, analyze_ops(profile.report, shown));
    profile.analysis = std::move(analysis);
  }
  if (options.stack) {
    const auto stack = options.capture.compat ? compat::stack_ops : stack_ops;
    profile.stack = stack(profile.report, profile.analysis.ops, *options.stack);
  }
  const bool lacks_op_ids = std::any_of(profile.captures.begin(), profile.captures.end(),
                                        [](const Capture& capture) { return capture.lacks_op_ids(); });
  if (profile.zones_only) {
    profile.analysis.ops.notes.clear();
    if (lacks_op_ids) profile.analysis.ops.notes.push_back({NoteKind::kNoOpIds});
  }
  return {};
}

Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options) {
  ASSIGN_OR_RETURN(FoundFiles files, find_files(paths));
  if (std::string refusal = refusal_of(files, options.capture); !refusal.empty()) {
    return failure(bad_input(std::move(refusal)));
  }
  Result<Profile> profile = read_files(files, options.capture);
  if (!profile) return profile;
  if (const Result<void> analyzed = analyze_profile(options, *profile); !analyzed) {
    return failure(analyzed.error());
  }
  return profile;
}

}  // namespace ttscope::perf
