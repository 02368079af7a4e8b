#pragma once

#include <sys/stat.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/unfinished_file.h"
#include "base/writer.h"

namespace ttscope {

/// `file: cannot write: No space left on device`
Error cannot_write(std::string_view name, std::string_view reason);
Error cannot_write(std::string_view name, int error_number);

/// Writes straight to an open descriptor. `name` is what errors call it.
class DescriptorWriter : public Writer {
 public:
  enum class Ownership { kBorrowed, kClosed };  ///< kClosed: closed by finish() or the destructor

  DescriptorWriter(int descriptor, Ownership ownership, std::string name);
  ~DescriptorWriter() override;
  bool has_failed() const override { return error_.has_value(); }
  [[nodiscard]] Result<void> finish() override;

 protected:
  void drain(std::string_view bytes) override;
  /// Keeps the first error only.
  void fail(int error_number);
  int descriptor() const { return descriptor_; }
  /// Closes an owned descriptor.
  void close();
  Result<void> outcome() const;

 private:
  int descriptor_;
  Ownership ownership_;
  std::string name_;
  std::optional<Error> error_;
};

/// Writes to a temporary file beside `path` and puts it in the place of `path` when finished.
class AtomicFileWriter final : public DescriptorWriter {
 public:
  /// `existing` is the state of the file to replace, null for a new one. `name` is what errors call it.
  static Result<std::unique_ptr<Writer>> create(const std::string& path, const struct stat* existing,
                                                const std::string& name);
  AtomicFileWriter(int descriptor, std::string temporary_path, std::string path, std::string name);
  ~AtomicFileWriter() override;
  [[nodiscard]] Result<void> finish() override;

 private:
  void discard();

  std::string path_;
  std::string temporary_path_;  ///< empty once it is renamed or deleted
  UnfinishedFile unfinished_;
};

}  // namespace ttscope
