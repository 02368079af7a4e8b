#include "cli/cmd_timeline.h"

#include <fmt/format.h>

#include "base/text_escape.h"
#include "cli/given_inputs.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "timeline/load.h"
#include "timeline/write/csv/csvexport.h"
#include "timeline/write/json/timeline_json.h"
#include "timeline/write/markdown/timeline_markdown.h"
#include "timeline/write/terminal/timeline_summary.h"
#include "timeline/write/terminal/timeline_words.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kTimelineExamples =
    "Examples:\n"
    "  ttscope timeline run.tracy                        statistics by zone\n"
    "  ttscope timeline run.tracy --csv zones.csv        as Tracy's csvexport prints them\n"
    "  ttscope timeline run.tracy --csv - --csv-form messages\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage, 4 nothing in it\n";

struct TimelineRequest {
  std::string json_path;
  std::string markdown_path;
  std::string csv_path;
  timeline::CsvOptions csv;
  std::string color;
  int top = 15;
  bool quiet = false;

  bool on_stdout() const { return json_path == "-" || markdown_path == "-" || csv_path == "-"; }
};

bool read_request(const ParsedArgs& args, TimelineRequest& request) {
  if (!are_usable_outputs(args, {"--json", "--llm", "--csv"})) return false;
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

Result<void> write_outputs(const timeline::Profile& profile, const TimelineRequest& request) {
  Result<void> written = write_output(request.json_path, [&](Writer& out) {
    timeline::write_timeline_json(profile, version_text(), out);
  });
  if (!written) return written;
  written = write_output(request.markdown_path,
                         [&](Writer& out) { timeline::write_timeline_markdown(profile, out); });
  if (!written) return written;
  return write_output(request.csv_path,
                      [&](Writer& out) { timeline::write_csv(profile, request.csv, out); });
}

Result<void> print_summary(const timeline::Profile& profile, const TimelineRequest& request) {
  if (request.quiet || request.on_stdout()) {
    for (const std::string& warning : profile.timeline.warnings) complain(warning);
    return {};
  }
  std::string text = timeline::timeline_summary_text(
      profile, {use_color(request.color, Stream::kOut), terminal_width(Stream::kOut), request.top});
  std::string written;
  for (const std::string& path : {request.csv_path, request.json_path, request.markdown_path}) {
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
      "Reads captures of the Tracy profiler (.tracy of the versions 0.10 to 0.14, also cut ones) and says where "
      "the time of threads and device processors goes, zone by zone.";
  spec.positional = {"FILE", "capture of Tracy, plain or compressed", 1, 1, ValueKind::kFile, {}};
  spec.options = {
      {"--csv", "PATH", "write a table as Tracy's csvexport does", ValueKind::kFile, {}},
      {"--csv-form",
       "FORM",
       "which one (default stats): csvexport's -e, -u, -u -p, -m, -g; tracy_ops_times.csv, tracy_ops_data.csv",
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
  const GivenInputs inputs(*paths, app::Subject::kTimeline);
  const Result<timeline::Profile> profile = timeline::load(*paths);
  if (!profile) return inputs.fail(profile.error());
  if (!profile->timeline.has_content()) {
    for (const std::string& warning : profile->timeline.warnings) complain(warning);
    return inputs.fail(nothing_found(timeline::nothing_words(*paths)));
  }
  Result<void> written = write_outputs(*profile, request);
  if (written) written = print_summary(*profile, request);
  return written ? kOk : fail(written.error());
}

}  // namespace ttscope::cli
