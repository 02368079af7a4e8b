#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::report {

/// Remembers the texts of recent keys, one in each slot: the states of a log repeat from run to run. No text
/// is empty. Not thread safe.
template <typename Key, int kSlotBits = 12>
class TextCache {
 public:
  TextCache() : slots_(kSlots) {}

  /// `render(text)` fills an empty text for a key that is not there. Valid until the next call.
  template <typename Render>
  std::string_view get(const Key& key, std::uint64_t hash, Render render) {
    Slot& slot = slots_[(hash * 0x9E3779B97F4A7C15u) >> (64 - kSlotBits)];
    if (slot.text.empty() || !(slot.key == key)) {
      slot.text.clear();
      slot.key = key;
      render(slot.text);
    }
    return slot.text;
  }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  struct Slot {
    Key key{};
    std::string text;
  };
  std::vector<Slot> slots_;
};

}  // namespace ttscope::report
