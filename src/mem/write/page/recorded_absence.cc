#include "mem/write/page/recorded_absence.h"

#include <algorithm>

namespace ttscope::mem {
namespace {

constexpr std::string_view kFromLog = "; the log has it: ttscope mem LOG --html PAGE";

std::string from_log(std::string_view what) { return std::string(what).append(kFromLog).append("."); }

/// The name of a missing file of the run.
std::string absent_file(const RecordedFiles& files, std::string_view suffix) {
  const auto found = std::find_if(files.absent_files.begin(), files.absent_files.end(),
                                  [&](const std::string& file) { return file.ends_with(suffix); });
  return found == files.absent_files.end() ? std::string(suffix) : *found;
}

}  // namespace

std::map<std::string, std::string> recorded_absence(const RecordedFiles& files) {
  std::map<std::string, std::string> absent;
  absent["composition"] = from_log(
      "The files of a run do not record deallocations, so which tensors are live at a moment is not known");
  if (!files.has_operations) {
    absent["texts"] =
        absent_file(files, "_operations.json")
            .append(" is not in the folder; it holds the texts, shapes and attributes of the ops.");
  }
  if (!files.has_totals) {
    absent["padding"] =
        from_log("The files record no tensors on the device (unpadded_memory is absent or zero)");
  }
  if (!files.has_registry) {
    absent["weights"] = absent_file(files, "_inputs_registry.json")
                            .append(" is not in the folder; it names the weights of the model.");
  } else if (!files.has_arguments) {
    absent["weights"] =
        "The registry of inputs is empty: the log had no module dumps; TTXLA_LOGGER_LEVEL=DEBUG prints them.";
  }
  if (!files.has_modules_file) {
    absent["ir"] = absent_file(files, "_ir.json").append(" is not in the folder; it holds the modules.");
  } else if (!files.has_modules) {
    absent["ir"] =
        "NAME_ir.json holds no module: the log had no module dumps; TTXLA_LOGGER_LEVEL=DEBUG prints them.";
  }
  if (!files.has_lines)
    absent["lines"] = from_log("These files do not say which line of the log an op is from");
  if (!files.has_programs) {
    absent["programs"] =
        from_log("These files do not say where programs start and end, const-eval functions excepted");
  }
  if (files.modelled_memory) {
    absent["fragmentation"] =
        "The log of this run had no memory lines; TT_RUNTIME_MEMORY_LOG_LEVEL=operation prints them.";
  }
  return absent;
}

}  // namespace ttscope::mem
