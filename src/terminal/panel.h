#pragma once

#include <string>
#include <vector>

#include "terminal/frame.h"

namespace ttscope::terminal {

struct PanelSpec {
  std::string title;
  std::vector<std::string> paragraphs;  ///< each begins on a line of its own; empty ones are blank lines
  Style style = Style::kAccent;         ///< of the frame and the title
};

/// A box around text, at most `columns` wide; on a narrow terminal only the text under its title.
std::vector<Line> panel_lines(const PanelSpec& spec, std::size_t columns);
/// The text under its title, without a box.
std::vector<Line> plain_panel_lines(const PanelSpec& spec, std::size_t columns);

}  // namespace ttscope::terminal
