// numpy's argsort without vector instructions: an introsort by the median of three that sorts stretches of up
// to 16 by insertion and goes on with the smaller part. Which equal rows change places follows from each of
// these choices, so they are repeated here one by one; a test has its results.
#include "perf/analyse/ops/reference_sort.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ttscope::perf {
namespace {

class ReferenceSort {
 public:
  ReferenceSort(const OpsReport& table, std::vector<std::uint32_t>& rows) : table_(table), rows_(rows) {}

  void sort(std::size_t count) {
    if (count < 2) return;
    Stretch now{0, static_cast<std::ptrdiff_t>(count) - 1, 2 * (static_cast<int>(std::bit_width(count)) - 1)};
    while (true) {
      if (now.depth < 0) {
        // Never seen with times: the order of equal rows is then not that of the reference.
        std::stable_sort(rows_.begin() + now.first, rows_.begin() + now.last + 1,
                         [&](std::uint32_t a, std::uint32_t b) { return time(a) < time(b); });
      } else {
        while (now.last - now.first > kFew) now = split(now);
        insert(now);
      }
      if (waiting_.empty()) return;
      now = waiting_.back();
      waiting_.pop_back();
    }
  }

 private:
  static constexpr std::ptrdiff_t kFew = 15;
  struct Stretch {
    std::ptrdiff_t first = 0;
    std::ptrdiff_t last = 0;
    int depth = 0;
  };

  double time(std::uint32_t row) const { return table_.rows[row].host_start_ns; }
  double at(std::ptrdiff_t place) const { return time(rows_[static_cast<std::size_t>(place)]); }
  void exchange(std::ptrdiff_t a, std::ptrdiff_t b) {
    std::swap(rows_[static_cast<std::size_t>(a)], rows_[static_cast<std::size_t>(b)]);
  }
  void put_in_order(std::ptrdiff_t a, std::ptrdiff_t b) {
    if (at(b) < at(a)) exchange(a, b);
  }

  /// Parts a stretch at its median of three; the larger part waits.
  Stretch split(const Stretch& now) {
    const std::ptrdiff_t middle = now.first + ((now.last - now.first) >> 1);
    put_in_order(now.first, middle);
    put_in_order(middle, now.last);
    put_in_order(now.first, middle);
    const double pivot = at(middle);
    std::ptrdiff_t low = now.first;
    std::ptrdiff_t high = now.last - 1;
    exchange(middle, high);
    while (true) {
      do ++low;
      while (at(low) < pivot);
      do --high;
      while (pivot < at(high));
      if (low >= high) break;
      exchange(low, high);
    }
    exchange(low, now.last - 1);
    const Stretch left{now.first, low - 1, now.depth - 1};
    const Stretch right{low + 1, now.last, now.depth - 1};
    const bool is_left_smaller = low - now.first < now.last - low;
    waiting_.push_back(is_left_smaller ? right : left);
    return is_left_smaller ? left : right;
  }

  void insert(const Stretch& now) {
    for (std::ptrdiff_t i = now.first + 1; i <= now.last; ++i) {
      const std::uint32_t row = rows_[static_cast<std::size_t>(i)];
      std::ptrdiff_t place = i;
      for (; place > now.first && time(row) < at(place - 1); --place)
        rows_[static_cast<std::size_t>(place)] = rows_[static_cast<std::size_t>(place - 1)];
      rows_[static_cast<std::size_t>(place)] = row;
    }
  }

  const OpsReport& table_;
  std::vector<std::uint32_t>& rows_;
  std::vector<Stretch> waiting_;
};

}  // namespace

void sort_like_reference(const OpsReport& table, std::vector<std::uint32_t>& rows) {
  const auto timed = std::stable_partition(
      rows.begin(), rows.end(), [&](std::uint32_t row) { return has_number(table.rows[row].host_start_ns); });
  ReferenceSort(table, rows).sort(static_cast<std::size_t>(timed - rows.begin()));
}

}  // namespace ttscope::perf
