#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <thread>
#include <utility>

#include "app/report_library.h"
#include "app/timeline/open_timeline.h"
#include "base/number_text.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "timeline/tables/tables.h"
#include "timeline/write/exports.h"
#include "timeline/write/outputs.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kTimelineExamples =
    "Examples:\n"
    "  ttscope timeline run.tracy                        statistics by zone\n"
    "  ttscope timeline generated/profiler -o run.tracy  host and devices on one axis\n"
    "  ttscope timeline generated/profiler -o run.html   the same as a page\n"
    "  ttscope timeline run.tracy -o run.pftrace         for ui.perfetto.dev\n"
    "  ttscope timeline run.tracy --csv zones.csv        as csvexport prints them\n"
    "  ttscope timeline run.tracy --csv - --csv-form messages\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage, 4 nothing in it\n";

enum class OutputForm { kTracy, kChrome, kPerfetto, kPage };

struct TimelineOptions {
  std::vector<std::string> paths;
  app::TimelineOptions open;
  Outputs outputs{15};
  std::string output;
  std::string csv;
  OutputForm form = OutputForm::kTracy;
  std::optional<timeline::TracyVersion> tracy_version;
  std::optional<timeline::CsvForm> csv_form;
};

/// The form of a file, plain or to be packed by another program, by its name.
bool read_form(TimelineOptions& options) {
  if (options.output.empty()) {
    if (options.tracy_version) complain("--tracy-version says what -o writes; give -o FILE.tracy too");
    return !options.tracy_version;
  }
  constexpr std::array<std::pair<std::string_view, OutputForm>, 5> kForms = {{
      {".html", OutputForm::kPage},
      {".tracy", OutputForm::kTracy},
      {".json", OutputForm::kChrome},
      {".pftrace", OutputForm::kPerfetto},
      {".perfetto-trace", OutputForm::kPerfetto},
  }};
  for (const auto& [ending, form] : kForms) {
    if (!options.output.ends_with(ending)) continue;
    options.form = form;
    if (!options.tracy_version || form == OutputForm::kTracy) return true;
    complain("--tracy-version is for -o FILE.tracy");
    return false;
  }
  complain(
      fmt::format("-o {}: the form is told by the name: .html, .tracy, .pftrace (Perfetto) or .json (Chrome)",
                  options.output));
  return false;
}

/// A time: `1500000` or `1500000ns`, `1500us`, `1.5ms`, `0.0015s`.
std::optional<std::int64_t> parse_time(std::string_view text) {
  double unit_ns = 1;
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  for (const auto& [unit, ns] : kUnits) {
    if (!text.ends_with(unit)) continue;
    text.remove_suffix(unit.size());
    unit_ns = ns;
    break;
  }
  const std::optional<double> number = parse_number(text);
  constexpr double kMaxNs = 4e18;
  if (!number || std::abs(*number * unit_ns) > kMaxNs) return std::nullopt;
  return std::llround(*number * unit_ns);
}

OptionSpec time_option(std::string_view names, std::optional<std::int64_t>& time, std::string_view help) {
  return value_option(
      names, "TIME",
      [&time](std::string_view key, const std::string& text) {
        time = parse_time(text);
        return time ? std::string() : wrong_value(key, text, "a time (1500ns, 1.5ms, 2s)");
      },
      help);
}

std::string take_core(std::string_view key, const std::string& text, timeline::CutOptions& cut) {
  const std::size_t comma = text.find(',');
  const auto x = parse_unsigned(text.substr(0, comma));
  const auto y = comma == std::string::npos ? std::nullopt : parse_unsigned(text.substr(comma + 1));
  if (!x || !y || *x > UINT16_MAX || *y > UINT16_MAX)
    return wrong_value(key, text, "the place of a core, X,Y as in the device log");
  cut.core = {static_cast<std::uint16_t>(*x), static_cast<std::uint16_t>(*y)};
  return {};
}

CommandSpec describe_timeline(TimelineOptions& options) {
  Outputs& outputs = options.outputs;
  timeline::CutOptions& cut = options.open.cut;
  CommandSpec spec;
  spec.program = "ttscope timeline";
  spec.summary = "zones, messages and plots of a run over time";
  spec.description =
      "Brings the host's zones and messages (a capture of the Tracy profiler, .tracy of the versions 0.10 to "
      "0.14, or tracy_ops_times.csv and tracy_ops_data.csv) and what devices did (profile_log_device.csv) "
      "onto "
      "one axis, says where the time goes zone by zone, and writes the timeline for Tracy, Perfetto and "
      "Chrome.";
  spec.positional = {
      "PATH", "capture of Tracy, folder or files of the device profiler, runtime log; of one run together", 1,
      kManyArguments};
  spec.arguments = &options.paths;
  spec.options = {
      outputs.file_option(
          "-o,--output", "FILE", options.output,
          "write the timeline: .html (page), .tracy (Tracy), .pftrace (Perfetto), .json (Chrome)"),
      choice_option("--tracy-version", "VERSION",
                    {{"0.11", timeline::TracyVersion::kMinor11}, {"0.10", timeline::TracyVersion::kMinor10}},
                    options.tracy_version,
                    "of -o FILE.tracy: 0.11 (default; Tracy 0.11 to 0.14) or 0.10 (tt-metal's tools)"),
      time_option("--from", cut.from_ns, "leave out what ends before (1500ns, 1.5ms, 2s)"),
      time_option("--to", cut.to_ns, "leave out what begins behind"),
      value_option(
          "--op", "ID",
          [&cut](std::string_view key, const std::string& text) {
            cut.op = parse_unsigned(text);
            return cut.op ? std::string() : wrong_value(key, text, "the GLOBAL CALL COUNT of an op");
          },
          "zones of this op (GLOBAL CALL COUNT), and what happened meanwhile"),
      value_option(
          "--core", "X,Y",
          [&cut](std::string_view key, const std::string& text) { return take_core(key, text, cut); },
          "of device processors, those of this core"),
      outputs.file_option("--csv", "PATH", options.csv, "write a table as Tracy's csvexport does"),
      choice_option(
          "--csv-form", "FORM",
          {"stats", "self", "unwrap", "unwrap-plots", "messages", "gpu", "ops-times", "ops-data"},
          [&options](std::string_view, const std::string& form) {
            options.csv_form = timeline::csv_form(form);
            return std::string();
          },
          "which one (default stats): csvexport's -e, -u, -u -p, -m, -g; tracy_ops_times.csv, "
          "tracy_ops_data.csv"),
      outputs.json_option("write statistics, tracks, messages and plots as JSON"),
      outputs.llm_option(),
      outputs.top_option("rows of each list (default 15; 0 for all)"),
      outputs.color_option(),
      outputs.quiet_option(),
  };
  spec.examples = kTimelineExamples;
  return spec;
}

/// Whether the options go together.
bool are_usable(TimelineOptions& options) {
  const timeline::CutOptions& cut = options.open.cut;
  if (cut.from_ns && cut.to_ns && *cut.from_ns > *cut.to_ns) {
    complain("--from is behind --to: nothing would be left");
    return false;
  }
  if (!options.outputs.are_usable(options.paths) || !read_form(options)) return false;
  if (options.csv_form && options.csv.empty()) {
    complain("--csv-form says what --csv writes; give --csv PATH too");
    return false;
  }
  return true;
}

/// Says what did not go into the file as it was.
void tell(const std::vector<std::string>& remarks, const std::string& path) {
  for (const std::string& remark : remarks) complain(fmt::format("{}: {}", path, remark));
}

/// Before it is written: whoever waits for it can stop it.
void print_size_warning(const std::string& warning, const TimelineOptions& options) {
  if (!warning.empty()) complain(fmt::format("{}: {}", options.output, warning));
}

Result<void> write_page(const timeline::Profile& profile, const TimelineOptions& options, Writer& out) {
  const std::size_t zones = profile.timeline.zones.size();
  const auto too_large = [&](const std::string& why) {
    return failure(bad_input(fmt::format("{}: {}", options.output, why)));
  };
  if (zones > timeline::kMaxPageZones) {
    return too_large(
        fmt::format("no browser opens a page of {} zones; {}", zones, timeline::kTooLargeAdvice));
  }
  timeline::TimelinePageOptions page;
  page.name = app::report_name(profile.name);
  page.tool_version = version_text();
  page.threads = options.open.threads;
  const Result<void> written = timeline::write_timeline_page(profile, page, out);
  if (!written) return too_large(written.error().message);
  return {};
}

Result<void> write_timeline(const timeline::Profile& profile, const TimelineOptions& options, Writer& out) {
  const timeline::Timeline& timeline = profile.timeline;
  switch (options.form) {
    case OutputForm::kPage:
      return write_page(profile, options, out);
    case OutputForm::kChrome:
      print_size_warning(timeline::chrome_size_warning(timeline::chrome_bytes(timeline)), options);
      timeline::write_chrome(timeline, out);
      return {};
    case OutputForm::kPerfetto:
      print_size_warning(timeline::perfetto_size_warning(timeline::perfetto_bytes(timeline)), options);
      timeline::write_perfetto(timeline, out);
      tell(timeline::shift_texts(timeline::perfetto_shift_ns(timeline)), options.output);
      return {};
    case OutputForm::kTracy:
      break;
  }
  ASSIGN_OR_RETURN(
      const timeline::TracyLosses losses,
      timeline::write_tracy(timeline, options.tracy_version.value_or(timeline::TracyVersion::kMinor11), out));
  tell(timeline::loss_texts(losses), options.output);
  return {};
}

Result<void> write_outputs(const timeline::Profile& profile, TimelineOptions& options) {
  timeline::CsvOptions csv;
  csv.form = options.csv_form.value_or(csv.form);
  return options.outputs.write({
      {options.output, [&](Writer& out) { return write_timeline(profile, options, out); }},
      {options.csv, [&](Writer& out) { return timeline::write_csv(profile, csv, out); }},
      {options.outputs.json,
       [&](Writer& out) { timeline::write_timeline_json(profile, version_text(), out); }},
      {options.outputs.llm, [&](Writer& out) { timeline::write_timeline_markdown(profile, out); }},
  });
}

Result<void> print_summary(const timeline::Profile& profile, const Outputs& outputs) {
  if (!outputs.prints()) {
    for (const std::string& warning : timeline::warning_texts(profile.timeline)) complain(warning);
    return {};
  }
  return print(timeline::timeline_summary_text(profile, {outputs.use_color(), report_width(), outputs.top}) +
               outputs.written_text());
}

int run_timeline(TimelineOptions& options) {
  if (!are_usable(options)) return kUsage;
  options.open.threads = std::max(1u, std::thread::hardware_concurrency());
  const Result<std::vector<std::string>> paths = hold_streams(options.paths);
  if (!paths) return fail(paths.error());
  const Result<timeline::Profile> profile = app::open_timeline(*paths, options.open);
  if (!profile) return fail(profile.error());
  if (!profile->timeline.has_content()) {
    for (const std::string& warning : timeline::warning_texts(profile->timeline)) complain(warning);
    const bool is_cut = options.open.cut.is_asked();
    return fail(nothing_found(
        is_cut ? fmt::format("{}: nothing of it is left by --from, --to, --op and --core", paths->front())
               : timeline::no_input_text(*paths)));
  }
  Result<void> written = write_outputs(*profile, options);
  if (written) written = print_summary(*profile, options.outputs);
  return written ? kOk : fail(written.error());
}

}  // namespace

Command timeline_command() { return make_command("timeline", describe_timeline, run_timeline); }

}  // namespace ttscope::cli
