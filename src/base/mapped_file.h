#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ttscope {

/// A regular file mapped read-only. The bytes stay valid until the object is destroyed. It has the size that
/// the file had when it was mapped: what is appended later is not seen, and a file that another program
/// shortens meanwhile ends the program with SIGBUS when the lost part is read.
class MappedFile {
 public:
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
  /// The same for a file that is open; the descriptor stays the caller's. `name` is what errors call it.
  static Result<std::shared_ptr<const MappedFile>> map(int descriptor, const std::string& name);
  MappedFile(const char* data, std::size_t size_bytes) : data_(data), size_bytes_(size_bytes) {}
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {data_, size_bytes_}; }

 private:
  const char* data_;
  std::size_t size_bytes_;
};

}  // namespace ttscope
