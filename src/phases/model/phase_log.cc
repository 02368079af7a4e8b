#include "phases/model/phase_log.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ttscope::phases {

const ProblemInfo& info_of(PhaseProblem problem) {
  static constexpr std::array<ProblemInfo, kPhaseProblemCount> kInfos = {{
      {"figure_unreadable", "lines of figures with numbers that cannot be read (those figures are missing)",
       false},
      {"figure_outside_phase", "lines of figures without a phase above them (ignored)", false},
      {"phase_without_figures", "phase headers without figures (ignored)", false},
      {"summary_cut", "summaries without their totals (taken from the last phase)", true},
      {"summary_header_missing", "phases without the line that opens a summary (taken as one)", true},
      {"segment_overwritten",
       "segments that replaced an earlier one of the same name (the earlier figures are lost)", false},
      {"nothing_captured", "summaries without any segment", false},
      {"line_too_long", "lines too long to be real (only the beginning was read)", true},
  }};
  return kInfos[static_cast<std::size_t>(problem)];
}

namespace {

std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Takes `<mark><digits>` off the end of a name.
std::optional<std::uint32_t> take_number(std::string& name, std::string_view mark) {
  const std::size_t at = name.rfind(mark);
  if (at == std::string::npos || at == 0) return std::nullopt;
  const std::optional<std::uint32_t> number = whole_number(std::string_view(name).substr(at + mark.size()));
  if (number) name.resize(at);
  return number;
}

bool has(std::string_view name, std::string_view word) { return name.find(word) != std::string_view::npos; }

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

PhaseRole role_of(const std::string& base) {
  std::string name = base;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); });
  if (name.rfind("BEFORE_", 0) == 0) return PhaseRole::kOther;  // what was there before the phase it names
  if (ends_with(name, "_FWD") || has(name, "FORWARD")) return PhaseRole::kForward;
  if (ends_with(name, "_BWD") || has(name, "BACKWARD")) return PhaseRole::kBackward;
  if (has(name, "OPTIMIZER_STEP") || ends_with(name, "ITERATION_COMPLETE")) return PhaseRole::kStep;
  if (has(name, "OPTIMIZER")) return PhaseRole::kOptimizer;
  const bool is_model =
      has(name, "MODEL_CREATION") || has(name, "WEIGHT_LOADING") || has(name, "LORA_INJECTION");
  return is_model ? PhaseRole::kModel : PhaseRole::kOther;
}

}  // namespace

std::string_view name_of(PhaseRole role) {
  constexpr std::array<std::string_view, 6> kNames = {"model",    "optimizer", "forward",
                                                      "backward", "step",      "other"};
  return kNames[static_cast<std::size_t>(role)];
}

PhaseLabel read_label(std::string_view name) {
  PhaseLabel label;
  label.base = std::string(name);
  label.counter = take_number(label.base, "__");
  label.micro_step = take_number(label.base, "_micro_");
  label.role = role_of(label.base);
  return label;
}

}  // namespace ttscope::phases
