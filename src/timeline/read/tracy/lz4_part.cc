#include "timeline/read/tracy/lz4_part.h"

#include <algorithm>

namespace ttscope::timeline {
namespace {

constexpr std::size_t kLongLength = 15;  ///< more bytes of the length follow
constexpr std::size_t kLeastMatch = 4;
constexpr std::size_t kOffsetBytes = 2;

/// Reads a block sequence by sequence: a token, literals, and where what follows them stood before.
class CutBlock {
 public:
  explicit CutBlock(std::string_view packed) : packed_(packed) {}

  bool has_more() const { return at_ < packed_.size(); }
  std::size_t byte() { return static_cast<unsigned char>(packed_[at_++]); }
  /// False: it is cut inside of the length.
  bool read_rest_of(std::size_t& length) {
    if (length != kLongLength) return true;
    while (has_more()) {
      const std::size_t more = byte();
      length += more;
      if (more != 255) return true;
    }
    return false;
  }
  std::string_view take(std::size_t length) {
    const std::string_view taken = packed_.substr(at_, length);
    at_ += taken.size();
    return taken;
  }

 private:
  std::string_view packed_;
  std::size_t at_ = 0;
};

}  // namespace

std::size_t unpack_cut_lz4(std::string_view packed, std::string_view before, char* to, std::size_t most) {
  CutBlock block(packed);
  std::size_t made = 0;
  while (block.has_more() && made < most) {
    const std::size_t token = block.byte();
    std::size_t literals = token >> 4;
    if (!block.read_rest_of(literals)) break;
    const std::string_view taken = block.take(std::min(literals, most - made));
    std::copy(taken.begin(), taken.end(), to + made);
    made += taken.size();
    const std::string_view place = block.take(kOffsetBytes);
    std::size_t match = token & kLongLength;
    if (taken.size() < literals || place.size() < kOffsetBytes || !block.read_rest_of(match)) break;
    const std::size_t offset = static_cast<unsigned char>(place[0]) |
                               static_cast<std::size_t>(static_cast<unsigned char>(place[1])) << 8;
    if (offset == 0 || offset > made + before.size()) break;
    // It may reach into what it is just making: byte by byte.
    for (std::size_t left = std::min(match + kLeastMatch, most - made); left > 0; --left, ++made) {
      to[made] = offset <= made ? to[made - offset] : before[before.size() - (offset - made)];
    }
  }
  return made;
}

}  // namespace ttscope::timeline
