#include "perf/write/terminal/fitted_table.h"

#include <algorithm>

#include "report/text_layout.h"

namespace ttscope::perf {
namespace {

constexpr std::size_t kColumnGap = 2;
constexpr std::size_t kNoRoom = 0;
/// Below this many columns numbers stand closer together.
constexpr std::size_t kNarrow = 100;

}  // namespace

std::size_t FittedTable::gap_behind(std::size_t column) const {
  return width_ < kNarrow && !columns_[column].is_text ? 1 : kColumnGap;
}

std::size_t FittedTable::sum_of(const std::vector<std::size_t>& widths) const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) sum += widths[i] == kNoRoom ? 0 : widths[i] + gap_behind(i);
  return sum;
}

/// By column; kNoRoom for one that has no room, or no cell in any line.
std::vector<std::size_t> FittedTable::find_widths() const {
  std::vector<std::size_t> widths(columns_.size(), kNoRoom);
  for (const std::vector<FittedLine>* lines : {&lines_, &feet_}) {
    for (const FittedLine& line : *lines) {
      for (std::size_t i = 0; i < columns_.size(); ++i)
        widths[i] = std::max(widths[i], report::display_width(line.cells[i]));
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (widths[i] != kNoRoom) widths[i] = std::max(widths[i], report::display_width(columns_[i].header));
  }
  std::size_t& name = widths.back();
  const std::size_t wanted_name = std::max(name, columns_.back().header.size());
  name = 0;
  // Other columns leave before the names lose what tells them apart.
  const std::size_t least_name = std::min(wanted_name, width_ / 3);
  while (sum_of(widths) + least_name > width_) {
    const auto least =
        std::max_element(columns_.begin(), columns_.end(), [&](const FittedColumn& a, const FittedColumn& b) {
          const auto rank = [&](const FittedColumn& column) {
            const auto at = static_cast<std::size_t>(&column - columns_.data());
            return widths[at] == kNoRoom ? 0 : column.rank;
          };
          return rank(a) < rank(b);
        });
    const auto at = static_cast<std::size_t>(least - columns_.begin());
    if (least->rank == 0 || widths[at] == kNoRoom) break;
    widths[at] = kNoRoom;
  }
  const std::size_t used = sum_of(widths);
  name = std::min(wanted_name, std::max(width_, used + columns_.back().header.size()) - used);
  return widths;
}

std::string FittedTable::text_of(const FittedLine& line, const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (widths[i] == kNoRoom) continue;
    const bool is_last = i + 1 == columns_.size();
    std::string cell = is_last ? report::fit(line.cells[i], widths[i]) : line.cells[i];
    const std::size_t blanks = widths[i] - std::min(widths[i], report::display_width(cell));
    CellInk ink = is_last ? line.name_ink : columns_[i].header == "Bound" ? line.bound_ink : CellInk::kNone;
    if (line.is_muted) ink = CellInk::kGrey;
    cell = inked(cell, ink, color_);
    if (!columns_[i].is_text && !is_last) text.append(blanks, ' ');
    text += cell;
    if (is_last) break;
    if (columns_[i].is_text) text.append(blanks, ' ');
    text.append(gap_behind(i), ' ');
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

void FittedTable::write(Writer& out) const {
  const std::vector<std::size_t> widths = find_widths();
  FittedLine head;
  for (const FittedColumn& column : columns_) head.cells.emplace_back(column.header);
  std::size_t total = sum_of(widths);
  total = total > kColumnGap ? total - gap_behind(columns_.size() - 1) : 0;
  out.write(text_of(head, widths));
  out.write(std::string(std::min(total, width_), '-') + "\n");
  for (const FittedLine& line : lines_) out.write(text_of(line, widths));
  if (feet_.empty()) return;
  out.write(std::string(std::min(total, width_), '-') + "\n");
  for (const FittedLine& line : feet_) out.write(text_of(line, widths));
}

}  // namespace ttscope::perf
