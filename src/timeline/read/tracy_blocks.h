#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_files.h"

namespace ttscope::timeline {

/// A capture of the Tracy profiler: .tracy.
bool is_tracy_capture(const io::Beginning& beginning);

/// The blocks of a .tracy file, unpacked one after the other. Three forms of file are known: `tlZ` 4 with LZ4
/// blocks, `tZst` with Zstandard blocks, and `tr` 0xFD `P` with either, dealt out to several streams by
/// turns. Every block has 64 KiB but the last, and the one before it in its stream as its dictionary.
class TracyBlocks {
 public:
  /// The file must outlive it.
  explicit TracyBlocks(std::string_view file);
  ~TracyBlocks();
  TracyBlocks(const TracyBlocks&) = delete;
  TracyBlocks& operator=(const TracyBlocks&) = delete;

  /// Whether the file begins like one.
  bool is_known() const { return known_; }
  /// The bytes of the next block, valid until the next call; empty at the end.
  std::string_view next();
  /// What is wrong with the container, once next() came to its end; empty: nothing.
  const std::string& problem() const { return problem_; }
  /// Looks at the sizes of the blocks that are left, without unpacking them: sets problem() where the file is
  /// cut.
  void check_rest();

 private:
  class Stream;

  /// The packed bytes of the next block; none at the end. Where the file is cut inside of it: what there is.
  bool take_packed(std::string_view& packed);

  std::string_view file_;
  std::size_t at_ = 0;
  bool known_ = false;
  std::size_t turn_ = 0;
  std::string problem_;
  std::vector<std::unique_ptr<Stream>> streams_;
};

/// Reads numbers and bytes out of the blocks. Behind the end everything is zero and is_whole() false.
class Payload {
 public:
  explicit Payload(TracyBlocks& blocks) : blocks_(blocks) {}

  bool is_whole() const { return whole_; }
  std::uint64_t taken_bytes() const { return taken_; }

  template <typename T>
  T read() {
    T value{};
    if (sizeof(T) <= block_.size()) {
      std::memcpy(&value, block_.data(), sizeof(T));
      block_.remove_prefix(sizeof(T));
      taken_ += sizeof(T);
    } else {
      copy(reinterpret_cast<char*>(&value), sizeof(T));
    }
    return value;
  }
  /// The next number of three bytes.
  std::uint32_t read_24() {
    const auto low = read<std::uint16_t>();
    return low | static_cast<std::uint32_t>(read<std::uint8_t>()) << 16;
  }
  /// A text of so many bytes; what is not there is not in it.
  std::string read_text(std::uint64_t size) {
    std::string text;
    while (size > 0 && fill()) {
      const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(size, block_.size()));
      text += block_.substr(0, part);
      take(part);
      size -= part;
    }
    return text;
  }
  void skip(std::uint64_t size) {
    while (size > 0 && fill()) {
      const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(size, block_.size()));
      take(part);
      size -= part;
    }
  }
  /// Skips `count` records of `size` bytes.
  void skip(std::uint64_t count, std::uint64_t size) {
    for (; count > 0 && is_whole(); --count) skip(size);
  }

 private:
  void take(std::size_t size) {
    block_.remove_prefix(size);
    taken_ += size;
  }
  bool fill() {
    if (block_.empty() && whole_) {
      block_ = blocks_.next();
      whole_ = !block_.empty();
    }
    return whole_;
  }
  void copy(char* to, std::size_t size) {
    char* const begin = to;
    std::size_t left = size;
    while (left > 0 && fill()) {
      const std::size_t part = std::min(left, block_.size());
      std::memcpy(to, block_.data(), part);
      take(part);
      to += part;
      left -= part;
    }
    if (left > 0) std::memset(begin, 0, size);
  }

  TracyBlocks& blocks_;
  std::string_view block_;
  std::uint64_t taken_ = 0;
  bool whole_ = true;
};

}  // namespace ttscope::timeline
