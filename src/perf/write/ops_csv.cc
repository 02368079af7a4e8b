#include "perf/write/ops_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/csv.h"
#include "base/number_text.h"
#include "perf/analyze/report_builder.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {
namespace {

/// What all parts need together.
struct Needs {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::set<std::string> kernel_sizes;
  std::set<std::string> children;
  std::set<Figure> figures;
  bool message_durations = false;
  bool locations = false;
  bool host_names = false;
};

void add_op_needs(const CaptureRows& part, const HostOp& op, Needs& needs) {
  const OpInfo& info = part.host->infos[op.info];
  needs.inputs = std::max(needs.inputs, info.inputs.size());
  needs.outputs = std::max(needs.outputs, info.outputs.size());
  for (const auto& [column, value] : info.kernel_sizes) needs.kernel_sizes.insert(column);
  needs.message_durations |= op.zone_is_message;
  needs.locations |= op.location != 0;
  for (const ChildTime& child : op.children) {
    if (child.total_ns != child.own_zone_ns) needs.children.insert(part.host->child_names[child.name]);
  }
}

Needs needs_of(const std::vector<CaptureRows>& parts) {
  Needs needs;
  for (const CaptureRows& part : parts) {
    needs.host_names |= !part.host_name.empty();
    for (const HostOp& op : part.host->ops) add_op_needs(part, op, needs);
    for (const ReportRow& row : part.report->rows) {
      if (row.execution == kNone) continue;
      const Figures& figures = part.report->executions[row.execution].figures;
      for (std::size_t i = 0; i < kFigureCount; ++i) {
        if (figures.has(static_cast<Figure>(i))) needs.figures.insert(static_cast<Figure>(i));
      }
    }
  }
  return needs;
}

/// `TENSIX DM 0 MAX KERNEL SIZE [B]`: classes in the order of the hardware, then by number.
std::tuple<int, std::string, std::int64_t> kernel_size_rank(const std::string& column) {
  constexpr std::array<std::string_view, 4> kClasses = {"TENSIX DM", "TENSIX COMPUTE", "ACTIVE ETH DM",
                                                        "IDLE ETH DM"};
  for (std::size_t i = 0; i < kClasses.size(); ++i) {
    if (column.compare(0, kClasses[i].size(), kClasses[i]) != 0) continue;
    const std::string rest = column.substr(kClasses[i].size() + 1);
    return {static_cast<int>(i), "", parse_whole(rest.substr(0, rest.find(' '))).value_or(0)};
  }
  return {static_cast<int>(kClasses.size()), column, 0};
}

class ColumnList {
 public:
  ColumnList(const ColumnOptions& options, const Needs& needs) : options_(options), needs_(needs) {}

  OpsColumn& add(std::string_view name, ReportColumn source) {
    OpsColumn& column = columns.emplace_back();
    column.name = name;
    column.source = source;
    return column;
  }
  void add(ReportColumn column) { add(name_of(column), column); }
  void add(Figure figure) {
    add(column_of(figure), ReportColumn::kFigure).field = static_cast<std::uint32_t>(figure);
  }
  /// In a report of the device alone only what occurs is listed.
  void add_known(Figure figure) {
    if (!options_.device_only || needs_.figures.count(figure) > 0) add(figure);
  }
  void add_tensors(std::string_view kind, std::size_t count, ReportColumn source) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t field = 0; field < kTensorFields.size(); ++field) {
        OpsColumn& column = columns.emplace_back();
        column.name.append(kind)
            .append("_")
            .append(std::to_string(i))
            .append("_")
            .append(kTensorFields[field]);
        column.source = source;
        column.index = static_cast<std::uint32_t>(i);
        column.field = static_cast<std::uint32_t>(field);
      }
    }
  }

  std::vector<OpsColumn> columns;

 private:
  const ColumnOptions& options_;
  const Needs& needs_;
};

void add_identity(ColumnList& list, const ColumnOptions& options) {
  if (!options.device_only) {
    list.add(ReportColumn::kOpCode);
    list.add(ReportColumn::kOpType);
  }
  list.add(ReportColumn::kCallCount);
  list.add(ReportColumn::kDeviceId);
  list.add(ReportColumn::kDeviceArch);
  if (!options.device_only) {
    list.add(ReportColumn::kAttributes);
    list.add(ReportColumn::kMathFidelity);
  }
  list.add(Figure::kCoreCount);
  list.add_known(Figure::kAvailableCores);
  list.add_known(Figure::kSubDevice);
  if (options.device_only) return;
  list.add(ReportColumn::kParallelization);
  list.add(ReportColumn::kHostStart);
  list.add(ReportColumn::kHostEnd);
  list.add(ReportColumn::kHostDuration);
}

void add_quasar_times(ColumnList& list) {
  for (const Figure figure :
       {Figure::kQuasarDmLatencyNs, Figure::kQuasarTriscLatencyNs, Figure::kQuasarDmFwNs,
        Figure::kQuasarTriscFwNs, Figure::kKernelNs, Figure::kKernelDmNs, Figure::kPerCoreMinNs,
        Figure::kPerCoreMaxNs, Figure::kPerCoreAvgNs, Figure::kFirstToLastStartNs, Figure::kQuasarDmNs,
        Figure::kQuasarTriscNs}) {
    list.add_known(figure);
  }
}

void add_times(ColumnList& list, const ColumnOptions& options, const Needs& needs) {
  list.add_known(Figure::kFwStartCycle);
  list.add_known(Figure::kFwEndCycle);
  if (options.quasar) {
    add_quasar_times(list);
  } else {
    const bool kernels = !options.device_only || needs.figures.count(Figure::kKernelNs) > 0;
    const bool dm = !options.device_only || needs.figures.count(Figure::kKernelDmNs) > 0;
    if (kernels) list.add(ReportColumn::kLatency);
    if (dm) list.add(ReportColumn::kLatencyDm);
    for (const Figure figure :
         {Figure::kFwNs, Figure::kKernelNs, Figure::kKernelDmNs, Figure::kPerCoreMinNs, Figure::kPerCoreMaxNs,
          Figure::kPerCoreAvgNs, Figure::kFirstToLastStartNs, Figure::kBriscNs, Figure::kNcriscNs,
          Figure::kTrisc0Ns, Figure::kTrisc1Ns, Figure::kTrisc2Ns, Figure::kEriscNs}) {
      list.add_known(figure);
    }
  }
  for (const Figure figure :
       {Figure::kCbWaitFrontNs, Figure::kCbReserveBackNs, Figure::kDispatchTotalNs, Figure::kDispatchGoNs}) {
    list.add_known(figure);
  }
}

void add_program(ColumnList& list, const Needs& needs) {
  list.add_tensors("INPUT", needs.inputs, ReportColumn::kInput);
  list.add_tensors("OUTPUT", needs.outputs, ReportColumn::kOutput);
  list.add(ReportColumn::kTraceId);
  list.add(ReportColumn::kReplaySession);
  list.add(ReportColumn::kComputeSource);
  list.add(ReportColumn::kComputeHash);
  list.add(ReportColumn::kDataMovementSource);
  list.add(ReportColumn::kDataMovementHash);
  list.add(ReportColumn::kProgramHash);
  list.add(ReportColumn::kCacheHit);
  std::vector<std::string> sizes(needs.kernel_sizes.begin(), needs.kernel_sizes.end());
  std::sort(sizes.begin(), sizes.end(), [](const std::string& a, const std::string& b) {
    return kernel_size_rank(a) < kernel_size_rank(b);
  });
  for (const std::string& size : sizes) list.add(size, ReportColumn::kKernelSize);
  list.add(ReportColumn::kPmIdeal);
  list.add(ReportColumn::kPmCompute);
  list.add(ReportColumn::kPmBandwidth);
  list.add(ReportColumn::kPmReqInput);
  list.add(ReportColumn::kPmReqOutput);
  list.add(ReportColumn::kPmFpuUtil);
}

/// Columns of other files that some part has.
void add_extra(ColumnList& list, const std::vector<CaptureRows>& parts,
               const ExtraColumns* CaptureRows::*member, ReportColumn source) {
  std::set<std::string> seen;
  for (const OpsColumn& column : list.columns) seen.insert(column.name);
  for (const CaptureRows& part : parts) {
    if (part.*member == nullptr) continue;
    for (const std::string& name : (part.*member)->names) {
      if (seen.insert(name).second) list.add(name, source);
    }
  }
}

}  // namespace

std::vector<OpsColumn> ops_columns(const std::vector<CaptureRows>& parts, const ColumnOptions& options) {
  const Needs needs = needs_of(parts);
  ColumnList list(options, needs);
  if (needs.host_names) list.add(ReportColumn::kHostName);
  add_identity(list, options);
  add_times(list, options, needs);
  if (!options.device_only) {
    add_program(list, needs);
    for (const std::string_view name : kNetworkColumns) list.add(name, ReportColumn::kNetwork);
  } else {
    list.add(ReportColumn::kTraceId);
    list.add(ReportColumn::kReplaySession);
  }
  add_extra(list, parts, &CaptureRows::counters, ReportColumn::kCounter);
  if (!options.device_only) {
    for (const std::string& child : needs.children)
      list.add(child + std::string(kChildColumnEnd), ReportColumn::kChild);
  }
  if (needs.locations && !options.device_only) list.add(ReportColumn::kLocation);
  if (needs.message_durations) list.add(ReportColumn::kMessageDuration);
  for (const Figure figure : {Figure::kTraceFwNs, Figure::kTraceKernelNs}) {
    if (needs.figures.count(figure) > 0) list.add(figure);
  }
  add_extra(list, parts, &CaptureRows::network, ReportColumn::kNetwork);
  return list.columns;
}

namespace {

constexpr std::string_view kLineEnd = "\r\n";

const std::string& tensor_cell(const std::vector<TensorCells>& tensors, const OpsColumn& column) {
  static const std::string kEmpty;
  if (column.index >= tensors.size()) return kEmpty;
  const TensorCells& tensor = tensors[column.index];
  const std::array<const std::string*, 7> fields = {&tensor.w,      &tensor.z,     &tensor.y,     &tensor.x,
                                                    &tensor.layout, &tensor.dtype, &tensor.memory};
  return *fields[column.field];
}

/// One cell after the other.
class RowWriter {
 public:
  RowWriter(const CaptureRows& part, AppendCell append) : part_(part), append_(append), values_(part) {}

  void write(const ReportRow& row, const std::vector<OpsColumn>& columns, std::string& line) {
    values_.go_to(row);
    bool first = true;
    for (const OpsColumn& column : columns) {
      if (!first) line += ',';
      first = false;
      cell_.clear();
      fill(column);
      append_(part_, values_, column, cell_, line);
    }
    line += kLineEnd;
  }

 private:
  void put(std::int64_t value) {
    if (value != kNoFigure) cell_ += std::to_string(value);
  }
  void put(std::string_view text) { cell_ += text; }

  void fill(const OpsColumn& column) {
    switch (column.source) {
      case ReportColumn::kCallCount:
        if (const auto count = values_.call_count()) cell_ += std::to_string(*count);
        return;
      case ReportColumn::kFigure:
        return put(values_.figure(static_cast<Figure>(column.field)));
      case ReportColumn::kCounter:
        return put_extra(part_.counters, column);
      case ReportColumn::kNetwork:
        return put_extra(part_.network, column);
      default:
        put(values_.text(column.source));
        put(values_.number(column.source));
        if (values_.info() != nullptr) fill_program(*values_.info(), column);
    }
  }

  void put_extra(const ExtraColumns* extra, const OpsColumn& column) {
    if (extra == nullptr || values_.row().execution == kNone) return;
    if (const std::string* cell = extra->find(values_.row().execution, column.name)) put(*cell);
  }

  /// What the host's message of an op says in several cells, or in other words.
  void fill_program(const OpInfo& info, const OpsColumn& column) {
    switch (column.source) {
      case ReportColumn::kInput:
        return put(tensor_cell(info.inputs, column));
      case ReportColumn::kOutput:
        return put(tensor_cell(info.outputs, column));
      case ReportColumn::kPmFpuUtil:
        return put_fpu_util(info);
      case ReportColumn::kKernelSize:
        return put_kernel_size(info, column.name);
      case ReportColumn::kChild:
        return put_child(column.name);
      case ReportColumn::kCacheHit:
        if (const auto hit = values_.cache_hit()) put(*hit ? "True" : "False");
        return;
      default:
        return;
    }
  }

  void put_fpu_util(const OpInfo& info) {
    const std::int64_t kernel = values_.figure(Figure::kKernelNs);
    if (info.pm_compute_ns < 0 || kernel == kNoFigure) return;
    const auto kernel_ns = static_cast<double>(kernel);
    constexpr double kPercent = 100;
    constexpr int kDigits = 3;
    append_python_float(
        cell_, kernel_ns == 0 ? 0.0 : python_round(kPercent * info.pm_compute_ns / kernel_ns, kDigits));
  }

  void put_kernel_size(const OpInfo& info, const std::string& name) {
    for (const auto& [column, value] : info.kernel_sizes) {
      if (column == name) return put(value);
    }
  }

  void put_child(const std::string& column) {
    if (const ChildTime* child = child_of(part_, *values_.op(), column);
        child != nullptr && child->total_ns != child->own_zone_ns)
      put(child->total_ns - child->own_zone_ns);
  }

  const CaptureRows& part_;
  AppendCell append_;
  RowValues values_;
  std::string cell_;
};

}  // namespace

const ChildTime* child_of(const CaptureRows& part, const HostOp& op, std::string_view column) {
  const ChildTime* found = nullptr;
  for (const ChildTime& child : op.children) {
    const std::string& name = part.host->child_names[child.name];
    if (column.starts_with(name) && column.substr(name.size()) == kChildColumnEnd) found = &child;
  }
  return found;
}

void write_ops_csv(const std::vector<CaptureRows>& parts, const std::vector<OpsColumn>& columns,
                   AppendName append_name, AppendCell append, Writer& out) {
  std::string line;
  for (const OpsColumn& column : columns) {
    if (!line.empty()) line += ',';
    append_name(line, column.name);
  }
  line += kLineEnd;
  out.write(line);
  for (const CaptureRows& part : parts) {
    RowWriter writer(part, append);
    for (const ReportRow& row : part.report->rows) {
      line.clear();
      writer.write(row, columns, line);
      out.write(line);
    }
  }
}

void write_ops_csv(const std::vector<CaptureRows>& parts, const ColumnOptions& form, Writer& out) {
  const auto append = [](const CaptureRows&, const RowValues&, const OpsColumn&, std::string& cell,
                         std::string& line) {
    std::replace(cell.begin(), cell.end(), ',', ';');
    append_safe_csv_cell(line, cell);
  };
  write_ops_csv(parts, ops_columns(parts, form), append_safe_csv_cell, append, out);
}

namespace {

std::string row_text(const NocSummary& summary, std::string_view scope, const std::string& what,
                     const NocCount& count) {
  std::string line;
  append_safe_csv_cell(line, summary.op_name);
  line += fmt::format(",{},{},", summary.key.op_id, summary.key.device);
  if (summary.key.trace >= 0) line += std::to_string(summary.key.trace);
  line += ',';
  if (summary.key.replay >= 0) line += std::to_string(summary.key.replay);
  line += fmt::format(",{},", scope);
  append_safe_csv_cell(line, what);
  return line + fmt::format(",{},{}\r\n", count.transfers, count.bytes);
}

}  // namespace

void write_noc_summary(const std::vector<NocSummary>& summaries, Writer& out) {
  out.write(
      "OP NAME,GLOBAL CALL COUNT,DEVICE ID,METAL TRACE ID,METAL TRACE REPLAY SESSION "
      "ID,SCOPE,NAME,TRANSFERS,BYTES\r\n");
  for (const NocSummary& summary : summaries) {
    out.write(row_text(summary, "all", "", summary.all));
    for (const auto& [type, count] : summary.by_type) out.write(row_text(summary, "type", type, count));
    for (const auto& [core, count] : summary.by_core) {
      out.write(row_text(summary, "core", fmt::format("{}-{}", core.first, core.second), count));
    }
  }
}

}  // namespace ttscope::perf
