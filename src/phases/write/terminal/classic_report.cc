#include "phases/write/terminal/classic_report.h"

#include <fmt/format.h>

#include "base/text_escape.h"

namespace ttscope::phases {
namespace {

std::string with_commas(std::string digits) {
  const std::size_t start = digits[0] == '-' ? 1 : 0;
  std::size_t end = digits.find_first_not_of("0123456789", start);
  if (end == std::string::npos) end = digits.size();
  for (std::size_t at = end; at > start + 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string banner(std::string_view title) {
  const std::string rule(80, '=');
  return fmt::format("\n{}\n{}\n{}\n", rule, title, rule);
}

/// The script leaves the difference of the model's size out when nothing is expected, and only there.
std::string size_block(std::string_view title, double actual_mb, double expected_mb, bool with_difference) {
  std::string text =
      fmt::format("\n--- {} ---\n  Actual (from logs):   {} MB\n  Expected (input):     {} MB\n", title,
                  classic_number(actual_mb), classic_number(expected_mb));
  if (with_difference) {
    text += fmt::format("  Difference:           {:+.2f}%\n", classic_difference(actual_mb, expected_mb));
  }
  return text;
}

}  // namespace

std::string classic_number(double number) { return with_commas(fmt::format("{:.2f}", number)); }

std::string classic_count(double number) { return with_commas(fmt::format("{:.0f}", number)); }

std::string classic_sizes_text(const FoundClassicSizes& found) {
  std::string text;
  if (found.parameters) {
    text += fmt::format(
        "Model size not provided, calculated from logs: {:.2f} MB ({} parameters, assuming bf16)\n",
        found.sizes.model_mb, classic_count(*found.parameters));
  }
  if (found.log_device_mb) {
    text += fmt::format("Available device memory, calculated from logs: {:.2f} MB\n", *found.log_device_mb);
  }
  return text;
}

std::string_view classic_missing_text(const FoundClassicSizes& found) {
  switch (found.missing) {
    case FoundClassicSizes::Missing::kModel:
      return "Error: Model size not provided and could not be extracted from logs";
    case FoundClassicSizes::Missing::kDevice:
      return "Error: Device memory not provided and could not be extracted from logs";
    case FoundClassicSizes::Missing::kNothing:
      break;
  }
  return {};
}

std::string classic_section_text(const ClassicSection& section, const ClassicSizes& sizes) {
  std::string text = banner("Section: " + terminal_safe(section.name));
  if (section.parameters)
    text += fmt::format("Number of parameters: {}\n", classic_count(*section.parameters));
  if (const auto model = classic_mb(section, ClassicPhase::kModel, DramField::kSegmentChange)) {
    text += size_block("Model Size", *model, sizes.model_mb, sizes.model_mb > 0);
  }
  if (const auto optimizer = classic_mb(section, ClassicPhase::kOptimizer, DramField::kSegmentChange)) {
    text += size_block("Optimizer State", *optimizer, sizes.optimizer_mb, true);
  }
  if (const auto activations = classic_mb(section, ClassicPhase::kForward, DramField::kSegmentChange)) {
    text += fmt::format("\n--- Activations Size ---\n  Activations:          {} MB\n",
                        classic_number(*activations));
  }
  if (const auto gradients = classic_gradients_mb(section)) {
    text += size_block("Gradients Size", *gradients, sizes.gradients_mb, true);
  }
  if (section.peak_mb) {
    text += fmt::format(
        "\n--- Peak DRAM Usage ---\n  Peak DRAM:            {} MB\n  Device Memory:        {} MB\n"
        "  Usage:                {:.2f}%\n",
        classic_number(*section.peak_mb), classic_number(sizes.device_mb),
        *section.peak_mb / sizes.device_mb * 100);
  }
  return text;
}

std::string classic_end_text() { return banner("Analysis complete") + "\n"; }

}  // namespace ttscope::phases
