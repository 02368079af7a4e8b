#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ttscope::chip {

/// Binaries by what they were made from: the command, and the content of each file that the compiler read.
/// Several processes may use a folder at once.
class KernelCache {
 public:
  KernelCache(std::string folder, std::string_view command);

  /// Where a binary is written before it is kept, and the compiler's list of files; both are of this process
  /// alone.
  std::string new_binary() const { return unfinished_ + ".elf"; }
  std::string new_dependencies() const { return unfinished_ + ".d"; }

  struct Entry {
    std::string binary;
    std::string log;
  };
  /// Empty: not there, or a file has changed since.
  std::optional<Entry> find() const;
  /// Takes the new binary in.
  Result<Entry> keep(std::string_view log) const;

 private:
  std::string base_;  ///< path without ending
  std::string unfinished_;
};

}  // namespace ttscope::chip
