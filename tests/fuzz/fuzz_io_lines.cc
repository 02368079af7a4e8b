// An input cut into chunks of whole lines, compressed or not: nothing is lost but what is over the limit.
#include "fuzz/byte_source.h"

namespace ttscope::io {
namespace {

using fuzz::require;

struct Lines {
  std::string text;
  std::size_t cut_lines = 0;
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
  return lines;
}

TTSCOPE_FUZZ_TARGET(io_lines) {
  const Lines whole = read_lines(text, {4096, fuzz::kMostUnpackedBytes});
  const Lines small = read_lines(text, {1 + text.size() % 61, fuzz::kMostUnpackedBytes});
  require(whole.text == small.text && whole.cut_lines == small.cut_lines, "lines do not depend on chunks");
  const Lines cut = read_lines(text, {8, 16});
  const Lines cut_again = read_lines(text, {16, 16});
  require(cut.text == cut_again.text && cut.cut_lines == cut_again.cut_lines,
          "cut lines do not depend on chunks");
}

}  // namespace
}  // namespace ttscope::io
