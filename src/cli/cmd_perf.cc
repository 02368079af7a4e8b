#include "cli/cmd_perf.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/number_text.h"
#include "base/text_escape.h"
#include "cli/perf_capture.h"
#include "cli/perf_compare.h"
#include "cli/perf_files.h"
#include "cli/perf_outputs.h"
#include "cli/perf_reading.h"
#include "cli/perf_report_files.h"
#include "cli/perf_summary.h"
#include "cli/profile_run.h"
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

bool takes_standard_output(const ParsedArgs& args) {
  return args.value("--csv") == "-" || args.value("--json") == "-" || args.value("--llm") == "-" ||
         args.value("--html") == "-";
}

bool read_request(const ParsedArgs& args, PerfRequest& request) {
  request.capture.compat = args.has("--compat");
  request.capture.device_only = args.has("--device-only");
  request.capture.from_device_log = args.has("--from-device-log");
  request.capture.noc_traces = args.has("--noc-traces");
  request.capture.counter_tables = args.has("--counter-tables");
  request.capture.per_core_times = args.has("--per-core-times");
  request.capture.device_analysis = args.has("--device-analysis");
  request.capture.zones = args.has("--zones");
  request.capture.color = use_color(args.value("--color", "auto"), Stream::kOut);
  request.place = {args.value("--output-folder"), args.value("--name-append"), args.has("--date")};
  request.strict = args.has("--strict");
  request.quiet = args.has("--quiet");
  const bool place_given = args.has("--output-folder") || args.has("--name-append") || args.has("--date");
  request.write = place_given || !wants_perf_reading(args);
  if (request.capture.counter_tables && takes_standard_output(args)) {
    complain("--counter-tables prints tables; give the other output a file");
    return false;
  }
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

/// Options that mean nothing for what was given are not taken in silence.
bool are_for_this(const ParsedArgs& args, std::initializer_list<std::string_view> others,
                  std::string_view why) {
  for (const std::string_view key : others) {
    if (!args.has(key)) continue;
    complain(fmt::format("{} {}", key, why));
    return false;
  }
  return true;
}

/// Whether none of the files that are read would be written.
bool are_inputs_kept(const ParsedArgs& args, const PerfInputs& inputs) {
  std::vector<std::string> read = inputs.reports;
  for (const PerfFiles& files : inputs.captures) {
    for (const std::string& path : {files.device_log, files.cpp_report, files.host_times, files.host_messages,
                                    files.sync_info, files.zone_locations, files.npe_results}) {
      if (!path.empty()) read.push_back(path);
    }
    read.insert(read.end(), files.noc_traces.begin(), files.noc_traces.end());
  }
  for (const std::string& path : perf_output_paths(args)) {
    if (!is_one_of(path, read)) continue;
    complain(fmt::format("{}: would overwrite the input", path));
    return false;
  }
  return true;
}

/// Finished reports are only read.
int read_reports(const ParsedArgs& args, PerfInputs& inputs) {
  std::vector<PerfReport> reports;
  const std::vector<std::string> hosts = host_names(inputs.reports);
  for (std::size_t i = 0; i < inputs.reports.size(); ++i) {
    const std::string& path = inputs.reports[i];
    const Result<io::WholeText> text = inputs.texts.open(path);
    if (!text) return fail(text.error());
    if (!text->warning.empty()) complain(text->warning);
    reports.push_back(
        {path == "-" ? "standard input" : path, text->bytes(), hosts.size() > 1 ? hosts[i] : "", false});
  }
  return run_perf_reading(args, reports, {});
}

Result<std::vector<PerfCapture>> read_captures(PerfInputs& inputs, const PerfRequest& request) {
  std::vector<PerfCapture> captures;
  for (const PerfFiles& files : inputs.captures) {
    Result<PerfCapture> capture = read_perf_capture(files, request.capture, inputs.texts);
    if (!capture) return failure(capture.error());
    captures.push_back(std::move(*capture));
  }
  const std::vector<std::string> names = host_names(captures);
  for (std::size_t i = 0; captures.size() > 1 && i < captures.size(); ++i) {
    if (captures[i].zones) captures[i].zones->host = names[i];
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
  for (const PerfCapture& capture : captures) context.problems.merge(capture.problems);
  for (const PerfCapture& capture : captures) {
    if (capture.zones) context.zones.push_back(&*capture.zones);
  }
  return run_perf_reading(args, {{first.files.name, text, {}, text.empty()}}, context);
}

/// A table without a row is no report, where the log has zones instead.
bool has_report(const std::vector<PerfCapture>& captures, const PerfRequest& request) {
  return request.capture.compat || std::any_of(captures.begin(), captures.end(), [](const PerfCapture& one) {
           return !one.lacks_op_ids() || !one.report.rows.empty();
         });
}

int make_report(const ParsedArgs& args, PerfInputs& inputs, const PerfRequest& request) {
  const Result<std::vector<PerfCapture>> captures = read_captures(inputs, request);
  if (!captures) return fail(captures.error());
  std::string text;
  if (has_report(*captures, request)) text = ops_report_text(*captures, request.capture.compat);
  std::vector<std::string> written;
  if (request.write) {
    Result<std::vector<std::string>> done = write_perf_files(*captures, request.capture, request.place, text);
    if (!done) return fail(done.error());
    written = std::move(*done);
  }
  int code = kOk;
  if (wants_perf_reading(args)) {
    code = read_new_report(args, *captures, text);
    if (code == kOk && request.capture.counter_tables) {
      const Result<void> printed = print(perf_counters_text(*captures));
      if (!printed) return fail(printed.error());
    }
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
      {"--zones", "", "zones by the time spent in them: a table, and zones.csv", ValueKind::kText, {}},
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
  if (!are_for_this(args, {"--tolerance", "--columns", "--max-differences"},
                    "is an option of `perf compare A B`"))
    return kUsage;
  Result<PerfInputs> inputs = find_perf_inputs(args.positionals);
  if (!inputs) return fail(inputs.error());
  if (!are_inputs_kept(args, *inputs)) return kUsage;
  if (inputs->captures.empty()) {
    const bool usable = are_for_this(
        args,
        {"--output-folder", "--name-append", "--date", "--device-only", "--from-device-log",
         "--per-core-times", "--device-analysis", "--noc-traces", "--counter-tables", "--threads", "--zones"},
        "needs files of the profiler; a finished report is only read");
    return usable ? read_reports(args, *inputs) : kUsage;
  }
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
