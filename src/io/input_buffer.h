#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/file_descriptor.h"

namespace ttscope::io {

/// Bytes of a file, a pipe or memory as they are stored, read ahead of a decoder. Not thread safe.
class InputBuffer {
 public:
  /// give_back() can return this much, also when a refill lies between.
  static constexpr std::size_t kGiveBackBytes = 8;

  /// `name` is what errors call the input. The capacity is one that a file's magic fits in.
  InputBuffer(FileDescriptor file, std::string name, std::size_t capacity_bytes = kCapacityBytes);

  /// The same for bytes in memory, which must outlive it.
  InputBuffer(std::string_view bytes, std::string name, std::size_t capacity_bytes = kCapacityBytes);

  /// What has been read and not yet taken.
  std::string_view rest() const { return {bytes_.get() + begin_, end_ - begin_}; }
  void take(std::size_t size_bytes) { begin_ += size_bytes; }
  /// Undoes the last bytes of take().
  void give_back(std::size_t size_bytes) { begin_ -= size_bytes; }
  /// Reads more behind rest(); false at the end of the input. There is room while rest() is shorter than the
  /// capacity.
  bool read_more();
  /// Takes up to `room_bytes`, past the buffer when it is empty; 0 at the end of the input.
  std::size_t take_into(char* to, std::size_t room_bytes);
  /// A failed read looks like the end of the input; this tells them apart.
  const std::optional<Error>& error() const { return error_; }

  /// How much has been taken.
  std::uint64_t taken_bytes() const { return read_bytes_ - (end_ - begin_); }
  const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t kCapacityBytes = std::size_t{1} << 18;

  std::size_t read_into(char* to, std::size_t room_bytes);

  FileDescriptor file_;
  std::string_view memory_;  ///< what is left of it, where there is no file
  std::string name_;
  std::size_t capacity_bytes_;
  std::unique_ptr<char[]> bytes_;
  std::size_t begin_ = kGiveBackBytes;
  std::size_t end_ = kGiveBackBytes;
  std::uint64_t read_bytes_ = 0;
  std::optional<Error> error_;
};

}  // namespace ttscope::io
