#include "timeline/analyze/window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "support/timeline_sample.h"

namespace ttscope::timeline {
namespace {

using Shown = std::vector<std::pair<std::uint32_t, std::int64_t>>;

/// By walking over all zones of each row.
Shown slow_window(const WindowIndex& index, const WindowRequest& request) {
  std::map<std::uint32_t, std::int64_t> busy_ns;
  for (const std::uint32_t track : request.tracks) {
    auto place = static_cast<std::uint32_t>(index.timeline.tracks[track].first_zone);
    for (const std::uint32_t count : index.rows.counts[track]) {
      std::map<std::int64_t, std::vector<std::uint32_t>> pixels;
      for (const std::uint32_t end = place + count; place < end; ++place) {
        if (index.end_ns(place) <= request.from_ns || index.start_ns(place) >= request.to_ns) continue;
        if (index.length_ns(place) >= request.pixel_ns) {
          busy_ns[place] = index.length_ns(place);
          continue;
        }
        const std::int64_t into_ns = std::max(index.start_ns(place), request.from_ns) - request.from_ns;
        pixels[into_ns / request.pixel_ns].push_back(place);
      }
      for (const auto& [pixel, places] : pixels) {
        std::uint32_t hit = kNone;
        for (const std::uint32_t one : places) {
          const bool is_hit = std::count(request.hits.begin(), request.hits.end(), one) > 0;
          if (is_hit && one != places.front() && hit == kNone) hit = one;
        }
        for (const std::uint32_t one : places) {
          busy_ns[one == hit ? hit : places.front()] += index.length_ns(one);
        }
      }
    }
  }
  return {busy_ns.begin(), busy_ns.end()};
}

std::vector<std::uint32_t> all_tracks(const Timeline& timeline) {
  std::vector<std::uint32_t> tracks(timeline.tracks.size());
  std::iota(tracks.begin(), tracks.end(), 0U);
  return tracks;
}

TEST(Window, IsWhatWalkingOverAllZonesGives) {
  const Timeline timeline = random_timeline(21, 1500);
  const WindowIndex index(timeline);
  std::mt19937_64 random(7);
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(std::max<std::int64_t>(1, end)));
  };
  const std::int64_t span_ns = timeline.last_ns - timeline.first_ns;
  ASSERT_GT(span_ns, 0);
  std::size_t shared = 0;
  for (int round = 0; round < 200; ++round) {
    WindowRequest request;
    request.pixel_ns = 1 + below(round % 2 == 0 ? span_ns / 20 : span_ns / 1000);
    request.from_ns = timeline.first_ns - span_ns / 10 + below(span_ns);
    request.to_ns = request.from_ns + request.pixel_ns * (1 + below(50));
    for (const std::uint32_t track : all_tracks(timeline)) {
      if (round % 4 == 0 || below(2) == 0) request.tracks.push_back(track);
    }
    std::vector<std::uint32_t> hits;
    for (std::uint32_t place = 0; place < index.rows.zones.size(); ++place) {
      if (below(10) == 0) hits.push_back(place);
    }
    if (round % 3 == 0) request.hits = hits;
    const Window window = window_of(index, request);
    Shown found;
    for (std::size_t i = 0; i < window.places.size(); ++i) {
      found.emplace_back(window.places[i], window.busy_ns[i]);
      if (window.busy_ns[i] > index.length_ns(window.places[i])) ++shared;
    }
    ASSERT_EQ(found, slow_window(index, request)) << "round " << round;
    std::size_t counted = 0;
    for (const auto& counts : window.counts) counted = std::accumulate(counts.begin(), counts.end(), counted);
    ASSERT_EQ(counted, window.places.size());
    ASSERT_EQ(window.counts.size(), timeline.tracks.size());
  }
  EXPECT_GT(shared, 0U) << "no pixel was shared: nothing was tested";
}

TEST(Window, KeptZonesAreThereWhateverTheirTimeAndTrack) {
  const Timeline timeline = random_timeline(22, 400);
  const WindowIndex index(timeline);
  WindowRequest request;
  request.from_ns = timeline.last_ns + 10;
  request.to_ns = timeline.last_ns + 20;
  request.kept = {1, 5, static_cast<std::uint32_t>(index.rows.zones.size() - 1)};
  EXPECT_EQ(window_of(index, request).places, request.kept);
  request.from_ns = timeline.first_ns - 1;
  request.tracks = all_tracks(timeline);
  EXPECT_EQ(window_of(index, request).places.size(), timeline.zones.size()) << "kept ones are there once";
}

TEST(Window, SumsAreThoseOfTheZonesInside) {
  const Timeline timeline = random_timeline(23, 900);
  const WindowIndex index(timeline);
  WindowRequest request;
  request.from_ns = timeline.first_ns + (timeline.last_ns - timeline.first_ns) / 4;
  request.to_ns = timeline.first_ns + (timeline.last_ns - timeline.first_ns) / 2;
  request.tracks = all_tracks(timeline);
  std::map<std::string_view, std::pair<std::uint64_t, std::int64_t>> expected;
  for (std::size_t zone = 0; zone < timeline.zones.size(); ++zone) {
    const std::int64_t start_ns = timeline.zones.start_ns[zone];
    const std::int64_t end_ns = timeline.zones.end_ns[zone];
    if (end_ns <= request.from_ns || start_ns >= request.to_ns) continue;
    auto& [count, total_ns] = expected[timeline.name_of_zone(zone)];
    ++count;
    total_ns += std::min(end_ns, request.to_ns) - std::max(start_ns, request.from_ns);
  }
  const std::vector<NameSum> sums = sums_between(index, request);
  EXPECT_EQ(sums.size(), expected.size());
  std::int64_t last_ns = INT64_MAX;
  for (const NameSum& sum : sums) {
    EXPECT_EQ(std::pair(sum.count, sum.total_ns), expected[timeline.text(sum.name)]);
    EXPECT_LE(sum.total_ns, last_ns);
    last_ns = sum.total_ns;
  }
}

TEST(Window, GoingThroughTheHitsMeetsEachOnceAndInOrderOfTime) {
  const Timeline timeline = random_timeline(24, 300);
  const WindowIndex index(timeline);
  const std::string name(timeline.name_of_zone(timeline.zones.size() / 2));
  const std::vector<std::uint32_t> hits = find_zones(index, name);
  ASSERT_FALSE(hits.empty());
  std::set<std::uint32_t> met;
  std::uint32_t place = kNone;
  std::int64_t last_ns = INT64_MIN;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    place = next_hit(index, hits, place, true);
    EXPECT_GE(index.start_ns(place), last_ns);
    last_ns = index.start_ns(place);
    met.insert(place);
  }
  EXPECT_EQ(std::vector<std::uint32_t>(met.begin(), met.end()), hits);
  const std::uint32_t first = next_hit(index, hits, place, true);
  EXPECT_EQ(first, next_hit(index, hits, kNone, true)) << "round the end";
  EXPECT_EQ(next_hit(index, hits, first, false), place);
  EXPECT_EQ(next_hit(index, {}, kNone, true), kNone);
  EXPECT_TRUE(find_zones(index, "").empty());
}

}  // namespace
}  // namespace ttscope::timeline
