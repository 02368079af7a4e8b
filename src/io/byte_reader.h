#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"

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

/// The plain bytes of an input, decompressed if need be.
class ByteReader {
 public:
  virtual ~ByteReader() = default;
  /// Writes up to `room_bytes` (more than 0) and returns how many; 0 at the end.
  virtual Result<std::size_t> read(char* to, std::size_t room_bytes) = 0;
  /// How much of the input as stored has been used.
  virtual std::uint64_t consumed_bytes() const = 0;
  /// As ChunkSource::warning().
  virtual std::string warning() const { return {}; }
};

enum class Compression { kNone, kGzip, kZstd, kXz, kBzip2 };

/// What the first bytes of an input say; kMagicBytes are enough.
inline constexpr std::size_t kMagicBytes = 10;

Compression compression_of(std::string_view first_bytes);

std::unique_ptr<ByteReader> make_byte_reader(Compression compression, InputBuffer input);
std::unique_ptr<ByteReader> make_plain_reader(InputBuffer input);
/// Data that are cut or damaged are decoded as far as possible and told by warning(); only a failed read is
/// an error.
std::unique_ptr<ByteReader> make_gzip_reader(InputBuffer input);

/// A frame of zstd that asks for a larger window is not read: the memory would be taken on the word of an
/// input that may be hostile. The limit is 128 MiB, libzstd's own.
inline constexpr int kMaxZstdWindowLog = 27;

std::unique_ptr<ByteReader> make_zstd_reader(InputBuffer input, int max_window_log = kMaxZstdWindowLog);
std::unique_ptr<ByteReader> make_xz_reader(InputBuffer input);
std::unique_ptr<ByteReader> make_bzip2_reader(InputBuffer input);

}  // namespace ttscope::io
