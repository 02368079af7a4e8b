#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/byte_reader.h"

namespace ttscope::io {

/// Whole lines of an input, in order. A carriage return before the newline is left in the bytes.
struct Chunk {
  /// Ends with a newline, but for the last chunk of the input and a cut line.
  std::string_view bytes;
  std::shared_ptr<const void> owner;  ///< keeps `bytes` valid
  bool stable = false;                ///< the bytes live as long as ChunkSource::backing(): views may be kept
  /// The chunk is the start of one line that is over the limit; its rest and its newline were dropped.
  bool cut_line = false;
};

/// An input as a sequence of chunks: a mapped file, or a stream, compressed (gzip, zstd, xz, bzip2) or
/// plain, made UTF-8 where it is UTF-16, without a byte order mark in front. Not thread safe.
class ChunkSource {
 public:
  static constexpr std::size_t kChunkBytes = std::size_t{4} << 20;
  static constexpr std::size_t kLineLimitBytes = std::size_t{64} << 20;

  virtual ~ChunkSource() = default;
  /// The next chunk; one with empty bytes at the end.
  virtual Result<Chunk> next() = 0;
  /// What keeps stable chunks alive; null for streams.
  virtual std::shared_ptr<const void> backing() const { return nullptr; }
  /// Size of the input as stored, 0 if unknown, and how much of it has been read (for progress).
  virtual std::uint64_t total_bytes() const = 0;
  virtual std::uint64_t consumed_bytes() const = 0;
  /// What is wrong with the input although lines could be read (compressed data that are cut or damaged),
  /// with the name of the input; empty if nothing. Complete once next() has reached the end.
  virtual std::string warning() const { return {}; }
};

struct SourceOptions {
  /// Chunks are of about this size; a longer line makes a longer chunk. At most the line limit.
  std::size_t chunk_bytes = ChunkSource::kChunkBytes;
  /// Longer lines (without newline) are cut to this size, so that a hostile input cannot take unbounded
  /// memory.
  std::size_t line_limit_bytes = ChunkSource::kLineLimitBytes;
  /// Sees the chunks of a pipe or the like as they are read, which nobody can look into afterwards. On the
  /// thread that calls next(); `path` is as it was opened.
  std::function<void(const std::string& path, std::string_view bytes)> watch{};
};

/// Opens a path, `-` for standard input. The kind is found by content, not by name. An
/// error means that the input cannot be opened or read at all.
Result<std::unique_ptr<ChunkSource>> open_source(const std::string& path, const SourceOptions& options = {});

/// Lines of a stream in buffers of their own. `total_bytes` is the size of the input as stored, 0 if unknown.
std::unique_ptr<ChunkSource> make_stream_source(std::unique_ptr<ByteReader> reader, std::uint64_t total_bytes,
                                                const SourceOptions& options);

}  // namespace ttscope::io
