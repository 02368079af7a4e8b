#include "terminal/panel.h"

#include <algorithm>

#include "base/text_escape.h"
#include "terminal/text_width.h"

namespace ttscope::terminal {
namespace {

constexpr std::size_t kNarrow = 40;
constexpr std::size_t kWidest = 100;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Newlines in a paragraph are line ends; all else that acts on a terminal is escaped.
std::vector<std::string> safe_lines(const std::string& paragraph, std::size_t room) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (true) {
    const std::size_t newline = paragraph.find('\n', at);
    for (std::string& line : wrapped(terminal_safe(paragraph.substr(at, newline - at)), room)) {
      lines.push_back(std::move(line));
    }
    if (newline == std::string::npos) return lines;
    at = newline + 1;
  }
}

std::vector<std::string> text_lines(const PanelSpec& spec, std::size_t room) {
  std::vector<std::string> lines;
  for (const std::string& paragraph : spec.paragraphs) {
    for (std::string& line : safe_lines(paragraph, room)) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::vector<Line> plain_panel_lines(const PanelSpec& spec, std::size_t columns) {
  std::vector<Line> lines;
  const std::size_t room = std::clamp<std::size_t>(columns, 2, kWidest) - 1;
  if (!spec.title.empty()) {
    for (const std::string& part : wrapped(terminal_safe(spec.title), room))
      lines.push_back({{part, spec.style}});
  }
  for (const std::string& line : text_lines(spec, room)) lines.push_back({{line}});
  return lines;
}

std::vector<Line> panel_lines(const PanelSpec& spec, std::size_t columns) {
  if (columns < kNarrow) return plain_panel_lines(spec, columns);
  std::vector<Line> lines;
  const std::string title = terminal_safe(spec.title);
  const std::size_t inner = std::min(columns - 1, kWidest) - 2;
  const std::string head = title.empty() ? "" : " " + cut_to(title, inner - 4) + " ";
  const std::size_t left = (inner - text_columns(head)) / 2;
  lines.push_back({{"╭" + repeated("─", left) + head + repeated("─", inner - left - text_columns(head)) + "╮",
                    spec.style}});
  for (const std::string& line : text_lines(spec, inner - 4)) {
    lines.push_back({{"│", spec.style}, {"  " + padded_to(line, inner - 2)}, {"│", spec.style}});
  }
  lines.push_back({{"╰" + repeated("─", inner) + "╯", spec.style}});
  return lines;
}

}  // namespace ttscope::terminal
