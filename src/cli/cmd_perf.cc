#include "cli/cmd_perf.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/mapped_file.h"
#include "base/number_text.h"
#include "base/text_escape.h"
#include "cli/perf_capture.h"
#include "cli/perf_compare.h"
#include "cli/perf_files.h"
#include "cli/perf_reading.h"
#include "cli/perf_report_files.h"
#include "cli/perf_summary.h"
#include "cli/report_name.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kPerfExamples =
    "Examples:\n"
    "  ttscope perf generated/profiler            the report of the last run, from its .logs\n"
    "  ttscope perf generated/profiler -o out     the same as out/ops_perf_results.csv\n"
    "  ttscope perf generated/profiler --table    the report read: table, bounds, advice\n"
    "  ttscope perf ops_perf_results.csv          the same for a finished report of any version\n"
    "  ttscope perf rank0 rank1 rank2             several hosts in one report\n"
    "  ttscope perf compare old.csv new.csv       cell by cell\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input, failed output or (--strict) incomplete data, 2 wrong usage,\n"
    "3 reports differ (compare), 4 nothing found\n";

/// What the options ask for, beyond the reading.
struct PerfRequest {
  PerfCaptureOptions capture;
  PerfPlace place;
  bool write = true;  ///< files are wanted
  bool strict = false;
  bool quiet = false;
};

bool read_threads(const ParsedArgs& args, PerfRequest& request) {
  request.capture.threads = std::max(1u, std::thread::hardware_concurrency());
  if (!args.has("--threads")) return true;
  const auto threads = parse_whole(args.value("--threads"));
  constexpr std::int64_t kMostThreads = 256;
  if (threads && *threads >= 1 && *threads <= kMostThreads) {
    request.capture.threads = static_cast<unsigned>(*threads);
    return true;
  }
  complain(fmt::format("--threads {}: expected a whole number of at least 1", args.value("--threads")));
  return false;
}

bool read_request(const ParsedArgs& args, PerfRequest& request) {
  request.capture.compat = args.has("--compat");
  request.capture.device_only = args.has("--device-only");
  request.capture.from_device_log = args.has("--from-device-log");
  request.capture.noc_traces = args.has("--noc-traces");
  request.capture.counter_tables = args.has("--counter-tables");
  request.capture.per_core_times = args.has("--per-core-times");
  request.capture.device_analysis = args.has("--device-analysis");
  request.place = {args.value("--output-folder"), args.value("--name-append"), args.has("--date")};
  request.strict = args.has("--strict");
  request.quiet = args.has("--quiet");
  const bool place_given = args.has("--output-folder") || args.has("--name-append") || args.has("--date");
  request.write = place_given || !wants_perf_reading(args);
  if (args.has("--output-folder") && request.place.folder.empty()) {
    complain("--output-folder needs a path");
    return false;
  }
  if (args.has("--name-append") && !is_plain_name(request.place.name)) {
    complain(fmt::format("--name-append {}: expected a plain file name", request.place.name));
    return false;
  }
  return read_threads(args, request);
}

/// Finished reports are only read.
int read_reports(const ParsedArgs& args, const std::vector<std::string>& paths) {
  std::vector<std::shared_ptr<const MappedFile>> files;
  std::vector<PerfReport> reports;
  const std::vector<std::string> hosts = host_names(paths);
  for (const std::string& path : paths) {
    auto file = MappedFile::open(path);
    if (!file) return fail(file.error());
    reports.push_back({path, (*file)->bytes(), paths.size() > 1 ? hosts[reports.size()] : std::string()});
    files.push_back(std::move(*file));
  }
  return run_perf_reading(args, reports, {});
}

Result<std::vector<PerfCapture>> read_captures(const std::vector<PerfFiles>& all,
                                               const PerfRequest& request) {
  std::vector<PerfCapture> captures;
  for (const PerfFiles& files : all) {
    Result<PerfCapture> capture = read_perf_capture(files, request.capture);
    if (!capture) return failure(capture.error());
    captures.push_back(std::move(*capture));
  }
  return captures;
}

int read_new_report(const ParsedArgs& args, const std::vector<PerfCapture>& captures,
                    const std::string& text) {
  PerfReadingContext context;
  const PerfCapture& first = captures.front();
  if (!first.clocks.empty()) context.clock_mhz = first.clocks.begin()->second;
  if (!first.report.executions.empty()) context.arch = first.report.executions.front().arch;
  if (first.log && captures.size() == 1) context.profile = &*first.log;
  return run_perf_reading(args, {{first.files.name, text, {}}}, context);
}

int make_report(const ParsedArgs& args, const PerfInputs& inputs, const PerfRequest& request) {
  const Result<std::vector<PerfCapture>> captures = read_captures(inputs.captures, request);
  if (!captures) return fail(captures.error());
  const std::string text = ops_report_text(*captures, request.capture.compat);
  std::vector<std::string> written;
  if (request.write) {
    Result<std::vector<std::string>> done = write_perf_files(*captures, request.capture, request.place, text);
    if (!done) return fail(done.error());
    written = std::move(*done);
  }
  int code = kOk;
  if (wants_perf_reading(args)) {
    code = read_new_report(args, *captures, text);
  } else if (!request.quiet) {
    const Result<void> printed = print(perf_summary_text(*captures, request.capture, written));
    if (!printed) return fail(printed.error());
  }
  const bool incomplete = std::any_of(captures->begin(), captures->end(), [](const PerfCapture& capture) {
    return capture.problems.any_harmful();
  });
  if (code != kOk || !request.strict || !incomplete) return code;
  complain("--strict: the data are incomplete or damaged, see the trust section");
  return kFailed;
}

}  // namespace

CommandSpec perf_spec() {
  CommandSpec spec;
  spec.program = "ttscope perf";
  spec.summary = "ops performance report of device profiler files, and its reading";
  spec.description =
      "Makes the ops report from the files of a profiler run (profile_log_device.csv, "
      "cpp_device_perf_report.csv, "
      "tracy_ops_times.csv, tracy_ops_data.csv: whichever exist), and reads reports: where the time goes, "
      "what "
      "bounds each op, what would help. What is missing leaves empty cells and is listed. `perf compare A B` "
      "compares two reports.";
  spec.positional = {"PATH",
                     "artifacts folder, files of the profiler, or finished reports; or compare A B",
                     1,
                     1000000,
                     ValueKind::kFile,
                     {}};
  spec.options = {
      {"-o,--output-folder",
       "DIR",
       "write into DIR (default: generated/profiler/reports/[NAME/]DATE)",
       ValueKind::kFolder,
       {}},
      {"-n,--name-append", "NAME", "put NAME behind the names of the files", ValueKind::kText, {}},
      {"--date", "", "put the date behind the names of the files", ValueKind::kText, {}},
      {"--device-only", "", "leave the host's files aside", ValueKind::kText, {}},
      {"--from-device-log", "", "leave the runtime's own report aside", ValueKind::kText, {}},
      {"--compat",
       "",
       "byte for byte as the reference tools write it, with their errors",
       ValueKind::kText,
       {}},
      {"--strict", "", "exit with 1 when data are missing or damaged", ValueKind::kText, {}},
      {"--per-core-times", "", "write per_core_op_to_op_times.csv as well", ValueKind::kText, {}},
      {"--device-analysis",
       "",
       "write device_analysis_data.json and device_stats.txt as well",
       ValueKind::kText,
       {}},
      {"--noc-traces", "", "sum up the NoC trace files of each op", ValueKind::kText, {}},
      {"--counter-tables", "", "print tables of the hardware counters", ValueKind::kText, {}},
      {"--tolerance", "T", "compare: numbers may differ by T, or by T% of the larger", ValueKind::kText, {}},
      {"--columns", "NAMES", "compare: only these columns, separated by commas", ValueKind::kText, {}},
      {"--max-differences", "N", "compare: list at most so many (default 20)", ValueKind::kText, {}},
      {"--threads", "N", "threads that read (default: as many as there are)", ValueKind::kText, {}},
      {"-q,--quiet", "", "no summary", ValueKind::kText, {}},
  };
  const std::vector<OptionSpec> reading = perf_reading_options();
  spec.options.insert(spec.options.end(), reading.begin(), reading.end());
  spec.examples = kPerfExamples;
  return spec;
}

int run_perf(const ParsedArgs& args) {
  if (args.positionals.front() == "compare") return run_perf_compare(args);
  PerfRequest request;
  if (!read_request(args, request)) return kUsage;
  const Result<PerfInputs> inputs = find_perf_inputs(args.positionals);
  if (!inputs) return fail(inputs.error());
  if (inputs->captures.empty()) return read_reports(args, inputs->reports);
  if (!inputs->reports.empty()) {
    complain("finished reports and files of the profiler cannot be given together");
    return kUsage;
  }
  if (request.capture.compat && inputs->captures.size() > 1) {
    complain("--compat makes the report of one capture; the reference has no report of several hosts");
    return kUsage;
  }
  return make_report(args, *inputs, request);
}

}  // namespace ttscope::cli
