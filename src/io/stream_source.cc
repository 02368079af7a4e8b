#include "io/stream_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/text_search.h"

namespace ttscope::io {
namespace {

struct Buffer {
  explicit Buffer(std::size_t capacity) : bytes(new char[capacity]), capacity_bytes(capacity) {}
  std::string_view text() const { return {bytes.get(), size_bytes}; }
  /// How much of it is whole lines.
  std::size_t whole_lines_bytes() const {
    const void* last = ::memrchr(bytes.get(), '\n', size_bytes);
    return last == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(last) - bytes.get()) + 1;
  }

  std::shared_ptr<char[]> bytes;
  std::size_t capacity_bytes;
  std::size_t size_bytes = 0;
};

class StreamSource final : public ChunkSource {
 public:
  StreamSource(std::unique_ptr<ByteReader> reader, std::uint64_t total_bytes, const SourceOptions& options)
      : reader_(std::move(reader)), total_bytes_(total_bytes), options_(options) {}

  Result<Chunk> next() override;
  std::uint64_t total_bytes() const override { return total_bytes_; }
  std::uint64_t consumed_bytes() const override { return reader_->consumed_bytes(); }
  std::string warning() const override { return reader_->warning(); }

 private:
  /// One byte more than a line may have tells whether it is over the limit.
  std::size_t largest_capacity() const { return options_.line_limit_bytes + 1; }
  Buffer start_buffer();
  Result<void> fill(Buffer& buffer);
  void drop_rest_of_line(Buffer& buffer);
  Chunk cut_line(const Buffer& buffer);
  Chunk deliver(const Buffer& buffer, std::size_t size_bytes);

  std::unique_ptr<ByteReader> reader_;
  std::uint64_t total_bytes_;
  SourceOptions options_;
  bool ended_ = false;
  bool dropping_ = false;     ///< inside a line that was cut
  std::string_view carried_;  ///< start of a line at the end of the last buffer
  std::shared_ptr<const void> carried_owner_;
};

Result<Chunk> StreamSource::next() {
  Buffer buffer = start_buffer();
  for (;;) {
    if (auto filled = fill(buffer); !filled) return failure(filled.error());
    if (dropping_) {
      drop_rest_of_line(buffer);
      if (!ended_) continue;
    }
    const std::size_t lines_bytes = buffer.whole_lines_bytes();
    if (lines_bytes == 0 && buffer.size_bytes > options_.line_limit_bytes) return cut_line(buffer);
    if (ended_) return deliver(buffer, buffer.size_bytes);
    if (lines_bytes > 0) return deliver(buffer, lines_bytes);
    Buffer larger(std::min(2 * buffer.capacity_bytes, largest_capacity()));
    std::memcpy(larger.bytes.get(), buffer.bytes.get(), buffer.size_bytes);
    larger.size_bytes = buffer.size_bytes;
    buffer = std::move(larger);
  }
}

Buffer StreamSource::start_buffer() {
  Buffer buffer(std::max(options_.chunk_bytes, std::min(2 * carried_.size(), largest_capacity())));
  if (!carried_.empty()) std::memcpy(buffer.bytes.get(), carried_.data(), carried_.size());
  buffer.size_bytes = carried_.size();
  carried_ = {};
  carried_owner_.reset();
  return buffer;
}

Result<void> StreamSource::fill(Buffer& buffer) {
  while (!ended_ && buffer.size_bytes < buffer.capacity_bytes) {
    const auto read_bytes =
        reader_->read(buffer.bytes.get() + buffer.size_bytes, buffer.capacity_bytes - buffer.size_bytes);
    if (!read_bytes) return failure(read_bytes.error());
    buffer.size_bytes += *read_bytes;
    ended_ = *read_bytes == 0;
  }
  return {};
}

void StreamSource::drop_rest_of_line(Buffer& buffer) {
  const std::size_t newline = buffer.text().find('\n');
  const std::size_t dropped = newline == kNoPlace ? buffer.size_bytes : newline + 1;
  std::memmove(buffer.bytes.get(), buffer.bytes.get() + dropped, buffer.size_bytes - dropped);
  buffer.size_bytes -= dropped;
  dropping_ = newline == kNoPlace;
}

Chunk StreamSource::cut_line(const Buffer& buffer) {
  dropping_ = true;
  return Chunk{buffer.text().substr(0, options_.line_limit_bytes), buffer.bytes, false, true};
}

Chunk StreamSource::deliver(const Buffer& buffer, std::size_t size_bytes) {
  carried_ = buffer.text().substr(size_bytes);
  if (!carried_.empty()) carried_owner_ = buffer.bytes;
  return Chunk{buffer.text().substr(0, size_bytes), buffer.bytes, false, false};
}

}  // namespace

std::unique_ptr<ChunkSource> make_stream_source(std::unique_ptr<ByteReader> reader, std::uint64_t total_bytes,
                                                const SourceOptions& options) {
  return std::make_unique<StreamSource>(std::move(reader), total_bytes, options);
}

}  // namespace ttscope::io
