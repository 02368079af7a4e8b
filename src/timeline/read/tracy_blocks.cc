#include "timeline/read/tracy_blocks.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace ttscope::timeline {
namespace {

constexpr std::size_t kLongLength = 15;  ///< more bytes of the length follow
constexpr std::size_t kMinMatch = 4;
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

/// Unpacks a block of LZ4 that is cut, up to the cut, into `to`; the number of bytes. Matches may lie in the
/// block `before`. The library gives up on a part of a block, or ends it with bytes that were not there.
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
    for (std::size_t left = std::min(match + kMinMatch, most - made); left > 0; --left, ++made) {
      to[made] = offset <= made ? to[made - offset] : before[before.size() - (offset - made)];
    }
  }
  return made;
}

using namespace std::string_view_literals;

constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
constexpr std::string_view kLz4Magic = "tlZ\x04"sv;
constexpr std::string_view kZstdMagic = "tZst"sv;
constexpr std::string_view kStreamsMagic = "tr\xFDP"sv;
constexpr std::size_t kMagicSize = 4;
constexpr std::uint32_t kMaxPackedBytes = static_cast<std::uint32_t>(LZ4_COMPRESSBOUND(kBlockBytes)) * 2;

}  // namespace

/// One sequence of blocks. LZ4 refers to the block before, which therefore stays where it was unpacked to.
class TracyBlocks::Stream {
 public:
  explicit Stream(bool zstd) {
    if (zstd) {
      zstd_ = ZSTD_createDStream();
    } else {
      lz4_ = LZ4_createStreamDecode();
    }
  }
  ~Stream() {
    ZSTD_freeDStream(zstd_);
    LZ4_freeStreamDecode(lz4_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// False: the bytes are damaged. Of a part of a block what it tells is unpacked; nothing follows it.
  bool unpack(std::string_view packed, bool is_part, std::string_view& plain) {
    turn_ = 1 - turn_;
    char* const to = buffers_[turn_].data();
    if (lz4_ != nullptr && is_part) {
      plain = {to, unpack_cut_lz4(packed, last_, to, kBlockBytes)};
      return !plain.empty();
    }
    if (lz4_ != nullptr) {
      const int size = LZ4_decompress_safe_continue(lz4_, packed.data(), to, static_cast<int>(packed.size()),
                                                    static_cast<int>(kBlockBytes));
      last_ = plain = {to, size < 0 ? 0 : static_cast<std::size_t>(size)};
      return size > 0;
    }
    ZSTD_outBuffer out = {to, kBlockBytes, 0};
    ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
    // One call may stop short of its input: it goes on while there is both room and something to read.
    while (in.pos < in.size || out.pos == 0) {
      const std::size_t read_before = in.pos;
      const std::size_t made_before = out.pos;
      if (ZSTD_isError(ZSTD_decompressStream(zstd_, &out, &in)) != 0) return false;
      if (in.pos == read_before && out.pos == made_before) break;
    }
    plain = {to, out.pos};
    return out.pos > 0 && in.pos == in.size;
  }

 private:
  LZ4_streamDecode_t* lz4_ = nullptr;
  ZSTD_DStream* zstd_ = nullptr;
  std::array<std::vector<char>, 2> buffers_ = {std::vector<char>(kBlockBytes),
                                               std::vector<char>(kBlockBytes)};
  std::size_t turn_ = 0;
  std::string_view last_;  ///< what LZ4 refers to
};

bool is_tracy_capture(const io::Beginning& beginning) {
  const std::string& bytes = beginning.bytes;
  return bytes.starts_with(kLz4Magic) || bytes.starts_with(kZstdMagic) || bytes.starts_with(kStreamsMagic);
}

TracyBlocks::TracyBlocks(std::string_view file) : file_(file), at_(kMagicSize) {
  bool zstd = file.starts_with(kZstdMagic);
  std::size_t streams = 1;
  known_ = zstd || file.starts_with(kLz4Magic);
  if (file.starts_with(kStreamsMagic) && file.size() >= kMagicSize + 2) {
    const auto packing = static_cast<unsigned char>(file[kMagicSize]);
    streams = static_cast<unsigned char>(file[kMagicSize + 1]);
    known_ = packing <= 1 && streams > 0;
    zstd = packing == 1;
    at_ += 2;
  }
  if (!known_) return;
  for (std::size_t i = 0; i < streams; ++i) streams_.push_back(std::make_unique<Stream>(zstd));
}

TracyBlocks::~TracyBlocks() = default;

bool TracyBlocks::take_packed(std::string_view& packed) {
  if (!problem_.empty() || !known_ || at_ >= file_.size()) return false;
  std::uint32_t size = 0;
  const std::size_t left = file_.size() - at_;
  if (left >= sizeof(size)) std::memcpy(&size, file_.data() + at_, sizeof(size));
  if (left < sizeof(size) || size > left - sizeof(size)) {
    problem_ = fmt::format("the file is cut: its last block, at byte {}, is not whole", at_);
    packed = file_.substr(std::min(at_ + sizeof(size), file_.size()));
    at_ = file_.size();
    return !packed.empty() && size <= kMaxPackedBytes;
  }
  if (size == 0 || size > kMaxPackedBytes) {
    problem_ = fmt::format("the file is damaged: the block at byte {} would have {} bytes", at_, size);
    return false;
  }
  packed = file_.substr(at_ + sizeof(size), size);
  at_ += sizeof(size) + size;
  return true;
}

std::string_view TracyBlocks::next() {
  const std::size_t at = at_;
  std::string_view packed;
  if (!take_packed(packed)) return {};
  std::string_view plain;
  const bool is_part = !problem_.empty();
  if (!streams_[turn_]->unpack(packed, is_part, plain)) {
    if (is_part) return {};
    problem_ = fmt::format("the file is damaged: the block at byte {} cannot be unpacked", at);
    return {};
  }
  turn_ = (turn_ + 1) % streams_.size();
  return plain;
}

void TracyBlocks::check_rest() {
  std::string_view packed;
  while (take_packed(packed)) {
  }
}

}  // namespace ttscope::timeline
