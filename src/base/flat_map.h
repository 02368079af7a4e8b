#pragma once

#include <cstdint>
#include <vector>

namespace ttscope {

/// Small open-addressing map from a 32-bit id to a value, without an allocation per entry. The id 0xffffffff
/// is reserved. Pointers are valid until the next insertion.
template <typename Value>
class FlatMap {
 public:
  Value* find(std::uint32_t key) {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = start_of(key);; at = next(at)) {
      if (slots_[at].key == key) return &slots_[at].value;
      if (slots_[at].key == kFree) return nullptr;
    }
  }

  /// Adds or replaces.
  void set(std::uint32_t key, const Value& value) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    std::size_t at = start_of(key);
    while (slots_[at].key != kFree && slots_[at].key != key) at = next(at);
    if (slots_[at].key == kFree) ++size_;
    slots_[at] = {key, value};
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  struct Slot {
    std::uint32_t key = kFree;
    Value value{};
  };

  std::size_t start_of(std::uint32_t key) const { return (key * 0x9e3779b1u) & (slots_.size() - 1); }
  std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 16 : old.size() * 2, Slot{});
    size_ = 0;
    for (const Slot& slot : old) {
      if (slot.key != kFree) set(slot.key, slot.value);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace ttscope
