#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "app/formats.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
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

struct PhasesOptions {
  std::vector<std::string> logs;
  phases::PhaseOptions sizes;
  Outputs outputs{20};
  std::string title;
  std::string plot;
  bool visualize = false;
  bool limit = false;
};

OptionSpec size_option(std::string_view names, std::optional<std::int64_t>& size, std::string_view help) {
  return value_option(
      names, "SIZE",
      [&size](std::string_view key, const std::string& text) {
        size = parse_size(text);
        constexpr std::int64_t kMax = std::int64_t{1} << 55;
        return size && *size > 0 && *size <= kMax ? std::string()
                                                  : wrong_value(key, text, "a size (12884901888, 12GB)");
      },
      help);
}

CommandSpec describe_phases(PhasesOptions& options) {
  Outputs& outputs = options.outputs;
  phases::PhaseOptions& sizes = options.sizes;
  CommandSpec spec;
  spec.program = "ttscope phases";
  spec.summary = "memory of training by phase, from MemoryUsageTracker's logs";
  spec.description =
      "Reads the summaries that tt-train's MemoryUsageTracker prints and says whether each run fits, what "
      "its DRAM "
      "peak is made of, what every phase and micro-step adds, and what would save memory. Several runs, in "
      "one log or "
      "more, are compared.";
  spec.positional = {"LOG", "training log, plain or compressed; - for standard input", 1, kManyArguments};
  spec.arguments = &options.logs;
  spec.options = {
      size_option("--model-size", sizes.model_bytes,
                  "expected size of the model (default: 2 bytes a parameter)"),
      size_option("--optimizer-size", sizes.optimizer_bytes, "expected optimizer state (default: 2 x model)"),
      size_option("--gradients-size", sizes.gradients_bytes, "expected gradients (default: as the model)"),
      size_option("--device-memory", sizes.device_bytes,
                  "memory of one device (default: what the log tells)"),
      value_option(
          "--devices", "N",
          [&sizes](std::string_view key, const std::string& text) {
            int devices = 0;
            std::string problem = take_number(key, text, 1, devices);
            sizes.devices = static_cast<std::uint32_t>(devices);
            return problem;
          },
          "how many devices share the memory that the log tells"),
      flag_option("--use-actual-sizes", sizes.use_actual_sizes,
                  "show model and optimizer as measured, not as expected"),
      flag_option("--visualize-peak", options.visualize,
                  "write the histogram to memory_peak_visualization.png"),
      outputs.file_option("--output", "PATH", options.plot, "write the histogram there, as .png or .svg"),
      text_option("--title", "TEXT", options.title, "title of histogram, page and report"),
      outputs.html_option("write the page that compares runs: one file"),
      outputs.json_option(),
      outputs.llm_option(),
      flag_option("--limit", options.limit, "exit with 3 when a peak is over the device's memory"),
      outputs.top_option("rows of each list of phases (default 20; 0 for all)"),
      outputs.color_option(),
      outputs.quiet_option(),
  };
  spec.examples = kPhasesExamples;
  return spec;
}

Result<void> write_outputs(const phases::Profile& profile, PhasesOptions& options, ui::PlotFormat format) {
  const phases::PhasesJsonOptions document{version_text(), options.title};
  return options.outputs.write({
      {options.outputs.json, [&](Writer& out) { phases::write_phases_json(profile, out, document); }},
      {options.outputs.llm, [&](Writer& out) { phases::write_phases_markdown(profile, options.title, out); }},
      {options.outputs.html, [&](Writer& out) { return phases::write_phases_page(profile, out, document); }},
      {options.plot,
       [&](Writer& out) {
         return ui::write_plot(phases::layout_plot(phases::phases_plot(profile.analysis, options.title)),
                               format, out);
       }},
  });
}

/// A run whose figures do not tell whether it fits does not pass.
int check_limit(const phases::PhaseAnalysis& analysis) {
  int code = kOk;
  for (const phases::Configuration& run : analysis.configurations) {
    if (run.has_verdict() && !exceeds_device(run)) continue;
    complain(fmt::format("{}: {}: {}", run.has_verdict() ? "limit exceeded" : "--limit", run.name,
                         phases::verdict_text(run)));
    code = kLimitExceeded;
  }
  return code;
}

int run_phases(PhasesOptions& options) {
  const std::vector<std::string>& logs = options.logs;
  Outputs& outputs = options.outputs;
  if (!outputs.are_usable(logs)) return kUsage;
  if (options.plot.empty() && options.visualize) options.plot = phases::kUsualPlotFile;
  const Result<ui::PlotFormat> format = ui::plot_format(options.plot);
  if (!format) {
    complain(fmt::format("--output {}", format.error().message));
    return kUsage;
  }
  if (logs.size() > 1) {
    const std::string other = app::wrong_kind_among(logs, {app::Subject::kPhases});
    if (!other.empty()) return fail(bad_input(other));
  }
  CommandInputs inputs(logs, {app::Subject::kPhases});
  const Result<phases::Profile> profile = phases::load(logs, {options.sizes, inputs.watched()});
  if (!profile) return inputs.fail(profile.error());
  if (const std::string archive = inputs.archive_message(); !archive.empty()) return fail(bad_input(archive));
  if (profile->log.summaries.empty()) {
    for (const std::string& warning : profile->log.warnings) complain(warning);
    return inputs.fail(nothing_found(phases::no_input_text(logs)));
  }
  Result<void> written = write_outputs(*profile, options, *format);
  if (written && outputs.prints()) {
    written = print(phases::phases_summary_text(*profile, outputs.text_options()) + outputs.written_text());
  }
  if (!written) return fail(written.error());
  return options.limit ? check_limit(profile->analysis) : kOk;
}

}  // namespace

Command phases_command() { return make_command("phases", describe_phases, run_phases); }

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
    const phases::FoundClassicSizes found = phases::find_classic_sizes(log_, user_sizes());
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
  phases::ClassicUserSizes user_sizes() const {
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
    ASSIGN_OR_RETURN(const ui::PlotFormat format, ui::plot_format(path));
    const bool bare = path.substr(path.rfind('/') + 1).rfind('.') == std::string::npos;
    return write_file(bare ? path + ".png" : path,
                      [&](Writer& out) { return ui::write_plot(phases::layout_plot(plot), format, out); });
  }

  const PythonArgs& args_;
  phases::ClassicLog log_;
  phases::ClassicSizes sizes_;
  std::string text_;
};

/// For help and completion; Python's rules read the words.
CommandSpec describe_analyze_memory() {
  const PythonProgram program = python_program();
  CommandSpec spec;
  spec.program = kProgram;
  spec.summary = "phases of a training log, with the texts of tt-train's script";
  spec.description = program.description;
  for (const PythonOption& option : program.options) {
    const bool file = option.name == "--logs" || option.name == "--output";
    spec.options.push_back(
        {option.name, option.metavar, option.help, file ? ValueKind::kFile : ValueKind::kText});
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

}  // namespace

Command analyze_memory_command() { return {"analyze_memory", describe_analyze_memory, run_analyze_memory}; }

}  // namespace ttscope::cli
