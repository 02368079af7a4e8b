#pragma once

#include <string>
#include <string_view>

#include "app/formats.h"
#include "io/beginning.h"

namespace ttscope::app {

/// Tells what a stream is while its reader reads it, for a complaint afterwards. Keeps the beginning and
/// looks at the rest only until it is known that the stream is of the subject that reads it.
class KindWatch {
 public:
  explicit KindWatch(Subject subject) : subject_(subject) {}

  /// The next whole lines of the stream at `path`. Those of a second stream are not looked at.
  void see(const std::string& path, std::string_view lines);

  /// The stream that was seen; empty: none.
  const std::string& path() const { return beginning_.path; }
  /// Null: none of the list.
  const Format* format() const;

 private:
  Subject subject_;
  io::Beginning beginning_{};
  const Format* log_format_ = nullptr;  ///< of the lines
  bool is_known_ = false;               ///< it is of the subject
};

}  // namespace ttscope::app
