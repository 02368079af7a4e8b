#pragma once

#include <memory>

#include "mem/analyse/memory_profile.h"
#include "mem/tables/table_source.h"
#include "mem/write/page/page_tables.h"
#include "report/column_codec.h"

namespace ttscope::mem {

/// The curve of a rank: states in the order of their moments.
struct RankPoints {
  bool measured = false;
  std::vector<Moment> moments;
  std::vector<std::uint32_t> blocks;      ///< measured: block that shows the state
  std::vector<PerTensorMemory> modelled;  ///< otherwise: modelled bytes per bank
  std::size_t size() const { return moments.size(); }
};
RankPoints find_points(const RankTrace& trace, const RankProfile& profile);

/// Everything of one rank; `index` is its place in the trace. All references are kept until the blobs are
/// encoded.
struct RankView {
  std::uint32_t index = 0;
  const RankTrace& trace;
  const RankProfile& profile;
  const RankPoints& points;
  const PageTables& tables;
  std::shared_ptr<const TableSource> source;

  std::string id(std::string_view column) const {
    return std::string("r").append(std::to_string(index)).append(".").append(column);
  }
};

/// The coarse picture, for the head of the page.
void add_overview(report::PageBlobs& blobs, const RankView& rank);
void add_points(report::PageBlobs& blobs, const RankView& rank);
void add_ops(report::PageBlobs& blobs, const RankView& rank);
/// Buffers, or the live totals where there are none.
void add_buffers(report::PageBlobs& blobs, const RankView& rank);
void add_programs(report::PageBlobs& blobs, const RankView& rank);

}  // namespace ttscope::mem
