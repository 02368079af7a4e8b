#pragma once

#include <string>

namespace ttscope::cli {

/// One line at the bottom of a terminal (standard error) that is overwritten in place; nothing when standard
/// error is no terminal. The destructor clears it. Used by one thread.
class StatusLine {
 public:
  explicit StatusLine(bool wanted);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool is_enabled() const { return enabled_; }
  /// Columns that a text may have.
  std::size_t room() const;
  void show(const std::string& text);
  void clear();

 private:
  bool enabled_;
  std::string shown_;
};

}  // namespace ttscope::cli
