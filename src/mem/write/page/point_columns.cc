// The curves of mem/write/page/rank_columns.h; rank_columns.cc has what comes from declared tables.
#include <algorithm>
#include <memory>

#include "mem/analyse/effects.h"
#include "mem/write/page/rank_columns.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kOverviewParts = 2048;

RankPoints measured_points(const RankTrace& trace) {
  RankPoints points;
  points.measured = true;
  const std::vector<MeasurePoint> found = measure_points(trace);
  points.moments.reserve(found.size());
  points.blocks.reserve(found.size());
  for (const MeasurePoint& point : found) {
    points.moments.push_back(point.moment);
    points.blocks.push_back(point.block);
  }
  return points;
}

/// States that differ from the one before.
RankPoints modelled_points(const RankTrace& trace, const RankProfile& profile) {
  RankPoints points;
  const auto add = [&](Moment moment, const PerTensorMemory& state) {
    if (!points.modelled.empty() && points.modelled.back() == state) return;
    points.moments.push_back(moment);
    points.modelled.push_back(state);
  };
  const std::size_t count = std::min({trace.ops.size(), profile.accounted.size(), profile.effects.size()});
  for (std::uint32_t i = 0; i < count; ++i) {
    PerTensorMemory state = profile.accounted[i];
    add(before_op(i), state);
    for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
      state[m] = saturating_add(state[m], profile.effects[i].own_growth[m]);
    }
    add(after_op(i), state);
  }
  return points;
}

/// Lowest and highest value in each part of the moments; a value holds until the next point.
template <typename T>
struct Overview {
  std::vector<T> lowest;
  std::vector<T> highest;
};

template <typename T, typename At>
Overview<T> overview_of(const RankView& rank, At at) {
  const std::size_t moments = 2 * rank.trace.ops.size();
  const std::size_t parts = std::min(kOverviewParts, std::max<std::size_t>(moments, 1));
  Overview<T> overview;
  T value = 0;
  std::size_t next = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = moments * part / parts;
    const std::size_t end = part + 1 == parts ? moments + 1 : moments * (part + 1) / parts;
    const bool starts_new = next < rank.points.size() && rank.points.moments[next] <= begin;
    T low = value;
    T high = value;
    bool first = starts_new;
    for (; next < rank.points.size() && rank.points.moments[next] < end; ++next) {
      value = at(next);
      low = first ? value : std::min(low, value);
      high = first ? value : std::max(high, value);
      first = false;
    }
    overview.lowest.push_back(low);
    overview.highest.push_back(high);
  }
  return overview;
}

template <typename T>
void add_values(report::PageBlobs& blobs, std::string id, std::vector<T> values) {
  const auto shared = std::make_shared<const std::vector<T>>(std::move(values));
  blobs.add<T>(std::move(id), shared->size(), report::Stored::kDelta,
               [shared](std::size_t i) { return (*shared)[i]; });
}

template <typename T, typename At>
void add_memory_overview(report::PageBlobs& blobs, const RankView& rank, Memory memory, At at) {
  Overview<T> overview = overview_of<T>(rank, at);
  const std::string id = rank.id("ov.") + std::string(name_of(memory));
  add_values(blobs, id + ".min", std::move(overview.lowest));
  add_values(blobs, id + ".max", std::move(overview.highest));
}

using BlockFigures = std::array<MilliMib, kMemoryCount> MemoryBlock::*;

}  // namespace

RankPoints find_points(const RankTrace& trace, const RankProfile& profile) {
  return trace.blocks.empty() ? modelled_points(trace, profile) : measured_points(trace);
}

void add_overview(report::PageBlobs& blobs, const RankView& rank) {
  if (rank.points.measured) {
    for (const Memory memory : kMemories) {
      add_memory_overview<std::uint32_t>(blobs, rank, memory, [&](std::size_t i) {
        return rank.trace.blocks[rank.points.blocks[i]].allocated[index_of(memory)];
      });
    }
    return;
  }
  for (const Memory memory : kTensorMemories) {
    add_memory_overview<std::int64_t>(
        blobs, rank, memory, [&](std::size_t i) { return rank.points.modelled[i][index_of(memory)]; });
  }
}

void add_points(report::PageBlobs& blobs, const RankView& rank) {
  const RankPoints& points = rank.points;
  blobs.add<std::uint32_t>(rank.id("pt.moment"), points.size(), report::Stored::kDelta,
                           [&points](std::size_t i) { return points.moments[i]; });
  if (!points.measured) {
    for (const Memory memory : kTensorMemories) {
      blobs.add<std::int64_t>(
          rank.id("pt.") + std::string(name_of(memory)) + ".alloc", points.size(), report::Stored::kDelta,
          [&points, m = index_of(memory)](std::size_t i) { return points.modelled[i][m]; });
    }
    return;
  }
  const auto& blocks = rank.trace.blocks;
  blobs.add<std::uint32_t>(rank.id("pt.line"), points.size(), report::Stored::kDelta,
                           [&points, &blocks](std::size_t i) { return blocks[points.blocks[i]].line; });
  for (const Memory memory : kMemories) {
    const auto add = [&](std::string_view what, BlockFigures figures) {
      blobs.add<std::uint32_t>(rank.id("pt.") + std::string(name_of(memory)) + std::string(what),
                               points.size(), report::Stored::kDelta,
                               [&points, &blocks, figures, m = index_of(memory)](std::size_t i) {
                                 return (blocks[points.blocks[i]].*figures)[m];
                               });
    };
    add(".alloc", &MemoryBlock::allocated);
    add(".free", &MemoryBlock::free);
    add(".largest", &MemoryBlock::largest_free);
  }
}

}  // namespace ttscope::mem
