#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/analyze/op_waits.h"
#include "perf/analyze/profile.h"
#include "table/declare.h"
#include "table/table.h"

namespace ttscope::perf {

/// The rows of one device added up.
struct DeviceTotal {
  std::int32_t device = -1;
  std::uint32_t first_row = 0;  ///< in OpsReport::rows
  std::uint64_t ops = 0;
  double kernel_ns = 0;
  double gap_ns = 0;
  const DeviceSkew* skew = nullptr;  ///< null where there is one device
  const DeviceLane* lane = nullptr;  ///< null where no op of the window says when it ran
};

/// A problem that was met.
struct ProblemEntry {
  std::string_view source;  ///< `report` or `capture`
  std::string_view key;
  std::string_view what;
  bool harmless = false;
  std::uint64_t count = 0;
  std::string places;  ///< the first ones
};

/// A marker of saved buffers.
struct RawEntry {
  const RawCore* core = nullptr;
  const RawProcessor* processor = nullptr;
  const RawMarker* marker = nullptr;
};

struct ZoneRow {
  const CaptureZones* zones = nullptr;
  const ZoneFigures* figures = nullptr;
};

/// The transfers of one type in a NoC trace.
struct NocTypeEntry {
  const NocSummary* trace = nullptr;
  std::string_view type;
  NocCount count;
};

/// What the tables read: a profile, and which of its rows are rows of which table. Report and reading outlive
/// it, or are owned by it. Read-only: threads may share it.
struct TableSource {
  TableSource(const OpsReport& of_report, const OpAnalysis& of_reading);
  explicit TableSource(std::shared_ptr<const Profile> profile);
  /// The transfers of these traces are rows as well.
  void add_noc_traces(const std::vector<const NocSummary*>& traces);

  std::shared_ptr<const Profile> owner;  ///< null: the caller keeps report and reading
  const OpsReport& report;
  const OpAnalysis& analysis;
  std::vector<std::uint32_t> op_rows;        ///< in OpsReport::rows: all but signposts
  std::vector<std::uint32_t> signpost_rows;  ///< the others
  std::vector<std::uint32_t> place_of;       ///< by row of the report: its row among ops or signposts
  std::vector<std::uint32_t> shown_of;       ///< by row of the report: in ShownOps::rows; kNone: not shown
  std::vector<std::uint32_t> signpost_of;    ///< by row of the report: the last one before it + 1; 0: none
  std::vector<DeviceTotal> devices;          ///< ascending
  std::vector<ProblemEntry> problems;
  std::vector<ZoneRow> zones;
  std::vector<RawEntry> markers;              ///< of DRAM, in the order of the words
  std::vector<const NocSummary*> noc_traces;  ///< most bytes first
  std::vector<NocTypeEntry> noc_types;        ///< in the order of the traces

  const OpRow& op(std::size_t row) const { return report.rows[op_rows[row]]; }
  const OpKind& kind(std::size_t row) const { return report.kinds[op(row).kind]; }
  const KindFacts& facts(std::size_t row) const { return analysis.ops.facts[op(row).kind]; }
  /// The row of the shown table that an op stands in; null: it is outside of the window.
  const ShownOp* shown(std::size_t row) const {
    const std::uint32_t place = shown_of[op_rows[row]];
    return place == kNone ? nullptr : &analysis.ops.rows[place];
  }
  /// Its place there.
  std::uint32_t shown_place(std::size_t row) const { return shown_of[op_rows[row]]; }
  std::optional<std::string_view> host_of(const OpRow& row) const;
};

// What getters share.

/// Null for the empty text.
inline std::optional<std::string_view> known(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

/// A count that is kept as a number with NaN for none.
inline std::optional<std::int64_t> whole(double number) {
  return has_number(number) ? std::optional(static_cast<std::int64_t>(std::llround(number))) : std::nullopt;
}

/// `1x1x32x1024`, as padded; null without a shape.
std::optional<std::string> shape_of(const OpTensor* tensor);

using Columns = std::vector<table::ColumnOf<TableSource>>;

/// Groups of columns one behind the other.
Columns joined(const std::vector<Columns>& groups);

// The declarations, a file for each group.
const table::TableOf<TableSource>& ops_spec();
const table::TableOf<TableSource>& shown_ops_spec();
const table::TableOf<TableSource>& op_kinds_spec();
const table::TableOf<TableSource>& devices_spec();
const table::TableOf<TableSource>& cores_spec();
const table::TableOf<TableSource>& skewed_ops_spec();
const table::TableOf<TableSource>& zones_spec();
const table::TableOf<TableSource>& markers_spec();
const table::TableOf<TableSource>& noc_traces_spec();
const table::TableOf<TableSource>& noc_transfers_spec();
const table::TableOf<TableSource>& iteration_series_spec();
const table::TableOf<TableSource>& iterations_spec();
const table::TableOf<TableSource>& critical_path_spec();
const table::TableOf<TableSource>& advice_spec();
const table::TableOf<TableSource>& bounds_spec();
const table::TableOf<TableSource>& gaps_spec();
const table::TableOf<TableSource>& categories_spec();
const table::TableOf<TableSource>& signposts_spec();
const table::TableOf<TableSource>& problems_spec();
const table::TableOf<TableSource>& inputs_spec();
const table::TableOf<TableSource>& notes_spec();

/// The tables of a profile; it is kept alive by them. `kind` is `device_profile` for captures, `ops_report`
/// for finished reports.
table::TableSet tables_of(std::shared_ptr<const Profile> profile);

/// The declarations of all tables, in the order of tables_of().
std::vector<const table::TableSpec*> table_specs();

/// Ready queries over these tables.
std::vector<table::View> views();

/// The column `what` of the table of gaps, and what reports say: `first run of a program (cache miss or
/// compile)`.
std::string_view sentence_of(GapCause cause);

}  // namespace ttscope::perf
