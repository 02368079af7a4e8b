#include "base/encoding.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace ttscope {
namespace {

constexpr std::uint32_t kLevel = 2;
/// What isa-l makes of short inputs at higher levels depends on the address of its state (seen up to 3 kB
/// with 2.30), so that a page would not be the same each time.
constexpr std::size_t kMinLevelBytes = std::size_t{16} << 10;
constexpr std::size_t kLevelBufferBytes = ISAL_DEF_LVL2_DEFAULT;
constexpr std::size_t kStepBytes = std::size_t{1} << 16;
constexpr std::size_t kMaxInputBytes = std::size_t{1} << 30;  ///< isa-l counts in 32 bits

}  // namespace

std::string gzip_of(std::string_view bytes) {
  std::string packed;
  const auto level_buffer = std::make_unique<std::uint8_t[]>(kLevelBufferBytes);
  const auto stream = std::make_unique<isal_zstream>();
  isal_deflate_init(stream.get());
  stream->gzip_flag = IGZIP_GZIP;
  if (bytes.size() >= kMinLevelBytes) {
    stream->level = kLevel;
    stream->level_buf = level_buffer.get();
    stream->level_buf_size = kLevelBufferBytes;
  }
  do {
    if (stream->avail_in == 0) {
      const std::size_t size_bytes = std::min(bytes.size(), kMaxInputBytes);
      // isa-l only reads its input, but takes a pointer that could write.
      stream->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
      stream->avail_in = static_cast<std::uint32_t>(size_bytes);
      bytes.remove_prefix(size_bytes);
      stream->end_of_stream = bytes.empty() ? 1 : 0;
    }
    const std::size_t done_bytes = packed.size();
    packed.resize(done_bytes + kStepBytes);
    stream->next_out = reinterpret_cast<std::uint8_t*>(packed.data() + done_bytes);
    stream->avail_out = static_cast<std::uint32_t>(kStepBytes);
    isal_deflate(stream.get());
    packed.erase(packed.size() - stream->avail_out);
  } while (stream->internal_state.state != ZSTATE_END);
  return packed;
}

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct Pair {
  char first;
  char second;
};

/// The two characters of twelve bits: half the steps of one character a time.
constexpr std::array<Pair, 4096> make_pairs() {
  std::array<Pair, 4096> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kAlphabet[i >> 6], kAlphabet[i & 63]};
  return pairs;
}

constexpr std::array<Pair, 4096> kPairs = make_pairs();

char* put_group(char* to, std::uint32_t bits) {
  const Pair high = kPairs[bits >> 12 & 4095];
  const Pair low = kPairs[bits & 4095];
  to[0] = high.first;
  to[1] = high.second;
  to[2] = low.first;
  to[3] = low.second;
  return to + 4;
}

}  // namespace

std::string base64_of(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  char* to = text.data();
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) to = put_group(to, byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2));
  const std::size_t left = bytes.size() - i;
  if (left == 0) return text;
  put_group(to, byte(i) << 16 | (left == 2 ? byte(i + 1) << 8 : 0));
  to[3] = '=';
  if (left == 1) to[2] = '=';
  return text;
}

}  // namespace ttscope
