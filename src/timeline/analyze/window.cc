#include "timeline/analyze/window.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace ttscope::timeline {
namespace {

constexpr std::uint32_t kBlock = 32;

/// Zones of one depth of a track.
struct RowSpan {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

/// The first place from `from` on for which `is_before` does not hold. Mostly it is near: steps double before
/// they halve.
template <typename IsBefore>
std::uint32_t first_not(std::uint32_t from, std::uint32_t end, IsBefore is_before) {
  std::uint64_t step = 1;
  std::uint64_t low = from;
  while (low + step < end && is_before(static_cast<std::uint32_t>(low + step - 1))) {
    low += step;
    step *= 2;
  }
  std::uint64_t high = std::min<std::uint64_t>(end, low + step);
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (is_before(static_cast<std::uint32_t>(middle))) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return static_cast<std::uint32_t>(low);
}

std::uint32_t first_ending_after(const WindowIndex& index, RowSpan row, std::int64_t time_ns) {
  return first_not(row.first, row.end, [&](std::uint32_t place) { return index.end_ns(place) <= time_ns; });
}

std::uint32_t first_starting_at(const WindowIndex& index, RowSpan row, std::int64_t time_ns) {
  return first_not(row.first, row.end, [&](std::uint32_t place) { return index.start_ns(place) < time_ns; });
}

template <typename Take>
void for_each_row(const WindowIndex& index, const std::vector<std::uint32_t>& tracks, Take take) {
  for (const std::uint32_t track : tracks) {
    auto first = static_cast<std::uint32_t>(index.timeline.tracks[track].first_zone);
    for (const std::uint32_t count : index.rows.counts[track]) {
      take(RowSpan{first, first + count});
      first += count;
    }
  }
}

/// Takes the rows of a window one after the other.
class WindowMaker {
 public:
  WindowMaker(const WindowIndex& index, const WindowRequest& request) : index_(index), request_(request) {}

  void add_row(RowSpan row) {
    std::uint32_t place = first_ending_after(index_, row, request_.from_ns);
    while (place < row.end && index_.start_ns(place) < request_.to_ns) {
      if (index_.length_ns(place) >= request_.pixel_ns) {
        add(place, index_.length_ns(place));
        ++place;
        continue;
      }
      place = add_pixel(place, row.end);
    }
  }

  Window finish() {
    add_kept();
    Window window;
    window.places.reserve(found_.size());
    window.busy_ns.reserve(found_.size());
    for (const auto& [place, busy_ns] : found_) {
      window.places.push_back(place);
      window.busy_ns.push_back(busy_ns);
    }
    count_rows(window);
    return window;
  }

 private:
  void add(std::uint32_t place, std::int64_t busy_ns) { found_.emplace_back(place, busy_ns); }

  /// One of the zones that begin in the pixel of `place`, and one that is looked for; the place behind them.
  std::uint32_t add_pixel(std::uint32_t place, std::uint32_t end) {
    const std::int64_t start_ns = index_.start_ns(place);
    const std::int64_t into_ns = std::max<std::int64_t>(0, start_ns - request_.from_ns) % request_.pixel_ns;
    const std::int64_t border_ns = std::max(start_ns, request_.from_ns) - into_ns + request_.pixel_ns;
    std::uint32_t next = first_starting_at(index_, {place + 1, end}, border_ns);
    // The last of them may be one with room of its own.
    if (next - 1 > place && index_.length_ns(next - 1) >= request_.pixel_ns) --next;
    const auto hit = std::upper_bound(request_.hits.begin(), request_.hits.end(), place);
    const bool has_hit = hit != request_.hits.end() && *hit < next;
    // What the hit takes is its own: together they fill the pixel as the zones do.
    add(place, index_.busy_ns(place, next) - (has_hit ? index_.length_ns(*hit) : 0));
    if (has_hit) add(*hit, index_.length_ns(*hit));
    return next;
  }

  void add_kept() {
    const auto old_count = static_cast<std::ptrdiff_t>(found_.size());
    for (const std::uint32_t place : request_.kept) {
      const auto at =
          std::lower_bound(found_.begin(), found_.begin() + old_count, std::pair(place, INT64_MIN));
      if (at == found_.begin() + old_count || at->first != place) add(place, index_.length_ns(place));
    }
    std::inplace_merge(found_.begin(), found_.begin() + old_count, found_.end());
  }

  void count_rows(Window& window) const {
    auto at = found_.begin();
    std::uint64_t end = 0;
    for (const std::vector<std::uint32_t>& counts : index_.rows.counts) {
      std::vector<std::uint32_t>& own = window.counts.emplace_back();
      for (const std::uint32_t count : counts) {
        end += count;
        const auto next = std::lower_bound(
            at, found_.end(), end, [](const auto& one, std::uint64_t place) { return one.first < place; });
        own.push_back(static_cast<std::uint32_t>(next - at));
        at = next;
      }
    }
  }

  const WindowIndex& index_;
  const WindowRequest& request_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> found_{};
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// The text that a zone is called by.
TextId name_of(const Timeline& timeline, std::uint32_t zone) {
  const TextId own = timeline.details[timeline.zones.detail[zone]].name;
  if (own != 0) return own;
  const Location& place = timeline.locations[timeline.zones.location[zone]];
  return place.name != 0 ? place.name : place.function;
}

/// Zones of a row are in the order of their numbers.
std::uint32_t place_of_zone(const WindowIndex& index, std::uint32_t zone) {
  const std::uint32_t track = index.timeline.track_of_zone(zone);
  std::uint32_t found = 0;
  for_each_row(index, {track}, [&](RowSpan row) {
    const auto first = index.rows.zones.begin() + row.first;
    const auto end = index.rows.zones.begin() + row.end;
    const auto at = std::lower_bound(first, end, zone);
    if (at != end && *at == zone) found = static_cast<std::uint32_t>(at - index.rows.zones.begin());
  });
  return found;
}

}  // namespace

WindowIndex::WindowIndex(const Timeline& of) : timeline(of), rows(rows_of(of)) {
  busy_before_ns.reserve(rows.zones.size() / kBlock + 1);
  std::int64_t sum = 0;
  for (std::size_t place = 0; place < rows.zones.size(); ++place) {
    if (place % kBlock == 0) busy_before_ns.push_back(sum);
    sum += length_ns(static_cast<std::uint32_t>(place));
  }
  if (rows.zones.size() % kBlock == 0) busy_before_ns.push_back(sum);
}

std::int64_t WindowIndex::busy_ns(std::uint32_t from, std::uint32_t end) const {
  const std::uint32_t first_block = (from + kBlock - 1) / kBlock;
  const std::uint32_t last_block = end / kBlock;
  std::int64_t sum = 0;
  const auto add = [&](std::uint32_t low, std::uint32_t high) {
    for (std::uint32_t place = low; place < high; ++place) sum += length_ns(place);
  };
  if (first_block >= last_block) {
    add(from, end);
    return sum;
  }
  add(from, first_block * kBlock);
  add(last_block * kBlock, end);
  return sum + busy_before_ns[last_block] - busy_before_ns[first_block];
}

Window window_of(const WindowIndex& index, const WindowRequest& request) {
  WindowMaker maker(index, request);
  for_each_row(index, request.tracks, [&](RowSpan row) { maker.add_row(row); });
  return maker.finish();
}

std::vector<std::uint32_t> find_zones(const WindowIndex& index, std::string_view wanted) {
  const Timeline& timeline = index.timeline;
  const std::string word = lower(wanted);
  std::vector<std::uint32_t> found;
  if (word.empty()) return found;
  std::vector<char> is_text(timeline.texts.size(), 0);
  for (TextId id = 1; id < timeline.texts.size(); ++id) {
    is_text[id] = lower(timeline.text(id)).find(word) != std::string::npos ? 1 : 0;
  }
  std::uint64_t op = kNoOp;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), op);
  if (error != std::errc() || end != word.data() + word.size()) op = kNoOp;
  std::vector<char> is_detail(timeline.details.size(), 0);
  for (std::size_t i = 0; i < timeline.details.size(); ++i) {
    const ZoneDetail& detail = timeline.details[i];
    is_detail[i] = is_text[detail.text] || is_text[detail.name] || (op != kNoOp && detail.op == op) ? 1 : 0;
  }
  for (std::uint32_t place = 0; place < index.rows.zones.size(); ++place) {
    const std::uint32_t zone = index.zone(place);
    if (is_detail[timeline.zones.detail[zone]] || is_text[name_of(timeline, zone)]) found.push_back(place);
  }
  return found;
}

std::uint32_t next_hit(const WindowIndex& index, std::span<const std::uint32_t> hits, std::uint32_t place,
                       bool forward) {
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
    const auto key = [&](std::uint32_t one) { return std::pair(index.start_ns(one), one); };
    return forward ? key(a) < key(b) : key(b) < key(a);
  };
  std::uint32_t best = kNone;
  std::uint32_t around = kNone;
  for (const std::uint32_t hit : hits) {
    if (around == kNone || is_before(hit, around)) around = hit;
    if (place == kNone || !is_before(place, hit)) continue;
    if (best == kNone || is_before(hit, best)) best = hit;
  }
  return best != kNone ? best : around;
}

std::vector<std::uint32_t> with_linked(const WindowIndex& index, std::uint32_t place, std::size_t most) {
  const std::uint32_t zone = index.zone(place);
  std::vector<std::uint32_t> zones;
  for (const Link& link : index.timeline.links) {
    if (zones.size() >= most) break;
    if (link.from_zone == zone) zones.push_back(static_cast<std::uint32_t>(link.to_zone));
    if (link.to_zone == zone) zones.push_back(static_cast<std::uint32_t>(link.from_zone));
  }
  std::vector<std::uint32_t> places = {place};
  for (const std::uint32_t other : zones) places.push_back(place_of_zone(index, other));
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::vector<NameSum> sums_between(const WindowIndex& index, const WindowRequest& request) {
  const Timeline& timeline = index.timeline;
  std::vector<NameSum> by_name(timeline.texts.size());
  for_each_row(index, request.tracks, [&](RowSpan row) {
    std::uint32_t place = first_ending_after(index, row, request.from_ns);
    for (; place < row.end && index.start_ns(place) < request.to_ns; ++place) {
      NameSum& sum = by_name[name_of(timeline, index.zone(place))];
      const std::int64_t length_ns = index.length_ns(place);
      const std::int64_t inside_ns =
          std::min(request.to_ns, index.end_ns(place)) - std::max(request.from_ns, index.start_ns(place));
      sum.total_ns += std::max<std::int64_t>(0, inside_ns);
      sum.shortest_ns = sum.count == 0 ? length_ns : std::min(sum.shortest_ns, length_ns);
      sum.longest_ns = std::max(sum.longest_ns, length_ns);
      ++sum.count;
    }
  });
  for (TextId id = 0; id < by_name.size(); ++id) by_name[id].name = id;
  std::erase_if(by_name, [](const NameSum& sum) { return sum.count == 0; });
  std::stable_sort(by_name.begin(), by_name.end(),
                   [](const NameSum& a, const NameSum& b) { return a.total_ns > b.total_ns; });
  return by_name;
}

namespace {

/// Deeper zones share the last row.
constexpr std::size_t kMaxRows = 256;

}  // namespace

ZoneRows rows_of(const Timeline& timeline) {
  ZoneRows rows;
  rows.zones.resize(timeline.zones.size());
  for (const Track& track : timeline.tracks) {
    std::vector<std::uint32_t>& counts =
        rows.counts.emplace_back(std::min<std::size_t>(track.most_depth + std::size_t{1}, kMaxRows), 0);
    const auto row_of = [&](std::size_t zone) {
      return std::min<std::size_t>(timeline.zones.depth[zone], counts.size() - 1);
    };
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) ++counts[row_of(zone)];
    std::vector<std::size_t> next(counts.size(), track.first_zone);
    for (std::size_t row = 1; row < next.size(); ++row) next[row] = next[row - 1] + counts[row - 1];
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      rows.zones[next[row_of(zone)]++] = static_cast<std::uint32_t>(zone);
    }
  }
  return rows;
}

}  // namespace ttscope::timeline
