#include "graph/tables/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/absent.h"
#include "graph/analyze/profile.h"
#include "graph/analyze/segment_profile.h"
#include "table/declare.h"

namespace ttscope::graph {
namespace {

/// The declared tables, each in a file of its own name; tables.cc puts them together.

/// Rows of several lists one after the other: one for each segment, or two (DRAM, then L1).
struct ListRows {
  struct Place {
    std::size_t list = 0;
    std::uint32_t index = 0;  ///< in the list
  };

  std::shared_ptr<const Profile> profile;
  std::vector<std::size_t> begins;  ///< first row of each list, and the number of rows at the end

  std::size_t size() const { return begins.back(); }
  Place place(std::size_t row) const {
    const auto next = std::upper_bound(begins.begin(), begins.end(), row);
    const auto list = static_cast<std::size_t>(next - begins.begin()) - 1;
    return {list, static_cast<std::uint32_t>(row - begins[list])};
  }
};

/// Rows of a list of each segment.
struct SegmentRows : ListRows {
  std::size_t segment_number(std::size_t row) const { return place(row).list; }
  const ProfiledSegment& segment(std::size_t row) const { return profile->segments[place(row).list]; }
};

/// `count(segment)` rows of each segment.
template <typename Rows = SegmentRows, typename Count>
std::shared_ptr<Rows> segment_rows(const std::shared_ptr<const Profile>& profile, Count count) {
  auto rows = std::make_shared<Rows>();
  rows->begins.push_back(0);
  for (const ProfiledSegment& segment : profile->segments)
    rows->begins.push_back(rows->begins.back() + count(segment));
  rows->profile = profile;
  return rows;
}

/// The calls of all segments, numbered over all of them.
struct OpRows : SegmentRows {
  /// The number of a call of a segment; none for kNone.
  std::optional<std::size_t> op_of(std::size_t segment, std::uint32_t call) const {
    return call == kNone ? std::nullopt : std::optional<std::size_t>(begins[segment] + call);
  }
};

/// Rows that name calls.
struct CalledRows : SegmentRows {
  std::shared_ptr<const OpRows> ops;
};

/// Circular buffers and the like with their lives.
struct ProgramRows : SegmentRows {
  std::vector<ProgramBufferLife> lives;
};

/// Two lists for each segment: what is live at the DRAM peak, then at the L1 peak.
struct LiveRows : ListRows {
  std::shared_ptr<const CalledRows> buffers;

  const ProfiledSegment& segment(const Place& place) const { return profile->segments[place.list / 2]; }
  static bool in_dram(const Place& place) { return place.list % 2 == 0; }
  /// The number of the buffer within its segment.
  std::uint32_t buffer(const Place& place) const {
    const SegmentProfile& found = segment(place).profile;
    return (in_dram(place) ? found.dram_peak : found.l1_peak).live[place.index];
  }
};

/// Live at the highest DRAM peak over all segments, then at the highest L1 peak.
struct OverallRows {
  std::shared_ptr<const Profile> profile;
  std::shared_ptr<const CalledRows> buffers;
  std::vector<std::uint32_t> live;  ///< in LiveSet::buffers
};

struct PartRow {
  std::uint32_t segment = 0;
  PartBytes part;
};

struct PartRows {
  std::shared_ptr<const Profile> profile;
  std::vector<PartRow> parts;
};

/// The devices that report files describe, of all files.
struct DescribedDevices {
  std::shared_ptr<const Profile> profile;
  std::vector<std::pair<std::size_t, const GraphDevice*>> devices;  ///< number of the file, device
};

/// The column that tells which segment a row belongs to.
template <typename Rows>
table::ColumnOf<Rows> segment_column() {
  return table::ascending(
      table::column<Rows>("segment", "", "Number of its segment, from 0, as in the table `segments`",
                          [](const Rows& rows, std::size_t row) { return rows.segment_number(row); }));
}

template <typename Get>
table::ColumnOf<Profile> of_segment(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(
      name, unit, doc, [](const Profile& profile, std::size_t row) { return Get{}(profile.segments[row]); });
}

template <typename Get>
table::ColumnOf<Profile> of_busiest(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc,
                                [](const Profile& profile, std::size_t row) -> std::optional<std::int64_t> {
                                  const BusiestCore& core = profile.segments[row].profile.busiest_core;
                                  return core.known ? std::optional<std::int64_t>(Get{}(core)) : std::nullopt;
                                });
}

std::vector<table::ColumnOf<Profile>> name_columns() {
  return {
      table::ascending(table::column<Profile>("segment", "", "Number of the segment, from 0, over all files",
                                              [](const Profile&, std::size_t row) { return row; })),
      table::column<Profile>(
          "name", "", "Name that the capture has in its file; null where it has none",
          [](const Profile& profile, std::size_t row) { return text_or_null(profile.segments[row].name); }),
      table::column<Profile>("file", "", "File that it is from, as given",
                             [](const Profile& profile, std::size_t row) -> const std::string& {
                               return profile.files[profile.segments[row].file];
                             }),
      table::column<Profile>("format", "", "Kind of that file: `nodes`, `report`, `segments` or `database`",
                             [](const Profile& profile, std::size_t row) {
                               return format_text(profile.captures[profile.segments[row].file]->format);
                             }),
      of_segment("run_mode", "", "`NORMAL`, `NO_DISPATCH` (recorded without allocating) or `unknown`",
                 [](const ProfiledSegment& segment) { return run_mode_text(segment.profile); }),
      of_segment("nodes", "", "How many nodes it has",
                 [](const ProfiledSegment& segment) { return segment.trace->size(); }),
      of_segment("ops", "", "How many calls it has",
                 [](const ProfiledSegment& segment) { return segment.profile.calls.size(); }),
  };
}

std::vector<table::ColumnOf<Profile>> figure_columns() {
  return {
      of_segment("dram_peak_bytes", "bytes",
                 "Most DRAM of one device in use above the start of the capture: whole buffers, no padding; "
                 "measured",
                 [](const ProfiledSegment& segment) { return segment.profile.dram.peak; }),
      of_segment("dram_allocations_bytes", "bytes", "All DRAM that it allocates; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.dram.total_allocations; }),
      of_segment("dram_deallocations_bytes", "bytes", "All DRAM that it frees; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.dram.total_deallocations; }),
      of_segment("l1_peak_cb_bytes_per_core", "bytes per core",
                 "Most L1 in circular buffers, of the fullest chip; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.l1.peak_cb; }),
      of_segment(
          "l1_peak_buffer_bytes_per_core", "bytes per core",
          "Most L1 in buffers; measured, or derived where an old capture leaves the size in a bank out",
          [](const ProfiledSegment& segment) { return segment.profile.l1.peak_l1; }),
      of_segment("l1_peak_dataflow_buffer_bytes_per_core", "bytes per core",
                 "Most L1 in dataflow buffers; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.l1.peak_dataflow_buffer; }),
      of_segment("l1_peak_scratchpad_bytes_per_core", "bytes per core", "Most L1 in scratchpads; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.l1.peak_scratchpad; }),
      of_segment("l1_peak_total_bytes_per_core", "bytes per core",
                 "Most L1 in all of these at one moment; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.l1.peak_total; }),
      of_busiest("busiest_core_x", "",
                 "Column of the core with most L1 in use, where core ranges are readable",
                 [](const BusiestCore& core) { return core.x; }),
      of_busiest("busiest_core_y", "", "Row of that core", [](const BusiestCore& core) { return core.y; }),
      of_busiest("busiest_core_peak_bytes", "bytes", "Most L1 in use of that core; derived",
                 [](const BusiestCore& core) { return core.peak_total_bytes; }),
      of_busiest("busiest_core_cb_bytes", "bytes", "Most L1 in circular buffers of any core; derived",
                 [](const BusiestCore& core) { return core.peak_cb_bytes; }),
  };
}

const table::TableOf<Profile>& segments_spec() {
  static const table::TableOf<Profile> kSpec = [] {
    std::vector<table::ColumnOf<Profile>> columns = name_columns();
    for (const table::ColumnOf<Profile>& column : figure_columns()) columns.push_back(column);
    return table::table_of<Profile>(
        "segments", "A capture: a file, one phase of a tracker, or an operation of a database", columns);
  }();
  return kSpec;
}

const GraphCall& call_of(const OpRows& rows, std::size_t row) {
  const ListRows::Place place = rows.place(row);
  return rows.profile->segments[place.list].profile.calls[place.index];
}

template <typename Get>
table::ColumnOf<OpRows> of_call(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<OpRows>(name, unit, doc,
                               [](const OpRows& rows, std::size_t row) { return Get{}(call_of(rows, row)); });
}

std::vector<table::ColumnOf<OpRows>> place_columns() {
  return {
      table::ascending(table::column<OpRows>("op", "", "Number of the call, from 0, over all segments",
                                             [](const OpRows&, std::size_t row) { return row; })),
      segment_column<OpRows>(),
      table::column<OpRows>("name", "", "Name of the function as recorded: `ttnn::matmul`",
                            [](const OpRows& rows, std::size_t row) {
                              return rows.segment(row).trace->text(call_of(rows, row).name);
                            }),
      table::column<OpRows>("path", "", "The functions around it and itself, outermost first",
                            [](const OpRows& rows, std::size_t row) {
                              const ListRows::Place place = rows.place(row);
                              const ProfiledSegment& segment = rows.profile->segments[place.list];
                              return call_path(*segment.trace, segment.profile, place.index);
                            }),
      of_call("level", "", "How deep it is called, 1 is outermost; derived in old captures",
              [](const GraphCall& call) { return call.level; }),
      table::column<OpRows>("parent_op", "", "Number of the call around it; null for outermost ones",
                            [](const OpRows& rows, std::size_t row) {
                              return rows.op_of(rows.segment_number(row), call_of(rows, row).parent);
                            }),
      of_call("start_node", "", "Node where it begins", [](const GraphCall& call) { return call.start; }),
      of_call("end_node", "", "Node where it ends; null where it never ended",
              [](const GraphCall& call) { return id_or_null(call.end); }),
  };
}

std::vector<table::ColumnOf<OpRows>> use_columns() {
  return {
      of_call("duration_ns", "ns", "Host time of the call; null where not recorded; measured",
              [](const GraphCall& call) {
                return call.duration_ns == 0 ? std::nullopt : std::optional<std::int64_t>(call.duration_ns);
              }),
      of_call("dram_allocated_bytes", "bytes", "DRAM that it allocates, inner calls included; measured",
              [](const GraphCall& call) { return call.dram_allocated_bytes; }),
      of_call("dram_freed_bytes", "bytes", "DRAM that it frees, inner calls included; measured",
              [](const GraphCall& call) { return call.dram_freed_bytes; }),
      of_call("dram_peak_bytes", "bytes",
              "Most DRAM in use during it, counted from the start of the capture; measured",
              [](const GraphCall& call) { return call.dram_peak_bytes; }),
      of_call("l1_allocated_bytes_per_core", "bytes per core",
              "L1 that it allocates in buffers, inner calls included; measured",
              [](const GraphCall& call) { return call.l1_allocated_per_core_bytes; }),
      of_call("l1_freed_bytes_per_core", "bytes per core",
              "L1 that it frees in buffers, inner calls included; measured",
              [](const GraphCall& call) { return call.l1_freed_per_core_bytes; }),
      of_call("l1_peak_bytes_per_core", "bytes per core",
              "Most L1 in use during it, buffers and programs of the fullest device; measured",
              [](const GraphCall& call) { return call.l1_peak_per_core_bytes; }),
      of_call("cb_peak_bytes_per_core", "bytes per core",
              "Most L1 in circular buffers of its programs, of the fullest device; measured",
              [](const GraphCall& call) { return call.cb_peak_per_core_bytes; }),
  };
}

const table::TableOf<OpRows>& ops_spec() {
  static const table::TableOf<OpRows> kSpec = [] {
    std::vector<table::ColumnOf<OpRows>> columns = place_columns();
    for (const table::ColumnOf<OpRows>& column : use_columns()) columns.push_back(column);
    return table::table_of<OpRows>(
        "ops", "A call of a function that the capture recorded, in the order of execution", columns);
  }();
  return kSpec;
}

/// What the params of a node say, whatever its kind.
struct NodeValues {
  std::string_view name;
  std::int64_t address = kNotRecorded;
  std::int64_t size_bytes = kNotRecorded;
  std::int64_t per_bank_bytes = kNotRecorded;
  std::int64_t buffer_type = kNotRecorded;
  std::int64_t device_id = kNotRecorded;
  std::int64_t tensor_id = kNotRecorded;
};

NodeValues buffer_values(const GraphTrace& trace, std::uint32_t node) {
  const BufferFacts& facts = trace.buffer_of(node);
  NodeValues values;
  if (trace.kinds[node] != NodeKind::kBuffer) values.address = trace.buffer_address(node);
  values.size_bytes = facts.size_bytes;
  values.per_bank_bytes = facts.max_size_per_bank_bytes;
  values.buffer_type = facts.buffer_type;
  values.device_id = facts.device_id;
  return values;
}

NodeValues program_values(const GraphTrace& trace, std::uint32_t node) {
  const ProgramBufferFacts& facts = trace.program_buffer_of(node);
  NodeValues values;
  values.address = trace.program_addresses[trace.details[node]];
  values.size_bytes = facts.size_bytes;
  values.device_id = facts.device_id;
  return values;
}

NodeValues tensor_values(const GraphTrace& trace, std::uint32_t node) {
  const TensorFacts& facts = trace.tensor_facts_of(node);
  NodeValues values;
  values.address = trace.tensor_of(node).address;
  values.size_bytes = facts.size_bytes;
  values.buffer_type = facts.buffer_type;
  values.device_id = facts.device_id;
  values.tensor_id = trace.tensor_of(node).tensor_id;
  return values;
}

NodeValues values_of(const GraphTrace& trace, std::uint32_t node) {
  NodeValues values;
  switch (trace.kinds[node]) {
    case NodeKind::kBuffer:
    case NodeKind::kBufferAllocate:
    case NodeKind::kBufferDeallocate:
      return buffer_values(trace, node);
    case NodeKind::kCircularBufferAllocate:
    case NodeKind::kDataflowBufferAllocate:
    case NodeKind::kScratchpadAllocate:
      return program_values(trace, node);
    case NodeKind::kTensor:
      return tensor_values(trace, node);
    case NodeKind::kFunctionStart:
      values.name = trace.text(trace.function_of(node).name);
      return values;
    case NodeKind::kFunctionEnd:
      values.name = trace.text(trace.function_ends[trace.details[node]].name);
      return values;
    case NodeKind::kDeallocateAll:
      values.device_id = trace.device_ids[trace.details[node]];
      return values;
    default:
      return values;
  }
}

/// A column that reads the trace at a node.
template <typename Get>
table::ColumnOf<SegmentRows> of_node(std::string_view name, std::string_view doc, Get) {
  return table::column<SegmentRows>(name, "", doc, [](const SegmentRows& rows, std::size_t row) {
    const ListRows::Place place = rows.place(row);
    return Get{}(*rows.profile->segments[place.list].trace, place.index);
  });
}

template <std::int64_t NodeValues::*kField>
table::ColumnOf<SegmentRows> of_params(std::string_view name, std::string_view unit, std::string_view doc) {
  return table::column<SegmentRows>(name, unit, doc, [](const SegmentRows& rows, std::size_t row) {
    const ListRows::Place place = rows.place(row);
    return known_or_null(values_of(*rows.profile->segments[place.list].trace, place.index).*kField);
  });
}

/// Types that this program does not know are given as they are.
std::string_view type_text(const GraphTrace& trace, std::uint32_t node) {
  return trace.kinds[node] == NodeKind::kOther ? trace.text(trace.details[node])
                                               : node_type_text(trace.kinds[node]);
}

const table::TableOf<SegmentRows>& nodes_spec() {
  static const table::TableOf<SegmentRows> kSpec = table::table_of<SegmentRows>(
      "nodes", "A node of a capture, as recorded; sizes and addresses of one device",
      {
          segment_column<SegmentRows>(),
          of_node("counter", "Number of the node, as recorded",
                  [](const GraphTrace& trace, std::uint32_t node) { return trace.counter(node); }),
          of_node("node_type", "What it records: `function_start`, `buffer_allocate` and so on",
                  [](const GraphTrace& trace, std::uint32_t node) {
                    return text_or_null(type_text(trace, node));
                  }),
          of_node("stacking_level", "How many functions it is inside of; 255 is that or deeper",
                  [](const GraphTrace& trace, std::uint32_t node) { return trace.levels[node]; }),
          of_node("name", "Name of the function, for starts and ends of functions",
                  [](const GraphTrace& trace, std::uint32_t node) {
                    return text_or_null(values_of(trace, node).name);
                  }),
          of_params<&NodeValues::address>("address", "",
                                          "Address in its memory; 0 where nothing was allocated"),
          of_params<&NodeValues::size_bytes>(
              "size_bytes", "bytes",
              "Size of the whole buffer or tensor; of circular buffers on each "
              "of their cores"),
          of_params<&NodeValues::per_bank_bytes>("max_size_per_bank_bytes", "bytes",
                                                 "What it takes of the fullest bank"),
          of_params<&NodeValues::buffer_type>(
              "buffer_type", "", "0 DRAM, 1 L1, 2 SYSTEM_MEMORY, 3 L1_SMALL, 4 TRACE, as recorded"),
          of_params<&NodeValues::device_id>("device_id", "", "Mesh for buffers, chip for circular buffers"),
          of_params<&NodeValues::tensor_id>("tensor_id", "", "Number of the tensor, for tensors"),
      });
  return kSpec;
}

const BufferLife& life_of(const CalledRows& rows, std::size_t row) {
  const ListRows::Place place = rows.place(row);
  return rows.profile->segments[place.list].profile.buffers[place.index];
}

template <typename Get>
table::ColumnOf<CalledRows> of_life(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<CalledRows>(
      name, unit, doc, [](const CalledRows& rows, std::size_t row) { return Get{}(life_of(rows, row)); });
}

/// A column that reads the capture as well.
template <typename Get>
table::ColumnOf<CalledRows> of_buffer(std::string_view name, std::string_view doc, Get) {
  return table::column<CalledRows>(name, "", doc, [](const CalledRows& rows, std::size_t row) {
    return Get{}(*rows.segment(row).trace, life_of(rows, row));
  });
}

std::vector<table::ColumnOf<CalledRows>> buffer_columns() {
  return {
      table::ascending(table::column<CalledRows>("buffer", "",
                                                 "Number of the buffer, from 0, over all segments",
                                                 [](const CalledRows&, std::size_t row) { return row; })),
      segment_column<CalledRows>(),
      of_buffer("name", "The first tensor in it, with shape and type, or the kind of buffer",
                [](const GraphTrace& trace, const BufferLife& life) { return buffer_title(trace, life); }),
      table::column<CalledRows>(
          "kind", "", "`weight`, `gradient`, `moment`, `activation`, `input`, `binary`, where known",
          [](const CalledRows& rows, std::size_t row) {
            return text_or_null(
                buffer_kind(*rows.segment(row).trace, rows.segment(row).profile, life_of(rows, row)));
          }),
      of_buffer("owner", "Whose memory it is: `layers.0.mlp.w1/weight`; where the capture says it",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return text_or_null(buffer_owner(trace, life));
                }),
      of_buffer("memory", "`DRAM`, `L1`, `L1_SMALL`, `TRACE` or `SYSTEM_MEMORY`",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return text_or_null(buffer_type_text(trace, trace.buffer_facts[life.facts]));
                }),
      of_buffer("layout", "`INTERLEAVED`, `HEIGHT_SHARDED`, ... as recorded",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return text_or_null(trace.text(trace.buffer_facts[life.facts].layout));
                }),
      of_buffer("tensor_id", "Number of the first tensor in it",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return life.tensor == kNone ? std::nullopt
                                              : known_or_null(trace.tensor_of(life.tensor).tensor_id);
                }),
      of_buffer("device_id", "Mesh that it lies on",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return known_or_null(trace.buffer_facts[life.facts].device_id);
                }),
  };
}

std::vector<table::ColumnOf<CalledRows>> life_columns() {
  return {
      of_life("address", "", "Address in each bank; 0 where nothing was allocated",
              [](const BufferLife& life) { return known_or_null(life.address); }),
      of_life("size_bytes", "bytes", "Size of the whole buffer on one device, without padding; measured",
              [](const BufferLife& life) { return life.size_bytes; }),
      of_life("bytes_per_bank", "bytes",
              "What it takes of the fullest bank; measured, or derived where the capture leaves it out; 0: "
              "not known",
              [](const BufferLife& life) { return life.per_bank_bytes; }),
      of_life("in_dram", "", "Whether it counts as DRAM",
              [](const BufferLife& life) { return life.in_dram; }),
      of_life("allocated_at_node", "", "Node that allocates it; null where it is older than the capture",
              [](const BufferLife& life) { return id_or_null(life.allocated); }),
      of_life("freed_at_node", "", "Node that frees it; null where it outlives the capture",
              [](const BufferLife& life) { return id_or_null(life.freed); }),
      table::column<CalledRows>("producer_op", "", "Number of the innermost call that allocates it, in `ops`",
                                [](const CalledRows& rows, std::size_t row) {
                                  return rows.ops->op_of(rows.segment_number(row), life_of(rows, row).call);
                                }),
  };
}

const table::TableOf<CalledRows>& buffers_spec() {
  static const table::TableOf<CalledRows> kSpec = [] {
    std::vector<table::ColumnOf<CalledRows>> columns = buffer_columns();
    for (const table::ColumnOf<CalledRows>& column : life_columns()) columns.push_back(column);
    return table::table_of<CalledRows>("buffers", "A device buffer that the capture allocates, frees or uses",
                                       columns);
  }();
  return kSpec;
}

template <typename Get>
table::ColumnOf<ProgramRows> of_program_buffer(std::string_view name, std::string_view unit,
                                               std::string_view doc, Get) {
  return table::column<ProgramRows>(name, unit, doc, [](const ProgramRows& rows, std::size_t row) {
    return Get{}(*rows.segment(row).trace, rows.lives[row]);
  });
}

const table::TableOf<ProgramRows>& circular_buffers_spec() {
  static const table::TableOf<ProgramRows> kSpec = table::table_of<ProgramRows>(
      "circular_buffers", "A circular buffer, dataflow buffer or scratchpad of a program",
      {
          segment_column<ProgramRows>(),
          of_program_buffer("kind", "", "`circular buffer`, `dataflow buffer` or `scratchpad`",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return program_buffer_text(trace.kinds[life.allocated]);
                            }),
          of_program_buffer("device_id", "", "Chip that it lies on, as recorded",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return known_or_null(trace.program_buffer_of(life.allocated).device_id);
                            }),
          of_program_buffer("core_ranges", "", "Cores that it lies on: `{[0-0 - 7-7]}`",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return text_or_null(
                                  trace.text(trace.program_buffer_of(life.allocated).core_ranges));
                            }),
          of_program_buffer("address", "", "Address in the L1 of each of its cores",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return known_or_null(trace.program_addresses[trace.details[life.allocated]]);
                            }),
          of_program_buffer("bytes_per_core", "bytes per core", "Its size on each of its cores; measured",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return known_or_null(trace.program_buffer_of(life.allocated).size_bytes);
                            }),
          of_program_buffer("is_borrowed", "",
                            "Whether it lies in memory that a buffer accounts for, so that it takes nothing",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return trace.program_buffer_of(life.allocated).borrowed;
                            }),
          of_program_buffer("allocated_at_node", "", "Node that allocates it",
                            [](const GraphTrace&, const ProgramBufferLife& life) { return life.allocated; }),
          of_program_buffer(
              "released_at_node", "", "Node that releases it; null where none does",
              [](const GraphTrace&, const ProgramBufferLife& life) { return id_or_null(life.released); }),
      });
  return kSpec;
}

using Place = ListRows::Place;

/// A peak is a list of live buffers, so a row of `peaks` is a list.
Place list_of(std::size_t row) { return {row, 0}; }

const GraphPeak& peak_of(const LiveRows& rows, const Place& place) {
  const SegmentProfile& found = rows.segment(place).profile;
  return LiveRows::in_dram(place) ? found.dram_peak : found.l1_peak;
}

std::string_view memory_of(const Place& place) { return LiveRows::in_dram(place) ? "DRAM" : "L1"; }

std::optional<std::string> path_of(const LiveRows& rows, const Place& place, std::uint32_t call) {
  if (call == kNone) return std::nullopt;
  const ProfiledSegment& segment = rows.segment(place);
  return call_path(*segment.trace, segment.profile, call);
}

template <typename Get>
table::ColumnOf<LiveRows> of_peak(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<LiveRows>(
      name, unit, doc, [](const LiveRows& rows, std::size_t row) { return Get{}(rows, list_of(row)); });
}

template <typename Get>
table::ColumnOf<LiveRows> of_live(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<LiveRows>(name, unit, doc, [](const LiveRows& rows, std::size_t row) {
    const Place place = rows.place(row);
    return Get{}(rows, place, rows.segment(place).profile.buffers[rows.buffer(place)]);
  });
}

const table::TableOf<LiveRows>& peaks_spec() {
  static const table::TableOf<LiveRows> kSpec = table::table_of<LiveRows>(
      "peaks",
      "The moment at which the use of a memory is highest in a segment: one row for DRAM, one for L1",
      {
          table::ascending(of_peak("segment", "", "Number of the segment, as in the table `segments`",
                                   [](const LiveRows&, const Place& place) { return place.list / 2; })),
          of_peak("memory", "", "`DRAM` (bytes of one device) or `L1` (bytes per core)",
                  [](const LiveRows&, const Place& place) { return memory_of(place); }),
          of_peak("bytes", "bytes", "What is in use then above the start of the capture; measured",
                  [](const LiveRows& rows, const Place& place) { return peak_of(rows, place).bytes; }),
          of_peak(
              "node", "", "Node that reaches it; null where use never rises above the start",
              [](const LiveRows& rows, const Place& place) { return id_or_null(peak_of(rows, place).node); }),
          of_peak("op", "", "Number of the innermost call around it, in `ops`",
                  [](const LiveRows& rows, const Place& place) {
                    return rows.buffers->ops->op_of(place.list / 2, peak_of(rows, place).call);
                  }),
          of_peak("path", "", "The functions around it, outermost first",
                  [](const LiveRows& rows, const Place& place) {
                    return path_of(rows, place, peak_of(rows, place).call);
                  }),
          of_peak("live_buffers", "", "How many buffers of the capture are live then",
                  [](const LiveRows& rows, const Place& place) { return peak_of(rows, place).live.size(); }),
          of_peak("older_freed_bytes", "bytes",
                  "Buffers older than the capture that were freed before: live less this is the peak",
                  [](const LiveRows& rows, const Place& place) {
                    return peak_of(rows, place).older_freed_bytes;
                  }),
          of_peak(
              "programs_bytes", "bytes", "Circular buffers and the like at that moment; L1 only",
              [](const LiveRows& rows, const Place& place) { return peak_of(rows, place).programs_bytes; }),
      });
  return kSpec;
}

const table::TableOf<LiveRows>& live_at_peak_spec() {
  static const table::TableOf<LiveRows> kSpec = table::table_of<LiveRows>(
      "live_at_peak", "A buffer that is live at the peak of its memory, largest first",
      {
          table::ascending(
              of_live("segment", "", "Number of the segment, as in the table `segments`",
                      [](const LiveRows&, const Place& place, const BufferLife&) { return place.list / 2; })),
          of_live("memory", "", "`DRAM` or `L1`: the peak that it is live at",
                  [](const LiveRows&, const Place& place, const BufferLife&) { return memory_of(place); }),
          of_live("buffer", "", "Number of the buffer in the table `buffers`",
                  [](const LiveRows& rows, const Place& place, const BufferLife&) {
                    return rows.buffers->begins[place.list / 2] + rows.buffer(place);
                  }),
          of_live("name", "", "The first tensor in it, with shape and type, or the kind of buffer",
                  [](const LiveRows& rows, const Place& place, const BufferLife& life) {
                    return buffer_title(*rows.segment(place).trace, life);
                  }),
          of_live("size_bytes", "bytes", "Size of the whole buffer on one device; measured",
                  [](const LiveRows&, const Place&, const BufferLife& life) { return life.size_bytes; }),
          of_live("bytes_per_bank", "bytes", "What it takes of the fullest bank; measured or derived",
                  [](const LiveRows&, const Place&, const BufferLife& life) { return life.per_bank_bytes; }),
          of_live("bytes_of_peak", "bytes", "What it adds to the peak: its size in DRAM, of a core in L1",
                  [](const LiveRows&, const Place& place, const BufferLife& life) {
                    return LiveRows::in_dram(place) ? life.size_bytes : life.per_bank_bytes;
                  }),
          of_live("allocated_at_node", "", "Node that allocates it",
                  [](const LiveRows&, const Place&, const BufferLife& life) {
                    return id_or_null(life.allocated);
                  }),
          of_live("path", "", "The functions that allocate it, outermost first",
                  [](const LiveRows& rows, const Place& place, const BufferLife& life) {
                    return path_of(rows, place, life.call);
                  }),
      });
  return kSpec;
}

const JoinedBuffer& joined_of(const OverallRows& rows, std::size_t row) {
  return rows.profile->live.buffers[rows.live[row]];
}

template <typename Get>
table::ColumnOf<OverallRows> of_joined(std::string_view name, std::string_view unit, std::string_view doc,
                                       Get) {
  return table::column<OverallRows>(name, unit, doc, [](const OverallRows& rows, std::size_t row) {
    return Get{}(rows, joined_of(rows, row));
  });
}

template <typename Get>
table::ColumnOf<PartRows> of_part(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<PartRows>(name, unit, doc, [](const PartRows& rows, std::size_t row) {
    return Get{}(*rows.profile, rows.parts[row]);
  });
}

const table::TableOf<OverallRows>& live_at_overall_peak_spec() {
  static const table::TableOf<OverallRows> kSpec = table::table_of<OverallRows>(
      "live_at_overall_peak", "A buffer that is live when a memory is fullest over all segments",
      {
          of_joined("memory", "", "`DRAM` or `L1`",
                    [](const OverallRows&, const JoinedBuffer& buffer) {
                      return std::string_view(buffer.in_dram ? "DRAM" : "L1");
                    }),
          of_joined("segment", "", "Number of the segment that allocates it",
                    [](const OverallRows&, const JoinedBuffer& buffer) { return buffer.segment; }),
          of_joined("buffer", "", "Its number in the table `buffers`",
                    [](const OverallRows& rows, const JoinedBuffer& buffer) {
                      return rows.buffers->begins[buffer.segment] + buffer.buffer;
                    }),
          of_joined("name", "", "Its owner or first tensor, with shape and type",
                    [](const OverallRows& rows, const JoinedBuffer& buffer) {
                      const ProfiledSegment& segment = rows.profile->segments[buffer.segment];
                      return buffer_title(*segment.trace, segment.profile.buffers[buffer.buffer]);
                    }),
          of_joined("kind", "",
                    "`weight`, `gradient`, `moment`, `activation`, `input`, `binary`, where known",
                    [](const OverallRows&, const JoinedBuffer& buffer) { return text_or_null(buffer.kind); }),
          of_joined(
              "owner", "", "Whose memory it is: `layers.0.mlp.w1/weight`; where the capture says it",
              [](const OverallRows&, const JoinedBuffer& buffer) { return text_or_null(buffer.owner); }),
          of_joined("bytes_of_peak", "bytes", "What it adds to the peak: whole (DRAM), of a core (L1)",
                    [](const OverallRows&, const JoinedBuffer& buffer) { return buffer.bytes; }),
          of_joined("freed_in_segment", "", "Number of the segment that frees it; null where none does",
                    [](const OverallRows&, const JoinedBuffer& buffer) {
                      return id_or_null(buffer.freed.segment);
                    }),
      });
  return kSpec;
}

const table::TableOf<PartRows>& peak_parts_spec() {
  static const table::TableOf<PartRows> kSpec = table::table_of<PartRows>(
      "peak_parts", "A part of a DRAM peak of a segment, with what earlier segments left",
      {
          of_part("segment", "", "Number of the segment",
                  [](const Profile&, const PartRow& row) { return row.segment; }),
          of_part("is_overall", "", "Whether it is the segment with the highest peak of all",
                  [](const Profile& profile, const PartRow& row) {
                    return profile.live.dram.at.segment == row.segment;
                  }),
          of_part(
              "part", "",
              "Kind of memory (`weight`, ...) where the captures say it, else the segment that allocated it",
              [](const Profile& profile, const PartRow& row) -> const std::string& {
                return profile.live.parts[row.part.part];
              }),
          of_part("buffers", "", "Number of buffers",
                  [](const Profile&, const PartRow& row) { return row.part.buffers; }),
          of_part("bytes", "bytes", "Whole buffers of one device; measured",
                  [](const Profile&, const PartRow& row) { return row.part.bytes; }),
      });
  return kSpec;
}

template <typename Get>
table::ColumnOf<Profile> of_finding(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc, [](const Profile& profile, std::size_t row) {
    return Get{}(profile, profile.findings[row]);
  });
}

const table::TableOf<Profile>& findings_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "findings", "What a reader of the figures must know",
      {
          of_finding("kind", "",
                     "`stopped_in_calls`, `l1_beyond_core`, `l1_sum_beyond_core` (only a sum over cores) or "
                     "`tied_by_size`",
                     [](const Profile&, const Finding& finding) { return name_of(finding.kind); }),
          of_finding("segment", "", "Number of the segment; null: all of them",
                     [](const Profile&, const Finding& finding) { return id_or_null(finding.segment); }),
          of_finding("bytes_per_core", "bytes per core", "L1 at the peak",
                     [](const Profile&, const Finding& finding) { return positive_or_null(finding.bytes); }),
          of_finding(
              "limit_bytes_per_core", "bytes per core", "L1 that a core has",
              [](const Profile&, const Finding& finding) { return positive_or_null(finding.limit_bytes); }),
          of_finding("count", "", "Calls that never ended, or frees",
                     [](const Profile&, const Finding& finding) {
                       return finding.count == 0 ? std::nullopt : std::optional<std::uint64_t>(finding.count);
                     }),
          of_finding("path", "", "The innermost call that never ended, with those around it",
                     [](const Profile& profile, const Finding& finding) -> std::optional<std::string> {
                       if (finding.call == kNone) return std::nullopt;
                       const ProfiledSegment& segment = profile.segments[finding.segment];
                       return call_path(*segment.trace, segment.profile, finding.call);
                     }),
          of_finding("lacks", "",
                     "What the capture lacks: `device`, `releases`, `core_ranges`, `bank_sizes`, `placement`",
                     [](const Profile&, const Finding& finding) -> std::optional<std::string> {
                       std::string text;
                       for (const Lack lack : finding.lacks)
                         text += fmt::format("{}{}", text.empty() ? "" : ", ", name_of(lack));
                       if (text.empty()) return std::nullopt;
                       return text;
                     }),
      });
  return kSpec;
}

template <std::int64_t GraphDeviceUse::*kField>
table::ColumnOf<SegmentRows> of_use(std::string_view name, std::string_view unit, std::string_view doc) {
  return table::column<SegmentRows>(name, unit, doc, [](const SegmentRows& rows, std::size_t row) {
    const ListRows::Place place = rows.place(row);
    return known_or_null(rows.profile->segments[place.list].profile.devices[place.index].*kField);
  });
}

template <std::int64_t GraphDevice::*kField>
table::ColumnOf<DescribedDevices> described(std::string_view name, std::string_view unit,
                                            std::string_view doc) {
  return table::column<DescribedDevices>(name, unit, doc, [](const DescribedDevices& all, std::size_t row) {
    return known_or_null(all.devices[row].second->*kField);
  });
}

const table::TableOf<SegmentRows>& devices_spec() {
  static const table::TableOf<SegmentRows> kSpec = table::table_of<SegmentRows>(
      "devices", "What a device id carries in a segment; buffers name the mesh, circular buffers the chip",
      {
          segment_column<SegmentRows>(),
          of_use<&GraphDeviceUse::device_id>("device_id", "", "Id as recorded"),
          of_use<&GraphDeviceUse::dram_peak_bytes>("dram_peak_bytes", "bytes",
                                                   "Most DRAM in use above the start; measured"),
          of_use<&GraphDeviceUse::dram_allocated_bytes>("dram_allocations_bytes", "bytes",
                                                        "All DRAM that is allocated; measured"),
          of_use<&GraphDeviceUse::dram_freed_bytes>("dram_deallocations_bytes", "bytes",
                                                    "All DRAM that is freed; measured"),
          of_use<&GraphDeviceUse::l1_peak_per_core_bytes>("l1_peak_bytes_per_core", "bytes per core",
                                                          "Most L1 in buffers; measured or derived"),
          of_use<&GraphDeviceUse::cb_peak_per_core_bytes>("cb_peak_bytes_per_core", "bytes per core",
                                                          "Most L1 in circular buffers; measured"),
      });
  return kSpec;
}

const table::TableOf<DescribedDevices>& described_devices_spec() {
  static const table::TableOf<DescribedDevices> kSpec = table::table_of<DescribedDevices>(
      "described_devices", "A device as a report file or database describes it",
      {
          table::column<DescribedDevices>(
              "file", "", "File that describes it, as given",
              [](const DescribedDevices& all, std::size_t row) -> const std::string& {
                return all.profile->files[all.devices[row].first];
              }),
          described<&GraphDevice::device_id>("device_id", "", "Id as recorded"),
          table::column<DescribedDevices>("arch", "", "Architecture: `wormhole_b0`, `blackhole`",
                                          [](const DescribedDevices& all, std::size_t row) {
                                            return text_or_null(all.devices[row].second->arch);
                                          }),
          described<&GraphDevice::worker_l1_size_bytes>("worker_l1_size_bytes", "bytes",
                                                        "L1 of a worker core"),
          described<&GraphDevice::l1_num_banks>("l1_num_banks", "", "Number of L1 banks"),
          described<&GraphDevice::l1_bank_size_bytes>("l1_bank_size_bytes", "bytes", "Size of an L1 bank"),
          described<&GraphDevice::num_dram_channels>("num_dram_channels", "", "Number of DRAM channels"),
          described<&GraphDevice::dram_size_per_channel_bytes>("dram_size_per_channel_bytes", "bytes",
                                                               "DRAM of a channel"),
          described<&GraphDevice::cb_limit_bytes>("cb_limit_bytes", "bytes",
                                                  "L1 of a core that circular buffers may take"),
      });
  return kSpec;
}

template <typename Get>
table::ColumnOf<SegmentRows> of_output(std::string_view name, std::string_view unit, std::string_view doc,
                                       Get) {
  return table::column<SegmentRows>(name, unit, doc, [](const SegmentRows& rows, std::size_t row) {
    const ListRows::Place place = rows.place(row);
    const ProfiledSegment& segment = rows.profile->segments[place.list];
    return Get{}(*segment.trace, segment.profile.outputs[place.index]);
  });
}

template <std::uint32_t TensorFacts::*kField>
table::ColumnOf<SegmentRows> text_of_output(std::string_view name, std::string_view doc) {
  return of_output(name, "", doc, [](const GraphTrace& trace, std::uint32_t node) {
    return text_or_null(trace.text(trace.tensor_facts_of(node).*kField));
  });
}

const table::TableOf<SegmentRows>& output_tensors_spec() {
  static const table::TableOf<SegmentRows> kSpec = table::table_of<SegmentRows>(
      "output_tensors", "A tensor that the last outermost call of a segment leaves",
      {
          segment_column<SegmentRows>(),
          of_output("node", "", "Node of the tensor",
                    [](const GraphTrace&, std::uint32_t node) { return node; }),
          of_output("tensor_id", "", "Its number, as recorded",
                    [](const GraphTrace& trace, std::uint32_t node) {
                      return known_or_null(trace.tensor_of(node).tensor_id);
                    }),
          text_of_output<&TensorFacts::shape>("shape", "Its shape, as recorded"),
          text_of_output<&TensorFacts::dtype>("dtype", "Its type, as recorded"),
          text_of_output<&TensorFacts::layout>("layout", "Its layout, as recorded"),
          of_output("size_bytes", "bytes", "Its size, as recorded",
                    [](const GraphTrace& trace, std::uint32_t node) {
                      return known_or_null(trace.tensor_facts_of(node).size_bytes);
                    }),
          of_output("address", "", "Its address, as recorded",
                    [](const GraphTrace& trace, std::uint32_t node) {
                      return known_or_null(trace.tensor_of(node).address);
                    }),
          of_output("device_id", "", "Device that it lies on, as recorded",
                    [](const GraphTrace& trace, std::uint32_t node) {
                      return known_or_null(trace.tensor_facts_of(node).device_id);
                    }),
      });
  return kSpec;
}

const Difference& difference_of(const SegmentRows& rows, std::size_t row) {
  const ListRows::Place place = rows.place(row);
  return rows.profile->segments[place.list].profile.differences[place.index];
}

const table::TableOf<SegmentRows>& differences_spec() {
  static const table::TableOf<SegmentRows> kSpec = table::table_of<SegmentRows>(
      "differences", "A reason why the figures of a segment differ from those of the original tracker",
      {
          segment_column<SegmentRows>(),
          table::column<SegmentRows>("kind", "", "`older_l1_freed`, `chips_apart` or `bank_derived`",
                                     [](const SegmentRows& rows, std::size_t row) {
                                       return name_of(difference_of(rows, row).kind);
                                     }),
          table::column<SegmentRows>(
              "figure", "", "Bytes per core that were freed, chips, or events without the size in a bank",
              [](const SegmentRows& rows, std::size_t row) { return difference_of(rows, row).figure; }),
      });
  return kSpec;
}

template <typename Rows>
table::Table table_with(const table::TableOf<Rows>& spec,
                        std::shared_ptr<const std::type_identity_t<Rows>> rows) {
  const std::size_t count = rows->size();
  return table::make_table(spec, std::move(rows), count);
}

std::shared_ptr<const ProgramRows> program_rows(const std::shared_ptr<const Profile>& profile) {
  std::vector<ProgramBufferLife> lives;
  auto rows = segment_rows<ProgramRows>(profile, [&](const ProfiledSegment& segment) {
    const std::vector<ProgramBufferLife> more = program_buffer_lives(*segment.trace);
    lives.insert(lives.end(), more.begin(), more.end());
    return more.size();
  });
  rows->lives = std::move(lives);
  return rows;
}

std::shared_ptr<const LiveRows> live_rows(std::shared_ptr<const CalledRows> buffers) {
  auto rows = std::make_shared<LiveRows>();
  rows->profile = buffers->profile;
  rows->begins.push_back(0);
  for (const ProfiledSegment& segment : rows->profile->segments) {
    for (const GraphPeak* peak : {&segment.profile.dram_peak, &segment.profile.l1_peak})
      rows->begins.push_back(rows->begins.back() + peak->live.size());
  }
  rows->buffers = std::move(buffers);
  return rows;
}

table::Table live_at_overall_peak(const std::shared_ptr<const CalledRows>& buffers) {
  auto rows = std::make_shared<OverallRows>();
  rows->profile = buffers->profile;
  rows->buffers = buffers;
  const LiveSet& set = rows->profile->live;
  rows->live = set.live_at_dram_peak;
  rows->live.insert(rows->live.end(), set.live_at_l1_peak.begin(), set.live_at_l1_peak.end());
  const std::size_t count = rows->live.size();
  return table::make_table(live_at_overall_peak_spec(), std::move(rows), count);
}

table::Table peak_parts(const std::shared_ptr<const Profile>& profile) {
  auto rows = std::make_shared<PartRows>();
  rows->profile = profile;
  for (std::uint32_t segment = 0; segment < profile->live.segment_dram.size(); ++segment) {
    for (const PartBytes& part : profile->live.segment_dram[segment].parts)
      rows->parts.push_back({segment, part});
  }
  const std::size_t count = rows->parts.size();
  return table::make_table(peak_parts_spec(), std::move(rows), count);
}

table::Table described_devices(const std::shared_ptr<const Profile>& profile) {
  auto all = std::make_shared<DescribedDevices>();
  all->profile = profile;
  for (std::size_t file = 0; file < profile->captures.size(); ++file) {
    for (const GraphDevice& device : profile->captures[file]->devices)
      all->devices.emplace_back(file, &device);
  }
  const std::size_t count = all->devices.size();
  return table::make_table(described_devices_spec(), std::move(all), count);
}

}  // namespace

table::TableSet tables_of(const std::shared_ptr<const Profile>& profile) {
  const auto ops = segment_rows<OpRows>(
      profile, [](const ProfiledSegment& segment) { return segment.profile.calls.size(); });
  const auto buffers = segment_rows<CalledRows>(
      profile, [](const ProfiledSegment& segment) { return segment.profile.buffers.size(); });
  buffers->ops = ops;
  const std::shared_ptr<const LiveRows> live = live_rows(buffers);
  const std::size_t segments = profile->segments.size();
  table::TableSet set;
  set.kind = "graph_capture";
  set.tables = {
      table::make_table(segments_spec(), profile, segments),
      table_with(ops_spec(), ops),
      table_with(nodes_spec(), segment_rows(profile,
                                            [](const ProfiledSegment& segment) {
                                              return static_cast<std::size_t>(segment.trace->size());
                                            })),
      table_with(buffers_spec(), buffers),
      table_with(circular_buffers_spec(), program_rows(profile)),
      table::make_table(peaks_spec(), live, 2 * segments),
      table_with(live_at_peak_spec(), live),
      live_at_overall_peak(buffers),
      peak_parts(profile),
      table::make_table(findings_spec(), profile, profile->findings.size()),
      table_with(devices_spec(),
                 segment_rows(profile,
                              [](const ProfiledSegment& segment) { return segment.profile.devices.size(); })),
      described_devices(profile),
      table_with(output_tensors_spec(),
                 segment_rows(profile,
                              [](const ProfiledSegment& segment) { return segment.profile.outputs.size(); })),
      table_with(differences_spec(), segment_rows(profile,
                                                  [](const ProfiledSegment& segment) {
                                                    return segment.profile.differences.size();
                                                  })),
  };
  return set;
}

std::vector<const table::TableSpec*> table_specs() {
  return {&segments_spec(),         &ops_spec(),        &nodes_spec(),        &buffers_spec(),
          &circular_buffers_spec(), &peaks_spec(),      &live_at_peak_spec(), &live_at_overall_peak_spec(),
          &peak_parts_spec(),       &findings_spec(),   &devices_spec(),      &described_devices_spec(),
          &output_tensors_spec(),   &differences_spec()};
}

std::vector<table::View> views() {
  return {
      {"graph_peaks", "How much memory does each segment need?",
       "select profile, segment, name, dram_peak_bytes, l1_peak_total_bytes_per_core, "
       "l1_peak_cb_bytes_per_core, l1_peak_buffer_bytes_per_core from segments order by profile, segment"},
      {"graph_calls", "Which calls use most DRAM, L1 or circular buffers?",
       "select profile, segment, op, name, count(*) over (partition by profile, segment, name) as "
       "calls_of_name, dram_allocated_bytes, dram_freed_bytes, l1_peak_bytes_per_core, "
       "cb_peak_bytes_per_core, duration_ns from ops where start_node is not null and parent_op is null "
       "order by max(dram_allocated_bytes, 1024 * l1_allocated_bytes_per_core, 1024 * "
       "cb_peak_bytes_per_core) desc"},
      {"graph_live_at_peak", "What is live when a memory is fullest?",
       "select profile, segment, memory, name, bytes_of_peak, path from live_at_peak order by profile, "
       "segment, memory, bytes_of_peak desc"},
      {"graph_overall_peak", "What is live when DRAM is fullest over all segments?",
       "select profile, memory, kind, name, bytes_of_peak, segment, freed_in_segment from "
       "live_at_overall_peak order by profile, memory, bytes_of_peak desc"},
      {"graph_peak_parts", "What are the peaks of the segments made of?",
       "select profile, segment, is_overall, part, buffers, bytes from peak_parts order by profile, segment, "
       "bytes desc"},
      {"graph_never_freed", "Which buffers outlive the capture?",
       "select profile, segment, memory, name, size_bytes, bytes_per_bank, allocated_at_node from buffers "
       "where freed_at_node is null and allocated_at_node is not null order by size_bytes desc"},
      {"graph_circular_buffers", "Which cores carry most in circular buffers?",
       "select profile, segment, device_id, core_ranges, count(*) as buffers, sum(bytes_per_core) as "
       "total_bytes_per_core from circular_buffers where coalesce(is_borrowed, 0) = 0 group by profile, "
       "segment, "
       "device_id, core_ranges, released_at_node order by total_bytes_per_core desc"},
  };
}

}  // namespace ttscope::graph
