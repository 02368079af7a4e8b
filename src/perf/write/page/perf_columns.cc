#include "perf/write/page/perf_columns.h"

#include <algorithm>
#include <cmath>

#include "base/none.h"
#include "base/text_escape.h"
#include "perf/analyse/ops/op_sections.h"

namespace ttscope::perf {

namespace {

constexpr std::int64_t kNoValue = -1;

std::uint32_t u32_of(double value) {
  return value >= 0 && value < kNone ? static_cast<std::uint32_t>(std::llround(value)) : kNone;
}

/// A figure in units of 1 / scale; -1 where there is none. Figures that can be negative are clamped to 0.
std::int64_t scaled(double value, double scale) {
  if (!has_number(value) || std::abs(value) > 9e15 / scale) return kNoValue;
  return std::max<std::int64_t>(0, std::llround(value * scale));
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

}  // namespace

PageExecutions find_executions(const OpsReport& table, const ShownOps& ops) {
  PageExecutions executions;
  const std::vector<std::uint32_t> signposts = signposts_of(table, executions.signposts);
  for (std::size_t i = 0; i < ops.rows.size(); ++i) {
    const ShownOp& row = ops.rows[i];
    if (row.is_signpost || row.is_host) continue;
    const auto add = [&](std::uint32_t from) {
      executions.list.push_back({from, static_cast<std::uint32_t>(i), signposts[from]});
    };
    if (row.group == kNone) {
      add(row.row);
      continue;
    }
    const OpGroup& group = ops.groups[row.group];
    for (std::uint32_t k = 0; k < group.count; ++k) add(ops.members[group.first + k]);
  }
  std::stable_sort(executions.list.begin(), executions.list.end(),
                   [&](const PageExecution& a, const PageExecution& b) {
                     return table.rows[a.row].device < table.rows[b.row].device;
                   });
  return executions;
}

void add_execution_columns(report::PageBlobs& blobs, const OpsReport& table,
                           const PageExecutions& executions) {
  const std::size_t count = executions.list.size();
  const auto row = [&table, &executions](std::size_t i) -> const OpRow& {
    return table.rows[executions.list[i].row];
  };
  blobs.add<std::uint32_t>("x.device", count, report::Stored::kDelta, [row](std::size_t i) {
    return static_cast<std::uint32_t>(std::max(0, row(i).device));
  });
  blobs.add<std::uint32_t>("x.kind", count, report::Stored::kPlain,
                           [row](std::size_t i) { return row(i).kind; });
  blobs.add<std::uint32_t>("x.row", count, report::Stored::kDelta,
                           [&executions](std::size_t i) { return executions.list[i].table_row; });
  blobs.add<std::uint32_t>("x.signpost", count, report::Stored::kDelta,
                           [&executions](std::size_t i) { return executions.list[i].signpost; });
  blobs.add<std::int64_t>("x.ns", count, report::Stored::kPlain,
                          [row](std::size_t i) { return scaled(row(i).kernel_duration_ns, 1); });
  blobs.add<std::int64_t>("x.gap_ns", count, report::Stored::kPlain,
                          [row](std::size_t i) { return scaled(row(i).op_to_op_ns, 1); });
  for (std::size_t risc = 0; risc < kRiscCount; ++risc) {
    blobs.add<std::uint32_t>(
        "x.risc" + std::to_string(risc), count, report::Stored::kPlain,
        [row, risc](std::size_t i) { return u32_of(static_cast<double>(row(i).risc_us[risc]) * 1000); });
  }
  for (std::size_t k = 0; k < 3; ++k) {
    blobs.add<std::uint32_t>("x.core" + std::to_string(k), count, report::Stored::kPlain,
                             [row, k](std::size_t i) { return u32_of(row(i).per_core_ns[k]); });
  }
}

void add_row_columns(report::PageBlobs& blobs, const OpsReport& table, const OpReading& reading,
                     const PageExecutions& executions) {
  const std::vector<ShownOp>& rows = reading.ops.rows;
  const std::size_t count = rows.size();
  std::vector<std::uint32_t> shown(count, kNone);
  for (std::size_t i = 0; i < executions.list.size(); ++i) {
    const PageExecution& execution = executions.list[i];
    if (rows[execution.table_row].row == execution.row)
      shown[execution.table_row] = static_cast<std::uint32_t>(i);
  }
  blobs.add<std::uint32_t>("t.id", count, report::Stored::kDelta,
                           [&](std::size_t i) { return table.rows[rows[i].row].id; });
  blobs.add<std::uint32_t>("t.x", count, report::Stored::kDelta,
                           [shown = std::move(shown)](std::size_t i) { return shown[i]; });
  blobs.add<std::uint32_t>("t.kind", count, report::Stored::kPlain,
                           [&](std::size_t i) { return table.rows[rows[i].row].kind; });
  blobs.add<std::uint8_t>("t.form", count, report::Stored::kPlain, [&](std::size_t i) {
    return static_cast<std::uint8_t>(rows[i].is_signpost ? 2 : rows[i].is_host ? 1 : 0);
  });
  blobs.add<std::uint8_t>("t.cause", count, report::Stored::kPlain,
                          [&](std::size_t i) { return static_cast<std::uint8_t>(reading.gaps.causes[i]); });
  blobs.add<std::uint8_t>("t.limit", count, report::Stored::kPlain, [&](std::size_t i) {
    return static_cast<std::uint8_t>(reading.bounds.rows[i].limit);
  });
  blobs.add<std::uint8_t>("t.model", count, report::Stored::kPlain, [&](std::size_t i) {
    return static_cast<std::uint8_t>(reading.bounds.rows[i].model);
  });
  blobs.add<std::int64_t>("t.ideal_ns", count, report::Stored::kPlain, [&](std::size_t i) {
    const double us = static_cast<double>(reading.bounds.rows[i].ideal_us);
    return us > 0 ? scaled(us, 1000) : kNoValue;
  });
  blobs.add<std::int64_t>("t.device_ns", count, report::Stored::kPlain,
                          [&](std::size_t i) { return scaled(rows[i].device_us, 1000); });
  blobs.add<std::int64_t>("t.gap_ns", count, report::Stored::kPlain,
                          [&](std::size_t i) { return scaled(rows[i].gap_us, 1000); });
  blobs.add<std::int64_t>("t.total", count, report::Stored::kPlain,
                          [&](std::size_t i) { return scaled(rows[i].total_percent, 1e4); });
  blobs.add<std::int64_t>("t.flops", count, report::Stored::kPlain,
                          [&](std::size_t i) { return scaled(rows[i].flops_percent, 1e3); });
  blobs.add<std::int64_t>("t.tflops", count, report::Stored::kPlain,
                          [&](std::size_t i) { return scaled(rows[i].tflops, 1e6); });
  blobs.add<std::int64_t>("t.dram", count, report::Stored::kPlain,
                          [&](std::size_t i) { return scaled(rows[i].dram_percent, 1e3); });
}

void add_kind_columns(report::PageBlobs& blobs, const OpsReport& table, const ShownOps& ops) {
  const std::size_t count = ops.facts.size();
  std::vector<std::string> labels;
  std::vector<std::string> fidelities;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& label = ops.facts[i].label;
    labels.push_back(utf8_repaired(label.empty() ? table.text(table.kinds[i].op_code) : label));
    fidelities.push_back(utf8_repaired(ops.facts[i].fidelity));
  }
  blobs.add_strings("k.label", std::move(labels));
  blobs.add_strings("k.fidelity", std::move(fidelities));
  blobs.add<std::uint8_t>("k.category", count, report::Stored::kPlain,
                          [&](std::size_t i) { return static_cast<std::uint8_t>(ops.facts[i].category); });
  blobs.add<std::uint32_t>("k.cores", count, report::Stored::kPlain,
                           [&](std::size_t i) { return u32_of(ops.facts[i].cores); });
  blobs.add<std::int64_t>("k.flops", count, report::Stored::kPlain,
                          [&](std::size_t i) { return scaled(ops.facts[i].flops, 1); });
  blobs.add<std::int64_t>("k.bytes", count, report::Stored::kPlain,
                          [&](std::size_t i) { return scaled(ops.facts[i].matmul_dram_bytes, 1); });
}

}  // namespace ttscope::perf
