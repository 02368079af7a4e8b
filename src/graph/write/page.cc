#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/resources.h"
#include "base/text.h"
#include "fit/outputs.h"
#include "graph/analyze/figures.h"
#include "graph/analyze/segment_profile.h"
#include "graph/tables/tables.h"
#include "graph/write/outputs.h"
#include "ui/json_text.h"
#include "ui/page.h"

namespace ttscope::graph {
namespace {

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

using ui::BlobFormat;
using ui::ColumnEncoding;
using ui::ColumnType;

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
    for (const std::uint32_t call : ranked_calls(segment.profile, options_.max_calls)) {
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
    if (profile_.segments.size() > options_.max_joined_segments) return;
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
    if (blocks_.size() <= options_.max_buffers) return;
    std::nth_element(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(options_.max_buffers),
                     blocks_.end(),
                     [](const Block& left, const Block& right) { return left.area() > right.area(); });
    blocks_.resize(options_.max_buffers);
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

constexpr BlobFormat kBytes = {ColumnType::kI64};
constexpr BlobFormat kNode = {ColumnType::kU32};
constexpr BlobFormat kNodeOrNone = {ColumnType::kU32, ColumnEncoding::kPlain, kNone};
constexpr BlobFormat kDevice = {ColumnType::kI64, ColumnEncoding::kPlain, kNotRecorded};

void add_call_columns(const table::Table& ops, const PageRows& rows, ui::PageBlobs& blobs) {
  add_columns(blobs, ui::listed_rows(ops, rows.calls), "call.",
              {{"name", "name"},
               {"level", "level", {ColumnType::kU8}},
               {"start", "start_node", {ColumnType::kU32, ColumnEncoding::kDelta}},
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
                        ui::PageBlobs& blobs) {
  std::vector<std::uint32_t> listed;
  listed.reserve(rows.buffers.size());
  for (const PageBuffer& buffer : rows.buffers) listed.push_back(buffer.row);
  add_columns(blobs, ui::listed_rows(buffers, std::move(listed)), "buffer.",
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
  blobs.add<std::uint32_t>("buffer.to", shown.size(), ColumnEncoding::kPlain,
                           [&shown](std::size_t i) { return shown[i].to_node; });
  blobs.add<std::uint32_t>("buffer.part", shown.size(), ColumnEncoding::kPlain,
                           [&shown](std::size_t i) { return shown[i].part; });
  blobs.add<std::uint8_t>("buffer.marks", shown.size(), ColumnEncoding::kPlain, [&shown](std::size_t i) {
    return static_cast<std::uint8_t>((shown[i].is_older ? 1 : 0) | (shown[i].is_binary ? 2 : 0));
  });
  add_columns(blobs, ui::listed_rows(ops, makers_of(buffers, rows)), "maker.",
              {{"op", "op", {ColumnType::kU32, ColumnEncoding::kDelta}}, {"path", "path"}});
}

void add_program_columns(const table::Table& programs, const PageRows& rows, ui::PageBlobs& blobs) {
  add_columns(blobs, ui::listed_rows(programs, rows.programs), "program.",
              {{"kind", "kind"},
               {"cores", "core_ranges"},
               {"address", "address", kBytes},
               {"bytes", "bytes_per_core", kBytes},
               {"device", "device_id", kDevice},
               {"from", "allocated_at_node", kNode},
               {"to", "released_at_node", kNodeOrNone}});
}

PageRows page_rows(const Profile& profile, const GraphPageOptions& options) {
  return RowCollector(profile, options).collect();
}

/// The columns of these rows. The profile and the rows must live until the blobs are encoded.
void add_page_columns(const Profile& profile, const PageRows& rows, ui::PageBlobs& blobs) {
  // The caller keeps the profile.
  const table::TableSet tables = tables_of(std::shared_ptr<const Profile>(std::shared_ptr<void>(), &profile));
  const table::Table& ops = *tables.find("ops");
  if (!rows.calls.empty()) add_call_columns(ops, rows, blobs);
  if (!rows.buffers.empty()) add_buffer_columns(*tables.find("buffers"), ops, rows, blobs);
  if (!rows.programs.empty()) add_program_columns(*tables.find("circular_buffers"), rows, blobs);
}

constexpr std::size_t kCurvePoints = 2000;

class SegmentWriter {
 public:
  SegmentWriter(const Profile& all, std::size_t number, JsonWriter& json)
      : all_(all),
        number_(static_cast<std::uint32_t>(number)),
        segment_(all.segments[number]),
        trace_(*segment_.trace),
        profile_(segment_.profile),
        json_(json) {}

  void write(const PageCounts& counts) {
    json_.object([&] {
      json_.field("name", std::string_view(segment_.name));
      json_.field("file", segment_.file);
      json_.field("nodes", trace_.size());
      json_.field("mode", run_mode_text(profile_));
      write_figures();
      write_joined();
      write_curve();
      json_.field("all_blocks", counts.all_blocks);
      json_.field("buffers", counts.buffers);
      json_.field("programs", counts.programs);
      json_.field("all_calls", profile_.calls.size());
      json_.field("calls", counts.calls);
      write_groups();
    });
  }

 private:
  void write_figures() {
    json_.object("dram", [&] {
      json_.field("peak", profile_.dram.peak);
      json_.field("allocations", profile_.dram.total_allocations);
      json_.field("deallocations", profile_.dram.total_deallocations);
      write_moment(profile_.dram_peak);
    });
    json_.object("l1", [&] {
      json_.field("peak", profile_.l1.peak_total);
      json_.field("cb", profile_.l1.peak_cb);
      json_.field("buffers", profile_.l1.peak_l1);
      write_moment(profile_.l1_peak);
    });
    json_.list("notes", profile_.differences,
               [&](const Difference& difference) { json_.value(difference_text(difference)); });
    json_.objects("devices", profile_.devices, [&](const GraphDeviceUse& use) {
      json_.field("id", use.device_id);
      json_.field("dram", use.dram_peak_bytes);
      json_.field("l1", use.l1_peak_per_core_bytes);
      json_.field("cb", use.cb_peak_per_core_bytes);
    });
  }

  /// The peak with what earlier segments left, and its parts.
  void write_joined() {
    const JoinedPeak& dram = all_.live.segment_dram[number_];
    const JoinedPeak& l1 = all_.live.segment_l1[number_];
    json_.object("joined", [&] {
      json_.field("dram", dram.bytes);
      json_.field("dram_before", sum_of(dram.bytes, -profile_.dram_peak.bytes));
      json_.field("l1_before", sum_of(l1.bytes, -profile_.l1_peak.bytes));
      column("part", dram.parts, [](const PartBytes& part) { return part.part; });
      column("bytes", dram.parts, [](const PartBytes& part) { return part.bytes; });
      column("buffers", dram.parts, [](const PartBytes& part) { return part.buffers; });
    });
  }

  void write_moment(const GraphPeak& peak) {
    json_.field("node", peak.node == kNone ? std::int64_t{-1} : std::int64_t{peak.node});
    json_.field("call", std::string_view(call_path(trace_, profile_, peak.call)));
  }

  template <typename Values, typename Get>
  void column(std::string_view key, const Values& values, Get get) {
    json_.list(key, values, [&](const auto& value) { json_.value(get(value)); });
  }

  void write_curve() {
    const UsageCurve curve = usage_curve(trace_, kCurvePoints);
    const auto same = [](auto value) { return value; };
    json_.object("curve", [&] {
      column("nodes", curve.nodes, same);
      column("dram", curve.dram_bytes, same);
      column("l1", curve.l1_bytes, same);
    });
  }

  /// Sums over calls of a name, of which there is no table.
  void write_groups() {
    const std::vector<CallGroup> groups = call_groups(profile_);
    json_.object("groups", [&] {
      column("name", groups, [&](const CallGroup& group) { return trace_.text(group.name); });
      column("calls", groups, [](const CallGroup& group) { return group.calls; });
      column("allocated", groups, [](const CallGroup& group) { return group.dram_allocated_bytes; });
      column("freed", groups, [](const CallGroup& group) { return group.dram_freed_bytes; });
      column("l1", groups, [](const CallGroup& group) { return group.l1_peak_per_core_bytes; });
      column("cb", groups, [](const CallGroup& group) { return group.cb_peak_per_core_bytes; });
      column("ns", groups, [](const CallGroup& group) { return group.duration_ns; });
    });
  }

  const Profile& all_;
  std::uint32_t number_;
  const ProfiledSegment& segment_;
  const GraphTrace& trace_;
  const SegmentProfile& profile_;
  JsonWriter& json_;
};

/// One capture as the page has it: figures, curves, and how many rows of the page's columns are its own.
void write_page_segment(const Profile& profile, std::size_t number, const PageCounts& counts,
                        JsonWriter& json) {
  SegmentWriter(profile, number, json).write(counts);
}

}  // namespace

/// web/dist/graph.html
std::string_view graph_page_template();

namespace {

void write_peak(std::string_view name, const Profile& profile, const JoinedPeak& peak, std::size_t live,
                JsonWriter& json) {
  json.object(name, [&] {
    json.field("bytes", peak.bytes);
    json.field("segment", peak.at.is_known() ? std::int64_t{peak.at.segment} : std::int64_t{-1});
    json.field("node", peak.at.is_known() ? std::int64_t{peak.at.node} : std::int64_t{-1});
    std::string call;
    if (peak.at.is_known()) {
      const ProfiledSegment& segment = profile.segments[peak.at.segment];
      call = call_path(*segment.trace, segment.profile, peak.call);
    }
    json.field("call", std::string_view(call));
    json.field("live", live);
    json.field("older_freed", peak.older_freed_bytes);
  });
}

/// What goes across the segments.
void write_overall(const Profile& profile, const GraphPageOptions& options, JsonWriter& json) {
  const LiveSet& set = profile.live;
  json.field("parts_by", set.parts_by == PartsBy::kKind ? "kind" : "segment");
  json.field("joined", profile.segments.size() <= options.max_joined_segments);
  json.list("parts", set.parts, [&](const std::string& part) { json.value(std::string_view(part)); });
  write_peak("dram_peak", profile, set.dram, set.live_at_dram_peak.size(), json);
  write_peak("l1_peak", profile, set.l1, set.live_at_l1_peak.size(), json);
  const std::vector<OwnerGroup> groups = owner_groups(set, profile.views(), set.live_at_dram_peak);
  json.field("all_owners", groups.size());
  json.array("owners", [&] {
    for (std::size_t i = 0; i < std::min(groups.size(), options.max_groups); ++i)
      json.object([&] {
        json.field("kind", std::string_view(groups[i].kind));
        json.field("owner", std::string_view(groups[i].owner));
        json.field("buffers", groups[i].buffers);
        json.field("bytes", groups[i].bytes);
      });
  });
  json.objects("findings", profile.findings, [&](const Finding& finding) {
    json.field("segment", finding.segment == kNone ? std::int64_t{-1} : std::int64_t{finding.segment});
    json.field("text", std::string_view(finding_text(profile, finding)));
  });
}

std::string page_document(const Profile& profile, const PageRows& rows, const ui::PageBlobs& blobs,
                          const GraphPageOptions& options) {
  ui::TextCatcher text;
  JsonWriter json(text);
  json.object([&] {
    json.field("name", std::string_view(options.name));
    json.field("tool_version", std::string_view(options.tool_version));
    json.field("generated", std::string_view(options.generated));
    json.field("accounting", profile.rules.name);
    json.list("files", profile.files, [&](const std::string& file) { json.value(std::string_view(file)); });
    write_overall(profile, options, json);
    json.array("segments", [&] {
      for (std::size_t i = 0; i < profile.segments.size(); ++i)
        write_page_segment(profile, i, rows.segments[i], json);
    });
    ui::write_columns(json, blobs);
    if (!options.fit) return json.field("fit", nullptr);
    json.key("fit");
    fit::write_fit_object(json, *options.fit, options.tool_version);
  });
  return std::string(text.text());
}

}  // namespace

void write_graph_page(const Profile& profile, Writer& out, const GraphPageOptions& options) {
  const PageRows rows = page_rows(profile, options);
  ui::PageBlobs blobs;
  add_page_columns(profile, rows, blobs);
  std::vector<std::string> encoded(blobs.list().size());
  run_parallel(encoded.size(), options.threads,
               [&](std::size_t i) { encoded[i] = ui::encode_blob(blobs.list()[i]); });
  std::string_view rest = graph_page_template();
  rest = ui::write_page_until(out, rest, ui::kTitlePlaceholder, rest.find(ui::kTitlePlaceholder));
  out.write(markup_text(options.name));
  rest = ui::write_page_until(out, rest, ui::kHeadPlaceholder, rest.find(ui::kHeadPlaceholder));
  ui::write_page_block(out, "application/json", "ttscope-graph",
                       page_document(profile, rows, blobs, options));
  for (std::size_t i = 0; i < encoded.size(); ++i)
    ui::write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded[i]);
  out.write(rest);
}

}  // namespace ttscope::graph
