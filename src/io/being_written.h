#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ttscope::io {

/// Tells whether logs are still being written. Made before they are read, asked after.
class GrowthWatch {
 public:
  explicit GrowthWatch(std::vector<std::string> paths);

  /// One of the files has grown since, or another process of this machine has it open for writing. How old a
  /// file is does not matter: a log that was copied a moment ago is not being written.
  bool is_being_written() const;

 private:
  std::vector<std::string> paths_;
  std::vector<std::int64_t> sizes_;  ///< -1: no regular file
};

}  // namespace ttscope::io
