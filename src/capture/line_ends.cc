#include "capture/line_ends.h"

namespace ttscope::capture {

std::string_view LineEnds::convert(std::string_view bytes) {
  text_.clear();
  if (bytes.empty()) return text_;
  if (holds_return_ && bytes[0] != '\n') text_ += '\r';
  holds_return_ = bytes.back() == '\r';
  if (holds_return_) bytes.remove_suffix(1);
  std::size_t end = 0;
  while ((end = bytes.find("\r\n")) != std::string_view::npos) {
    text_ += bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
  }
  text_ += bytes;
  return text_;
}

std::string_view LineEnds::finish() {
  const bool held = holds_return_;
  holds_return_ = false;
  return held ? "\r" : "";
}

}  // namespace ttscope::capture
