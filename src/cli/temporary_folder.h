#pragma once

#include <string>

#include "base/result.h"

namespace ttscope::cli {

/// A folder that is filled and then renamed to its place; removed with all it holds when that does not
/// happen.
class TemporaryFolder {
 public:
  /// Makes an empty folder with a unique hidden name in `parent`, which must exist.
  static Result<TemporaryFolder> create(const std::string& parent, const std::string& name);

  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }
  /// The folder has its final name: nothing is left to remove.
  void release();

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// Removes the temporary folders of the process, which cannot make new ones afterwards. For the end by a
/// signal.
void remove_temporary_folders();

}  // namespace ttscope::cli
