#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/none.h"
#include "perf/analyse/zones/cycle_histogram.h"
#include "perf/analyse/zones/zone_pairing.h"

namespace ttscope::perf {

/// A set of small numbers that mostly come in order.
class NumberSet {
 public:
  void insert(std::uint32_t number) {
    if (number == last_) return;
    last_ = number;
    words_[number / 64] |= std::uint64_t{1} << (number % 64);
  }
  std::uint64_t size() const;
  template <typename Take>
  void for_each(Take take) const {
    for (const auto& [word, bits] : words_) {
      for (std::uint32_t bit = 0; bit < 64; ++bit) {
        if ((bits >> bit & 1) != 0) take(word * 64 + bit);
      }
    }
  }

 private:
  std::unordered_map<std::uint32_t, std::uint64_t> words_;
  std::uint32_t last_ = kNone;
};

/// Zones of one name in the executions of one op.
struct ZoneShare {
  std::uint64_t count = 0;
  std::uint64_t cycles = 0;
};

/// What is collected of one zone on the processors of one name of a device.
struct ZoneEntry {
  std::uint64_t count = 0;
  std::uint64_t total_cycles = 0;
  std::uint64_t self_cycles = 0;
  std::uint64_t min_cycles = UINT64_MAX;
  std::uint64_t max_cycles = 0;
  std::uint64_t unmatched_starts = 0;
  std::uint64_t unmatched_ends = 0;
  std::uint64_t cores = 0;
  std::size_t last_group = SIZE_MAX;
  CycleHistogram lengths;
  NumberSet executions;
  std::unordered_map<std::uint64_t, ZoneShare> by_op;  ///< by GLOBAL CALL COUNT; only of what users marked

  void add(std::uint64_t cycles, std::uint64_t self, std::uint32_t execution);
};

/// The zones of the processors of one name of a device, by their number.
struct ProcessorEntry {
  std::unordered_map<std::uint32_t, ZoneEntry> zones;
  std::uint64_t zone_cycles = 0;
};

/// Hostile logs may hold any number; sums stay at the most.
std::uint64_t add_up(std::uint64_t a, std::uint64_t b);

}  // namespace ttscope::perf
