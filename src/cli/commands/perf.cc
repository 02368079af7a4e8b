#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "app/formats.h"
#include "app/report_library.h"
#include "app/timeline/open_timeline.h"
#include "base/number_text.h"
#include "base/text.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/commands/perf_output.h"
#include "cli/inputs.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "perf/analyze/report_diff.h"
#include "perf/load.h"
#include "perf/write/capture_files.h"
#include "perf/write/capture_sections.h"
#include "perf/write/raw_run.h"
#include "perf/write/report_diff.h"
#include "perf/write_files.h"

namespace ttscope::cli {
namespace {

/// Options of `ttscope perf` that mean nothing here are not taken in silence.
bool are_known_to_raw(const ParsedArgs& args) {
  constexpr std::array<std::string_view, 9> kKnown = {"--raw",           "--json",  "--llm",
                                                      "--output-folder", "--quiet", "--strict",
                                                      "--no-color",      "--color", "--table"};
  for (const OptionSpec& option : perf_spec().options) {
    const std::string name(option.key());
    if (!args.has(name) || std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end()) continue;
    complain(fmt::format("{} is no option of perf --raw: write the files with -o and read them", name));
    return false;
  }
  return are_usable_outputs(args, {"--json", "--llm"});
}

Result<void> print_summary(const ParsedArgs& args, const perf::RawRun& run,
                           const std::vector<std::string>& written) {
  if (args.has("--quiet") || args.value("--json") == "-" || args.value("--llm") == "-") return {};
  return print(perf::raw_text(run, perf_color(args), perf_table_width()) +
               perf::raw_files_text(run, written, args.value("--output-folder")));
}

/// Whether this is one file with saved buffers, so that nobody has to say so.
bool is_raw_input(const std::vector<std::string>& paths) {
  if (paths.size() != 1) return false;
  const Result<app::Identified> found = app::identify(paths.front());
  return found && found->format != nullptr && found->format->key == "raw_run";
}

/// `ttscope perf --raw RUN.json`: saved buffers of the device profiler.
int run_perf_raw(const ParsedArgs& args) {
  if (!are_known_to_raw(args)) return kUsage;
  if (args.positionals.size() != 1) {
    complain("--raw reads one run: ttscope perf --raw RUN.json");
    return kUsage;
  }
  const std::string& path = args.positionals.front();
  for (const std::string key : {"--json", "--llm"}) {
    if (!is_one_of(args.value(key), {path})) continue;
    complain(fmt::format("{}: would overwrite the input", path));
    return kUsage;
  }
  const GivenInputs inputs({path}, app::Subject::kPerf,
                           {"raw_run", "`ttscope perf {}` reads it, without --raw"});
  const Result<perf::RawRun> run = perf::load_raw(path);
  if (!run) return inputs.fail(run.error());
  std::vector<std::string> written;
  if (args.has("--output-folder")) {
    Result<std::vector<std::string>> files =
        perf::write_log_files(perf::read_out_of(*run), run->zones, args.value("--output-folder"));
    if (!files) return fail(files.error());
    written = std::move(*files);
  }
  Result<void> done = write_output(args.value("--json"),
                                   [&](Writer& out) { perf::write_raw_json(*run, version_text(), out); });
  if (done)
    done = write_output(args.value("--llm"), [&](Writer& out) { out.write(perf::raw_markdown(*run)); });
  if (done) done = print_summary(args, *run, written);
  if (!done) return fail(done.error());
  if (args.has("--strict") && (!run->findings.empty() || !run->warnings.empty())) {
    complain("--strict: markers are lost or wrong, see the findings");
    return kFailed;
  }
  return perf::has_markers(*run) ? kOk : kNothingFound;
}

constexpr std::string_view kGiveReports =
    "`ttscope perf compare` takes ops reports; `ttscope perf {} -o DIR` writes one of a capture";

bool read_tolerance(const ParsedArgs& args, perf::ReportDiffOptions& options) {
  if (!args.has("--tolerance")) return true;
  std::string text = args.value("--tolerance");
  const bool relative = !text.empty() && text.back() == '%';
  if (relative) text.pop_back();
  const auto value = parse_number(text);
  if (!value || *value < 0) {
    complain(fmt::format("--tolerance {}: expected a number or a share like 1%", args.value("--tolerance")));
    return false;
  }
  constexpr double kPercent = 100;
  (relative ? options.relative_tolerance : options.tolerance) = relative ? *value / kPercent : *value;
  return true;
}

bool read_options(const ParsedArgs& args, perf::ReportDiffOptions& options) {
  if (args.positionals.size() != 3) {
    complain("compare needs two reports: ttscope perf compare A B");
    return false;
  }
  options.columns = comma_separated(args.value("--columns"));
  if (args.has("--max-differences")) {
    const auto most = parse_unsigned(args.value("--max-differences"));
    if (!most) {
      complain(fmt::format("--max-differences {}: expected a whole number", args.value("--max-differences")));
      return false;
    }
    options.most_differences = *most;
  }
  return read_tolerance(args, options);
}

/// Options of `ttscope perf` that mean nothing here are not taken in silence.
bool are_known_to_compare(const ParsedArgs& args) {
  for (const OptionSpec& option : perf_spec().options) {
    const std::string name = std::string(option.key());
    const bool known = name == "--tolerance" || name == "--columns" || name == "--max-differences" ||
                       name == "--json" || name == "--llm" || name == "--quiet";
    if (known || !args.has(name)) continue;
    complain(fmt::format("{} is no option of perf compare", name));
    return false;
  }
  return are_usable_outputs(args, {"--json", "--llm"});
}

Result<void> write_diff(const ParsedArgs& args, const perf::ReportDiff& diff,
                        const perf::ReportDiffOptions& options) {
  const perf::ReportDiffInputs inputs = {args.positionals[1], args.positionals[2], options, version_text()};
  const std::string json = args.value("--json");
  const std::string markdown = args.value("--llm");
  Result<void> done =
      write_output(json, [&](Writer& out) { perf::write_report_diff_json(diff, inputs, out); });
  if (done) {
    done = write_output(markdown, [&](Writer& out) { perf::write_report_diff_markdown(diff, inputs, out); });
  }
  if (!done || args.has("--quiet") || json == "-" || markdown == "-") return done;
  return print(perf::report_diff_text(diff));
}

/// `ttscope perf compare A B`: two ops reports (or the runtime's own ones) cell by cell.
int run_perf_compare(const ParsedArgs& args) {
  perf::ReportDiffOptions options;
  if (!are_known_to_compare(args) || !read_options(args, options)) return kUsage;
  const std::string& first = args.positionals[1];
  const std::string& second = args.positionals[2];
  const GivenInputs inputs(first == second ? std::vector{first} : std::vector{first, second},
                           app::Subject::kPerf, {"ops_report", kGiveReports});
  const Result<perf::ComparedFiles> compared = perf::compare_files(first, second, options);
  if (!compared) return inputs.fail(compared.error());
  for (const std::string& warning : compared->warnings) complain(warning);
  const Result<void> done = write_diff(args, compared->diff, options);
  if (!done) return fail(done.error());
  return compared->diff.is_equal() ? kOk : kLimitExceeded;
}

constexpr std::string_view kPerfExamples =
    "Examples:\n"
    "  ttscope perf generated/profiler            the last run, with advice\n"
    "  ttscope perf ops_perf_results.csv          of a finished report\n"
    "  ttscope perf report.csv --all --op Matmul  every row with that name, in order\n"
    "  ttscope perf generated/profiler -o out     out/ops_perf_results.csv\n"
    "  ttscope perf rank0 rank1 rank2             several hosts in one report\n"
    "  ttscope perf compare old.csv new.csv       cell by cell\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input, failed output or (--strict) incomplete data,\n"
    "2 wrong usage, 3 reports differ (compare), 4 nothing found\n";

/// What the options ask for.
struct PerfRequest {
  perf::CaptureOptions capture;
  perf::WriteOptions write_options;
  perf::SummaryOptions summary;
  perf::OutputPlace place;
  PerfReadingRequest reading;
  bool write = true;  ///< files are wanted
  bool strict = false;
  bool quiet = false;
};

std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:04}_{:02}_{:02}_{:02}_{:02}_{:02}", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec);
}

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
  const perf::Rules& rules = perf::rules_for(args.has("--compat"));
  request.capture.rules = &rules;
  request.capture.device_only = args.has("--device-only");
  request.capture.from_device_log = args.has("--from-device-log");
  request.capture.noc_traces = args.has("--noc-traces");
  request.capture.zones = args.has("--zones");
  request.capture.read_host_capture = app::host_tables_of;
  request.write_options = {&rules, args.has("--per-core-times") || args.has("--device-only"),
                           args.has("--device-analysis")};
  request.summary = {args.has("--counter-tables"), args.has("--zones"), perf_table_form(args)};
  request.place = {args.value("--output-folder"), args.value("--name-append"), args.has("--date"),
                   date_text()};
  request.strict = args.has("--strict");
  request.quiet = args.has("--quiet");
  const bool place_given = args.has("--output-folder") || args.has("--name-append") || args.has("--date");
  request.write = place_given || args.has("--per-core-times") || args.has("--device-analysis");
  if (request.summary.counter_tables && takes_standard_output(args)) {
    complain("--counter-tables prints tables; give the other output a file");
    return false;
  }
  if (args.has("--output-folder") && request.place.folder.empty()) {
    complain("--output-folder needs a path");
    return false;
  }
  if (args.has("--name-append") && !app::is_plain_name(request.place.name)) {
    complain(fmt::format("--name-append {}: expected a plain file name", request.place.name));
    return false;
  }
  return read_threads(args, request) && read_perf_reading(args, request.reading);
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
bool are_inputs_kept(const ParsedArgs& args, const perf::FoundFiles& files) {
  const std::vector<std::string> read = files.all();
  for (const std::string& path : perf_output_paths(args)) {
    if (!is_one_of(path, read)) continue;
    complain(fmt::format("{}: would overwrite the input", path));
    return false;
  }
  return true;
}

/// Writes the files of captures, and tells of them.
int make_report(const ParsedArgs& args, const PerfRequest& request, perf::Profile& profile) {
  std::vector<std::string> written;
  if (request.write) {
    Result<std::vector<std::string>> done =
        perf::write_files(profile.captures, request.write_options, request.place);
    if (!done) return fail(done.error());
    written = std::move(*done);
  }
  int code = kOk;
  if (!request.write || wants_perf_reading(args)) {
    code = run_perf_reading(args, request.reading, request.capture, profile);
    if (code == kOk && request.summary.counter_tables) {
      const Result<void> printed = print(perf::counters_text(profile.captures, request.summary.form));
      if (!printed) return fail(printed.error());
    }
  } else {
    const Result<void> printed =
        request.quiet ? Result<void>{}
                      : print(perf::capture_summary(profile.captures, request.summary, written));
    if (!printed) return fail(printed.error());
    if (!profile.has_content() && request.capture.rules->tells_nothing_found) code = no_ops_found(profile);
  }
  if (code != kOk || !request.strict || !profile.has_harmful_capture_problems()) return code;
  complain("--strict: the data are incomplete or damaged, see the trust section");
  return kFailed;
}

/// A finished report is read; where a place is given, it is written there under its usual name.
int read_report(const ParsedArgs& args, const PerfRequest& request, perf::FoundFiles& files,
                perf::Profile& profile) {
  if (request.write) {
    const Result<std::vector<std::string>> written = perf::copy_reports(files, request.place);
    if (!written) return fail(written.error());
    if (!wants_perf_reading(args)) {
      std::string text = "Written\n";
      for (const std::string& path : *written) text += fmt::format("  {}\n", terminal_safe(path));
      const Result<void> printed = request.quiet ? Result<void>{} : print(text);
      return printed ? kOk : fail(printed.error());
    }
  }
  return run_perf_reading(args, request.reading, request.capture, profile);
}

}  // namespace

CommandSpec perf_spec() {
  CommandSpec spec;
  spec.program = "ttscope perf";
  spec.summary = "ops performance report of device profiler files, and its reading";
  spec.description =
      "Reads where device time goes, what bounds each op and what would help: from the files of a profiler "
      "run (profile_log_device.csv, cpp_device_perf_report.csv, tracy_ops_times.csv, tracy_ops_data.csv: "
      "whichever exist), a finished ops report, or the table that tt-perf-report made of one. What is "
      "missing "
      "leaves empty cells and is listed. `perf compare A B` compares two reports.";
  spec.positional = {"PATH",
                     "a run's folder, files of the profiler, or finished reports; or compare A B",
                     1,
                     1000000,
                     ValueKind::kFile,
                     {}};
  spec.options = {
      {"-o,--output-folder",
       "DIR",
       "write the report into DIR (with -n or --date alone: generated/profiler/reports/[NAME/]DATE)",
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
      {"--raw",
       "",
       "the input is saved profiler buffers: every marker as it is stored, what is lost",
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
  if (args.has("--raw") || is_raw_input(args.positionals)) return run_perf_raw(args);
  PerfRequest request;
  if (!read_request(args, request)) return kUsage;
  if (!are_for_this(args, {"--tolerance", "--columns", "--max-differences"},
                    "is an option of `perf compare A B`"))
    return kUsage;
  const Result<std::vector<std::string>> paths = hold_streams(args.positionals);
  if (!paths) return fail(paths.error());
  const GivenInputs inputs(*paths, app::Subject::kPerf);
  Result<perf::FoundFiles> files = perf::find_files(*paths);
  if (!files) return inputs.fail(files.error());
  if (!are_inputs_kept(args, *files)) return kUsage;
  const bool only_read = files->captures.empty();
  if (only_read &&
      !are_for_this(args,
                    {"--device-only", "--from-device-log", "--per-core-times", "--device-analysis",
                     "--noc-traces", "--counter-tables", "--threads", "--zones"},
                    "needs files of the profiler; a finished report is only read")) {
    return kUsage;
  }
  if (const std::string refusal = perf::refusal_of(*files, request.capture); !refusal.empty()) {
    complain(refusal);
    return kUsage;
  }
  Result<perf::Profile> profile = perf::read_files(*files, request.capture);
  if (!profile) return inputs.fail(profile.error());
  for (const std::string& remark : files->remarks) complain(remark);
  for (const std::string& warning : profile->warnings) complain(warning);
  return only_read ? read_report(args, request, *files, *profile) : make_report(args, request, *profile);
}

}  // namespace ttscope::cli
