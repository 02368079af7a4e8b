#include <fmt/format.h>

#include <memory>
#include <vector>

#include "app/report_library.h"
#include "base/result.h"
#include "base/writer.h"
#include "cli/commands.h"
#include "cli/commands/fit.h"
#include "cli/inputs.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
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

struct GraphOptions {
  std::vector<std::string> files;
  Outputs outputs{10};
  std::string database;
  fit::FitQuery question;  ///< the devices to place the capture on
  bool summary = false;
  bool compat = false;

  /// The summary needs the figures alone, so that nothing else is worked out for it.
  graph::Depth depth() const {
    const bool only_summary = summary && question.devices.empty() && outputs.json.empty() &&
                              outputs.llm.empty() && outputs.html.empty();
    return only_summary ? graph::Depth::kFigures : graph::Depth::kEverything;
  }
};

CommandSpec describe_graph(GraphOptions& options) {
  Outputs& outputs = options.outputs;
  CommandSpec spec;
  spec.program = "ttscope graph";
  spec.summary = "memory of ttnn graph captures";
  spec.description =
      "Reads graph captures of ttnn (lists of nodes, report files, the segments of a MemoryUsageTracker, "
      "db.sqlite of "
      "ttnn-visualizer) and says which calls use how much DRAM, L1 and circular buffers, and what is live at "
      "the peaks.";
  spec.positional = {"FILE", "graph capture (JSON or db.sqlite)", 1, kManyArguments};
  spec.arguments = &options.files;
  spec.options = {
      outputs.json_option(),
      outputs.llm_option(),
      outputs.html_option("write the page with the address map: one file, opens in any browser"),
      outputs.file_option("--sqlite", "PATH", options.database,
                          "write the report database that ttnn-visualizer opens"),
      flag_option("--summary", options.summary, "print the segments exactly as MemoryUsageTracker does"),
      flag_option("--compat", options.compat, "the original tool's figures, its errors included"),
      fit_device_option(options.question,
                        "whether it fits: n150, p150, ..., all or custom:...; exit code 3 if not"),
      outputs.top_option("rows of each list (default 10)"),
      outputs.color_option(),
      outputs.quiet_option("no text"),
  };
  spec.examples = kGraphExamples;
  return spec;
}

/// The exit code, or what went wrong. A database that tells of no run would open as an empty page: there is
/// none then.
Result<int> write_database(const GraphOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<graph::VisualizerDatabase> database,
                   graph::VisualizerDatabase::create(options.database));
  ASSIGN_OR_RETURN(const graph::VisualizerImport import,
                   graph::import_ttnn_reports(options.files, *database));
  for (const std::string& path : import.skipped) complain(graph::skipped_file_text(path));
  if (import.run_rows == 0) {
    complain(graph::no_database_text(options.database));
    return kNothingFound;
  }
  for (const std::string& warning : graph::import_warnings(import)) complain(warning);
  Result<void> written = database->finish();
  if (written) written = graph::write_side_files(import, options.database);
  if (!written) return failure(written.error());
  return kOk;
}

graph::GraphPageOptions page_of(const GraphOptions& options, std::shared_ptr<const fit::Report> fit) {
  const mem::MemPageOptions usual = page_options(app::report_name(options.files.front()));
  graph::GraphPageOptions page;
  page.name = usual.name;
  page.tool_version = usual.tool_version;
  page.generated = usual.generated;
  page.fit = std::move(fit);
  return page;
}

Result<void> write_outputs(const graph::Profile& profile, GraphOptions& options,
                           const std::shared_ptr<const fit::Report>& fit) {
  Outputs& outputs = options.outputs;
  return outputs.write({
      {outputs.json,
       [&](Writer& out) { graph::write_graph_json(profile, std::string(version_text()), out, fit.get()); }},
      {outputs.llm, [&](Writer& out) { graph::write_graph_markdown(profile, out, fit.get()); }},
      {outputs.html, [&](Writer& out) { graph::write_graph_page(profile, out, page_of(options, fit)); }},
  });
}

Result<void> print_text(const graph::Profile& profile, const GraphOptions& options) {
  const Outputs& outputs = options.outputs;
  if (!outputs.prints()) return {};
  if (options.summary) {
    for (const graph::ProfiledSegment& segment : profile.segments) {
      for (const graph::Difference& difference : segment.profile.differences)
        complain(fmt::format("{}: {}", segment.name, graph::difference_text(difference)));
    }
    return print(graph::memory_usage_summary(profile.figures()));
  }
  return print(graph::graph_summary_text(
      profile, {.color = outputs.use_color(), .width = terminal_width(Stream::kOut), .top = outputs.top}));
}

/// Whether the capture fits the devices asked for; null where none is.
Result<std::shared_ptr<const fit::Report>> ask_fit(const graph::Profile& profile,
                                                   const GraphOptions& options) {
  if (options.question.devices.empty()) return std::shared_ptr<const fit::Report>();
  ASSIGN_OR_RETURN(fit::Report report, graph::fit_profile(profile, options.question));
  return std::make_shared<const fit::Report>(std::move(report));
}

/// Files that can be read and hold no capture: nothing is written, but the original's words for it are kept.
int print_nothing_found(const graph::Profile& profile, const GraphOptions& options) {
  if (options.summary) {
    if (const Result<void> printed = print_text(profile, options); !printed) return fail(printed.error());
  }
  complain(graph::no_input_text(options.files));
  return kNothingFound;
}

int run_graph(GraphOptions& options) {
  Outputs& outputs = options.outputs;
  if (options.database == "-") {
    complain("--sqlite -: a database needs a file");
    return kUsage;
  }
  if (!outputs.are_usable(options.files)) return kUsage;
  Result<std::vector<std::string>> files = hold_streams(options.files);
  if (!files) return fail(files.error());
  options.files = std::move(*files);
  const CommandInputs inputs(options.files, {app::Subject::kGraph});
  const graph::Rules& rules = options.compat ? graph::kCompatRules : graph::kCorrectedRules;
  Result<graph::Profile> profile = graph::load(options.files, {rules, options.depth()});
  if (!profile) return inputs.fail(profile.error());
  if (profile->node_count() == 0) return print_nothing_found(*profile, options);
  const Result<std::shared_ptr<const fit::Report>> fit = ask_fit(*profile, options);
  if (!fit) return fail(fit.error());
  Result<void> written = write_outputs(*profile, options, *fit);
  if (written) written = print_text(*profile, options);
  if (written && *fit && outputs.prints())
    written = print(fit::fit_summary_text(**fit, outputs.text_options()));
  if (!written) return fail(written.error());
  const int fits = *fit == nullptr || (*fit)->fits() ? kOk : kLimitExceeded;
  if (options.database.empty()) return fits;
  *profile = graph::Profile();  // the database is made from the files: both at once would be twice the memory
  const Result<int> code = write_database(options);
  if (!code) return fail(code.error());
  return *code == kOk ? fits : *code;
}

}  // namespace

Command graph_command() { return make_command("graph", describe_graph, run_graph); }

}  // namespace ttscope::cli
