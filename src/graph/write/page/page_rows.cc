#include "graph/write/page/page_rows.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "graph/analyse/call_ranking.h"
#include "graph/analyse/usage_curve.h"
#include "graph/tables/tables.h"
#include "report/table_blobs.h"

namespace ttscope::graph {
namespace {

using report::BlobForm;
using report::ColumnType;
using report::Stored;

/// A rectangle of the address map, as far as it decides which of them are kept.
struct Block {
  PageBuffer buffer;  ///< of programs only the row
  bool is_program = false;
  std::uint32_t from_node = 0;
  std::int64_t size_bytes = 0;  ///< of a bank

  double area() const { return static_cast<double>(size_bytes) * (double{1} * buffer.to_node - from_node); }
};

/// Rows of tables are numbered over all segments.
class RowCollector {
 public:
  RowCollector(const Profile& profile, const GraphPageOptions& options)
      : profile_(profile), options_(options) {}

  PageRows collect() && {
    for (std::uint32_t number = 0; number < profile_.segments.size(); ++number) add_segment(number);
    return std::move(rows_);
  }

 private:
  void add_segment(std::uint32_t number) {
    const ProfiledSegment& segment = profile_.segments[number];
    blocks_.clear();
    first_buffers_.push_back(buffers_before_);
    add_own(number);
    add_earlier(number);
    add_programs(segment);
    PageCounts counts;
    counts.all_blocks = blocks_.size();
    keep_largest();
    for (const Block& block : blocks_) {
      if (block.is_program) {
        rows_.programs.push_back(block.buffer.row);
        ++counts.programs;
      } else {
        rows_.buffers.push_back(block.buffer);
        ++counts.buffers;
      }
    }
    for (const std::uint32_t call : ranked_calls(segment.profile, options_.most_calls)) {
      rows_.calls.push_back(calls_before_ + call);
      ++counts.calls;
    }
    calls_before_ += static_cast<std::uint32_t>(segment.profile.calls.size());
    buffers_before_ += static_cast<std::uint32_t>(segment.profile.buffers.size());
    rows_.segments.push_back(counts);
  }

  static std::uint32_t end_of(const ProfiledSegment& segment, std::uint32_t node) {
    return node == kNone ? static_cast<std::uint32_t>(segment.trace->size()) : node;
  }

  void add_own(std::uint32_t number) {
    const ProfiledSegment& segment = profile_.segments[number];
    for (std::uint32_t i = 0; i < segment.profile.buffers.size(); ++i) {
      const BufferLife& life = segment.profile.buffers[i];
      const JoinedBuffer& joined = profile_.live.buffers[profile_.live.joined[number][i]];
      if (joined.segment != number && joined.allocated.is_known()) continue;  // see add_earlier
      Block block;
      block.buffer = {buffers_before_ + i, end_of(segment, life.freed), joined.part, life.allocated == kNone,
                      joined.kind == "binary"};
      block.from_node = life.allocated == kNone ? 0 : life.allocated;
      block.size_bytes = life.per_bank_bytes;
      blocks_.push_back(block);
    }
  }

  /// What earlier segments have left. The operations of a database are thousands of segments: there the page
  /// has each alone.
  void add_earlier(std::uint32_t number) {
    if (profile_.segments.size() > options_.most_joined_segments) return;
    for (const JoinedBuffer& joined : profile_.live.buffers) {
      if (!joined.allocated.is_known() || joined.allocated.segment >= number) continue;
      if (joined.freed.is_known() && joined.freed.segment < number) continue;
      const std::uint32_t freed = joined.freed.segment == number ? joined.freed.node : kNone;
      Block block;
      block.buffer = {first_buffers_[joined.segment] + joined.buffer,
                      end_of(profile_.segments[number], freed), joined.part, true, joined.kind == "binary"};
      block.size_bytes = profile_.segments[joined.segment].profile.buffers[joined.buffer].per_bank_bytes;
      blocks_.push_back(block);
    }
  }

  void add_programs(const ProfiledSegment& segment) {
    for (const ProgramBufferLife& life : program_buffer_lives(*segment.trace)) {
      const ProgramBufferFacts& facts = segment.trace->program_buffer_of(life.allocated);
      Block block;
      block.buffer = {.row = programs_before_++, .to_node = end_of(segment, life.released)};
      if (facts.borrowed.value_or(false)) continue;
      block.is_program = true;
      block.from_node = life.allocated;
      block.size_bytes = std::max<std::int64_t>(facts.size_bytes, 0);
      blocks_.push_back(block);
    }
  }

  /// The page would not be smooth with all buffers of a long capture; small ones are no wider than a line
  /// anyway.
  void keep_largest() {
    if (blocks_.size() <= options_.most_buffers) return;
    std::nth_element(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(options_.most_buffers),
                     blocks_.end(),
                     [](const Block& left, const Block& right) { return left.area() > right.area(); });
    blocks_.resize(options_.most_buffers);
    std::sort(blocks_.begin(), blocks_.end(),
              [](const Block& left, const Block& right) { return left.from_node < right.from_node; });
  }

  const Profile& profile_;
  const GraphPageOptions& options_;
  PageRows rows_;
  std::vector<Block> blocks_;  ///< of one segment
  std::vector<std::uint32_t> first_buffers_;
  std::uint32_t buffers_before_ = 0;
  std::uint32_t programs_before_ = 0;
  std::uint32_t calls_before_ = 0;
};

constexpr BlobForm kBytes = {ColumnType::kI64};
constexpr BlobForm kNode = {ColumnType::kU32};
constexpr BlobForm kNodeOrNone = {ColumnType::kU32, Stored::kPlain, kNone};
constexpr BlobForm kDevice = {ColumnType::kI64, Stored::kPlain, kNotRecorded};

void add_call_columns(const table::Table& ops, const PageRows& rows, report::PageBlobs& blobs) {
  add_columns(blobs, report::listed_rows(ops, rows.calls), "call.",
              {{"name", "name"},
               {"level", "level", {ColumnType::kU8}},
               {"start", "start_node", {ColumnType::kU32, Stored::kDelta}},
               {"end", "end_node", kNodeOrNone},
               {"allocated", "dram_allocated_bytes", kBytes},
               {"freed", "dram_freed_bytes", kBytes},
               {"l1", "l1_peak_bytes_per_core", kBytes},
               {"cb", "cb_peak_bytes_per_core", kBytes},
               {"ns", "duration_ns", kBytes}});
}

/// The calls that made these buffers, each once.
std::vector<std::uint32_t> makers_of(const table::Table& buffers, const PageRows& rows) {
  const std::size_t producer = buffers.spec().find_column("producer_op").value();
  std::vector<std::uint32_t> makers;
  std::string scratch;
  for (const PageBuffer& buffer : rows.buffers) {
    const table::Cell op = buffers.cell(buffer.row, producer, scratch);
    if (!op.is_null()) makers.push_back(static_cast<std::uint32_t>(op.as_integer()));
  }
  std::sort(makers.begin(), makers.end());
  makers.erase(std::unique(makers.begin(), makers.end()), makers.end());
  return makers;
}

void add_buffer_columns(const table::Table& buffers, const table::Table& ops, const PageRows& rows,
                        report::PageBlobs& blobs) {
  std::vector<std::uint32_t> listed;
  listed.reserve(rows.buffers.size());
  for (const PageBuffer& buffer : rows.buffers) listed.push_back(buffer.row);
  add_columns(blobs, report::listed_rows(buffers, std::move(listed)), "buffer.",
              {{"name", "name"},
               {"in_dram", "in_dram", {ColumnType::kU8}},
               {"address", "address", kBytes},
               {"bank", "bytes_per_bank", kBytes},
               {"whole", "size_bytes", kBytes},
               {"device", "device_id", kDevice},
               {"from", "allocated_at_node", kNode},
               {"maker", "producer_op", kNodeOrNone}});
  // What depends on the segment that shows a buffer is in no table.
  const std::vector<PageBuffer>& shown = rows.buffers;
  blobs.add<std::uint32_t>("buffer.to", shown.size(), Stored::kPlain,
                           [&shown](std::size_t i) { return shown[i].to_node; });
  blobs.add<std::uint32_t>("buffer.part", shown.size(), Stored::kPlain,
                           [&shown](std::size_t i) { return shown[i].part; });
  blobs.add<std::uint8_t>("buffer.marks", shown.size(), Stored::kPlain, [&shown](std::size_t i) {
    return static_cast<std::uint8_t>((shown[i].is_older ? 1 : 0) | (shown[i].is_binary ? 2 : 0));
  });
  add_columns(blobs, report::listed_rows(ops, makers_of(buffers, rows)), "maker.",
              {{"op", "op", {ColumnType::kU32, Stored::kDelta}}, {"path", "path"}});
}

void add_program_columns(const table::Table& programs, const PageRows& rows, report::PageBlobs& blobs) {
  add_columns(blobs, report::listed_rows(programs, rows.programs), "program.",
              {{"kind", "kind"},
               {"cores", "core_ranges"},
               {"address", "address", kBytes},
               {"bytes", "bytes_per_core", kBytes},
               {"device", "device_id", kDevice},
               {"from", "allocated_at_node", kNode},
               {"to", "released_at_node", kNodeOrNone}});
}

}  // namespace

PageRows page_rows(const Profile& profile, const GraphPageOptions& options) {
  return RowCollector(profile, options).collect();
}

void add_page_columns(const Profile& profile, const PageRows& rows, report::PageBlobs& blobs) {
  // The caller keeps the profile.
  const table::TableSet tables = tables_of(std::shared_ptr<const Profile>(std::shared_ptr<void>(), &profile));
  const table::Table& ops = *tables.find("ops");
  if (!rows.calls.empty()) add_call_columns(ops, rows, blobs);
  if (!rows.buffers.empty()) add_buffer_columns(*tables.find("buffers"), ops, rows, blobs);
  if (!rows.programs.empty()) add_program_columns(*tables.find("circular_buffers"), rows, blobs);
}

}  // namespace ttscope::graph
