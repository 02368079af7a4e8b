#include "io/text_encoding.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace ttscope::io {
namespace {

constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
constexpr std::string_view kBigEndianMark = "\xFE\xFF";

bool is_ascii_text(char c) { return (c >= ' ' && c < 0x7F) || (c >= '\t' && c <= '\r') || c == '\x1B'; }

/// Whether every second byte is zero, from `zero` on, and the others are characters.
bool is_interleaved(std::string_view bytes, std::size_t zero) {
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    if (bytes[at + zero] != '\0' || !is_ascii_text(bytes[at + 1 - zero])) return false;
  }
  return true;
}

/// UTF-16 to UTF-8, piece by piece.
class Utf16Text {
 public:
  explicit Utf16Text(bool big_endian) : big_endian_(big_endian) {}

  void add(std::string_view bytes, std::string& to) {
    if (has_odd_byte_ && !bytes.empty()) {
      add_unit(unit_of(odd_byte_, bytes.front()), to);
      bytes.remove_prefix(1);
      has_odd_byte_ = false;
    }
    std::size_t at = 0;
    for (; at + 1 < bytes.size(); at += 2) add_unit(unit_of(bytes[at], bytes[at + 1]), to);
    if (at == bytes.size()) return;
    has_odd_byte_ = true;
    odd_byte_ = bytes[at];
  }
  /// The end of the text.
  void finish(std::string& to) {
    if (high_ != 0 || has_odd_byte_) replace(to);
    high_ = 0;
    has_odd_byte_ = false;
  }
  std::uint64_t replaced() const { return replaced_; }

 private:
  std::uint32_t unit_of(char first, char second) const {
    const auto a = static_cast<std::uint32_t>(static_cast<unsigned char>(first));
    const auto b = static_cast<std::uint32_t>(static_cast<unsigned char>(second));
    return big_endian_ ? a << 8 | b : b << 8 | a;
  }

  void add_unit(std::uint32_t unit, std::string& to) {
    const bool is_low = unit >= 0xDC00 && unit < 0xE000;
    if (high_ != 0 && is_low) {
      put(0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00), to);
      high_ = 0;
      return;
    }
    if (high_ != 0) replace(to);
    high_ = unit >= 0xD800 && unit < 0xDC00 ? unit : 0;
    if (high_ != 0) return;
    if (is_low) return replace(to);
    put(unit, to);
  }

  void replace(std::string& to) {
    ++replaced_;
    put(0xFFFD, to);
  }

  static void put(std::uint32_t character, std::string& to) {
    const auto byte = [&](std::uint32_t lead, std::uint32_t bits) { to += static_cast<char>(lead | bits); };
    if (character < 0x80) return byte(0, character);
    if (character < 0x800) {
      byte(0xC0, character >> 6);
    } else {
      if (character < 0x10000) {
        byte(0xE0, character >> 12);
      } else {
        byte(0xF0, character >> 18);
        byte(0x80, character >> 12 & 0x3F);
      }
      byte(0x80, character >> 6 & 0x3F);
    }
    byte(0x80, character & 0x3F);
  }

  bool big_endian_;
  bool has_odd_byte_ = false;
  char odd_byte_ = 0;
  std::uint32_t high_ = 0;  ///< the first half of a character whose second is still to come
  std::uint64_t replaced_ = 0;
};

/// Looks at the beginning, then hands the bytes through or transcodes them.
class TextReader final : public ByteReader {
 public:
  TextReader(std::unique_ptr<ByteReader> bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}

  Result<std::size_t> read(char* to, std::size_t room_bytes) override {
    if (!looked_) {
      if (const Result<void> looked = look(); !looked) return failure(looked.error());
    }
    while (at_ == held_.size()) {
      if (ended_) return 0;
      if (encoding_ == Encoding::kBytes) return bytes_->read(to, room_bytes);
      if (const Result<void> filled = fill(); !filled) return failure(filled.error());
    }
    const std::size_t size_bytes = std::min(room_bytes, held_.size() - at_);
    std::memcpy(to, held_.data() + at_, size_bytes);
    at_ += size_bytes;
    return size_bytes;
  }
  std::uint64_t consumed_bytes() const override { return bytes_->consumed_bytes(); }
  std::string warning() const override {
    std::string warning = bytes_->warning();
    if (!warning.empty() || text_.replaced() == 0) return warning;
    return name_ + ": " + std::to_string(text_.replaced()) +
           " halves of UTF-16 characters without their other half were replaced";
  }

 private:
  Result<void> look() {
    looked_ = true;
    held_.resize(kEncodingBytes);
    std::size_t size_bytes = 0;
    while (size_bytes < held_.size()) {
      const Result<std::size_t> more = bytes_->read(held_.data() + size_bytes, held_.size() - size_bytes);
      if (!more) {
        held_.clear();  // a caller who reads on must not get bytes that were never there
        return failure(more.error());
      }
      if (*more == 0) break;
      size_bytes += *more;
    }
    held_.resize(size_bytes);
    encoding_ = encoding_of(held_);
    if (encoding_ == Encoding::kBytes) {
      at_ = held_.size() - without_byte_order_mark(held_).size();
      return {};
    }
    text_ = Utf16Text(encoding_ == Encoding::kUtf16BigEndian);
    const bool has_mark = held_.starts_with(kLittleEndianMark) || held_.starts_with(kBigEndianMark);
    const std::string first = held_.substr(has_mark ? kLittleEndianMark.size() : 0);
    held_.clear();
    text_.add(first, held_);
    return {};
  }

  Result<void> fill() {
    constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
    block_.resize(kBlockBytes);
    held_.clear();
    at_ = 0;
    const Result<std::size_t> size_bytes = bytes_->read(block_.data(), block_.size());
    if (!size_bytes) return failure(size_bytes.error());
    text_.add({block_.data(), *size_bytes}, held_);
    ended_ = *size_bytes == 0;
    if (ended_) text_.finish(held_);
    return {};
  }

  std::unique_ptr<ByteReader> bytes_;
  std::string name_;
  bool looked_ = false;
  bool ended_ = false;  ///< of UTF-16
  Encoding encoding_ = Encoding::kBytes;
  Utf16Text text_{false};
  std::vector<char> block_;
  std::string held_;  ///< what can be given
  std::size_t at_ = 0;
};

/// A byte order mark, with Latin characters for the most part behind it: a log of bytes may begin with
/// anything.
bool is_marked(std::string_view first_bytes, std::string_view mark, std::size_t high_byte) {
  if (!first_bytes.starts_with(mark)) return false;
  const std::string_view text = first_bytes.substr(mark.size(), kEncodingBytes - mark.size());
  std::size_t latin = 0;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) latin += text[i + high_byte] == '\0' ? 1 : 0;
  return 2 * latin >= text.size() / 2;
}

}  // namespace

Encoding encoding_of(std::string_view first_bytes) {
  constexpr std::size_t kLeastBytes = 4;  // less tells nothing
  if (is_marked(first_bytes, kLittleEndianMark, 1)) return Encoding::kUtf16LittleEndian;
  if (is_marked(first_bytes, kBigEndianMark, 0)) return Encoding::kUtf16BigEndian;
  const std::string_view looked_at = first_bytes.substr(0, kEncodingBytes);
  if (looked_at.size() < kLeastBytes) return Encoding::kBytes;
  if (is_interleaved(looked_at, 1)) return Encoding::kUtf16LittleEndian;
  return is_interleaved(looked_at, 0) ? Encoding::kUtf16BigEndian : Encoding::kBytes;
}

std::unique_ptr<ByteReader> make_text_reader(std::unique_ptr<ByteReader> bytes, std::string name) {
  return std::make_unique<TextReader>(std::move(bytes), std::move(name));
}

}  // namespace ttscope::io
