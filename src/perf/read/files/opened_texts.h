#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "io/whole_text.h"

namespace ttscope::perf {

/// The texts of the files that a command works on. Each is opened once: a pipe cannot be read again, and
/// compressed files are unpacked. Not thread safe.
class OpenedTexts {
 public:
  /// An empty path has an empty text.
  Result<io::WholeText> open(const std::string& path);

 private:
  std::map<std::string, io::WholeText> texts_;
};

}  // namespace ttscope::perf
