#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/write/page/graph_page.h"
#include "report/column_codec.h"

namespace ttscope::graph {

/// A buffer on the map of a segment: a row of the table `buffers`, of that segment or an earlier one, and
/// what depends on the segment that shows it.
struct PageBuffer {
  std::uint32_t row = 0;
  std::uint32_t to_node = 0;  ///< behind its last node there
  std::uint32_t part = 0;     ///< in LiveSet::parts
  bool is_older = false;      ///< than the segment
  bool is_binary = false;
};

/// How many of the rows below belong to a segment.
struct PageCounts {
  std::size_t all_blocks = 0;  ///< buffers and those of programs, before the smallest were left out
  std::size_t buffers = 0;
  std::size_t programs = 0;
  std::size_t calls = 0;
};

/// The rows of declared tables that the page shows, segment after segment.
struct PageRows {
  std::vector<PageCounts> segments;
  std::vector<PageBuffer> buffers;
  std::vector<std::uint32_t> programs;  ///< of `circular_buffers`
  std::vector<std::uint32_t> calls;     ///< of `ops`
};
PageRows page_rows(const Profile& profile, const GraphPageOptions& options);

/// The columns of these rows. The profile and the rows must live until the blobs are encoded.
void add_page_columns(const Profile& profile, const PageRows& rows, report::PageBlobs& blobs);

}  // namespace ttscope::graph
