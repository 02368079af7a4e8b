#include "io/chunk_source.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/mapped_file.h"
#include "io/mapped_source.h"
#include "io/open_input.h"
#include "io/stream_source.h"

namespace ttscope::io {
namespace {

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
SourceOptions sane(SourceOptions options) {
  options.line_limit_bytes = std::max<std::size_t>(options.line_limit_bytes, 1);
  options.chunk_bytes = std::clamp<std::size_t>(options.chunk_bytes, 1, options.line_limit_bytes);
  return options;
}

}  // namespace

Result<std::unique_ptr<ChunkSource>> open_source(const std::string& path, const SourceOptions& options) {
  auto input = open_input(path);
  if (!input) return failure(input.error());
  if (!input->regular && options.watch) {
    auto source = open_stream(std::move(*input), sane(options));
    if (!source) return source;
    return std::make_unique<WatchedSource>(std::move(*source), options, path);
  }
  const Result<std::optional<std::uint64_t>> start = plain_text_start(*input);
  if (!start) return failure(start.error());
  if (!*start) return open_stream(std::move(*input), sane(options));
  auto mapped = MappedFile::map(input->file.number(), input->name);
  if (!mapped) return open_stream(std::move(*input), sane(options));  // some file systems cannot map
  return make_mapped_source(std::move(*mapped), static_cast<std::size_t>(**start), sane(options));
}

}  // namespace ttscope::io
