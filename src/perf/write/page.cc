#include "perf/write/page.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/json_writer.h"
#include "base/resources.h"
#include "base/text.h"
#include "perf/analyze/window.h"
#include "perf/tables/tables.h"
#include "perf/write/json.h"
#include "perf/write/stack_files.h"
#include "ui/json_text.h"
#include "ui/page.h"

namespace ttscope::perf {
namespace {

/// One op on one device, as the timeline draws it.
struct PageExecution {
  std::uint32_t row = 0;        ///< in OpsReport::rows
  std::uint32_t table_row = 0;  ///< in ShownOps::rows
  std::uint32_t signpost = 0;   ///< in PageExecutions::signposts; 0: before the first
  double start_ns = kNoNumber;  ///< on the clock of the run; none without cycles
  std::uint8_t path = 0;        ///< of the critical path: kOnPath, kWaitOnPath
};

/// The op itself is a part of the critical path; the wait before it is one.
constexpr std::uint8_t kOnPath = 1;
constexpr std::uint8_t kWaitOnPath = 2;

struct PageExecutions {
  std::vector<PageExecution> list;     ///< device by device, in the order of their starts
  std::vector<std::string> signposts;  ///< the first one is empty
};

using ui::BlobColumn;
using ui::ColumnEncoding;
using ui::ColumnType;

template <typename Enum>
std::vector<std::string_view> keys_of(std::size_t count) {
  std::vector<std::string_view> keys;
  keys.reserve(count);
  for (std::size_t i = 0; i < count; ++i) keys.push_back(key_of(static_cast<Enum>(i)));
  return keys;
}

/// Figures in whole units of 1 / scale; -1 where there is none.
BlobColumn figure(std::string_view blob, std::string_view column, double scale) {
  return {blob, column, {ColumnType::kI64, ColumnEncoding::kPlain, -1, scale}};
}

/// The same in 32 bits: for what is long only where something is wrong.
BlobColumn short_figure(std::string_view blob, std::string_view column, double scale = 1) {
  return {blob, column, {ColumnType::kU32, ColumnEncoding::kPlain, kNone, scale}};
}

BlobColumn coded(std::string_view blob, std::string_view column, std::vector<std::string_view> codes) {
  return {blob, column, {ColumnType::kU8}, std::move(codes)};
}

/// Number of the last signpost before each row of the report, in `names`; 0 where there is none.
std::vector<std::uint32_t> signposts_of(const OpsReport& table, std::vector<std::string>& names) {
  std::vector<std::uint32_t> last = last_signposts(table);
  names.assign(1, {});
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (table.rows[i].type == OpRowType::kSignpost) {
      names.push_back(utf8_repaired(table.text(table.kind_of(table.rows[i]).op_code)));
      last[i] = static_cast<std::uint32_t>(names.size() - 1);
    } else if (last[i] != 0) {
      last[i] = last[last[i] - 1];
    }
  }
  return last;
}

/// Puts executions on the clock of the run, and marks those of the critical path.
void add_times(const OpsReport& table, const ShownOps& ops, std::vector<PageExecution>& list) {
  std::vector<double> start_ns(table.rows.size(), kNoNumber);
  for (const DeviceLane& lane : ops.clock.lanes) {
    for (const TimedOp& op : lane.ops) start_ns[op.row] = op.start_ns;
  }
  std::vector<std::uint8_t> path(table.rows.size());
  for (const PathPart& part : ops.path.parts)
    path[part.row] |= part.kind == PathPartKind::kGap ? kWaitOnPath : kOnPath;
  for (PageExecution& execution : list) {
    execution.start_ns = start_ns[execution.row];
    execution.path = path[execution.row];
  }
}

/// Device by device, by start; what has none stays behind the op before it.
void sort_executions(const OpsReport& table, std::vector<PageExecution>& list) {
  const auto device = [&](const PageExecution& one) { return table.rows[one.row].device; };
  std::stable_sort(list.begin(), list.end(),
                   [&](const PageExecution& a, const PageExecution& b) { return device(a) < device(b); });
  std::vector<std::pair<double, PageExecution>> timed;
  timed.reserve(list.size());
  for (const PageExecution& one : list) {
    const bool is_first = timed.empty() || device(timed.back().second) != device(one);
    const double before_ns = is_first ? 0 : timed.back().first;
    timed.emplace_back(has_number(one.start_ns) ? one.start_ns : before_ns, one);
  }
  std::stable_sort(timed.begin(), timed.end(), [&](const auto& a, const auto& b) {
    return device(a.second) != device(b.second) ? device(a.second) < device(b.second) : a.first < b.first;
  });
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = timed[i].second;
}

PageExecutions find_executions(const OpsReport& table, const ShownOps& ops) {
  PageExecutions executions;
  const std::vector<std::uint32_t> signposts = signposts_of(table, executions.signposts);
  for (std::size_t i = 0; i < ops.rows.size(); ++i) {
    const ShownOp& row = ops.rows[i];
    if (row.is_signpost || row.is_host) continue;
    const auto add = [&](std::uint32_t from) {
      executions.list.push_back(
          {.row = from, .table_row = static_cast<std::uint32_t>(i), .signpost = signposts[from]});
    };
    if (row.group == kNone) {
      add(row.row);
      continue;
    }
    const OpGroup& group = ops.groups[row.group];
    for (std::uint32_t k = 0; k < group.count; ++k) add(ops.members[group.first + k]);
  }
  add_times(table, ops, executions.list);
  sort_executions(table, executions.list);
  return executions;
}

/// The columns of the page, from the declared tables. What is given must live until the blobs are encoded.
void add_execution_columns(ui::PageBlobs& blobs, const std::shared_ptr<const TableSource>& source,
                           const PageExecutions& executions) {
  std::vector<std::uint32_t> places;
  places.reserve(executions.list.size());
  for (const PageExecution& execution : executions.list) places.push_back(source->place_of[execution.row]);
  const ui::BlobRows rows =
      ui::listed_rows(table::make_table(ops_spec(), source, source->op_rows.size()), std::move(places));
  const std::size_t count = executions.list.size();
  ui::add_columns(blobs, rows, {},
                  {{"x.device", "device", {ColumnType::kU32, ColumnEncoding::kDelta}},
                   short_figure("x.kind", "kind"),
                   short_figure("x.id", "id")});
  blobs.add<std::uint32_t>("x.row", count, ColumnEncoding::kDelta,
                           [&executions](std::size_t i) { return executions.list[i].table_row; });
  blobs.add<std::uint32_t>("x.signpost", count, ColumnEncoding::kDelta,
                           [&executions](std::size_t i) { return executions.list[i].signpost; });
  blobs.add<std::int64_t>("x.start_ns", count, ColumnEncoding::kDelta, [&executions](std::size_t i) {
    const double ns = executions.list[i].start_ns;
    return has_number(ns) ? std::llround(ns) : std::int64_t{-1};
  });
  blobs.add<std::uint8_t>("x.path", count, ColumnEncoding::kPlain,
                          [&executions](std::size_t i) { return executions.list[i].path; });
  constexpr double kNsPerUs = 1000;
  ui::add_columns(
      blobs, rows, {},
      {figure("x.ns", "kernel_duration_ns", 1), figure("x.gap_ns", "op_to_op_ns", 1),
       short_figure("x.risc0", "brisc_us", kNsPerUs), short_figure("x.risc1", "ncrisc_us", kNsPerUs),
       short_figure("x.risc2", "trisc0_us", kNsPerUs), short_figure("x.risc3", "trisc1_us", kNsPerUs),
       short_figure("x.risc4", "trisc2_us", kNsPerUs), short_figure("x.risc5", "erisc_us", kNsPerUs),
       short_figure("x.core0", "core_min_ns"), short_figure("x.core1", "core_max_ns"),
       short_figure("x.core2", "core_avg_ns")});
}

void add_row_columns(ui::PageBlobs& blobs, const std::shared_ptr<const TableSource>& source,
                     const PageExecutions& executions) {
  const std::vector<ShownOp>& rows = source->analysis.ops.rows;
  std::vector<std::uint32_t> execution_of(rows.size(), kNone);
  for (std::size_t i = 0; i < executions.list.size(); ++i) {
    const PageExecution& execution = executions.list[i];
    if (rows[execution.table_row].row == execution.row)
      execution_of[execution.table_row] = static_cast<std::uint32_t>(i);
  }
  const ui::BlobRows shown = ui::all_rows(table::make_table(shown_ops_spec(), source, rows.size()));
  ui::add_columns(blobs, shown, {}, {{"t.id", "id", {ColumnType::kU32, ColumnEncoding::kDelta, -1}}});
  blobs.add<std::uint32_t>(
      "t.x", rows.size(), ColumnEncoding::kDelta,
      [execution_of = std::move(execution_of)](std::size_t i) { return execution_of[i]; });
  ui::add_columns(blobs, shown, {},
                  {short_figure("t.kind", "kind"), coded("t.form", "form", {"device", "host", "signpost"}),
                   coded("t.cause", "gap_cause", keys_of<GapCause>(kGapCauseCount)),
                   coded("t.limit", "bound", keys_of<OpLimit>(kOpLimitCount)),
                   coded("t.model", "model", keys_of<LimitModel>(kLimitModelCount)),
                   figure("t.ideal_ns", "ideal_us", 1e3), figure("t.device_ns", "device_us", 1e3),
                   figure("t.gap_ns", "gap_us", 1e3), figure("t.total", "total_percent", 1e4),
                   figure("t.flops", "flops_percent", 1e3), figure("t.tflops", "tflops", 1e6),
                   figure("t.dram", "dram_percent", 1e3), figure("t.call", "call_count", 1)});
}

void add_kind_columns(ui::PageBlobs& blobs, const std::shared_ptr<const TableSource>& source) {
  const std::size_t kinds = source->analysis.ops.facts.size();
  ui::add_columns(blobs, ui::all_rows(table::make_table(op_kinds_spec(), source, kinds)), {},
                  {{"k.label", "label"},
                   {"k.fidelity", "fidelity"},
                   {"k.tensors", "tensors"},
                   {"k.attributes", "attributes"},
                   {"k.location", "location"},
                   {"k.compute", "compute_kernels"},
                   {"k.data", "data_kernels"},
                   coded("k.category", "category", {kOpCategoryNames.begin(), kOpCategoryNames.end()}),
                   short_figure("k.cores", "cores"),
                   figure("k.flops", "flops", 1),
                   figure("k.bytes", "matmul_dram_bytes", 1)});
}

constexpr std::string_view kDataPlaceholder = "<!--ttscope:data-->";

template <typename Enum>
void write_keys(JsonWriter& json, std::string_view name, std::size_t count) {
  json.key(name);
  json.begin_array();
  for (std::size_t i = 0; i < count; ++i) json.value(key_of(static_cast<Enum>(i)));
  json.end_array();
}

std::string page_header(const ui::PageBlobs& blobs, const PageExecutions& executions,
                        const PerfPageOptions& options) {
  ui::TextCatcher text;
  JsonWriter json(text);
  json.begin_object();
  json.field("format", "ttscope.perf_page/1");
  json.field("name", options.name);
  json.list("categories", kOpCategoryNames, [&](std::string_view name) { json.value(name); });
  json.key("colors");
  json.begin_array();
  for (std::size_t i = 0; i < kOpCategoryCount; ++i) {
    json.value(category_color(static_cast<OpCategory>(i)));
  }
  json.end_array();
  write_keys<GapCause>(json, "causes", kGapCauseCount);
  write_keys<OpLimit>(json, "limits", kOpLimitCount);
  write_keys<LimitModel>(json, "models", kLimitModelCount);
  json.list("riscs", kRiscNames, [&](std::string_view name) { json.value(name); });
  json.list("signposts", executions.signposts, [&](const std::string& name) { json.value(name); });
  json.list("cores", options.cores, [&](const CoreLoad& core) {
    json.begin_array();
    json.value(core.device);
    json.value(core.x);
    json.value(core.y);
    json.value(core.busy_cycles);
    json.value(core.runs);
    json.end_array();
  });
  ui::write_columns(json, blobs);
  json.end_object();
  return std::string(text.text());
}

}  // namespace

void write_perf_page(const OpsReport& table, const OpAnalysis& analysis, const PerfPageOptions& options,
                     Writer& out) {
  const PageExecutions executions = find_executions(table, analysis.ops);
  ui::PageBlobs blobs;
  const auto source = std::make_shared<const TableSource>(table, analysis);
  add_kind_columns(blobs, source);
  add_execution_columns(blobs, source, executions);
  add_row_columns(blobs, source, executions);
  std::vector<std::string> encoded(blobs.list().size());
  run_parallel(encoded.size(), options.threads,
               [&](std::size_t i) { encoded[i] = ui::encode_blob(blobs.list()[i]); });
  ui::TextCatcher document;
  write_perf_json(table, analysis,
                  {.tool_version = options.tool_version, .list_ops = false, .zones = options.zones},
                  document);
  std::string_view rest = perf_page_template();
  rest = ui::write_page_until(out, rest, ui::kTitlePlaceholder, rest.find(ui::kTitlePlaceholder));
  out.write(markup_text(options.name));
  rest = ui::write_page_until(out, rest, ui::kHeadPlaceholder, rest.find(ui::kHeadPlaceholder));
  ui::write_page_block(out, "application/json", "ttscope-page", page_header(blobs, executions, options));
  ui::write_page_block(out, "application/json", "ttscope-perf", document.text());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    ui::write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded[i]);
  }
  rest = ui::write_page_until(out, rest, kDataPlaceholder, rest.rfind(kDataPlaceholder));
  out.write(rest);
}

}  // namespace ttscope::perf
