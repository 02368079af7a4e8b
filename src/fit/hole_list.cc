#include "fit/hole_list.h"

#include <algorithm>

namespace ttscope::fit {
namespace {

constexpr std::size_t kMostHolesInRun = 64;

bool ends_at(const Block& block, std::uint64_t address) {
  return block.address + block.size_bytes == address;
}

}  // namespace

HoleList::HoleList(Block whole) : first_address_(whole.address) {
  if (whole.size_bytes > 0) runs_.push_back({{whole}, whole.size_bytes});
}

void HoleList::changed(Run& run) {
  run.largest_bytes = 0;
  for (const Block& hole : run.holes) run.largest_bytes = std::max(run.largest_bytes, hole.size_bytes);
}

std::optional<HoleList::Place> HoleList::find_first(std::uint64_t size_bytes, Direction direction) const {
  const auto has_room = [size_bytes](const Run& run) { return run.largest_bytes >= size_bytes; };
  const auto fits = [size_bytes](const Block& hole) { return hole.size_bytes >= size_bytes; };
  if (direction == Direction::kBottomUp) {
    const auto run = std::find_if(runs_.begin(), runs_.end(), has_room);
    if (run == runs_.end()) return std::nullopt;
    const auto hole = std::find_if(run->holes.begin(), run->holes.end(), fits);
    return Place{static_cast<std::size_t>(run - runs_.begin()),
                 static_cast<std::size_t>(hole - run->holes.begin())};
  }
  const auto run = std::find_if(runs_.rbegin(), runs_.rend(), has_room);
  if (run == runs_.rend()) return std::nullopt;
  const auto hole = std::find_if(run->holes.rbegin(), run->holes.rend(), fits);
  return Place{static_cast<std::size_t>(runs_.rend() - run) - 1,
               static_cast<std::size_t>(run->holes.rend() - hole) - 1};
}

std::optional<HoleList::Place> HoleList::find_best(std::uint64_t size_bytes, Direction direction) const {
  std::optional<Place> best;
  std::uint64_t best_bytes = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (runs_[r].largest_bytes < size_bytes) continue;
    for (std::size_t h = 0; h < runs_[r].holes.size(); ++h) {
      const std::uint64_t found = runs_[r].holes[h].size_bytes;
      if (found < size_bytes) continue;
      const bool wins =
          !best || found < best_bytes || (found == best_bytes && direction == Direction::kTopDown);
      if (!wins) continue;
      best = Place{r, h};
      best_bytes = found;
    }
  }
  return best;
}

std::optional<std::uint64_t> HoleList::take(std::uint64_t size_bytes, Direction direction, Policy policy) {
  const std::optional<Place> place =
      policy == Policy::kFirstFit ? find_first(size_bytes, direction) : find_best(size_bytes, direction);
  if (!place) return std::nullopt;
  Run& run = runs_[place->run];
  Block& hole = run.holes[place->hole];
  const bool bottom_up = direction == Direction::kBottomUp;
  const std::uint64_t address = bottom_up ? hole.address : hole.address + hole.size_bytes - size_bytes;
  const bool was_largest = hole.size_bytes == run.largest_bytes;
  if (bottom_up) hole.address += size_bytes;
  hole.size_bytes -= size_bytes;
  if (hole.size_bytes == 0) {
    erase(*place);
  } else if (was_largest) {
    changed(run);
  }
  return address;
}

HoleList::Place HoleList::behind(std::uint64_t address) const {
  const auto run = std::partition_point(runs_.begin(), runs_.end(),
                                        [&](const Run& r) { return r.holes.back().address < address; });
  if (run == runs_.end()) return {runs_.size(), 0};
  const auto hole = std::partition_point(run->holes.begin(), run->holes.end(),
                                         [&](const Block& h) { return h.address < address; });
  return {static_cast<std::size_t>(run - runs_.begin()), static_cast<std::size_t>(hole - run->holes.begin())};
}

void HoleList::give(Block block) {
  if (block.size_bytes == 0) return;
  const Place next = behind(block.address);
  const bool has_next = next.run < runs_.size();
  const bool at_start = next.hole == 0;
  const bool has_previous = !at_start || next.run > 0;
  const Place previous = at_start
                             ? Place{next.run - 1, has_previous ? runs_[next.run - 1].holes.size() - 1 : 0}
                             : Place{next.run, next.hole - 1};
  const bool joins_next = has_next && ends_at(block, runs_[next.run].holes[next.hole].address);
  const bool joins_previous =
      has_previous && ends_at(runs_[previous.run].holes[previous.hole], block.address);
  if (joins_previous) {
    Block& joined = runs_[previous.run].holes[previous.hole];
    joined.size_bytes += block.size_bytes;
    if (joins_next) joined.size_bytes += runs_[next.run].holes[next.hole].size_bytes;
    runs_[previous.run].largest_bytes = std::max(runs_[previous.run].largest_bytes, joined.size_bytes);
    if (joins_next) erase(next);
  } else if (joins_next) {
    Block& joined = runs_[next.run].holes[next.hole];
    joined = {block.address, block.size_bytes + joined.size_bytes};
    runs_[next.run].largest_bytes = std::max(runs_[next.run].largest_bytes, joined.size_bytes);
  } else {
    insert(next, block);
  }
}

void HoleList::insert(Place place, Block hole) {
  if (runs_.empty()) {
    runs_.push_back({{hole}, hole.size_bytes});
    return;
  }
  if (place.run == runs_.size()) place = {runs_.size() - 1, runs_.back().holes.size()};
  Run& run = runs_[place.run];
  run.holes.insert(run.holes.begin() + static_cast<std::ptrdiff_t>(place.hole), hole);
  run.largest_bytes = std::max(run.largest_bytes, hole.size_bytes);
  if (run.holes.size() <= kMostHolesInRun) return;
  const auto middle = run.holes.begin() + static_cast<std::ptrdiff_t>(run.holes.size() / 2);
  Run upper{{middle, run.holes.end()}, 0};
  run.holes.erase(middle, run.holes.end());
  changed(run);
  changed(upper);
  runs_.insert(runs_.begin() + static_cast<std::ptrdiff_t>(place.run) + 1, std::move(upper));
}

/// A run that has become short is joined with the next, so that many frees do not leave a run for each hole.
void HoleList::erase(Place place) {
  Run& run = runs_[place.run];
  run.holes.erase(run.holes.begin() + static_cast<std::ptrdiff_t>(place.hole));
  const bool has_next = place.run + 1 < runs_.size();
  const auto next = runs_.begin() + static_cast<std::ptrdiff_t>(place.run) + 1;
  if (run.holes.empty()) {
    runs_.erase(next - 1);
  } else if (has_next && run.holes.size() + next->holes.size() <= kMostHolesInRun / 2) {
    run.holes.insert(run.holes.end(), next->holes.begin(), next->holes.end());
    runs_.erase(next);
    changed(runs_[place.run]);
  } else {
    changed(run);
  }
}

std::uint64_t HoleList::largest_bytes() const {
  std::uint64_t largest = 0;
  for (const Run& run : runs_) largest = std::max(largest, run.largest_bytes);
  return largest;
}

std::uint64_t HoleList::room_at_bottom_bytes() const {
  if (runs_.empty() || runs_.front().holes.front().address != first_address_) return 0;
  return runs_.front().holes.front().size_bytes;
}

std::vector<Block> HoleList::holes() const {
  std::vector<Block> all;
  for (const Run& run : runs_) all.insert(all.end(), run.holes.begin(), run.holes.end());
  return all;
}

}  // namespace ttscope::fit
