#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ttscope {

/// How a problem is named in JSON, and what the trust section says of it.
struct ProblemInfo {
  std::string_view key;
  std::string_view sentence;
  bool repaired = false;  ///< the record is used all the same
};

/// A place in the input: lines count from 1.
struct Place {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
};

/// Counts of problems with their first five places each. `Problem` is an enum of kCount values from 0 on. Not
/// thread safe.
template <typename Problem, std::size_t kCount>
class ProblemCounts {
 public:
  static constexpr std::size_t kPlacesKept = 5;

  void add(Problem problem, Place place) {
    Entry& entry = entries_[static_cast<std::size_t>(problem)];
    ++entry.count;
    if (entry.places.size() < kPlacesKept) entry.places.push_back(place);
  }
  void merge(const ProblemCounts& later) {
    for (std::size_t i = 0; i < kCount; ++i) {
      entries_[i].count += later.entries_[i].count;
      for (const Place& place : later.entries_[i].places) {
        if (entries_[i].places.size() < kPlacesKept) entries_[i].places.push_back(place);
      }
    }
  }
  std::uint64_t count(Problem problem) const { return entries_[static_cast<std::size_t>(problem)].count; }
  const std::vector<Place>& places(Problem problem) const {
    return entries_[static_cast<std::size_t>(problem)].places;
  }

 private:
  struct Entry {
    std::uint64_t count = 0;
    std::vector<Place> places;
  };
  std::array<Entry, kCount> entries_;
};

}  // namespace ttscope
