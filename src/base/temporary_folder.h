#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ttscope {

/// A folder that is filled and then renamed to its place; removed with all it holds when that does not
/// happen.
class TemporaryFolder {
 public:
  /// Makes an empty folder with a unique hidden name in `parent`, which must exist.
  static Result<TemporaryFolder> create(const std::string& parent, const std::string& name);
  /// Makes the folder `path`, of `mode` less the umask; nothing when it exists already.
  static std::optional<TemporaryFolder> make(const std::string& path, mode_t mode = 0777);

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

/// The folders down to a path, those that were missing being made. Its end removes those it made if they are
/// empty.
class MadeFolders {
 public:
  static Result<MadeFolders> make(const std::string& path);

  MadeFolders(MadeFolders&& other) noexcept : folders_(std::move(other.folders_)) { other.folders_.clear(); }
  MadeFolders& operator=(MadeFolders&&) = delete;
  ~MadeFolders();

 private:
  MadeFolders() = default;

  std::vector<std::string> folders_;  ///< outermost first
};

/// Removes the temporary folders of the process and the empty ones it made; it cannot make new ones
/// afterwards. For the end by a signal.
void remove_temporary_folders();

}  // namespace ttscope
