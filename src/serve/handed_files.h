#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace ttscope::serve {

/// Open files that are given to a child process. The child opens the descriptors, not names in a folder where
/// somebody else may put a link in their place: it works in a private folder, where links that are called
/// like the files lead to the descriptors, which run_child() hands on.
class HandedFiles {
 public:
  static Result<HandedFiles> make();

  HandedFiles(HandedFiles&& other) noexcept;
  HandedFiles& operator=(HandedFiles&&) = delete;
  ~HandedFiles();

  /// `path` is a name in the folder, or a name in a folder of it, which is made.
  Result<void> add(FileDescriptor file, const std::string& path);

  const std::string& folder() const { return folder_; }
  /// As they were added.
  const std::vector<std::string>& paths() const { return paths_; }
  std::vector<int> descriptors() const;

 private:
  HandedFiles() = default;

  std::vector<FileDescriptor> files_;
  std::string folder_;
  std::vector<std::string> paths_;
};

}  // namespace ttscope::serve
