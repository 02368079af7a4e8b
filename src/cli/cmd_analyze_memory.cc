#include "cli/cmd_analyze_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/file_descriptor.h"
#include "base/text_escape.h"
#include "cli/profile_run.h"
#include "cli/python_args.h"
#include "cli/terminal.h"
#include "phases/analyse/classic_breakdown.h"
#include "phases/load.h"
#include "phases/write/plot/classic_plot.h"
#include "phases/write/terminal/classic_report.h"
#include "report/plot/plot_files.h"

namespace ttscope::cli {
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
    const Result<report::PlotFormat> format = report::plot_format(path);
    if (!format) return failure(format.error());
    const bool bare = path.substr(path.rfind('/') + 1).rfind('.') == std::string::npos;
    return write_file(bare ? path + ".png" : path, [&](Writer& out) {
      return report::write_plot(phases::layout_plot(plot), *format, out);
    });
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
