#include <fmt/format.h>

#include <memory>
#include <vector>

#include "app/report_library.h"
#include "base/writer.h"
#include "cli/commands.h"
#include "cli/commands/fit.h"
#include "cli/inputs.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "fit/outputs.h"
#include "graph/analyze/fit.h"
#include "graph/load.h"
#include "graph/read/visualizer_import.h"
#include "graph/write/outputs.h"
#include "graph/write/visualizer_db.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kGraphExamples =
    "Examples:\n"
    "  ttscope graph capture.json                   calls, peaks, what lives at them\n"
    "  ttscope graph segments.json --summary        as MemoryUsageTracker prints it\n"
    "  ttscope graph capture.json --html map.html   address map of the buffers\n"
    "  ttscope graph report.json --sqlite db.sqlite as ttnn-visualizer opens it\n"
    "  ttscope graph capture.json --device n150     whether it fits there\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage,\n"
    "3 it does not fit a device asked for, 4 no capture in it\n";

/// What the options ask for.
struct GraphRequest {
  std::vector<std::string> files;
  std::string json_path;
  std::string markdown_path;
  std::string page_path;
  std::string database_path;
  std::string color;
  int top = 10;
  fit::Question question{};  ///< the devices to place the capture on
  bool summary = false;
  bool quiet = false;
  graph::Rules rules = graph::kCorrectedRules;

  /// The summary needs the figures alone, so that nothing else is worked out for it.
  graph::Depth depth() const {
    const bool only_summary = summary && question.devices.empty() && json_path.empty() &&
                              markdown_path.empty() && page_path.empty();
    return only_summary ? graph::Depth::kFigures : graph::Depth::kEverything;
  }
  int on_stdout() const { return (json_path == "-") + (markdown_path == "-") + (page_path == "-"); }
};

bool read_request(const ParsedArgs& args, GraphRequest& request) {
  request.files = args.positionals;
  request.json_path = args.value("--json");
  request.markdown_path = args.value("--llm");
  request.page_path = args.value("--html");
  request.database_path = args.value("--sqlite");
  request.color = args.value("--color", "auto");
  request.summary = args.has("--summary");
  request.quiet = args.has("--quiet");
  if (args.has("--compat")) request.rules = graph::kCompatRules;
  if (request.database_path == "-") {
    complain("--sqlite -: a database needs a file");
    return false;
  }
  return read_devices(args, request.question) &&
         are_usable_outputs(args, {"--json", "--llm", "--html", "--sqlite"}) &&
         read_number(args, "--top", 0, request.top);
}

/// The exit code, or what went wrong. A database that tells of no run would open as an empty page: there is
/// none then.
Result<int> write_database(const GraphRequest& request) {
  Result<std::unique_ptr<graph::VisualizerDatabase>> database =
      graph::VisualizerDatabase::create(request.database_path);
  if (!database) return failure(database.error());
  const Result<graph::VisualizerImport> import = graph::import_ttnn_reports(request.files, **database);
  if (!import) return failure(import.error());
  for (const std::string& path : import->skipped) complain(graph::skipped_words(path));
  if (import->told == 0) {
    complain(graph::no_database_words(request.database_path));
    return kNothingFound;
  }
  for (const std::string& warning : graph::import_warnings(*import)) complain(warning);
  Result<void> written = (*database)->finish();
  if (written) written = graph::write_side_files(*import, request.database_path);
  if (!written) return failure(written.error());
  return kOk;
}

graph::GraphPageOptions page_of(const GraphRequest& request, std::shared_ptr<const fit::Report> fit) {
  const mem::MemPageOptions usual = page_options(app::report_name(request.files.front()));
  graph::GraphPageOptions options;
  options.name = usual.name;
  options.tool_version = usual.tool_version;
  options.generated = usual.generated;
  options.fit = std::move(fit);
  return options;
}

Result<void> write_outputs(const graph::Profile& profile, const GraphRequest& request,
                           const std::shared_ptr<const fit::Report>& fit) {
  Result<void> written = write_output(request.json_path, [&](Writer& out) {
    graph::write_graph_json(profile, std::string(version_text()), out, fit.get());
  });
  if (!written) return written;
  written = write_output(request.markdown_path,
                         [&](Writer& out) { graph::write_graph_markdown(profile, out, fit.get()); });
  if (!written) return written;
  return write_output(request.page_path,
                      [&](Writer& out) { graph::write_graph_page(profile, out, page_of(request, fit)); });
}

Result<void> print_text(const graph::Profile& profile, const GraphRequest& request) {
  if (request.quiet || request.on_stdout() > 0) return {};
  if (request.summary) {
    for (const graph::ProfiledSegment& segment : profile.segments) {
      for (const graph::Difference& difference : segment.profile.differences)
        complain(fmt::format("{}: {}", segment.name, graph::difference_words(difference)));
    }
    return print(graph::memory_usage_summary(profile.figures()));
  }
  return print(graph::graph_summary_text(profile, {.color = use_color(request.color, Stream::kOut),
                                                   .width = terminal_width(Stream::kOut),
                                                   .top = request.top}));
}

/// Whether the capture fits the devices asked for; null where none is.
Result<std::shared_ptr<const fit::Report>> ask_fit(const graph::Profile& profile,
                                                   const GraphRequest& request) {
  if (request.question.devices.empty()) return std::shared_ptr<const fit::Report>();
  Result<fit::Report> report = graph::fit_profile(profile, request.question);
  if (!report) return failure(report.error());
  return std::make_shared<const fit::Report>(std::move(*report));
}

Result<void> print_fit(const fit::Report& report, const GraphRequest& request) {
  if (request.quiet || request.on_stdout() > 0) return {};
  return print(fit::fit_summary_text(
      report, {use_color(request.color, Stream::kOut), terminal_width(Stream::kOut), request.top}));
}

/// Files that can be read and hold no capture: nothing is written, but the original's words for it are kept.
int tell_nothing_found(const graph::Profile& profile, const GraphRequest& request) {
  if (request.summary) {
    if (const Result<void> printed = print_text(profile, request); !printed) return fail(printed.error());
  }
  complain(graph::nothing_words(request.files));
  return kNothingFound;
}

}  // namespace

CommandSpec graph_spec() {
  CommandSpec spec;
  spec.program = "ttscope graph";
  spec.summary = "memory of ttnn graph captures";
  spec.description =
      "Reads graph captures of ttnn (lists of nodes, report files, the segments of a MemoryUsageTracker, "
      "db.sqlite of "
      "ttnn-visualizer) and says which calls use how much DRAM, L1 and circular buffers, and what is live at "
      "the peaks.";
  spec.positional = {"FILE", "graph capture (JSON or db.sqlite)", 1, 1000000, ValueKind::kFile, {}};
  spec.options = {
      {"--json", "PATH", "write everything as one JSON document", ValueKind::kFile, {}},
      {"--llm", "PATH", "write the markdown report", ValueKind::kFile, {}},
      {"--html",
       "PATH",
       "write the page with the address map: one file, opens in any browser",
       ValueKind::kFile,
       {}},
      {"--sqlite", "PATH", "write the report database that ttnn-visualizer opens", ValueKind::kFile, {}},
      {"--summary", "", "print the segments exactly as MemoryUsageTracker does", ValueKind::kText, {}},
      {"--compat", "", "the original tool's figures, its errors included", ValueKind::kText, {}},
      {"--device",
       "NAME",
       "whether it fits: n150, p150, ..., all or custom:...; exit code 3 if not",
       ValueKind::kText,
       {}},
      {"--top", "N", "rows of each list (default 10)", ValueKind::kText, {}},
      {"--color", "WHEN", "auto, always or never", ValueKind::kChoice, {"auto", "always", "never"}},
      {"-q,--quiet", "", "no text", ValueKind::kText, {}},
  };
  spec.examples = kGraphExamples;
  return spec;
}

int run_graph(const ParsedArgs& args) {
  GraphRequest request;
  if (!read_request(args, request)) return kUsage;
  const Result<std::vector<std::string>> files = hold_streams(args.positionals);
  if (!files) return fail(files.error());
  request.files = *files;
  const GivenInputs inputs(request.files, app::Subject::kGraph);
  Result<graph::Profile> profile = graph::load(request.files, {request.rules, request.depth()});
  if (!profile) return inputs.fail(profile.error());
  if (profile->node_count() == 0) return tell_nothing_found(*profile, request);
  const Result<std::shared_ptr<const fit::Report>> fit = ask_fit(*profile, request);
  if (!fit) return fail(fit.error());
  Result<void> written = write_outputs(*profile, request, *fit);
  if (written) written = print_text(*profile, request);
  if (written && *fit) written = print_fit(**fit, request);
  if (!written) return fail(written.error());
  const int fits = *fit == nullptr || (*fit)->fits() ? kOk : kLimitExceeded;
  if (request.database_path.empty()) return fits;
  *profile = graph::Profile();  // the database is made from the files: both at once would be twice the memory
  const Result<int> code = write_database(request);
  if (!code) return fail(code.error());
  return *code == kOk ? fits : *code;
}

}  // namespace ttscope::cli
