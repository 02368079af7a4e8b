#include "io/mapped_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/text_search.h"

namespace ttscope::io {
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

}  // namespace

std::unique_ptr<ChunkSource> make_mapped_source(std::shared_ptr<const MappedFile> file, std::size_t start,
                                                const SourceOptions& options) {
  return std::make_unique<MappedSource>(std::move(file), start, options);
}

}  // namespace ttscope::io
