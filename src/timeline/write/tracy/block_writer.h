#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "base/writer.h"

namespace ttscope::timeline {

/// The payload of a .tracy file on its way: collected into blocks of 64 KiB, each packed by LZ4 with the one
/// before it as its dictionary.
class BlockWriter {
 public:
  explicit BlockWriter(Writer& out);
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  template <typename T>
  void put(T value) {
    put_bytes({reinterpret_cast<const char*>(&value), sizeof(T)});
  }
  /// The lowest three bytes.
  void put_24(std::uint32_t value) {
    put(static_cast<std::uint16_t>(value));
    put(static_cast<std::uint8_t>(value >> 16));
  }
  void put_zeros(std::size_t count) {
    for (; count > 0; --count) put(char{0});
  }
  void put_bytes(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t part = bytes.size() < room() ? bytes.size() : room();
      std::memcpy(buffers_[turn_].data() + used_, bytes.data(), part);
      used_ += part;
      bytes.remove_prefix(part);
      if (room() == 0) flush();
    }
  }
  /// Its length in eight bytes, then the text.
  void put_text(std::string_view text) {
    put(std::uint64_t{text.size()});
    put_bytes(text);
  }
  /// Writes what is left.
  void finish();

 private:
  struct Packer;
  static constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

  std::size_t room() const { return kBlockBytes - used_; }
  void flush();

  Writer& out_;
  std::unique_ptr<Packer> packer_;
  std::array<std::vector<char>, 2> buffers_ = {std::vector<char>(kBlockBytes),
                                               std::vector<char>(kBlockBytes)};
  std::size_t turn_ = 0;
  std::size_t used_ = 0;
  bool started_ = false;
};

}  // namespace ttscope::timeline
