#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ttscope {

/// Where a figure comes from. Measured: printed by the runtime. Derived: computed from tensor layouts and
/// confirmed by the measurement within its rounding, or split off a measured change by the layouts. Modeled:
/// from layouts alone.
enum class Confidence : std::uint8_t { kNone, kMeasured, kDerived, kModeled };

constexpr std::string_view name_of(Confidence confidence) {
  constexpr std::array<std::string_view, 4> kNames = {"none", "measured", "derived", "modelled"};
  return kNames[static_cast<std::size_t>(confidence)];
}

/// How bad a finding is; a verdict is that of its worst finding.
enum class Severity : std::uint8_t { kOk, kWarning, kCritical };

constexpr std::string_view name_of(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames = {"ok", "warning", "critical"};
  return kNames[static_cast<std::size_t>(severity)];
}

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

/// Counts of problems with their first five places each. `Problem` is an enum of kCount values from 0 on;
/// places are lines of files, texts or numbers of rows. Not thread safe.
template <typename Problem, std::size_t kCount, typename PlaceType = Place>
class ProblemCounts {
 public:
  static constexpr std::size_t kPlacesKept = 5;

  void add(Problem problem, PlaceType place) {
    add_count(problem, 1);
    add_place(problem, std::move(place));
  }
  /// So many more, whose places are not known or follow.
  void add_count(Problem problem, std::uint64_t count) {
    entries_[static_cast<std::size_t>(problem)].count += count;
  }
  /// One more place of a problem that is counted already.
  void add_place(Problem problem, PlaceType place) {
    std::vector<PlaceType>& places = entries_[static_cast<std::size_t>(problem)].places;
    if (places.size() < kPlacesKept) places.push_back(std::move(place));
  }
  void merge(const ProblemCounts& later) {
    merge(later, [](const PlaceType& place) { return place; });
  }
  /// The same for counts of a part whose places are others in the whole.
  template <typename Moved>
  void merge(const ProblemCounts& later, Moved moved) {
    for (std::size_t i = 0; i < kCount; ++i) {
      entries_[i].count += later.entries_[i].count;
      for (const PlaceType& place : later.entries_[i].places)
        add_place(static_cast<Problem>(i), moved(place));
    }
  }
  std::uint64_t count(Problem problem) const { return entries_[static_cast<std::size_t>(problem)].count; }
  const std::vector<PlaceType>& places(Problem problem) const {
    return entries_[static_cast<std::size_t>(problem)].places;
  }
  bool any() const {
    for (const Entry& entry : entries_) {
      if (entry.count > 0) return true;
    }
    return false;
  }

 private:
  struct Entry {
    std::uint64_t count = 0;
    std::vector<PlaceType> places;
  };
  std::array<Entry, kCount> entries_;
};

}  // namespace ttscope
