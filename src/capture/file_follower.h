#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace ttscope::capture {

/// Reads a file that another program writes, also when that program empties it or puts a new file in its
/// place. Asks the file system instead of waiting for events, which network file systems do not send.
class FileFollower {
 public:
  enum class Event {
    kData,       ///< `size` bytes were read
    kNothing,    ///< no new bytes
    kRestarted,  ///< the file was emptied or another one has its name: what follows is its beginning
    kGone,       ///< no file has this name at the moment
  };
  struct Step {
    Event event = Event::kNothing;
    std::size_t size = 0;
  };

  static Result<FileFollower> open(const std::string& path);

  /// One step; call it again at once after kData and kRestarted.
  Result<Step> next(char* to, std::size_t room);
  std::uint64_t offset() const { return offset_; }
  /// Size of the file now.
  std::uint64_t size() const;

 private:
  explicit FileFollower(std::string path) : path_(std::move(path)) {}
  bool reopen();

  std::string path_;
  FileDescriptor file_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace ttscope::capture
