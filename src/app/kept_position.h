#pragma once

#include <sys/types.h>

#include <string>

namespace ttscope::app {

/// Where standard input stands, so that it can be read from there again: its position is shared with every
/// copy that is read. Nothing for other paths, and for a pipe, which has none.
class KeptPosition {
 public:
  explicit KeptPosition(const std::string& path);

  /// Whether what has been read can be read again.
  bool is_kept() const { return position_ >= 0; }
  void restore() const;

 private:
  off_t position_;
};

}  // namespace ttscope::app
