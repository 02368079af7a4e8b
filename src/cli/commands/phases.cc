#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "app/formats.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/python_args.h"
#include "cli/terminal.h"
#include "phases/classic_analysis.h"
#include "phases/load.h"
#include "phases/write/outputs.h"
#include "phases/write/plot.h"
#include "ui/plot.h"

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
  ui::PlotFormat plot_format = ui::PlotFormat::kPng;
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
  const Result<ui::PlotFormat> format = ui::plot_format(request.plot_path);
  if (!format) complain(fmt::format("--output {}", format.error().message));
  request.plot_format = format.value_or(ui::PlotFormat::kPng);
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
    return ui::write_plot(phases::layout_plot(phases::phases_plot(profile.analysis, request.title)),
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

namespace {

constexpr std::string_view kProgram = "analyze_memory";

PythonProgram python_program() {
  PythonProgram program;
  program.name = kProgram;
  program.description = "Analyze memory usage from tt-train logs";
  program.options = {
      {"--logs", "LOGS", "Path to log file containing memory usage summaries", true, false},
      {"--device_memory", "DEVICE_MEMORY",
       "Available device memory in bytes (can be extracted from logs if not provided)", false, true},
      {"--model_size", "MODEL_SIZE",
       "Size of the model in bytes (can be extracted from logs if not provided, assumes bf16)", false, true},
      {"--optimizer_size", "OPTIMIZER_SIZE",
       "Size of optimizer in bytes (default: 2 * model_size, assumes bf16)", false, true},
      {"--gradients_size", "GRADIENTS_SIZE", "Size of gradients in bytes (default: model_size, assumes bf16)",
       false, true},
      {"--visualize_peak", "", "Create a histogram visualization of peak memory usage breakdown", false,
       false},
      {"--use_actual_sizes", "",
       "Use actual measured values from logs for model/optimizer sizes in visualization instead of "
       "theoretical "
       "values",
       false, false},
      {"--title", "TITLE", "Optional title for the visualization", false, false},
      {"--output", "OUTPUT", "Output filename for visualization (default: memory_peak_visualization.png)",
       false, false},
  };
  return program;
}

/// The last line of the traceback that users of the script know.
int raise(std::string_view exception, std::string_view message) {
  say(fmt::format("{}: {}\n", exception, terminal_safe(message)));
  return kFailed;
}

/// What Python says when a file cannot be opened; empty when it can.
std::string open_error(const std::string& path, std::string_view& exception) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  int code = file.number() < 0 ? errno : 0;
  char byte = 0;
  if (code == 0 && ::read(file.number(), &byte, 0) < 0) code = errno;
  if (code == 0) return {};
  exception = code == ENOENT   ? "FileNotFoundError"
              : code == EISDIR ? "IsADirectoryError"
              : code == EACCES ? "PermissionError"
                               : "OSError";
  return fmt::format("[Errno {}] {}: {}", code, std::strerror(code), python_repr(path));
}

/// Columns as Python finds them.
int columns() {
  const char* set = std::getenv("COLUMNS");
  const int given = set == nullptr ? 0 : std::atoi(set);
  return given > 0 ? given : terminal_width(Stream::kOut);
}

std::optional<double> number_of(const PythonArgs& args, std::string_view name) {
  return args.has(name) ? python_float(args.value(name)) : std::nullopt;
}

/// One run of the script: the text so far, and the exception that ended it.
class Analysis {
 public:
  explicit Analysis(const PythonArgs& args) : args_(args) {}

  int run() {
    const std::string path = args_.value("--logs");
    std::string_view exception;
    if (const std::string problem = open_error(path, exception); !problem.empty())
      return raise(exception, problem);
    Result<phases::ClassicLog> log = phases::load_classic(path);
    if (!log) return raise("OSError", log.error().message);
    log_ = std::move(*log);
    if (log_.sections.empty()) return raise("ValueError", "No memory usage summaries found in the log file");
    text_ = fmt::format("Found {} memory usage summary/summaries\n", log_.sections.size());
    const phases::FoundClassicSizes found = phases::find_classic_sizes(log_, given_sizes());
    text_ += phases::classic_sizes_text(found);
    if (const std::string_view problem = phases::classic_missing_text(found); !problem.empty()) {
      if (const int code = answer(text_); code != kOk) return code;
      return raise("ValueError", problem);
    }
    sizes_ = found.sizes;
    for (const phases::ClassicSection& section : log_.sections)
      text_ += phases::classic_section_text(section, sizes_);
    text_ += phases::classic_end_text();
    if (const int code = answer(text_); code != kOk) return code;
    return args_.has("--visualize_peak") ? draw() : kOk;
  }

 private:
  phases::ClassicGiven given_sizes() const {
    return {number_of(args_, "--model_size"), number_of(args_, "--optimizer_size"),
            number_of(args_, "--gradients_size"), number_of(args_, "--device_memory")};
  }

  int draw() {
    phases::PhasePlot plot;
    plot.title = args_.value("--title");
    for (const phases::ClassicSection& section : log_.sections) {
      const auto bar = phases::classic_breakdown(section, sizes_, args_.has("--use_actual_sizes"));
      if (bar) plot.panels.push_back(phases::classic_panel(section.name, *bar));
    }
    const std::string path = args_.value("--output", phases::kUsualPlotFile);
    if (is_one_of(path, {args_.value("--logs")}))
      return raise("ValueError", "--output would overwrite the log");
    const Result<void> written = write(plot, path);
    if (!written) return raise("OSError", written.error().message);
    return answer(fmt::format("\nVisualization saved to: {}\n", terminal_safe(path)));
  }

  /// A name without an extension gets one, as matplotlib does.
  static Result<void> write(const phases::PhasePlot& plot, const std::string& path) {
    const Result<ui::PlotFormat> format = ui::plot_format(path);
    if (!format) return failure(format.error());
    const bool bare = path.substr(path.rfind('/') + 1).rfind('.') == std::string::npos;
    return write_file(bare ? path + ".png" : path,
                      [&](Writer& out) { return ui::write_plot(phases::layout_plot(plot), *format, out); });
  }

  const PythonArgs& args_;
  phases::ClassicLog log_;
  phases::ClassicSizes sizes_;
  std::string text_;
};

}  // namespace

CommandSpec analyze_memory_spec() {
  const PythonProgram program = python_program();
  CommandSpec spec;
  spec.program = kProgram;
  spec.summary = "phases of a training log, with the texts of tt-train's script";
  spec.description = program.description;
  for (const PythonOption& option : program.options) {
    const bool file = option.name == "--logs" || option.name == "--output";
    spec.options.push_back(
        {option.name, option.metavar, option.help, file ? ValueKind::kFile : ValueKind::kText, {}});
  }
  return spec;
}

int run_analyze_memory(const std::vector<std::string>& args) {
  const PythonProgram program = python_program();
  const PythonArgs parsed = parse_python_args(program, args);
  if (!parsed.error.empty()) {
    say(fmt::format("{}{}: error: {}\n", python_usage(program, columns()), program.name,
                    terminal_safe(parsed.error)));
    return kUsage;
  }
  if (parsed.help_wanted) return answer(python_help(program, columns()));
  return Analysis(parsed).run();
}

}  // namespace ttscope::cli
