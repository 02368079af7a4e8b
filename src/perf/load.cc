#include "perf/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/input_names.h"
#include "perf/analyse/executions/made_report.h"
#include "perf/formats.h"
#include "perf/load_raw.h"
#include "perf/model/capture_files.h"
#include "perf/read/files/simulated_word.h"
#include "perf/read/ops_report/ops_report_reader.h"
#include "perf/read/ops_report/trace_replays.h"
#include "perf/read_capture.h"

namespace ttscope::perf {
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
    Result<Capture> capture = read_capture(own, options, files.texts);
    if (!capture) return failure(capture.error());
    profile.captures.push_back(std::move(*capture));
  }
  number_hosts(profile.captures);
  profile.name = profile.captures.front().files.name;
  profile.zones_only = !has_report(profile.captures, *options.rules);
  return profile;
}

/// `ttscope trace` leaves the word of simulated chips beside a report, too. Standard input is in no folder.
void note_simulated_chips(const std::string& path, OpsReport& report) {
  std::string word = find_simulated_word(path);
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
    const Result<io::WholeText> text = files.texts.open(path);
    if (!text) return failure(text.error());
    if (!text->warning.empty()) profile.warnings.push_back(text->warning);
    const std::string name = path == "-" ? "standard input" : path;
    if (i == 0) profile.name = name;
    const std::string host = hosts.size() > 1 ? hosts[i] : "";
    const Result<void> read =
        reader_of(text->bytes())({name, text->bytes(), host, options.threads}, profile.report);
    if (!read) return failure(read.error());
    if (options.rules->notes_simulated_chips) note_simulated_chips(path, profile.report);
  }
  finish_ops_report(profile.report);
  if (options.rules->knows_misbooked_replays) name_misbooked_replays(profile.report);
  return profile;
}

Result<Profile> read_raw(const std::string& path) {
  Result<RawRun> run = load_raw(path);
  if (!run) return failure(run.error());
  Profile profile;
  profile.name = path;
  profile.warnings = run->warnings;
  profile.raw = std::make_shared<const RawRun>(std::move(*run));
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

Error with_what_is_there(Error error, const std::string& name, const std::vector<Capture>& captures) {
  const Capture* const host = capture_with_host(captures);
  if (host == nullptr) return error;
  if (is_tracy_alone(host->files)) {
    error.message = fmt::format("{}: {}", name, no_device_words(captures));
  } else {
    error.message += "; " + host_advice(captures);
  }
  return error;
}

Result<void> make_report(const Rules& rules, Profile& profile) {
  if (!profile.zones_only) {
    Result<OpsReport> report =
        make_ops_report(rows_of(profile.captures), form_of(profile.captures, rules), profile.name);
    if (!report) return failure(with_what_is_there(report.error(), profile.name, profile.captures));
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

std::string no_device_words(const std::vector<Capture>& captures) {
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
  if (!options.rules->takes_several_hosts && files.captures.size() > 1) {
    return "by the rules of the reference a report is made of one capture: it has none of several hosts";
  }
  return {};
}

Result<Profile> read_files(FoundFiles& files, const CaptureOptions& options) {
  if (!files.raw_runs.empty()) return read_raw(files.raw_runs.front());
  return files.captures.empty() ? read_reports(files, options) : read_captures(files, options);
}

Result<void> analyse_ops(const LoadOptions& options, Profile& profile) {
  if (profile.raw) return {};  // markers, of which no op is known
  if (!profile.captures.empty()) {
    if (Result<void> made = make_report(*options.capture.rules, profile); !made) return made;
  }
  Result<OpReading> reading = read_ops(profile.report, with_known(options.shown, profile.captures));
  if (!reading) return failure(reading.error());
  profile.reading = std::move(*reading);
  if (options.stack) profile.stack = stack_ops(profile.report, profile.reading.ops, *options.stack);
  const bool lacks_op_ids = std::any_of(profile.captures.begin(), profile.captures.end(),
                                        [](const Capture& capture) { return capture.lacks_op_ids(); });
  if (profile.zones_only) {
    profile.reading.ops.notes.clear();
    if (lacks_op_ids) profile.reading.ops.notes.push_back({NoteKind::kNoOpIds});
  }
  return {};
}

Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options) {
  Result<FoundFiles> files = find_files(paths);
  if (!files) return failure(files.error());
  if (std::string refusal = refusal_of(*files, options.capture); !refusal.empty()) {
    return failure(bad_input(std::move(refusal)));
  }
  Result<Profile> profile = read_files(*files, options.capture);
  if (!profile) return profile;
  if (const Result<void> analysed = analyse_ops(options, *profile); !analysed) {
    return failure(analysed.error());
  }
  return profile;
}

}  // namespace ttscope::perf
