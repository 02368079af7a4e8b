#include "diff/align/edit_script.h"

#include <algorithm>
#include <limits>

namespace ttscope::diff {
namespace {

using Index = std::int64_t;

/// Part of both sequences: [before_begin, before_end) and [after_begin, after_end).
struct Part {
  Index before_begin, before_end, after_begin, after_end;
};

class Comparison {
 public:
  Comparison(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
             Index most_edits)
      : before_(before), after_(after), most_edits_(std::max<Index>(most_edits, 16)) {
    // A diagonal is x - y; both searches keep the furthest x on each.
    const auto diagonals = before.size() + after.size() + 3;
    offset_ = static_cast<Index>(after.size()) + 1;
    forward_.resize(diagonals);
    backward_.resize(diagonals);
  }

  Matches run() {
    // Recursion by hand: parts of a sequence of unlike halves can be deep.
    std::vector<Part> waiting = {
        {0, static_cast<Index>(before_.size()), 0, static_cast<Index>(after_.size())}};
    while (!waiting.empty()) {
      Part part = waiting.back();
      waiting.pop_back();
      trim(part);
      if (part.before_begin == part.before_end || part.after_begin == part.after_end) continue;
      const auto [x, y] = middle_of(part);
      waiting.push_back({part.before_begin, x, part.after_begin, y});
      waiting.push_back({x, part.before_end, y, part.after_end});
    }
    std::sort(matches_.begin(), matches_.end());
    return std::move(matches_);
  }

 private:
  bool same(Index x, Index y) const {
    return before_[static_cast<std::size_t>(x)] == after_[static_cast<std::size_t>(y)];
  }
  void match(Index x, Index y) {
    matches_.emplace_back(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
  }
  Index& forward(Index diagonal) { return forward_[static_cast<std::size_t>(diagonal + offset_)]; }
  Index& backward(Index diagonal) { return backward_[static_cast<std::size_t>(diagonal + offset_)]; }

  /// Equal ends need no search.
  void trim(Part& part) {
    while (part.before_begin < part.before_end && part.after_begin < part.after_end &&
           same(part.before_begin, part.after_begin)) {
      match(part.before_begin++, part.after_begin++);
    }
    while (part.before_begin < part.before_end && part.after_begin < part.after_end &&
           same(part.before_end - 1, part.after_end - 1)) {
      match(--part.before_end, --part.after_end);
    }
  }

  /// The diagonals that a search has reached.
  struct Diagonals {
    Index low;
    Index high;
  };

  /// A point that an edit path of least length goes through: where searches from both ends meet.
  std::pair<Index, Index> middle_of(const Part& part) {
    const Index least = part.before_begin - part.after_end;
    const Index most = part.before_end - part.after_begin;
    const Index first = part.before_begin - part.after_begin;
    const Index last = part.before_end - part.after_end;
    const bool odd = ((first - last) & 1) != 0;
    Diagonals ahead = {first, first}, back = {last, last};
    const Diagonals all = {least, most};
    forward(first) = part.before_begin;
    backward(last) = part.before_end;
    for (Index edits = 1;; ++edits) {
      widen(ahead, all, [&](Index d) { forward(d) = -1; });
      for (Index d = ahead.high; d >= ahead.low; d -= 2) {
        Index x = std::max(forward(d - 1) + 1, forward(d + 1));
        x = std::min(x, part.before_end);
        Index y = x - d;
        while (x < part.before_end && y < part.after_end && same(x, y)) ++x, ++y;
        forward(d) = x;
        if (odd && d >= back.low && d <= back.high && backward(d) <= x) return clamped(part, x, y);
      }
      widen(back, all, [&](Index d) { backward(d) = std::numeric_limits<Index>::max() / 2; });
      for (Index d = back.high; d >= back.low; d -= 2) {
        Index x = std::min(backward(d - 1), backward(d + 1) - 1);
        x = std::max(x, part.before_begin);
        Index y = x - d;
        while (x > part.before_begin && y > part.after_begin && same(x - 1, y - 1)) --x, --y;
        backward(d) = x;
        if (!odd && d >= ahead.low && d <= ahead.high && x <= forward(d)) return clamped(part, x, y);
      }
      if (edits >= most_edits_) return furthest(part, ahead.low, ahead.high);
    }
  }

  /// One diagonal more on each side, or one less where the part ends.
  template <typename PutOutside>
  static void widen(Diagonals& now, const Diagonals& all, PutOutside put_outside) {
    if (now.low > all.low) {
      put_outside(--now.low - 1);
    } else {
      ++now.low;
    }
    if (now.high < all.high) {
      put_outside(++now.high + 1);
    } else {
      --now.high;
    }
  }

  static std::pair<Index, Index> clamped(const Part& part, Index x, Index y) {
    x = std::clamp(x, part.before_begin, part.before_end);
    y = std::clamp(y, part.after_begin, part.after_end);
    return {x, y};
  }

  /// Too many differences: what the search from the front reached with the most progress.
  std::pair<Index, Index> furthest(const Part& part, Index low, Index high) {
    Index best = std::numeric_limits<Index>::min();
    std::pair<Index, Index> point = {part.before_end, part.after_begin};
    for (Index d = low; d <= high; d += 2) {
      const Index x = std::min(forward(d), part.before_end);
      const Index y = x - d;
      if (y < part.after_begin || y > part.after_end || x + y <= best) continue;
      best = x + y;
      point = {x, y};
    }
    return point;
  }

  const std::vector<std::uint32_t>& before_;
  const std::vector<std::uint32_t>& after_;
  Index most_edits_;
  Index offset_ = 0;
  std::vector<Index> forward_;
  std::vector<Index> backward_;
  Matches matches_;
};

}  // namespace

std::uint32_t affordable_edits(std::size_t items) {
  constexpr std::size_t kMost = 2000;
  constexpr std::size_t kLeast = 100;
  return static_cast<std::uint32_t>(
      std::clamp(kMost * kExactItems / std::max<std::size_t>(items, 1), kLeast, kMost));
}

Matches common_subsequence(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
                           std::uint32_t most_edits) {
  return Comparison(before, after, most_edits).run();
}

}  // namespace ttscope::diff
