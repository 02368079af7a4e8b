#include "phases/read/phase_log/classic_log.h"

#include <algorithm>
#include <charconv>

#include "phases/read/phase_log/log_number.h"

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
  const std::optional<double> number = number_after(text, rules.parameters_words, {});
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
    const std::string_view keyword = rules.parameters_words.substr(0, rules.parameters_words.size() - 1);
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
  const bool has_first_words = text.find(kFirstClassicRules.parameters_words) != std::string_view::npos;
  return has_first_words && !parameters_in(text, kCurrentClassicRules) ? kFirstClassicRules
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

}  // namespace ttscope::phases
