#pragma once

// How the targets for inputs read bytes in memory as a stream.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "fuzz/fuzz_target.h"
#include "io/byte_reader.h"
#include "io/chunk_source.h"

namespace ttscope::fuzz {

/// A few bytes can stand for gigabytes; what comes behind is of the same kind.
inline constexpr std::size_t kMostUnpackedBytes = std::size_t{1} << 14;

struct Unpacked {
  std::string text;
  std::string warning;
};

/// All bytes of a reader, or as many as we want.
inline Unpacked read_bytes(io::ByteReader& reader, std::size_t block_bytes) {
  Unpacked all;
  std::string block(block_bytes, '\0');
  while (all.text.size() < kMostUnpackedBytes) {
    const auto size_bytes = reader.read(block.data(), block.size());
    require(size_bytes.has_value(), "memory can be read");
    require(*size_bytes <= block.size(), "a block holds what was read");
    if (*size_bytes == 0) {
      all.warning = reader.warning();
      return all;
    }
    all.text.append(block, 0, *size_bytes);
  }
  all.text.resize(kMostUnpackedBytes);
  return all;
}

using MakeReader = std::unique_ptr<io::ByteReader> (*)(io::InputBuffer);

/// What is read must not depend on how the input comes and goes in pieces. Of damaged data as much is read as
/// can be, which is more where there is room for more.
inline void check_reader(std::string_view input, MakeReader make) {
  const auto small = make(io::InputBuffer(input, "input", 16));
  const Unpacked in_pieces = read_bytes(*small, 1 + input.size() % 61);
  if (input.size() % 4 != 0) return;  // the other way takes as long again
  const auto large = make(io::InputBuffer(input, "input", 4096));
  const Unpacked at_once = read_bytes(*large, 4096);
  const std::size_t shared = std::min(in_pieces.text.size(), at_once.text.size());
  require(in_pieces.text.compare(0, shared, at_once.text, 0, shared) == 0, "bytes do not depend on pieces");
  if (in_pieces.warning.empty() && at_once.warning.empty()) {
    require(in_pieces.text.size() == at_once.text.size(), "all bytes are read");
  }
}

}  // namespace ttscope::fuzz
