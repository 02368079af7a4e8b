#include "app/fit_input.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/formats.h"
#include "app/simulator.h"
#include "base/result.h"
#include "base/text.h"
#include "graph/analyze/fit.h"
#include "graph/load.h"
#include "graph/write/outputs.h"
#include "mem/fit.h"

namespace ttscope::app {
namespace {

Result<FitAnswers> read_captures(const std::vector<std::string>& paths, const FitReadOptions&) {
  ASSIGN_OR_RETURN(graph::Profile profile, graph::load(paths));
  if (profile.node_count() == 0) return failure(nothing_found(graph::no_input_text(paths)));
  return FitAnswers([shared = std::make_shared<const graph::Profile>(std::move(profile))](
                        const fit::FitQuery& question) { return graph::fit_profile(*shared, question); });
}

Result<FitAnswers> read_memory(const std::vector<std::string>& paths, const FitReadOptions& reading) {
  mem::LoadOptions options;
  options.run_failed_modules = true;
  ASSIGN_OR_RETURN(mem::Profile profile, reading.load_memory(paths, std::move(options)));
  return FitAnswers([shared = std::make_shared<const mem::Profile>(std::move(profile))](
                        const fit::FitQuery& question) { return mem::fit_profile(*shared, question); });
}

struct DetectedInput {
  const FitInput* input = &fit_inputs().back();
  std::string_view what{};  ///< empty: it cannot be opened, and the reader says why
};

DetectedInput detect_input(const std::string& path) {
  const Result<Detected> found = detect(path, LogSearch::kFirstLine);
  if (!found) return {};
  if (found->format == nullptr) return {&fit_inputs().back(), "a log"};
  const Format& format = *found->format;
  for (const FitInput& input : fit_inputs()) {
    const bool is_meant = input.format.empty() ? format.subject == input.subject : format.key == input.format;
    if (is_meant) return {&input, format.what};
  }
  return {&fit_inputs().back(), format.what};
}

}  // namespace

const std::vector<FitInput>& fit_inputs() {
  static const std::vector<FitInput> kInputs = {
      {"training_config", std::nullopt, read_training},
      {"", Subject::kGraph, read_captures},
      {"", Subject::kMem, read_memory},
  };
  return kInputs;
}

Result<const FitInput*> fit_input_of(const std::vector<std::string>& paths) {
  const DetectedInput first = detect_input(paths.front());
  for (const std::string& path : paths) {
    const DetectedInput other = path == paths.front() ? first : detect_input(path);
    if (other.input == first.input || first.what.empty() || other.what.empty()) continue;
    return failure(
        bad_input(fmt::format("{} is {}, {} is {}: ask about each of them by itself",
                              terminal_safe(paths.front()), first.what, terminal_safe(path), other.what)));
  }
  return first.input;
}

}  // namespace ttscope::app
