#include "io/chunk_source.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "io/open_input.h"

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
    RETURN_IF_ERROR(fill(buffer));
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

namespace {

class MappedSource final : public ChunkSource {
 public:
  MappedSource(std::shared_ptr<const MappedFile> file, std::size_t start, const SourceOptions& options)
      : file_(std::move(file)),
        options_(options),
        start_(std::min(start, file_->bytes().size())),
        at_(start_) {}

  Result<Chunk> next() override;
  std::shared_ptr<const void> backing() const override { return file_; }
  std::uint64_t total_bytes() const override { return file_->bytes().size() - start_; }
  std::uint64_t consumed_bytes() const override { return at_ - start_; }

 private:
  std::size_t whole_lines_bytes(std::string_view rest) const;

  std::shared_ptr<const MappedFile> file_;
  SourceOptions options_;
  std::size_t start_;
  std::size_t at_;
};

Result<Chunk> MappedSource::next() {
  const std::string_view rest = file_->bytes().substr(at_);
  const std::size_t size_bytes = whole_lines_bytes(rest);
  if (size_bytes != kNoPlace) {
    at_ += size_bytes;
    return Chunk{rest.substr(0, size_bytes), file_, true, false};
  }
  const std::size_t newline = rest.find('\n', options_.line_limit_bytes);
  at_ += newline == kNoPlace ? rest.size() : newline + 1;
  return Chunk{rest.substr(0, options_.line_limit_bytes), file_, true, true};
}

/// kNoPlace if the first line is over the limit.
std::size_t MappedSource::whole_lines_bytes(std::string_view rest) const {
  if (rest.size() <= options_.chunk_bytes) return rest.size();
  const void* last = ::memrchr(rest.data(), '\n', options_.chunk_bytes);
  if (last != nullptr) return static_cast<std::size_t>(static_cast<const char*>(last) - rest.data()) + 1;
  const std::size_t next = rest.substr(0, options_.line_limit_bytes + 1).find('\n', options_.chunk_bytes);
  if (next != kNoPlace) return next + 1;
  return rest.size() <= options_.line_limit_bytes ? rest.size() : kNoPlace;
}

/// Views of a mapped file; nothing is copied. `start` is where the first line begins.
std::unique_ptr<ChunkSource> make_mapped_source(std::shared_ptr<const MappedFile> file, std::size_t start,
                                                const SourceOptions& options) {
  return std::make_unique<MappedSource>(std::move(file), start, options);
}

Result<std::unique_ptr<ChunkSource>> open_stream(OpenInput input, const SourceOptions& options) {
  const std::uint64_t size_bytes = input.size_bytes;
  auto reader = open_byte_reader(std::move(input));
  if (!reader) return failure(reader.error());
  return make_stream_source(std::move(*reader), size_bytes, options);
}

/// Shows what it gives to a watcher.
class WatchedSource : public ChunkSource {
 public:
  WatchedSource(std::unique_ptr<ChunkSource> source, const SourceOptions& options, std::string path)
      : source_(std::move(source)), watch_(options.watch), path_(std::move(path)) {}

  Result<Chunk> next() override {
    Result<Chunk> chunk = source_->next();
    if (chunk && !chunk->bytes.empty()) watch_(path_, chunk->bytes);
    return chunk;
  }
  std::shared_ptr<const void> backing() const override { return source_->backing(); }
  std::uint64_t total_bytes() const override { return source_->total_bytes(); }
  std::uint64_t consumed_bytes() const override { return source_->consumed_bytes(); }
  std::string warning() const override { return source_->warning(); }

 private:
  std::unique_ptr<ChunkSource> source_;
  std::function<void(const std::string&, std::string_view)> watch_;
  std::string path_;
};

/// A chunk of many lines must not hold one over the limit; a chunk of nothing would never end.
SourceOptions with_valid_limits(SourceOptions options) {
  options.line_limit_bytes = std::max<std::size_t>(options.line_limit_bytes, 1);
  options.chunk_bytes = std::clamp<std::size_t>(options.chunk_bytes, 1, options.line_limit_bytes);
  return options;
}

}  // namespace

Result<std::unique_ptr<ChunkSource>> open_source(const std::string& path, const SourceOptions& options) {
  auto input = open_input(path);
  if (!input) return failure(input.error());
  if (!input->regular && options.watch) {
    auto source = open_stream(std::move(*input), with_valid_limits(options));
    if (!source) return source;
    return std::make_unique<WatchedSource>(std::move(*source), options, path);
  }
  ASSIGN_OR_RETURN(const std::optional<std::uint64_t> start, plain_text_start(*input));
  if (!start) return open_stream(std::move(*input), with_valid_limits(options));
  auto mapped = MappedFile::map(input->file.number(), input->name);
  if (!mapped)
    return open_stream(std::move(*input), with_valid_limits(options));  // some file systems cannot map
  return make_mapped_source(std::move(*mapped), static_cast<std::size_t>(*start), with_valid_limits(options));
}

}  // namespace ttscope::io
