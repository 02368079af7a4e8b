#include "io/byte_reader.h"

#include <utility>

namespace ttscope::io {
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
  constexpr std::string_view kBlockMark = "1AY&SY";
  constexpr std::string_view kEndMark = "\x17\x72\x45\x38\x50\x90";
  if (first_bytes.size() < kMagicBytes || !first_bytes.starts_with("BZh")) return false;
  if (first_bytes[3] < '1' || first_bytes[3] > '9') return false;
  const std::string_view mark = first_bytes.substr(4, kBlockMark.size());
  return mark == kBlockMark || mark == kEndMark;
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

}  // namespace ttscope::io
