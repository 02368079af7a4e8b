#include "io/byte_reader.h"

#include <bzlib.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <poll.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace ttscope::io {
namespace {

/// Waits for a descriptor that another program has made non-blocking.
void wait_until_readable(int descriptor) {
  struct pollfd waiting {
    descriptor, POLLIN, 0
  };
  ::poll(&waiting, 1, -1);
}

}  // namespace

InputBuffer::InputBuffer(FileDescriptor file, std::string name, std::size_t capacity_bytes)
    : file_(std::move(file)),
      name_(std::move(name)),
      capacity_bytes_(capacity_bytes),
      bytes_(new char[kGiveBackBytes + capacity_bytes]()) {}

InputBuffer::InputBuffer(std::string_view bytes, std::string name, std::size_t capacity_bytes)
    : InputBuffer(FileDescriptor(), std::move(name), capacity_bytes) {
  memory_ = bytes;
}

bool InputBuffer::read_more() {
  // The last bytes taken move along, so that they can be given back.
  const std::size_t start = begin_ - kGiveBackBytes;
  std::memmove(bytes_.get(), bytes_.get() + start, end_ - start);
  begin_ -= start;
  end_ -= start;
  const std::size_t size_bytes = read_into(bytes_.get() + end_, kGiveBackBytes + capacity_bytes_ - end_);
  end_ += size_bytes;
  return size_bytes > 0;
}

std::size_t InputBuffer::take_into(char* to, std::size_t room_bytes) {
  if (begin_ == end_) return read_into(to, room_bytes);
  const std::size_t size_bytes = std::min(room_bytes, end_ - begin_);
  std::memcpy(to, bytes_.get() + begin_, size_bytes);
  take(size_bytes);
  return size_bytes;
}

std::size_t InputBuffer::read_into(char* to, std::size_t room_bytes) {
  if (!file_.is_open()) {
    const std::size_t size_bytes = memory_.copy(to, room_bytes);
    memory_.remove_prefix(size_bytes);
    read_bytes_ += size_bytes;
    return size_bytes;
  }
  while (!error_) {
    const ssize_t size_bytes = ::read(file_.number(), to, room_bytes);
    if (size_bytes >= 0) {
      read_bytes_ += static_cast<std::uint64_t>(size_bytes);
      return static_cast<std::size_t>(size_bytes);
    }
    if (errno == EAGAIN) {
      wait_until_readable(file_.number());
    } else if (errno != EINTR) {
      error_ = bad_input(terminal_safe(name_) + ": cannot read: " + std::generic_category().message(errno));
    }
  }
  return 0;
}

namespace {

class PlainReader final : public ByteReader {
 public:
  explicit PlainReader(InputBuffer input) : input_(std::move(input)) {}
  Result<std::size_t> read(char* to, std::size_t room_bytes) override {
    const std::size_t size_bytes = input_.take_into(to, room_bytes);
    if (input_.error()) return failure(*input_.error());
    return size_bytes;
  }
  std::uint64_t consumed_bytes() const override { return input_.taken_bytes(); }

 private:
  InputBuffer input_;
};

/// A frame of zstd without data: 0x50 to 0x5F, then this.
bool is_skippable_frame(std::string_view first_bytes) {
  constexpr std::string_view kMagicEnd = "\x2A\x4D\x18";
  return !first_bytes.empty() && (first_bytes[0] & 0xF0) == 0x50 && first_bytes.substr(1, 3) == kMagicEnd;
}

/// `BZh`, the size of its blocks, then the mark of the first block or of the end: the letters alone may be a
/// text.
bool is_bzip2(std::string_view first_bytes) {
  constexpr std::string_view kBlockMagic = "1AY&SY";
  constexpr std::string_view kEndMagic = "\x17\x72\x45\x38\x50\x90";
  if (first_bytes.size() < kMagicBytes || !first_bytes.starts_with("BZh")) return false;
  if (first_bytes[3] < '1' || first_bytes[3] > '9') return false;
  const std::string_view mark = first_bytes.substr(4, kBlockMagic.size());
  return mark == kBlockMagic || mark == kEndMagic;
}

}  // namespace

Compression compression_of(std::string_view first_bytes) {
  constexpr std::string_view kGzipMagic = "\x1F\x8B";
  constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";
  constexpr std::string_view kXzMagic("\xFD\x37zXZ\0", 6);
  if (first_bytes.starts_with(kGzipMagic)) return Compression::kGzip;
  if (first_bytes.starts_with(kZstdMagic) || is_skippable_frame(first_bytes)) return Compression::kZstd;
  if (first_bytes.starts_with(kXzMagic)) return Compression::kXz;
  return is_bzip2(first_bytes) ? Compression::kBzip2 : Compression::kNone;
}

std::unique_ptr<ByteReader> make_plain_reader(InputBuffer input) {
  return std::make_unique<PlainReader>(std::move(input));
}

std::unique_ptr<ByteReader> make_byte_reader(Compression compression, InputBuffer input) {
  switch (compression) {
    case Compression::kGzip:
      return make_gzip_reader(std::move(input));
    case Compression::kZstd:
      return make_zstd_reader(std::move(input));
    case Compression::kXz:
      return make_xz_reader(std::move(input));
    case Compression::kBzip2:
      return make_bzip2_reader(std::move(input));
    case Compression::kNone:
      break;
  }
  return make_plain_reader(std::move(input));
}

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
  constexpr std::size_t kMaxMatchLength = 258;
  return outcome < 0 ? counted_bytes - std::min(counted_bytes, kMaxMatchLength) : counted_bytes;
}

std::size_t GzipReader::inflate_some(char* to, std::size_t room_bytes) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // isa-l counts in 32 bits
  if (input_.rest().empty()) input_.read_more();
  const std::string_view rest = input_.rest();
  auto* const in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(rest.data()));
  auto* const out = reinterpret_cast<std::uint8_t*>(to);
  state_.next_in = in;
  state_.avail_in = static_cast<std::uint32_t>(rest.size());
  state_.next_out = out;
  state_.avail_out = static_cast<std::uint32_t>(std::min(room_bytes, kMaxBytes));
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
  if (warning_.empty()) warning_ = terminal_safe(input_.name()) + ": " + what;
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

namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// Zstandard frames one after another.
class ZstdReader final : public ByteReader {
 public:
  ZstdReader(InputBuffer input, int max_window_log) : input_(std::move(input)), context_(ZSTD_createDCtx()) {
    if (context_) ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, max_window_log);
  }

  Result<std::size_t> read(char* to, std::size_t room_bytes) override;
  std::uint64_t consumed_bytes() const override { return input_.taken_bytes(); }
  std::string warning() const override { return warning_; }

 private:
  std::size_t decompress_some(char* to, std::size_t room_bytes);
  void stop(const std::string& what);

  InputBuffer input_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  bool in_frame_ = true;
  bool ended_ = false;
  std::string warning_;
};

Result<std::size_t> ZstdReader::read(char* to, std::size_t room_bytes) {
  if (!context_)
    return failure(bad_input(terminal_safe(input_.name()) + ": not enough memory to decompress"));
  while (!ended_) {
    const std::size_t size_bytes = decompress_some(to, room_bytes);
    if (size_bytes > 0) return size_bytes;
  }
  if (input_.error()) return failure(*input_.error());
  return 0;
}

std::size_t ZstdReader::decompress_some(char* to, std::size_t room_bytes) {
  if (input_.rest().empty()) input_.read_more();
  const std::string_view rest = input_.rest();
  if (rest.empty() && !in_frame_) {
    ended_ = true;
    return 0;
  }
  ZSTD_inBuffer in{rest.data(), rest.size(), 0};
  ZSTD_outBuffer out{to, room_bytes, 0};
  const std::size_t outcome = ZSTD_decompressStream(context_.get(), &out, &in);
  input_.take(in.pos);
  in_frame_ = outcome != 0;
  const std::string near = std::to_string(input_.taken_bytes());
  if (ZSTD_isError(outcome) != 0) {
    stop("the zstd data cannot be read from about byte " + near + " on (" + ZSTD_getErrorName(outcome) + ")");
  } else if (rest.empty() && out.pos == 0) {
    stop("the zstd data end too early, after " + near + " bytes");
  }
  return out.pos;
}

void ZstdReader::stop(const std::string& what) {
  warning_ = terminal_safe(input_.name()) + ": " + what + "; what could be read up to there was used";
  ended_ = true;
}

}  // namespace

std::unique_ptr<ByteReader> make_zstd_reader(InputBuffer input, int max_window_log) {
  return std::make_unique<ZstdReader>(std::move(input), max_window_log);
}

namespace {

/// As for zstd: an input that asks for more memory than any preset of xz needs is not believed.
constexpr std::uint64_t kMaxMemoryBytes = std::uint64_t{128} << 20;

/// Streams of xz one after another, with or without padding between them.
class XzReader final : public ByteReader {
 public:
  explicit XzReader(InputBuffer input) : input_(std::move(input)) {
    started_ = lzma_stream_decoder(&stream_, kMaxMemoryBytes, LZMA_CONCATENATED) == LZMA_OK;
  }
  ~XzReader() override { lzma_end(&stream_); }
  XzReader(const XzReader&) = delete;
  XzReader& operator=(const XzReader&) = delete;

  Result<std::size_t> read(char* to, std::size_t room_bytes) override;
  std::uint64_t consumed_bytes() const override { return input_.taken_bytes(); }
  std::string warning() const override { return warning_; }

 private:
  std::size_t decompress_some(char* to, std::size_t room_bytes);
  void judge(lzma_ret outcome);
  void stop(const std::string& what);

  InputBuffer input_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool started_ = false;
  bool ended_ = false;
  std::string warning_;
};

Result<std::size_t> XzReader::read(char* to, std::size_t room_bytes) {
  if (!started_)
    return failure(bad_input(terminal_safe(input_.name()) + ": not enough memory to decompress"));
  while (!ended_) {
    const std::size_t size_bytes = decompress_some(to, room_bytes);
    if (size_bytes > 0) return size_bytes;
  }
  if (input_.error()) return failure(*input_.error());
  return 0;
}

std::size_t XzReader::decompress_some(char* to, std::size_t room_bytes) {
  const bool input_ended = input_.rest().empty() && !input_.read_more();
  const std::string_view rest = input_.rest();
  stream_.next_in = reinterpret_cast<const std::uint8_t*>(rest.data());
  stream_.avail_in = rest.size();
  stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
  stream_.avail_out = room_bytes;
  const lzma_ret outcome = lzma_code(&stream_, input_ended ? LZMA_FINISH : LZMA_RUN);
  input_.take(rest.size() - stream_.avail_in);
  judge(outcome);
  return room_bytes - stream_.avail_out;
}

void XzReader::judge(lzma_ret outcome) {
  const std::string near = std::to_string(input_.taken_bytes());
  if (outcome == LZMA_STREAM_END) {
    ended_ = true;
  } else if (outcome == LZMA_BUF_ERROR) {  // no progress: the input is at its end
    stop("the xz data end too early, after " + near + " bytes");
  } else if (outcome == LZMA_MEMLIMIT_ERROR) {
    stop("the xz data ask for more than 128 MiB to decompress them, near byte " + near);
  } else if (outcome != LZMA_OK) {
    stop("the xz data are damaged near byte " + near);
  }
}

void XzReader::stop(const std::string& what) {
  warning_ = terminal_safe(input_.name()) + ": " + what + "; what could be read up to there was used";
  ended_ = true;
}

}  // namespace

std::unique_ptr<ByteReader> make_xz_reader(InputBuffer input) {
  return std::make_unique<XzReader>(std::move(input));
}

namespace {

/// Streams of bzip2 one after another, as parallel packers write them.
class Bzip2Reader final : public ByteReader {
 public:
  explicit Bzip2Reader(InputBuffer input) : input_(std::move(input)) { start(); }
  ~Bzip2Reader() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Reader(const Bzip2Reader&) = delete;
  Bzip2Reader& operator=(const Bzip2Reader&) = delete;

  Result<std::size_t> read(char* to, std::size_t room_bytes) override;
  std::uint64_t consumed_bytes() const override { return input_.taken_bytes(); }
  std::string warning() const override { return warning_; }

 private:
  void start() { started_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK; }
  std::size_t decompress_some(char* to, std::size_t room_bytes);
  void finish_stream();
  void stop(const std::string& what);

  InputBuffer input_;
  bz_stream stream_{};
  bool started_ = false;
  bool ended_ = false;
  std::string warning_;
};

Result<std::size_t> Bzip2Reader::read(char* to, std::size_t room_bytes) {
  while (!ended_) {
    if (!started_)
      return failure(bad_input(terminal_safe(input_.name()) + ": not enough memory to decompress"));
    const std::size_t size_bytes = decompress_some(to, room_bytes);
    if (size_bytes > 0) return size_bytes;
  }
  if (input_.error()) return failure(*input_.error());
  return 0;
}

std::size_t Bzip2Reader::decompress_some(char* to, std::size_t room_bytes) {
  constexpr std::size_t kMaxBytes = std::numeric_limits<unsigned>::max();
  const bool input_ended = input_.rest().empty() && !input_.read_more();
  const std::string_view rest = input_.rest();
  const auto room = static_cast<unsigned>(std::min(room_bytes, kMaxBytes));
  stream_.next_in = const_cast<char*>(rest.data());
  stream_.avail_in = static_cast<unsigned>(std::min(rest.size(), kMaxBytes));
  const unsigned offered = stream_.avail_in;
  stream_.next_out = to;
  stream_.avail_out = room;
  const int outcome = BZ2_bzDecompress(&stream_);
  input_.take(offered - stream_.avail_in);
  const std::size_t size_bytes = room - stream_.avail_out;
  const std::string near = std::to_string(input_.taken_bytes());
  if (outcome == BZ_STREAM_END) {
    finish_stream();
  } else if (outcome != BZ_OK) {
    stop("the bzip2 data are damaged near byte " + near + "; what could be read up to there was used");
  } else if (input_ended && size_bytes == 0) {
    stop("the bzip2 data end too early, after " + near + " bytes; what could be read up to there was used");
  }
  return size_bytes;
}

/// Goes on with the next stream if there is one.
void Bzip2Reader::finish_stream() {
  BZ2_bzDecompressEnd(&stream_);
  stream_ = {};
  while (input_.rest().size() < kMagicBytes && input_.read_more()) {
  }
  if (compression_of(input_.rest()) == Compression::kBzip2) return start();
  ended_ = true;
  if (input_.rest().empty()) return;
  stop("the bytes after the bzip2 data, from byte " + std::to_string(input_.taken_bytes()) +
       ", were ignored");
}

void Bzip2Reader::stop(const std::string& what) {
  warning_ = terminal_safe(input_.name()) + ": " + what;
  ended_ = true;
}

}  // namespace

std::unique_ptr<ByteReader> make_bzip2_reader(InputBuffer input) {
  return std::make_unique<Bzip2Reader>(std::move(input));
}

}  // namespace ttscope::io
