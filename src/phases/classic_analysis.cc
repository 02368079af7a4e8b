#include "phases/classic_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "phases/read/phase_log_reader.h"
#include "phases/write/plot.h"

namespace ttscope::phases {
namespace {

constexpr std::string_view kStart = "=== Memory Usage Summary ===";
constexpr std::string_view kEnd = "Overall DRAM Peak";

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view stripped(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_leading_space(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

/// The last `count` characters, not bytes.
std::string_view last_characters(std::string_view text, std::size_t count) {
  std::size_t at = text.size();
  while (at > 0 && count > 0) {
    --at;
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) --count;
  }
  return text.substr(at);
}

/// The first `[+-]digits[.digits] MB` anywhere in the text; 0 if there is none.
double first_mb(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end < text.size() && text[end] == '.') ++end;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (without_leading_space(text.substr(end)).substr(0, 2) == "MB") {
      double number = 0;
      std::from_chars(text.data() + at, text.data() + end, number);
      return at > 0 && text[at - 1] == '-' ? -number : number;
    }
    at = end - 1;
  }
  return 0;
}

/// The number behind the first `words` that has one; `unit` must follow it unless empty.
std::optional<double> number_after(std::string_view text, std::string_view words, std::string_view unit) {
  const bool needs_space = words.back() != ':';
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    if (needs_space && at > 0 && is_word(text[at - 1])) continue;
    const std::string_view behind = text.substr(at + words.size());
    const std::string_view rest = without_leading_space(behind);
    if ((needs_space && rest.size() == behind.size()) || rest.empty() || !is_digit(rest[0])) continue;
    std::size_t used = 0;
    const std::optional<double> number = read_log_number(rest, &used);
    if (!number) continue;
    if (unit.empty() || without_leading_space(rest.substr(used)).substr(0, unit.size()) == unit)
      return number;
  }
  return std::nullopt;
}

std::optional<double> parameters_in(std::string_view text, const ClassicRules& rules) {
  const std::optional<double> number = number_after(text, rules.parameters_prefix, {});
  return number || !rules.reads_table ? number : number_after(text, "params", {});
}

std::optional<double> device_memory_in(std::string_view text, const ClassicRules& rules) {
  if (!rules.reads_table) return std::nullopt;
  const std::optional<double> number = number_after(text, "Available Device Memory:", "MB");
  return number ? number : number_after(text, "memory", "MB");
}

std::string name_in(std::string_view window, const ClassicRules& rules) {
  while (!window.empty()) {
    const std::size_t newline = window.rfind('\n');
    const std::string_view line =
        stripped(newline == std::string_view::npos ? window : window.substr(newline + 1));
    window = newline == std::string_view::npos ? std::string_view() : window.substr(0, newline);
    const std::string_view keyword = rules.parameters_prefix.substr(0, rules.parameters_prefix.size() - 1);
    if (!line.empty() && line[0] != '#' && line.find(keyword) == std::string_view::npos)
      return std::string(line);
  }
  return "Unknown";
}

/// Takes `label`, then the text up to one of `stops`; false if the text does not go on like that.
bool take_field(std::string_view& text, std::string_view label, std::string_view stops, double& mb) {
  if (text.substr(0, label.size()) != label) return false;
  text.remove_prefix(label.size());
  const std::size_t end = text.find_first_of(stops);
  mb = first_mb(text.substr(0, end));
  text = end == std::string_view::npos ? std::string_view() : text.substr(end);
  return true;
}

/// The two lines of figures behind a header.
std::optional<std::array<double, kDramFieldCount>> read_figures(std::string_view text) {
  std::array<double, kDramFieldCount> mb{};
  const std::string_view start = without_leading_space(text);
  if (start.size() == text.size()) return std::nullopt;
  text = start;
  if (!take_field(text, "DRAM: Segment Peak ", ",", mb[0]) ||
      !take_field(text, ", Allocations ", ",", mb[1]) || !take_field(text, ", Deallocations ", ",", mb[2]) ||
      !take_field(text, ", Segment Change ", "\n", mb[3])) {
    return std::nullopt;
  }
  text = without_leading_space(text);
  if (!take_field(text, "DRAM: Cumulative Peak ", ",", mb[4]) ||
      !take_field(text, ", Cumulative Current ", "\n", mb[5])) {
    return std::nullopt;
  }
  return mb;
}

/// The first block of that name which has its figures.
std::optional<std::array<double, kDramFieldCount>> find_phase(std::string_view section,
                                                              std::string_view header) {
  for (std::size_t at = section.find(header); at != std::string_view::npos;
       at = section.find(header, at + 1)) {
    if (auto figures = read_figures(section.substr(at + header.size()))) return figures;
  }
  return std::nullopt;
}

/// The text with what it says as a whole, which is looked for once.
struct WholeText {
  std::string_view text;
  std::optional<double> parameters;
  std::optional<double> device_memory_mb;
};

ClassicSection read_section(const WholeText& whole, std::size_t begin, std::size_t end,
                            const ClassicRules& rules) {
  constexpr std::array<std::string_view, kClassicPhaseCount> kHeaders = {
      "--- MODEL_CREATION ---", "--- OPTIMIZER_CREATION ---", "--- FORWARD_PASS ---",
      "--- BACKWARD_PASS ---"};
  ClassicSection section;
  const std::string_view window = last_characters(whole.text.substr(0, begin), rules.window_characters);
  const std::string_view body = whole.text.substr(begin, end - begin);
  section.name = name_in(window, rules);
  section.parameters = parameters_in(window, rules);
  if (!section.parameters) section.parameters = whole.parameters;
  section.device_memory_mb = device_memory_in(window, rules);
  if (!section.device_memory_mb) section.device_memory_mb = whole.device_memory_mb;
  for (std::size_t phase = 0; phase < kClassicPhaseCount; ++phase)
    section.phases[phase] = find_phase(body, kHeaders[phase]);
  constexpr std::string_view kPeak = "Overall DRAM Peak: ";
  const std::size_t peak = body.find(kPeak);
  if (peak != std::string_view::npos) {
    const std::string_view rest = body.substr(peak + kPeak.size());
    section.peak_mb = first_mb(rest.substr(0, rest.find(',')));
  }
  return section;
}

/// Logs of the first release have its words and no number in the words of today.
const ClassicRules& rules_for(std::string_view text) {
  const bool has_first_prefix = text.find(kFirstClassicRules.parameters_prefix) != std::string_view::npos;
  return has_first_prefix && !parameters_in(text, kCurrentClassicRules) ? kFirstClassicRules
                                                                        : kCurrentClassicRules;
}

}  // namespace

ClassicLog read_classic_log(std::string_view text) {
  ClassicLog log;
  log.rules = rules_for(text);
  const WholeText whole{text, parameters_in(text, log.rules), device_memory_in(text, log.rules)};
  std::size_t begin = text.find(kStart);
  while (begin != std::string_view::npos) {
    const std::size_t last = text.find(kEnd, begin + kStart.size());
    if (last == std::string_view::npos) break;
    const std::size_t end = std::min(text.find('\n', last), text.size());
    log.sections.push_back(read_section(whole, begin, end, log.rules));
    begin = text.find(kStart, end);
  }
  return log;
}

std::optional<double> classic_parameters(const ClassicLog& log) {
  for (const ClassicSection& section : log.sections) {
    if (section.parameters) return section.parameters;
  }
  return std::nullopt;
}

std::optional<double> classic_device_mb(const ClassicLog& log) {
  for (const ClassicSection& section : log.sections) {
    if (section.device_memory_mb) return section.device_memory_mb;
  }
  return std::nullopt;
}

FoundClassicSizes find_classic_sizes(const ClassicLog& log, const ClassicUserSizes& given) {
  constexpr double kMb = 1048576;
  constexpr double kBytesOfParameter = 2;  // bf16
  FoundClassicSizes found;
  std::optional<double> model = given.model_bytes;
  if (!model) {
    found.parameters = classic_parameters(log);
    if (found.parameters) model = *found.parameters * kBytesOfParameter;
  }
  if (!model) {
    found.missing = FoundClassicSizes::Missing::kModel;
    return found;
  }
  found.sizes.model_mb = *model / kMb;
  found.sizes.optimizer_mb = given.optimizer_bytes.value_or(*model * 2) / kMb;
  found.sizes.gradients_mb = given.gradients_bytes.value_or(*model) / kMb;
  if (!given.device_bytes) found.log_device_mb = classic_device_mb(log);
  if (given.device_bytes) {
    found.sizes.device_mb = *given.device_bytes / kMb;
  } else if (found.log_device_mb || log.rules.assumed_device_mb) {
    found.sizes.device_mb = found.log_device_mb ? *found.log_device_mb : *log.rules.assumed_device_mb;
  } else {
    found.missing = FoundClassicSizes::Missing::kDevice;
  }
  return found;
}

std::optional<double> classic_mb(const ClassicSection& section, ClassicPhase phase, DramField field) {
  const auto& figures = section.phases[static_cast<std::size_t>(phase)];
  return figures ? std::optional<double>((*figures)[static_cast<std::size_t>(field)]) : std::nullopt;
}

std::optional<double> classic_gradients_mb(const ClassicSection& section) {
  const auto after = classic_mb(section, ClassicPhase::kBackward, DramField::kCumulativeCurrent);
  const auto before = classic_mb(section, ClassicPhase::kOptimizer, DramField::kCumulativeCurrent);
  return after && before ? std::optional<double>(*after - *before) : std::nullopt;
}

double classic_difference(double actual_mb, double expected_mb) {
  return expected_mb == 0 ? 0 : (actual_mb - expected_mb) / expected_mb * 100;
}

std::optional<ClassicBreakdown> classic_breakdown(const ClassicSection& section, const ClassicSizes& sizes,
                                                  bool use_actual_sizes) {
  if (!section.peak_mb) return std::nullopt;
  const auto change = [&](ClassicPhase phase) {
    return classic_mb(section, phase, DramField::kSegmentChange).value_or(0);
  };
  ClassicBreakdown bar;
  bar.model_mb = use_actual_sizes ? change(ClassicPhase::kModel) : sizes.model_mb;
  bar.optimizer_mb = use_actual_sizes ? change(ClassicPhase::kOptimizer) : sizes.optimizer_mb;
  bar.activations_mb = change(ClassicPhase::kForward);
  bar.gradients_overhead_mb =
      classic_mb(section, ClassicPhase::kBackward, DramField::kSegmentPeak).value_or(0);
  bar.total_mb = *section.peak_mb;
  bar.device_mb = sizes.device_mb;
  const double explained = bar.model_mb + bar.optimizer_mb + bar.activations_mb + bar.gradients_overhead_mb;
  bar.other_mb = std::max(0.0, bar.total_mb - explained);
  return bar;
}

PlotPanel classic_panel(const std::string& name, const ClassicBreakdown& bar) {
  using Kind = ComponentKind;
  PlotPanel panel;
  panel.name = name;
  const auto add = [&](Kind kind, double mb) {
    panel.segments.push_back({style_of(kind).label, style_of(kind).color, mb});
  };
  add(Kind::kOther, bar.other_mb);
  add(Kind::kModel, bar.model_mb);
  add(Kind::kGradientsOverhead, bar.gradients_overhead_mb);
  add(Kind::kOptimizer, bar.optimizer_mb);
  add(Kind::kActivations, bar.activations_mb);
  panel.total_mb = bar.total_mb;
  panel.limit_mb = bar.device_mb;
  return panel;
}

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
