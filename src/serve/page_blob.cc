#include "serve/page_blob.h"

#include <isa-l/igzip_lib.h>

#include <array>
#include <memory>

namespace ttscope::serve {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr unsigned char kNoLetter = 64;

constexpr std::array<unsigned char, 256> letter_values() {
  std::array<unsigned char, 256> values{};
  for (unsigned char& value : values) value = kNoLetter;
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    values[static_cast<unsigned char>(kLetters[i])] = static_cast<unsigned char>(i);
  }
  return values;
}

std::string base64_decoded(std::string_view text) {
  static constexpr std::array<unsigned char, 256> kValues = letter_values();
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    const unsigned char value = kValues[static_cast<unsigned char>(c)];
    if (value == kNoLetter) {
      if (c == '=') break;
      continue;
    }
    bits = (bits << 6 | value) & 0xFFFFFF;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xFF);
  }
  return bytes;
}

/// Exactly `size_bytes`, or nothing: a small file cannot make a large text.
std::string gunzipped(std::string_view packed, std::size_t size_bytes) {
  std::string bytes(size_bytes, '\0');
  const auto state = std::make_unique<inflate_state>();
  isal_inflate_init(state.get());
  state->crc_flag = ISAL_GZIP;
  std::string input(packed);
  state->next_in = reinterpret_cast<std::uint8_t*>(input.data());
  state->avail_in = static_cast<std::uint32_t>(input.size());
  state->next_out = reinterpret_cast<std::uint8_t*>(bytes.data());
  state->avail_out = static_cast<std::uint32_t>(bytes.size());
  if (isal_inflate(state.get()) != ISAL_DECOMP_OK || state->avail_out != 0) return {};
  return bytes;
}

}  // namespace

std::vector<std::int64_t> unpacked_column(std::string_view base64, const PageBlobForm& form) {
  const std::size_t width = form.type == "i64" ? 8 : form.type == "u32" ? 4 : form.type == "u8" ? 1 : 0;
  if (width == 0 || form.count == 0) return {};
  const std::string planes = gunzipped(base64_decoded(base64), form.count * width);
  if (planes.empty()) return {};
  const std::uint64_t mask = width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
  std::vector<std::int64_t> values(form.count);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < form.count; ++i) {
    std::uint64_t value = 0;
    for (std::size_t plane = 0; plane < width; ++plane) {
      value |= std::uint64_t{static_cast<unsigned char>(planes[plane * form.count + i])} << (8 * plane);
    }
    if (form.is_delta) value = (value + before) & mask;
    before = value;
    values[i] = static_cast<std::int64_t>(value);
  }
  return values;
}

}  // namespace ttscope::serve
