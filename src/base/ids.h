#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ttscope {

/// The one value of an index, an id or a 32-bit figure that is not there.
inline constexpr std::uint32_t kNone = 0xffffffff;

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

/// Map from ids to values for ids that are given out in order of appearance: those used together lie
/// together, so a table of pages needs neither hashing nor room to grow, and clearing costs what was used.
/// `Value::is_set()` tells a value from an empty place (`Value{}`).
template <typename Value>
class PagedMap {
 public:
  Value* find(std::uint32_t key) {
    const std::size_t page = key / kPageValues;
    if (page >= pages_.size() || pages_[page] == nullptr) return nullptr;
    Value& value = (*pages_[page])[key % kPageValues];
    return value.is_set() ? &value : nullptr;
  }

  /// The place of a key; the caller sets it.
  Value& at(std::uint32_t key) {
    const std::size_t page = key / kPageValues;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (pages_[page] == nullptr) {
      pages_[page] = spare_.empty() ? std::make_unique<Page>() : std::move(spare_.back());
      if (!spare_.empty()) spare_.pop_back();
      used_.push_back(static_cast<std::uint32_t>(page));
    }
    return (*pages_[page])[key % kPageValues];
  }

  void clear() {
    for (const std::uint32_t page : used_) {
      if (spare_.size() < kMaxSpare) {
        pages_[page]->fill(Value{});
        spare_.push_back(std::move(pages_[page]));
      }
      pages_[page] = nullptr;
    }
    used_.clear();
  }

  template <typename Take>
  void for_each(Take take) {
    for (const std::uint32_t page : used_) {
      for (std::uint32_t i = 0; i < kPageValues; ++i) {
        Value& value = (*pages_[page])[i];
        if (value.is_set()) take(page * kPageValues + i, value);
      }
    }
  }

 private:
  static constexpr std::uint32_t kPageValues = 32;
  static constexpr std::size_t kMaxSpare = 1024;  ///< programs open and end all the time
  using Page = std::array<Value, kPageValues>;

  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<std::uint32_t> used_;
  std::vector<std::unique_ptr<Page>> spare_;
};

}  // namespace ttscope
