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
#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/option_values.h"
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

struct TimelineRequest {
  app::TimelineOptions open;
  std::string output_path;
  OutputForm form = OutputForm::kTracy;
  timeline::TracyVersion tracy_version = timeline::TracyVersion::kMinor11;
  std::string json_path;
  std::string markdown_path;
  std::string csv_path;
  timeline::CsvOptions csv;
  std::string color;
  int top = 15;
  bool quiet = false;

  bool on_stdout() const {
    return output_path == "-" || json_path == "-" || markdown_path == "-" || csv_path == "-";
  }
};

/// The form of a file, plain or to be packed by another program, by its name.
bool read_form(const ParsedArgs& args, TimelineRequest& request) {
  request.output_path = args.value("--output");
  if (args.has("--tracy-version") && request.output_path.empty()) {
    complain("--tracy-version says what -o writes; give -o FILE.tracy too");
    return false;
  }
  if (request.output_path.empty()) return true;
  constexpr std::array<std::pair<std::string_view, OutputForm>, 5> kForms = {{
      {".html", OutputForm::kPage},
      {".tracy", OutputForm::kTracy},
      {".json", OutputForm::kChrome},
      {".pftrace", OutputForm::kPerfetto},
      {".perfetto-trace", OutputForm::kPerfetto},
  }};
  for (const auto& [ending, form] : kForms) {
    if (request.output_path.ends_with(ending)) {
      request.form = form;
      if (args.value("--tracy-version") == "0.10") request.tracy_version = timeline::TracyVersion::kMinor10;
      if (!args.has("--tracy-version") || form == OutputForm::kTracy) return true;
      complain("--tracy-version is for -o FILE.tracy");
      return false;
    }
  }
  complain(
      fmt::format("-o {}: the form is told by the name: .html, .tracy, .pftrace (Perfetto) or .json (Chrome)",
                  request.output_path));
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
  constexpr double kMostNs = 4e18;
  if (!number || std::abs(*number * unit_ns) > kMostNs) return std::nullopt;
  return std::llround(*number * unit_ns);
}

bool read_time(const ParsedArgs& args, std::string_view key, std::optional<std::int64_t>& time) {
  if (!args.has(key)) return true;
  time = parse_time(args.value(key));
  if (!time) complain(fmt::format("{} {}: expected a time (1500ns, 1.5ms, 2s)", key, args.value(key)));
  return time.has_value();
}

bool read_cut(const ParsedArgs& args, timeline::CutOptions& cut) {
  if (!read_time(args, "--from", cut.from_ns) || !read_time(args, "--to", cut.to_ns)) return false;
  if (cut.from_ns && cut.to_ns && *cut.from_ns > *cut.to_ns) {
    complain("--from is behind --to: nothing would be left");
    return false;
  }
  if (args.has("--op")) {
    cut.op = parse_unsigned(args.value("--op"));
    if (!cut.op)
      complain(fmt::format("--op {}: expected the GLOBAL CALL COUNT of an op", args.value("--op")));
    if (!cut.op) return false;
  }
  if (!args.has("--core")) return true;
  const std::string core = args.value("--core");
  const std::size_t comma = core.find(',');
  const auto x = parse_unsigned(core.substr(0, comma));
  const auto y = comma == std::string::npos ? std::nullopt : parse_unsigned(core.substr(comma + 1));
  if (!x || !y || *x > UINT16_MAX || *y > UINT16_MAX) {
    complain(fmt::format("--core {}: expected the place of a core, X,Y as in the device log", core));
    return false;
  }
  cut.core = {static_cast<std::uint16_t>(*x), static_cast<std::uint16_t>(*y)};
  return true;
}

bool read_request(const ParsedArgs& args, TimelineRequest& request) {
  request.open.threads = std::max(1u, std::thread::hardware_concurrency());
  if (!read_cut(args, request.open.cut)) return false;
  if (!are_usable_outputs(args, {"--output", "--json", "--llm", "--csv"}) || !read_form(args, request)) {
    return false;
  }
  request.json_path = args.value("--json");
  request.markdown_path = args.value("--llm");
  request.csv_path = args.value("--csv");
  request.color = args.value("--color", "auto");
  request.quiet = args.has("--quiet");
  if (args.has("--csv-form")) {
    if (request.csv_path.empty()) {
      complain("--csv-form says what --csv writes; give --csv PATH too");
      return false;
    }
    request.csv.form = *timeline::csv_form(args.value("--csv-form"));
  }
  return read_number(args, "--top", 0, request.top);
}

/// Says what did not go into the file as it was.
void tell(const std::vector<std::string>& remarks, const std::string& path) {
  for (const std::string& remark : remarks) complain(fmt::format("{}: {}", path, remark));
}

/// Before it is written: whoever waits for it can stop it.
void tell_size(const std::string& warning, const TimelineRequest& request) {
  if (!warning.empty()) complain(fmt::format("{}: {}", request.output_path, warning));
}

Result<void> write_page(const timeline::Profile& profile, const TimelineRequest& request, Writer& out) {
  const std::size_t zones = profile.timeline.zones.size();
  const auto too_large = [&](const std::string& why) {
    return failure(bad_input(fmt::format("{}: {}", request.output_path, why)));
  };
  if (zones > timeline::kMostPageZones) {
    return too_large(
        fmt::format("no browser opens a page of {} zones; {}", zones, timeline::kTooLargeAdvice));
  }
  timeline::TimelinePageOptions options;
  options.name = app::report_name(profile.name);
  options.tool_version = version_text();
  options.threads = request.open.threads;
  const Result<void> written = timeline::write_timeline_page(profile, options, out);
  if (!written) return too_large(written.error().message);
  return {};
}

Result<void> write_timeline(const timeline::Profile& profile, const TimelineRequest& request, Writer& out) {
  const timeline::Timeline& timeline = profile.timeline;
  switch (request.form) {
    case OutputForm::kPage:
      return write_page(profile, request, out);
    case OutputForm::kChrome:
      tell_size(timeline::chrome_size_warning(timeline::chrome_bytes(timeline)), request);
      timeline::write_chrome(timeline, out);
      return {};
    case OutputForm::kPerfetto:
      tell_size(timeline::perfetto_size_warning(timeline::perfetto_bytes(timeline)), request);
      timeline::write_perfetto(timeline, out);
      tell(timeline::shift_texts(timeline::perfetto_shift_ns(timeline)), request.output_path);
      return {};
    case OutputForm::kTracy:
      break;
  }
  const Result<timeline::TracyLosses> losses = timeline::write_tracy(timeline, request.tracy_version, out);
  if (!losses) return failure(losses.error());
  tell(timeline::loss_texts(*losses), request.output_path);
  return {};
}

Result<void> write_outputs(const timeline::Profile& profile, const TimelineRequest& request) {
  Result<void> written =
      write_output(request.output_path, [&](Writer& out) { return write_timeline(profile, request, out); });
  if (!written) return written;
  written = write_output(request.json_path,
                         [&](Writer& out) { timeline::write_timeline_json(profile, version_text(), out); });
  if (!written) return written;
  written = write_output(request.markdown_path,
                         [&](Writer& out) { timeline::write_timeline_markdown(profile, out); });
  if (!written) return written;
  return write_output(request.csv_path, [&](Writer& out) { timeline::write_csv(profile, request.csv, out); });
}

Result<void> print_summary(const timeline::Profile& profile, const TimelineRequest& request) {
  if (request.quiet || request.on_stdout()) {
    for (const std::string& warning : timeline::warning_texts(profile.timeline)) complain(warning);
    return {};
  }
  std::string text = timeline::timeline_summary_text(
      profile, {use_color(request.color, Stream::kOut), report_width(), request.top});
  std::string written;
  for (const std::string& path :
       {request.output_path, request.csv_path, request.json_path, request.markdown_path}) {
    if (!path.empty()) written += fmt::format("  {}\n", terminal_safe(path));
  }
  if (!written.empty()) text += "\nWritten\n" + written;
  return print(text);
}

}  // namespace

CommandSpec timeline_spec() {
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
      "PATH",
      "capture of Tracy, folder or files of the device profiler, runtime log; of one run together",
      1,
      1000000,
      ValueKind::kFile,
      {}};
  spec.options = {
      {"-o,--output",
       "FILE",
       "write the timeline: .html (page), .tracy (Tracy), .pftrace (Perfetto), .json (Chrome)",
       ValueKind::kFile,
       {}},
      {"--tracy-version",
       "VERSION",
       "of -o FILE.tracy: 0.11 (default; Tracy 0.11 to 0.14) or 0.10 (tt-metal's tools)",
       ValueKind::kChoice,
       {"0.11", "0.10"}},
      {"--from", "TIME", "leave out what ends before (1500ns, 1.5ms, 2s)", ValueKind::kText, {}},
      {"--to", "TIME", "leave out what begins behind", ValueKind::kText, {}},
      {"--op",
       "ID",
       "zones of this op (GLOBAL CALL COUNT), and what happened meanwhile",
       ValueKind::kText,
       {}},
      {"--core", "X,Y", "of device processors, those of this core", ValueKind::kText, {}},
      {"--csv", "PATH", "write a table as Tracy's csvexport does", ValueKind::kFile, {}},
      {"--csv-form",
       "FORM",
       "which one (default stats): csvexport's -e, -u, -u -p, -m, -g; tracy_ops_times.csv, "
       "tracy_ops_data.csv",
       ValueKind::kChoice,
       {"stats", "self", "unwrap", "unwrap-plots", "messages", "gpu", "ops-times", "ops-data"}},
      {"--json", "PATH", "write statistics, tracks, messages and plots as JSON", ValueKind::kFile, {}},
      {"--llm", "PATH", "write the markdown report", ValueKind::kFile, {}},
      {"--top", "N", "rows of each list (default 15; 0 for all)", ValueKind::kText, {}},
      {"--color", "WHEN", "auto, always or never", ValueKind::kChoice, {"auto", "always", "never"}},
      {"-q,--quiet", "", "no summary", ValueKind::kText, {}},
  };
  spec.examples = kTimelineExamples;
  return spec;
}

int run_timeline(const ParsedArgs& args) {
  TimelineRequest request;
  if (!read_request(args, request)) return kUsage;
  const Result<std::vector<std::string>> paths = hold_streams(args.positionals);
  if (!paths) return fail(paths.error());
  const Result<timeline::Profile> profile = app::open_timeline(*paths, request.open);
  if (!profile) return fail(profile.error());
  if (!profile->timeline.has_content()) {
    for (const std::string& warning : timeline::warning_texts(profile->timeline)) complain(warning);
    const bool is_cut = request.open.cut.is_asked();
    return fail(nothing_found(
        is_cut ? fmt::format("{}: nothing of it is left by --from, --to, --op and --core", paths->front())
               : timeline::nothing_words(*paths)));
  }
  Result<void> written = write_outputs(*profile, request);
  if (written) written = print_summary(*profile, request);
  return written ? kOk : fail(written.error());
}

}  // namespace ttscope::cli
