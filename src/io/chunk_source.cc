#include "io/chunk_source.h"

#include <algorithm>
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
  const Result<bool> plain = is_plain_file(*input);
  if (!plain) return failure(plain.error());
  if (!*plain) return open_stream(std::move(*input), sane(options));
  auto mapped = MappedFile::map(input->file.number(), input->name);
  if (!mapped) return open_stream(std::move(*input), sane(options));  // some file systems cannot map
  return make_mapped_source(std::move(*mapped), static_cast<std::size_t>(input->start), sane(options));
}

}  // namespace ttscope::io
