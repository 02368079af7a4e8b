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

}  // namespace

Compression compression_of(std::string_view first_bytes) {
  constexpr std::string_view kGzipMagic = "\x1F\x8B";
  constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";
  constexpr std::string_view kSkippableMagicEnd = "\x2A\x4D\x18";  // after 0x50 to 0x5F: a frame without data
  const std::string_view magic = first_bytes.substr(0, kMagicBytes);
  if (magic.substr(0, 2) == kGzipMagic) return Compression::kGzip;
  if (magic == kZstdMagic) return Compression::kZstd;
  const bool skippable =
      magic.size() == kMagicBytes && (magic[0] & 0xF0) == 0x50 && magic.substr(1) == kSkippableMagicEnd;
  return skippable ? Compression::kZstd : Compression::kNone;
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
    case Compression::kNone:
      break;
  }
  return make_plain_reader(std::move(input));
}

}  // namespace ttscope::io
