#include "base/base64.h"

#include <array>
#include <cstdint>

namespace ttscope {
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
