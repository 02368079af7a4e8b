#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace ttscope::serve {

/// A log that is being uploaded: a file in a hidden folder of its own, both removed by the destructor. The
/// folder is locked as long, so that another server tells it from one that was left behind.
class UploadFile {
 public:
  /// `name` may be anything; the file is called as near to it as is safe. Fails when `base` has no room for
  /// `size_bytes`.
  static Result<std::unique_ptr<UploadFile>> create(const std::string& base, const std::string& name,
                                                    std::uint64_t size_bytes);
  ~UploadFile();
  UploadFile(const UploadFile&) = delete;
  UploadFile& operator=(const UploadFile&) = delete;

  Result<void> write(std::string_view bytes);
  /// Fails unless all announced bytes have come.
  Result<void> finish();

  /// The whole file for reading, wherever its name leads now.
  FileDescriptor reader() const;
  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }

 private:
  UploadFile() = default;

  FileDescriptor lock_;  ///< the folder
  std::string folder_;
  std::string path_;
  std::string name_;
  FileDescriptor file_;
  std::uint64_t announced_bytes_ = 0;
  std::uint64_t written_bytes_ = 0;
};

/// Removes upload folders of servers that did not come to their end; those that a server still holds stay.
void remove_stale_uploads(const std::string& base);

}  // namespace ttscope::serve
