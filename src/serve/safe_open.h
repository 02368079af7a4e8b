#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace ttscope::serve {

inline constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// An open folder whose contents are reached by single names only. Neither `..` nor a symbolic link leads out
/// of it: every step is opened by itself, below the descriptor of the one before, without following links.
class SafeFolder {
 public:
  /// The place that the user named; a link in the way there is the user's own.
  static Result<SafeFolder> open(const std::string& path);

  /// A folder in it; closed when there is none of that name.
  SafeFolder folder(const std::string& name) const;
  /// A regular file in it, for reading; closed when there is none of that name.
  FileDescriptor file(const std::string& name) const;

  bool is_open() const { return descriptor_.is_open(); }

  struct Entry {
    std::string name;
    bool is_folder = false;
    std::uint64_t size_bytes = 0;
    std::int64_t time_ns = 0;  ///< of the last change, since 1970
    std::uint64_t inode = 0;
  };
  /// Regular files and folders, hidden ones and links left out, in the order of their names; at most `most`.
  std::vector<Entry> entries(std::size_t most) const;

 private:
  explicit SafeFolder(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}

  FileDescriptor descriptor_;
};

}  // namespace ttscope::serve
