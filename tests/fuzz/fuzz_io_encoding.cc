// Text in UTF-16 or UTF-8.
#include "base/text.h"
#include "fuzz/byte_source.h"
#include "io/open_input.h"

namespace ttscope::io {
namespace {

std::unique_ptr<ByteReader> text_reader(InputBuffer input) {
  return make_text_reader(make_plain_reader(std::move(input)), "input");
}

TTSCOPE_FUZZ_TARGET(io_encoding) {
  fuzz::check_reader(text, text_reader);
  if (encoding_of(text.substr(0, kEncodingBytes)) == Encoding::kBytes) return;
  const auto reader = text_reader(InputBuffer(text, "input", 64));
  fuzz::require(is_valid_utf8(fuzz::read_bytes(*reader, 4096).text), "UTF-16 becomes UTF-8");
}

}  // namespace
}  // namespace ttscope::io
