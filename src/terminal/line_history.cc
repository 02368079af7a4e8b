#include "terminal/line_history.h"

namespace ttscope::terminal {

void LineHistory::add(std::string_view line) {
  back_ = 0;
  draft_.clear();
  const bool is_blank = line.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (is_blank || (!lines_.empty() && lines_.back() == line)) return;
  lines_.emplace_back(line);
  if (lines_.size() > kMostLines) lines_.erase(lines_.begin());
}

std::string LineHistory::older(const std::string& typed) {
  if (back_ == 0) draft_ = typed;
  if (back_ < lines_.size()) ++back_;
  return back_ == 0 ? typed : lines_[lines_.size() - back_];
}

std::string LineHistory::newer(const std::string& typed) {
  if (back_ == 0) return typed;
  --back_;
  return back_ == 0 ? draft_ : lines_[lines_.size() - back_];
}

LineHistory history_of(std::string_view text) {
  LineHistory history;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    history.add(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return history;
}

std::string text_of(const LineHistory& history) {
  std::string text;
  for (const std::string& line : history.lines()) text += line + "\n";
  return text;
}

}  // namespace ttscope::terminal
