#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ttscope::timeline {

/// A message of protocol buffers as bytes: fields one behind the other.
class ProtoBuffer {
 public:
  void clear() { bytes_.clear(); }
  const std::string& bytes() const { return bytes_; }

  void number(std::uint32_t field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
  }
  void real(std::uint32_t field, double value) {
    varint(field << 3 | 1);
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    bytes_.append(raw, sizeof(raw));
  }
  /// A fixed number of eight bytes.
  void fixed(std::uint32_t field, std::uint64_t value) {
    varint(field << 3 | 1);
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    bytes_.append(raw, sizeof(raw));
  }
  /// A text or a message.
  void content(std::uint32_t field, std::string_view bytes) {
    varint(field << 3 | 2);
    varint(bytes.size());
    bytes_ += bytes;
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

 private:
  std::string bytes_;
};

}  // namespace ttscope::timeline
