#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/input_buffer.h"

namespace ttscope::io {

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
inline constexpr int kMostZstdWindowLog = 27;
std::unique_ptr<ByteReader> make_zstd_reader(InputBuffer input, int most_window_log = kMostZstdWindowLog);
std::unique_ptr<ByteReader> make_xz_reader(InputBuffer input);
std::unique_ptr<ByteReader> make_bzip2_reader(InputBuffer input);

}  // namespace ttscope::io
