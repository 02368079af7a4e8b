#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ttscope {

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
      if (spare_.size() < kMostSpare) {
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
  static constexpr std::size_t kMostSpare = 1024;  ///< programs open and end all the time
  using Page = std::array<Value, kPageValues>;

  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<std::uint32_t> used_;
  std::vector<std::unique_ptr<Page>> spare_;
};

}  // namespace ttscope
