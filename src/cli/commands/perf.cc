#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <span>
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
#include "cli/outputs.h"
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
struct PerfOptions {
  std::vector<std::string> paths;
  perf::CaptureOptions capture{.threads = std::max(1u, std::thread::hardware_concurrency())};
  perf::WriteOptions files;
  perf::SummaryOptions summary;
  perf::OutputTarget place;
  perf::ReportDiffOptions comparison;  ///< of `perf compare`
  PerfOutputRequest analysis;
  bool write = false;  ///< files are wanted
};

std::string take_tolerance(std::string_view key, const std::string& given, perf::ReportDiffOptions& options);
std::string take_threads(std::string_view key, const std::string& text, unsigned& threads);

/// For a flag of which alone matters that it was given.
OptionSpec mode_option(std::string_view names, std::string_view help) {
  return value_option(names, "", {}, help);
}

CommandSpec describe_perf(PerfOptions& options) {
  CommandSpec spec;
  spec.program = "ttscope perf";
  spec.summary = "ops performance report of device profiler files, and its reading";
  spec.description =
      "Reads where device time goes, what bounds each op and what would help: from the files of a profiler "
      "run (profile_log_device.csv, cpp_device_perf_report.csv, tracy_ops_times.csv, tracy_ops_data.csv: "
      "whichever exist), a finished ops report, or the table that tt-perf-report made of one. What is "
      "missing "
      "leaves empty cells and is listed. `perf compare A B` compares two reports.";
  spec.positional = {"PATH", "a run's folder, files of the profiler, or finished reports; or compare A B", 1,
                     kManyArguments};
  spec.arguments = &options.paths;
  spec.given = &options.analysis.given;
  spec.options = {
      text_option(
          "-o,--output-folder", "DIR", options.place.folder,
          "write the report into DIR (with -n or --date alone: generated/profiler/reports/[NAME/]DATE)",
          ValueKind::kFolder),
      text_option("-n,--name-append", "NAME", options.place.name, "put NAME behind the names of the files"),
      flag_option("--date", options.place.dates_files, "put the date behind the names of the files"),
      flag_option("--device-only", options.capture.device_only, "leave the host's files aside"),
      flag_option("--from-device-log", options.capture.from_device_log,
                  "leave the runtime's own report aside"),
      flag_option("--compat", options.analysis.compat,
                  "byte for byte as the reference tools write it, with their errors"),
      flag_option("--strict", options.analysis.strict, "exit with 1 when data are missing or damaged"),
      flag_option("--per-core-times", options.files.per_core_times,
                  "write per_core_op_to_op_times.csv as well"),
      flag_option("--device-analysis", options.files.device_analysis,
                  "write device_analysis_data.json and device_stats.txt as well"),
      mode_option("--raw", "the input is saved profiler buffers: every marker as it is stored, what is lost"),
      flag_option("--zones", options.capture.zones,
                  "zones by the time spent in them: a table, and zones.csv"),
      flag_option("--noc-traces", options.capture.noc_traces, "sum up the NoC trace files of each op"),
      flag_option("--counter-tables", options.summary.counter_tables,
                  "print tables of the hardware counters"),
      value_option(
          "--tolerance", "T",
          [&options](std::string_view key, const std::string& text) {
            return take_tolerance(key, text, options.comparison);
          },
          "compare: numbers may differ by T, or by T% of the larger"),
      value_option(
          "--columns", "NAMES",
          [&options](std::string_view, const std::string& text) {
            options.comparison.columns = comma_separated(text);
            return std::string();
          },
          "compare: only these columns, separated by commas"),
      value_option(
          "--max-differences", "N",
          [&options](std::string_view key, const std::string& text) {
            const auto most = parse_unsigned(text);
            options.comparison.max_differences = most.value_or(0);
            return most ? std::string() : wrong_value(key, text, "a whole number");
          },
          "compare: list at most so many (default 20)"),
      value_option(
          "--threads", "N",
          [&options](std::string_view key, const std::string& text) {
            return take_threads(key, text, options.capture.threads);
          },
          "threads that read (default: as many as there are)"),
      options.analysis.outputs.quiet_option(),
  };
  for (OptionSpec& option : perf_output_options(options.analysis)) spec.options.push_back(std::move(option));
  spec.examples = kPerfExamples;
  return spec;
}

/// The first option that was given and is none of `known`: what means nothing here is not taken in silence.
std::string other_option(const PerfOptions& options, std::span<const std::string_view> known) {
  PerfOptions unused;
  for (const OptionSpec& option : describe_perf(unused).options) {
    if (options.analysis.has(option.key()) &&
        std::find(known.begin(), known.end(), option.key()) == known.end())
      return std::string(option.key());
  }
  return {};
}

/// Whether this is one file with saved buffers, so that nobody has to say so.
bool is_raw_input(const std::vector<std::string>& paths) {
  if (paths.size() != 1) return false;
  const Result<app::Detected> found = app::detect(paths.front());
  return found && found->is("raw_run");
}

/// `ttscope perf --raw RUN.json`: saved buffers of the device profiler.
int run_perf_raw(PerfOptions& options) {
  Outputs& outputs = options.analysis.outputs;
  constexpr auto kKnown =
      std::to_array<std::string_view>({"--raw", "--json", "--llm", "--output-folder", "--quiet", "--strict",
                                       "--no-color", "--color", "--table"});
  if (const std::string name = other_option(options, kKnown); !name.empty()) {
    complain(fmt::format("{} is no option of perf --raw: write the files with -o and read them", name));
    return kUsage;
  }
  if (!outputs.are_usable(options.paths)) return kUsage;
  if (options.paths.size() != 1) {
    complain("--raw reads one run: ttscope perf --raw RUN.json");
    return kUsage;
  }
  const std::string& path = options.paths.front();
  const CommandInputs inputs({path},
                             {app::Subject::kPerf, "raw_run", "`ttscope perf {}` reads it, without --raw"});
  const Result<perf::RawRun> run = perf::load_raw(path);
  if (!run) return inputs.fail(run.error());
  std::vector<std::string> files;
  if (options.analysis.has("--output-folder")) {
    Result<std::vector<std::string>> made =
        perf::write_log_files(perf::readout_of(*run), run->zones, options.place.folder);
    if (!made) return fail(made.error());
    files = std::move(*made);
  }
  Result<void> done = outputs.write({
      {outputs.json, [&](Writer& out) { perf::write_raw_json(*run, version_text(), out); }},
      {outputs.llm, [&](Writer& out) { out.write(perf::raw_markdown(*run)); }},
  });
  if (done && outputs.prints()) {
    done = print(perf::raw_text(*run, outputs.use_color(), perf_table_width()) +
                 perf::raw_files_text(*run, files, options.place.folder));
  }
  if (!done) return fail(done.error());
  if (options.analysis.strict && (!run->findings.empty() || !run->warnings.empty())) {
    complain("--strict: markers are lost or wrong, see the findings");
    return kFailed;
  }
  return perf::has_markers(*run) ? kOk : kNothingFound;
}

constexpr std::string_view kReportsHint =
    "`ttscope perf compare` takes ops reports; `ttscope perf {} -o DIR` writes one of a capture";

std::string take_tolerance(std::string_view key, const std::string& given, perf::ReportDiffOptions& options) {
  std::string text = given;
  const bool relative = !text.empty() && text.back() == '%';
  if (relative) text.pop_back();
  const auto value = parse_number(text);
  if (!value || *value < 0) return wrong_value(key, given, "a number or a share like 1%");
  constexpr double kPercent = 100;
  (relative ? options.relative_tolerance : options.tolerance) = relative ? *value / kPercent : *value;
  return {};
}

/// `ttscope perf compare A B`: two ops reports (or the runtime's own ones) cell by cell.
int run_perf_compare(PerfOptions& options) {
  Outputs& outputs = options.analysis.outputs;
  constexpr auto kKnown = std::to_array<std::string_view>(
      {"--tolerance", "--columns", "--max-differences", "--json", "--llm", "--quiet"});
  if (const std::string name = other_option(options, kKnown); !name.empty()) {
    complain(fmt::format("{} is no option of perf compare", name));
    return kUsage;
  }
  if (!outputs.are_usable(options.paths)) return kUsage;
  if (options.paths.size() != 3) {
    complain("compare needs two reports: ttscope perf compare A B");
    return kUsage;
  }
  const std::string& first = options.paths[1];
  const std::string& second = options.paths[2];
  const CommandInputs inputs(first == second ? std::vector{first} : std::vector{first, second},
                             {app::Subject::kPerf, "ops_report", kReportsHint});
  const Result<perf::ComparedFiles> compared = perf::compare_files(first, second, options.comparison);
  if (!compared) return inputs.fail(compared.error());
  for (const std::string& warning : compared->warnings) complain(warning);
  const perf::ReportDiff& diff = compared->diff;
  const perf::ReportDiffInputs of = {first, second, options.comparison, version_text()};
  Result<void> done = outputs.write({
      {outputs.json, [&](Writer& out) { perf::write_report_diff_json(diff, of, out); }},
      {outputs.llm, [&](Writer& out) { perf::write_report_diff_markdown(diff, of, out); }},
  });
  if (done && outputs.prints()) done = print(perf::report_diff_text(diff));
  if (!done) return fail(done.error());
  return diff.is_equal() ? kOk : kLimitExceeded;
}

std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:04}_{:02}_{:02}_{:02}_{:02}_{:02}", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec);
}

std::string take_threads(std::string_view key, const std::string& text, unsigned& threads) {
  const auto number = parse_whole(text);
  constexpr std::int64_t kMaxThreads = 256;
  if (!number || *number < 1 || *number > kMaxThreads)
    return wrong_value(key, text, "a whole number of at least 1");
  threads = static_cast<unsigned>(*number);
  return {};
}

/// Whether the options go together; what follows from several of them is settled.
bool settle(PerfOptions& options) {
  PerfOutputRequest& analysis = options.analysis;
  options.capture.compat = analysis.compat;
  options.capture.read_host_capture = app::host_tables_of;
  options.files.compat = analysis.compat;
  options.files.per_core_times = options.files.per_core_times || options.capture.device_only;
  options.summary.wants_zones = options.capture.zones;
  options.summary.form = perf_table_form(analysis.outputs);
  options.place.date = date_text();
  options.write = analysis.has("--output-folder") || analysis.has("--name-append") ||
                  analysis.has("--date") || analysis.has("--per-core-times") ||
                  analysis.has("--device-analysis");
  if (options.summary.counter_tables && analysis.outputs.on_stdout() > 0) {
    complain("--counter-tables prints tables; give the other output a file");
    return false;
  }
  if (analysis.has("--output-folder") && options.place.folder.empty()) {
    complain("--output-folder needs a path");
    return false;
  }
  if (analysis.has("--name-append") && !app::is_plain_name(options.place.name)) {
    complain(wrong_value("--name-append", options.place.name, "a plain file name"));
    return false;
  }
  return settle_perf_reading(analysis);
}

/// Options that mean nothing for what was given are not taken in silence.
bool are_for_this(const PerfOptions& options, std::initializer_list<std::string_view> others,
                  std::string_view why) {
  for (const std::string_view key : others) {
    if (!options.analysis.has(key)) continue;
    complain(fmt::format("{} {}", key, why));
    return false;
  }
  return true;
}

/// Whether none of the files that are read would be written.
bool are_inputs_kept(const PerfOutputRequest& analysis, const perf::FoundFiles& files) {
  const std::vector<std::string> read = files.all();
  for (const std::string& path : perf_output_paths(analysis)) {
    if (!is_one_of(path, read)) continue;
    complain(fmt::format("{}: would overwrite the input", path));
    return false;
  }
  return true;
}

/// Writes the files of captures, and tells of them.
int make_report(PerfOptions& options, perf::Profile& profile) {
  std::vector<std::string> written;
  if (options.write) {
    Result<std::vector<std::string>> done = perf::write_files(profile.captures, options.files, options.place);
    if (!done) return fail(done.error());
    written = std::move(*done);
  }
  int code = kOk;
  if (!options.write || wants_perf_output(options.analysis)) {
    code = run_perf_analysis(options.analysis, options.capture, profile);
    if (code == kOk && options.summary.counter_tables) {
      const Result<void> printed = print(perf::counters_text(profile.captures, options.summary.form));
      if (!printed) return fail(printed.error());
    }
  } else {
    const Result<void> printed =
        options.analysis.outputs.quiet
            ? Result<void>{}
            : print(perf::capture_summary(profile.captures, options.summary, written));
    if (!printed) return fail(printed.error());
    if (!profile.has_content() && !options.capture.compat) code = no_ops_found(profile);
  }
  if (code != kOk || !options.analysis.strict || !profile.has_harmful_capture_problems()) return code;
  complain("--strict: the data are incomplete or damaged, see the trust section");
  return kFailed;
}

/// A finished report is read; where a place is given, it is written there under its usual name.
int read_report(PerfOptions& options, perf::FoundFiles& files, perf::Profile& profile) {
  if (options.write) {
    const Result<std::vector<std::string>> written = perf::copy_reports(files, options.place);
    if (!written) return fail(written.error());
    if (!wants_perf_output(options.analysis)) {
      std::string text = "Written\n";
      for (const std::string& path : *written) text += fmt::format("  {}\n", terminal_safe(path));
      const Result<void> printed = options.analysis.outputs.quiet ? Result<void>{} : print(text);
      return printed ? kOk : fail(printed.error());
    }
  }
  return run_perf_analysis(options.analysis, options.capture, profile);
}

int run_perf(PerfOptions& options) {
  if (options.paths.front() == "compare") return run_perf_compare(options);
  if (options.analysis.has("--raw") || is_raw_input(options.paths)) return run_perf_raw(options);
  if (!settle(options)) return kUsage;
  if (!are_for_this(options, {"--tolerance", "--columns", "--max-differences"},
                    "is an option of `perf compare A B`"))
    return kUsage;
  const Result<std::vector<std::string>> paths = hold_streams(options.paths);
  if (!paths) return fail(paths.error());
  const CommandInputs inputs(*paths, {app::Subject::kPerf});
  Result<perf::FoundFiles> files = perf::find_files(*paths);
  if (!files) return inputs.fail(files.error());
  if (!are_inputs_kept(options.analysis, *files)) return kUsage;
  const bool only_read = files->captures.empty();
  if (only_read &&
      !are_for_this(options,
                    {"--device-only", "--from-device-log", "--per-core-times", "--device-analysis",
                     "--noc-traces", "--counter-tables", "--threads", "--zones"},
                    "needs files of the profiler; a finished report is only read")) {
    return kUsage;
  }
  if (const std::string refusal = perf::refusal_of(*files, options.capture); !refusal.empty()) {
    complain(refusal);
    return kUsage;
  }
  Result<perf::Profile> profile = perf::read_files(*files, options.capture);
  if (!profile) return inputs.fail(profile.error());
  for (const std::string& remark : files->remarks) complain(remark);
  for (const std::string& warning : profile->warnings) complain(warning);
  return only_read ? read_report(options, *files, *profile) : make_report(options, *profile);
}

}  // namespace

Command perf_command() { return make_command("perf", describe_perf, run_perf); }

}  // namespace ttscope::cli
