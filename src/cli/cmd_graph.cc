#include "cli/cmd_graph.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "base/text_escape.h"
#include "base/writer.h"
#include "cli/option_values.h"
#include "cli/page_options.h"
#include "cli/profile_run.h"
#include "cli/report_name.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "graph/read/graph_report/report_import.h"
#include "graph/read/graph_trace/graph_trace_reader.h"
#include "graph/write/json/graph_json.h"
#include "graph/write/markdown/graph_markdown.h"
#include "graph/write/page/graph_page.h"
#include "graph/write/sqlite/report_db.h"
#include "graph/write/terminal/graph_report.h"
#include "graph/write/terminal/graph_summary.h"
#include "graph/write/terminal/memory_usage_summary.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kGraphExamples =
    "Examples:\n"
    "  ttscope graph capture.json                   calls, peaks, what lives at them\n"
    "  ttscope graph segments.json --summary        as MemoryUsageTracker prints it\n"
    "  ttscope graph capture.json --html map.html   address map of the buffers over time\n"
    "  ttscope graph report.json --sqlite db.sqlite the database that ttnn-visualizer opens\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage\n";

/// What the options ask for.
struct GraphRequest {
  std::vector<std::string> files;
  std::string json_path;
  std::string markdown_path;
  std::string page_path;
  std::string database_path;
  std::string color;
  int top = 10;
  bool summary = false;
  bool quiet = false;
  graph::Accounting accounting = graph::Accounting::kCorrected;

  bool only_summary() const {
    return summary && json_path.empty() && markdown_path.empty() && page_path.empty();
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
  if (args.has("--compat")) request.accounting = graph::Accounting::kCompat;
  if (request.database_path == "-") {
    complain("--sqlite -: a database needs a file");
    return false;
  }
  return are_usable_outputs(args, {"--json", "--llm", "--html", "--sqlite"}) &&
         read_number(args, "--top", 0, request.top);
}

/// The summary needs the figures alone, so that nothing else is worked out for it.
Result<graph::GraphProfile> profile_for(const graph::GraphTrace& trace, const GraphRequest& request) {
  if (!request.only_summary()) return graph::profile_graph(trace, request.accounting);
  graph::GraphProfile profile;
  const Result<graph::DramUsage> dram = graph::dram_usage(trace);
  if (!dram) return failure(dram.error());
  const Result<graph::L1Usage> l1 = graph::l1_usage(trace, request.accounting);
  if (!l1) return failure(l1.error());
  profile.dram = *dram;
  profile.l1 = *l1;
  if (request.accounting == graph::Accounting::kCorrected)
    profile.notes = graph::differences_from_original(trace);
  return profile;
}

/// The captures, which the report points into, and the report.
struct LoadedGraphs {
  std::vector<std::unique_ptr<graph::GraphCapture>> captures;
  graph::GraphReport report;
};

Result<LoadedGraphs> load(const GraphRequest& request) {
  LoadedGraphs loaded;
  loaded.report.accounting = request.accounting;
  loaded.report.files = request.files;
  for (std::uint32_t file = 0; file < request.files.size(); ++file) {
    Result<graph::GraphCapture> capture = graph::read_graph_capture(request.files[file]);
    if (!capture) return failure(capture.error());
    loaded.captures.push_back(std::make_unique<graph::GraphCapture>(std::move(*capture)));
    const graph::GraphCapture& read = *loaded.captures.back();
    loaded.report.formats.push_back(read.format);
    loaded.report.devices.insert(loaded.report.devices.end(), read.devices.begin(), read.devices.end());
    for (const graph::GraphSegment& segment : read.segments) {
      Result<graph::GraphProfile> profile = profile_for(segment.trace, request);
      if (!profile) {
        return failure(bad_input(fmt::format("{}: {}", request.files[file], profile.error().message)));
      }
      loaded.report.segments.push_back({file, segment.name, &segment.trace, std::move(*profile)});
    }
  }
  return loaded;
}

/// The side files of a report lie beside the database; those that are there are left alone.
Result<void> write_side_file(const std::string& database, std::string_view name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(database).parent_path() / name;
  std::error_code error;
  if (text.empty() || std::filesystem::exists(path, error)) return {};
  return write_output(path.string(), [&](Writer& out) { out.write(text); });
}

Result<void> write_database(const GraphRequest& request) {
  const Result<graph::ReportTables> tables = graph::import_reports(request.files);
  if (!tables) return failure(tables.error());
  for (const std::string& warning : tables->warnings) complain(warning);
  Result<void> written = graph::write_report_db(*tables, request.database_path);
  if (!written) return written;
  written = write_side_file(request.database_path, "cluster_descriptor.yaml", tables->cluster_descriptor);
  if (!written) return written;
  return write_side_file(request.database_path, "physical_chip_mesh_coordinate_mapping_1_of_1.yaml",
                         tables->mesh_coordinate_mapping);
}

graph::GraphPageOptions page_of(const GraphRequest& request) {
  const mem::MemPageOptions usual = page_options(report_name(request.files.front()));
  graph::GraphPageOptions options;
  options.name = usual.name;
  options.tool_version = usual.tool_version;
  options.generated = usual.generated;
  return options;
}

Result<void> write_outputs(const LoadedGraphs& loaded, const GraphRequest& request) {
  Result<void> written = write_output(request.json_path, [&](Writer& out) {
    graph::write_graph_json(loaded.report, std::string(version_text()), out);
  });
  if (!written) return written;
  written = write_output(request.markdown_path,
                         [&](Writer& out) { graph::write_graph_markdown(loaded.report, out); });
  if (!written) return written;
  written = write_output(request.page_path,
                         [&](Writer& out) { graph::write_graph_page(loaded.report, out, page_of(request)); });
  if (!written || request.database_path.empty()) return written;
  return write_database(request);
}

Result<void> print_text(const LoadedGraphs& loaded, const GraphRequest& request) {
  if (request.quiet || request.on_stdout() > 0) return {};
  if (request.summary) {
    for (const graph::GraphReportSegment& segment : loaded.report.segments) {
      for (const std::string& note : segment.profile.notes)
        complain(fmt::format("{}: {}", segment.name, note));
    }
    return print(graph::memory_usage_summary(loaded.report.figures()));
  }
  return print(graph::graph_summary_text(loaded.report, {.color = use_color(request.color, Stream::kOut),
                                                         .width = terminal_width(Stream::kOut),
                                                         .top = request.top}));
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
      {"--compat", "", "the original's figures, where they mislead too", ValueKind::kText, {}},
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
  const Result<LoadedGraphs> loaded = load(request);
  if (!loaded) return fail(loaded.error());
  Result<void> written = write_outputs(*loaded, request);
  if (written) written = print_text(*loaded, request);
  if (written) return kOk;
  return fail(written.error());
}

}  // namespace ttscope::cli
