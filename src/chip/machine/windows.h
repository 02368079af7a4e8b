#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chip/arch.h"

namespace ttscope::chip {

/// The address windows of a card's first BAR: which tile and address a byte of it means.
class Windows {
 public:
  static constexpr std::uint64_t kConfig = 0x1FC00000;

  explicit Windows(Arch arch) : arch_(arch) {}

  struct Target {
    Place coordinate;
    std::uint64_t address = 0;
    std::uint64_t left_bytes = 0;  ///< to the end of the window
  };
  /// Empty: no window is there.
  std::optional<Target> target(std::uint64_t offset) const;

  bool is_config(std::uint64_t offset) const {
    return offset >= kConfig && offset < kConfig + sizeof(words_);
  }
  /// A register of the windows: whole words.
  bool write_config(std::uint64_t offset, const void* from, std::uint32_t bytes);
  bool read_config(std::uint64_t offset, void* to, std::uint32_t bytes) const;

 private:
  Arch arch_;
  std::array<std::uint32_t, 640> words_{};
};

}  // namespace ttscope::chip
