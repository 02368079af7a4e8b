#include "cli/cmd_phases.h"

#include <fmt/format.h>

#include "app/identify.h"
#include "base/text_escape.h"
#include "cli/given_inputs.h"
#include "cli/option_values.h"
#include "cli/size_value.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "phases/load.h"
#include "phases/write/json/phases_json.h"
#include "phases/write/markdown/phases_markdown.h"
#include "phases/write/page/phases_page.h"
#include "phases/write/plot/phases_plot.h"
#include "phases/write/terminal/phase_words.h"
#include "phases/write/terminal/phases_summary.h"
#include "report/plot/plot_files.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kPhasesExamples =
    "Examples:\n"
    "  ttscope phases train.log                      verdict, parts of the peak\n"
    "  ttscope phases a.log b.log --html runs.html   compare runs in the browser\n"
    "  ttscope phases train.log --output peak.svg    the stacked histogram\n"
    "  ttscope phases train.log -q --limit           exit code 3 when it does not fit\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage, 3 limit exceeded,\n"
    "4 no summary in it\n"
    "`analyze_memory` prints what tt-train's script of that name prints.\n";

struct PhasesRequest {
  phases::PhaseOptions options;
  std::string title;
  std::string json_path;
  std::string markdown_path;
  std::string page_path;
  std::string plot_path;
  report::PlotFormat plot_format = report::PlotFormat::kPng;
  std::string color;
  int top = 20;
  bool limit = false;
  bool quiet = false;

  bool on_stdout() const {
    return json_path == "-" || markdown_path == "-" || page_path == "-" || plot_path == "-";
  }
};

bool read_size(const ParsedArgs& args, std::string_view key, std::optional<std::int64_t>& size) {
  if (!args.has(key)) return true;
  size = parse_size(args.value(key));
  constexpr std::int64_t kMost = std::int64_t{1} << 55;
  if (size && *size > 0 && *size <= kMost) return true;
  complain(fmt::format("{} {}: expected a size (12884901888, 12GB)", key, args.value(key)));
  return false;
}

bool read_paths(const ParsedArgs& args, PhasesRequest& request) {
  if (!are_usable_outputs(args, {"--json", "--llm", "--html", "--output"})) return false;
  request.json_path = args.value("--json");
  request.markdown_path = args.value("--llm");
  request.page_path = args.value("--html");
  request.plot_path = args.value("--output", args.has("--visualize-peak") ? phases::kUsualPlotFile : "");
  const Result<report::PlotFormat> format = report::plot_format(request.plot_path);
  if (!format) complain(fmt::format("--output {}", format.error().message));
  request.plot_format = format.value_or(report::PlotFormat::kPng);
  return format.has_value();
}

bool read_request(const ParsedArgs& args, PhasesRequest& request) {
  phases::PhaseOptions& options = request.options;
  int devices = 0;
  if (!read_size(args, "--model-size", options.model_bytes) ||
      !read_size(args, "--optimizer-size", options.optimizer_bytes) ||
      !read_size(args, "--gradients-size", options.gradients_bytes) ||
      !read_size(args, "--device-memory", options.device_bytes) ||
      !read_number(args, "--devices", 1, devices) || !read_number(args, "--top", 0, request.top)) {
    return false;
  }
  if (devices > 0) options.devices = static_cast<std::uint32_t>(devices);
  options.use_actual_sizes = args.has("--use-actual-sizes");
  request.title = args.value("--title");
  request.color = args.value("--color", "auto");
  request.limit = args.has("--limit");
  request.quiet = args.has("--quiet");
  return read_paths(args, request);
}

Result<void> write_outputs(const phases::Profile& profile, const PhasesRequest& request) {
  const phases::PhasesJsonOptions options{version_text(), request.title};
  Result<void> written =
      write_output(request.json_path, [&](Writer& out) { phases::write_phases_json(profile, out, options); });
  if (!written) return written;
  written = write_output(request.markdown_path,
                         [&](Writer& out) { phases::write_phases_markdown(profile, request.title, out); });
  if (!written) return written;
  written =
      write_output(request.page_path, [&](Writer& out) { phases::write_phases_page(profile, out, options); });
  if (!written) return written;
  return write_output(request.plot_path, [&](Writer& out) {
    return report::write_plot(phases::layout_plot(phases::phases_plot(profile.analysis, request.title)),
                              request.plot_format, out);
  });
}

Result<void> print_summary(const phases::Profile& profile, const PhasesRequest& request) {
  if (request.quiet || request.on_stdout()) return {};
  std::string text = phases::phases_summary_text(
      profile, {use_color(request.color, Stream::kOut), terminal_width(Stream::kOut), request.top});
  std::string written;
  for (const std::string& path :
       {request.json_path, request.markdown_path, request.page_path, request.plot_path}) {
    if (!path.empty()) written += fmt::format("  {}\n", terminal_safe(path));
  }
  if (!written.empty()) text += "\nWritten\n" + written;
  return print(text);
}

/// A run whose figures do not tell whether it fits does not pass.
int check_limit(const phases::PhaseAnalysis& analysis) {
  int code = kOk;
  for (const phases::Configuration& run : analysis.configurations) {
    if (run.has_verdict() && !exceeds_device(run)) continue;
    complain(fmt::format("{}: {}: {}", run.has_verdict() ? "limit exceeded" : "--limit", run.name,
                         phases::verdict_words(run)));
    code = kLimitExceeded;
  }
  return code;
}

}  // namespace

CommandSpec phases_spec() {
  CommandSpec spec;
  spec.program = "ttscope phases";
  spec.summary = "memory of training by phase, from MemoryUsageTracker's logs";
  spec.description =
      "Reads the summaries that tt-train's MemoryUsageTracker prints and says whether each run fits, what "
      "its DRAM "
      "peak is made of, what every phase and micro-step adds, and what would save memory. Several runs, in "
      "one log or "
      "more, are compared.";
  spec.positional = {
      "LOG", "training log, plain or compressed; - for standard input", 1, 1000000, ValueKind::kFile, {}};
  spec.options = {
      {"--model-size",
       "SIZE",
       "expected size of the model (default: 2 bytes a parameter)",
       ValueKind::kText,
       {}},
      {"--optimizer-size", "SIZE", "expected optimizer state (default: 2 x model)", ValueKind::kText, {}},
      {"--gradients-size", "SIZE", "expected gradients (default: as the model)", ValueKind::kText, {}},
      {"--device-memory", "SIZE", "memory of one device (default: what the log tells)", ValueKind::kText, {}},
      {"--devices", "N", "how many devices share the memory that the log tells", ValueKind::kText, {}},
      {"--use-actual-sizes",
       "",
       "show model and optimizer as measured, not as expected",
       ValueKind::kText,
       {}},
      {"--visualize-peak", "", "write the histogram to memory_peak_visualization.png", ValueKind::kText, {}},
      {"--output", "PATH", "write the histogram there, as .png or .svg", ValueKind::kFile, {}},
      {"--title", "TEXT", "title of histogram, page and report", ValueKind::kText, {}},
      {"--html", "PATH", "write the page that compares runs: one file", ValueKind::kFile, {}},
      {"--json", "PATH", "write everything as one JSON document", ValueKind::kFile, {}},
      {"--llm", "PATH", "write the markdown report", ValueKind::kFile, {}},
      {"--limit", "", "exit with 3 when a peak is over the device's memory", ValueKind::kText, {}},
      {"--top", "N", "rows of each list of phases (default 20; 0 for all)", ValueKind::kText, {}},
      {"--color", "WHEN", "auto, always or never", ValueKind::kChoice, {"auto", "always", "never"}},
      {"-q,--quiet", "", "no summary", ValueKind::kText, {}},
  };
  spec.examples = kPhasesExamples;
  return spec;
}

int run_phases(const ParsedArgs& args) {
  PhasesRequest request;
  if (!read_request(args, request)) return kUsage;
  if (args.positionals.size() > 1) {
    const std::string other = app::other_kind_message(args.positionals, app::Subject::kPhases);
    if (!other.empty()) return fail(bad_input(other));
  }
  GivenInputs inputs(args.positionals, app::Subject::kPhases);
  const Result<phases::Profile> profile = phases::load(args.positionals, {request.options, inputs.watched()});
  if (!profile) return inputs.fail(profile.error());
  if (const std::string archive = inputs.archive_message(); !archive.empty()) return fail(bad_input(archive));
  if (profile->log.summaries.empty()) {
    for (const std::string& warning : profile->log.warnings) complain(warning);
    return inputs.fail(nothing_found(phases::nothing_words(args.positionals)));
  }
  Result<void> written = write_outputs(*profile, request);
  if (written) written = print_summary(*profile, request);
  if (!written) return fail(written.error());
  return request.limit ? check_limit(profile->analysis) : kOk;
}

}  // namespace ttscope::cli
