#pragma once

#include "analysis/memory/memory_profile.h"
#include "output/mem_page/columns.h"
#include "output/mem_page/page_tables.h"

namespace ttscope::output {

/// The curve of a rank: states in the order of their moments.
struct RankPoints {
  bool measured = false;
  std::vector<analysis::Moment> moments;
  std::vector<std::uint32_t> blocks;      ///< measured: block that shows the state
  std::vector<PerTensorMemory> modelled;  ///< otherwise: modelled bytes per bank
  std::size_t size() const { return moments.size(); }
};
RankPoints find_points(const RankTrace& trace, const analysis::RankProfile& profile);

/// Everything of one rank; `index` is its place in the trace. All references are kept until the blobs are
/// encoded.
struct RankView {
  std::uint32_t index = 0;
  const RankTrace& trace;
  const analysis::RankProfile& profile;
  const RankPoints& points;
  const PageTables& tables;
  const RuntimeTrace& whole;

  std::string id(std::string_view column) const {
    return std::string("r").append(std::to_string(index)).append(".").append(column);
  }
};

/// The coarse picture, for the head of the page.
void add_overview(PageBlobs& blobs, const RankView& rank);
void add_points(PageBlobs& blobs, const RankView& rank);
void add_ops(PageBlobs& blobs, const RankView& rank);
/// Buffers, or the live totals where there are none.
void add_buffers(PageBlobs& blobs, const RankView& rank);
void add_programs(PageBlobs& blobs, const RankView& rank);

}  // namespace ttscope::output
