// An input cut into chunks of whole lines, compressed or not: nothing is lost but what is over the limit.
#include "fuzz/byte_source.h"

namespace ttscope::io {
namespace {

using fuzz::require;

struct Lines {
  std::string text;
  std::size_t cut_lines = 0;
  bool damaged = false;
};

std::unique_ptr<ByteReader> reader_of(std::string_view input) {
  InputBuffer buffer(input, "input", 64);
  while (buffer.rest().size() < kMagicBytes && buffer.read_more()) {
  }
  const Compression compression = compression_of(buffer.rest());
  return make_byte_reader(compression, std::move(buffer));
}

Lines read_lines(std::string_view input, const SourceOptions& options) {
  const auto source = make_stream_source(reader_of(input), input.size(), options);
  Lines lines;
  while (lines.text.size() < fuzz::kMostUnpackedBytes) {
    const auto chunk = source->next();
    require(chunk.has_value(), "memory can be read");
    if (chunk->bytes.empty()) break;
    require(lines.text.empty() || lines.cut_lines > 0 || lines.text.back() == '\n', "chunks are whole lines");
    if (chunk->cut_line)
      require(chunk->bytes.size() == options.line_limit_bytes, "cut lines are as long as may be");
    lines.text += chunk->bytes;
    lines.cut_lines += chunk->cut_line ? 1 : 0;
  }
  lines.text.resize(std::min(lines.text.size(), fuzz::kMostUnpackedBytes));
  lines.damaged = !source->warning().empty();
  return lines;
}

void require_same(const Lines& a, const Lines& b) {
  if (a.damaged || b.damaged) return;  // as much as could be read
  require(a.text == b.text && a.cut_lines == b.cut_lines, "lines do not depend on chunks");
}

TTSCOPE_FUZZ_TARGET(io_lines) {
  if (text.size() % 2 == 0) {
    require_same(read_lines(text, {4096, fuzz::kMostUnpackedBytes}),
                 read_lines(text, {1 + text.size() % 61, fuzz::kMostUnpackedBytes}));
  } else {
    require_same(read_lines(text, {8, 16}), read_lines(text, {16, 16}));
  }
}

}  // namespace
}  // namespace ttscope::io
