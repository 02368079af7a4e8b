// Made by make_gzip_reader() of io/byte_reader.h.
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <string>
#include <utility>

#include "io/byte_reader.h"

namespace ttscope::io {
namespace {

/// Gzip members one after another. Header and trailer of a member are read here and isa-l sees bare deflate
/// data only: its own reading of a header goes wrong when the header comes in two pieces.
class GzipReader final : public ByteReader {
 public:
  explicit GzipReader(InputBuffer input) : input_(std::move(input)) {}

  Result<std::size_t> read(char* to, std::size_t room_bytes) override;
  std::uint64_t consumed_bytes() const override { return input_.taken_bytes(); }
  std::string warning() const override { return warning_; }

 private:
  enum class Part { kHeader, kBody, kTrailer, kEnd };

  void read_header();
  bool another_member_follows();
  void skip_header_fields(std::uint32_t flags);
  std::size_t inflate_some(char* to, std::size_t room_bytes);
  static std::size_t written_bytes(std::size_t counted_bytes, int outcome);
  void read_trailer();

  /// A little-endian number; 0 at the end of the input, which also ends the reading.
  std::uint32_t take_number(int size_bytes);
  void skip(std::uint32_t size_bytes);
  void skip_text();

  void warn(const std::string& what);
  void stop_at_damage(const std::string& what);
  void stop_at_cut();

  InputBuffer input_;
  inflate_state state_{};
  Part part_ = Part::kHeader;
  bool first_member_ = true;
  std::uint32_t checksum_ = 0;
  std::uint32_t member_bytes_ = 0;  ///< modulo 2^32, as the trailer has it
  std::string warning_;
};

Result<std::size_t> GzipReader::read(char* to, std::size_t room_bytes) {
  while (part_ != Part::kEnd) {
    if (part_ == Part::kHeader) {
      read_header();
    } else if (part_ == Part::kTrailer) {
      read_trailer();
    } else if (const std::size_t size_bytes = inflate_some(to, room_bytes); size_bytes > 0) {
      return size_bytes;
    }
  }
  if (input_.error()) return failure(*input_.error());
  return 0;
}

void GzipReader::read_header() {
  constexpr std::uint32_t kMagic = 0x8B1F;
  constexpr std::uint32_t kDeflate = 8;
  if (!first_member_ && !another_member_follows()) {
    part_ = Part::kEnd;
    return;
  }
  first_member_ = false;
  if (take_number(2) != kMagic) return stop_at_damage("no header");
  if (take_number(1) != kDeflate) return stop_at_damage("unknown method");
  const std::uint32_t flags = take_number(1);
  skip(6);  // time, level, operating system
  skip_header_fields(flags);
  if (part_ == Part::kEnd) return;
  isal_inflate_init(&state_);
  checksum_ = 0;
  member_bytes_ = 0;
  part_ = Part::kBody;
}

/// Tape and disk images pad with zeros; those are no reason to worry anyone.
bool GzipReader::another_member_follows() {
  bool padding = false;
  for (;;) {
    const std::string_view rest = input_.rest();
    const std::size_t zeros = std::min(rest.find_first_not_of('\0'), rest.size());
    padding = padding || zeros > 0;
    input_.take(zeros);
    if (zeros < rest.size() && (padding || rest.size() >= 2)) break;
    if (!input_.read_more()) break;
  }
  if (input_.rest().empty()) return false;
  if (!padding && compression_of(input_.rest()) == Compression::kGzip) return true;
  warn("the bytes after the gzip data, from byte " + std::to_string(input_.taken_bytes()) + ", were ignored");
  return false;
}

void GzipReader::skip_header_fields(std::uint32_t flags) {
  constexpr std::uint32_t kHeaderChecksum = 0x02;
  constexpr std::uint32_t kExtra = 0x04;
  constexpr std::uint32_t kName = 0x08;
  constexpr std::uint32_t kComment = 0x10;
  constexpr std::uint32_t kReserved = 0xE0;
  if ((flags & kReserved) != 0) return stop_at_damage("unknown header flags");
  if ((flags & kExtra) != 0) skip(take_number(2));
  if ((flags & kName) != 0) skip_text();
  if ((flags & kComment) != 0) skip_text();
  if ((flags & kHeaderChecksum) != 0) skip(2);
}

/// At a wrong match isa-l has already counted its bytes, which it then does not write.
std::size_t GzipReader::written_bytes(std::size_t counted_bytes, int outcome) {
  constexpr std::size_t kLongestMatch = 258;
  return outcome < 0 ? counted_bytes - std::min(counted_bytes, kLongestMatch) : counted_bytes;
}

std::size_t GzipReader::inflate_some(char* to, std::size_t room_bytes) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // isa-l counts in 32 bits
  if (input_.rest().empty()) input_.read_more();
  const std::string_view rest = input_.rest();
  auto* const in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(rest.data()));
  auto* const out = reinterpret_cast<std::uint8_t*>(to);
  state_.next_in = in;
  state_.avail_in = static_cast<std::uint32_t>(rest.size());
  state_.next_out = out;
  state_.avail_out = static_cast<std::uint32_t>(std::min(room_bytes, kMostBytes));
  const int outcome = isal_inflate(&state_);
  const auto used_bytes = static_cast<std::size_t>(state_.next_in - in);
  const auto size_bytes = written_bytes(static_cast<std::size_t>(state_.next_out - out), outcome);
  input_.take(used_bytes);
  checksum_ = crc32_gzip_refl(checksum_, out, size_bytes);
  member_bytes_ += static_cast<std::uint32_t>(size_bytes);
  const bool finished = state_.block_state == ISAL_BLOCK_FINISH;
  const bool idle = size_bytes == 0 && used_bytes == 0 && !finished;
  if (outcome < 0 || (idle && !rest.empty())) {
    stop_at_damage("not deflate data");
  } else if (finished) {
    input_.give_back(static_cast<std::size_t>(state_.read_in_length) / 8);  // isa-l reads ahead
    part_ = Part::kTrailer;
  } else if (idle) {
    stop_at_cut();
  }
  return size_bytes;
}

void GzipReader::read_trailer() {
  const std::uint32_t checksum = take_number(4);
  const std::uint32_t member_bytes = take_number(4);
  if (part_ == Part::kEnd) return;
  // Where the next member starts is known all the same.
  if (checksum != checksum_ || member_bytes != member_bytes_) {
    warn("the gzip data before byte " + std::to_string(input_.taken_bytes()) +
         " are damaged (wrong checksum)");
  }
  part_ = Part::kHeader;
}

std::uint32_t GzipReader::take_number(int size_bytes) {
  std::uint32_t number = 0;
  for (int at = 0; at < size_bytes; ++at) {
    if (input_.rest().empty() && !input_.read_more()) {
      stop_at_cut();
      return 0;
    }
    number |= static_cast<std::uint32_t>(static_cast<unsigned char>(input_.rest()[0])) << (8 * at);
    input_.take(1);
  }
  return number;
}

void GzipReader::skip(std::uint32_t size_bytes) {
  for (; size_bytes > 0 && part_ != Part::kEnd; --size_bytes) take_number(1);
}

void GzipReader::skip_text() {
  while (part_ != Part::kEnd && take_number(1) != 0) {
  }
}

/// The first warning says where the trouble began.
void GzipReader::warn(const std::string& what) {
  if (warning_.empty()) warning_ = input_.name() + ": " + what;
}

void GzipReader::stop_at_damage(const std::string& what) {
  if (part_ == Part::kEnd) return;
  warn("the gzip data are damaged near byte " + std::to_string(input_.taken_bytes()) + " (" + what +
       "); what could be read up to there was used");
  part_ = Part::kEnd;
}

void GzipReader::stop_at_cut() {
  if (part_ == Part::kEnd) return;
  warn("the gzip data end too early, after " + std::to_string(input_.taken_bytes()) +
       " bytes; what could be read up to there was used");
  part_ = Part::kEnd;
}

}  // namespace

std::unique_ptr<ByteReader> make_gzip_reader(InputBuffer input) {
  return std::make_unique<GzipReader>(std::move(input));
}

}  // namespace ttscope::io
