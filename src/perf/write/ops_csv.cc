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
#include "perf/analyze/made_report.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {
namespace {

/// Where the cell of a column comes from.
enum class CellSource : std::uint8_t {
  kOpCode,
  kOpType,
  kCallCount,
  kDeviceId,
  kDeviceArch,
  kAttributes,
  kMathFidelity,
  kParallelization,
  kHostStart,
  kHostEnd,
  kHostDuration,
  kMessageDuration,
  kLatency,
  kLatencyDm,
  kFigure,
  kInput,
  kOutput,
  kTraceId,
  kReplaySession,
  kComputeSource,
  kComputeHash,
  kDataMovementSource,
  kDataMovementHash,
  kProgramHash,
  kCacheHit,
  kKernelSize,
  kPmIdeal,
  kPmCompute,
  kPmBandwidth,
  kPmReqInput,
  kPmReqOutput,
  kPmFpuUtil,
  kNetwork,
  kCounter,
  kChild,
  kHostName,
  kLocation,
  kEmpty,
};

struct OpsColumn {
  std::string name;
  CellSource source = CellSource::kEmpty;
  std::uint32_t index = 0;  ///< of a tensor, counter column, ...
  std::uint32_t field = 0;  ///< of a tensor; a Figure
};

constexpr std::array<std::string_view, 7> kTensorFields = {
    "W_PAD[LOGICAL]", "Z_PAD[LOGICAL]", "Y_PAD[LOGICAL]", "X_PAD[LOGICAL]", "LAYOUT", "DATATYPE", "MEMORY"};
constexpr std::array<std::string_view, 6> kNetworkColumns = {"NOC UTIL (%)",     "MULTICAST NOC UTIL (%)",
                                                             "DRAM BW UTIL (%)", "DRAM BW UTIL PER CTRL (%)",
                                                             "ETH BW UTIL (%)",  "NPE CONG IMPACT (%)"};

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

void add_op_needs(const CaptureRows& part, const HostOp& op, const Rules& rules, Needs& needs) {
  const OpInfo& info = part.host->infos[op.info];
  needs.inputs = std::max(needs.inputs, info.inputs.size());
  needs.outputs = std::max(needs.outputs, info.outputs.size());
  for (const auto& [column, value] : info.kernel_sizes) needs.kernel_sizes.insert(column);
  needs.message_durations |= op.zone_is_message;
  needs.locations |= op.location != 0;
  for (const ChildTime& child : op.children) {
    if (!rules.leaves_own_zone_out_of_children || child.total_ns != child.own_zone_ns)
      needs.children.insert(part.host->child_names[child.name]);
  }
}

Needs needs_of(const std::vector<CaptureRows>& parts, const Rules& rules) {
  Needs needs;
  for (const CaptureRows& part : parts) {
    needs.host_names |= !part.host_name.empty();
    for (const HostOp& op : part.host->ops) add_op_needs(part, op, rules, needs);
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
  ColumnList(const ReportForm& options, const Needs& needs) : options_(options), needs_(needs) {}

  OpsColumn& add(std::string_view name, CellSource source) {
    OpsColumn& column = columns.emplace_back();
    column.name = name;
    column.source = source;
    return column;
  }
  void add(Figure figure) {
    add(column_of(figure), CellSource::kFigure).field = static_cast<std::uint32_t>(figure);
  }
  /// In a report of the device alone only what occurs is listed.
  void add_known(Figure figure) {
    if (!options_.device_only || needs_.figures.count(figure) > 0) add(figure);
  }
  void add_tensors(std::string_view kind, std::size_t count, CellSource source) {
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
  const ReportForm& options_;
  const Needs& needs_;
};

void add_identity(ColumnList& list, const ReportForm& options) {
  if (!options.device_only) {
    list.add("OP CODE", CellSource::kOpCode);
    list.add("OP TYPE", CellSource::kOpType);
  }
  list.add("GLOBAL CALL COUNT", CellSource::kCallCount);
  if (!options.device_only || options.rules->shows_devices_without_host) {
    list.add("DEVICE ID", CellSource::kDeviceId);
    list.add("DEVICE ARCH", CellSource::kDeviceArch);
  }
  if (!options.device_only) {
    list.add("ATTRIBUTES", CellSource::kAttributes);
    list.add("MATH FIDELITY", CellSource::kMathFidelity);
  }
  if (!options.device_only || options.rules->shows_devices_without_host) {
    list.add(Figure::kCoreCount);
    list.add_known(Figure::kAvailableCores);
  }
  list.add_known(Figure::kSubDevice);
  if (options.device_only) return;
  list.add("PARALLELIZATION STRATEGY", CellSource::kParallelization);
  list.add("HOST START TS", CellSource::kHostStart);
  list.add("HOST END TS", CellSource::kHostEnd);
  list.add("HOST DURATION [ns]", CellSource::kHostDuration);
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

void add_times(ColumnList& list, const ReportForm& options, const Needs& needs) {
  list.add_known(Figure::kFwStartCycle);
  list.add_known(Figure::kFwEndCycle);
  if (options.quasar) {
    add_quasar_times(list);
  } else {
    const bool kernels = !options.device_only || needs.figures.count(Figure::kKernelNs) > 0;
    const bool dm = !options.device_only || needs.figures.count(Figure::kKernelDmNs) > 0;
    if (kernels) list.add("OP TO OP LATENCY [ns]", CellSource::kLatency);
    if (dm) list.add("OP TO OP LATENCY BR/NRISC START [ns]", CellSource::kLatencyDm);
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
  list.add_tensors("INPUT", needs.inputs, CellSource::kInput);
  list.add_tensors("OUTPUT", needs.outputs, CellSource::kOutput);
  list.add("METAL TRACE ID", CellSource::kTraceId);
  list.add("METAL TRACE REPLAY SESSION ID", CellSource::kReplaySession);
  list.add("COMPUTE KERNEL SOURCE", CellSource::kComputeSource);
  list.add("COMPUTE KERNEL HASH", CellSource::kComputeHash);
  list.add("DATA MOVEMENT KERNEL SOURCE", CellSource::kDataMovementSource);
  list.add("DATA MOVEMENT KERNEL HASH", CellSource::kDataMovementHash);
  list.add("PROGRAM HASH", CellSource::kProgramHash);
  list.add("PROGRAM CACHE HIT", CellSource::kCacheHit);
  std::vector<std::string> sizes(needs.kernel_sizes.begin(), needs.kernel_sizes.end());
  std::sort(sizes.begin(), sizes.end(), [](const std::string& a, const std::string& b) {
    return kernel_size_rank(a) < kernel_size_rank(b);
  });
  for (const std::string& size : sizes) list.add(size, CellSource::kKernelSize);
  list.add("PM IDEAL [ns]", CellSource::kPmIdeal);
  list.add("PM COMPUTE [ns]", CellSource::kPmCompute);
  list.add("PM BANDWIDTH [ns]", CellSource::kPmBandwidth);
  list.add("PM REQ I BW", CellSource::kPmReqInput);
  list.add("PM REQ O BW", CellSource::kPmReqOutput);
  list.add("PM FPU UTIL (%)", CellSource::kPmFpuUtil);
}

/// Columns of other files that some part has.
void add_extra(ColumnList& list, const std::vector<CaptureRows>& parts,
               const ExtraColumns* CaptureRows::*member, CellSource source) {
  std::set<std::string> seen;
  for (const OpsColumn& column : list.columns) seen.insert(column.name);
  for (const CaptureRows& part : parts) {
    if (part.*member == nullptr) continue;
    for (const std::string& name : (part.*member)->names) {
      if (seen.insert(name).second) list.add(name, source);
    }
  }
}

/// The columns of a report, from what its rows need.
std::vector<OpsColumn> ops_columns(const std::vector<CaptureRows>& parts, const ReportForm& options) {
  const Needs needs = needs_of(parts, *options.rules);
  ColumnList list(options, needs);
  const bool any_rows = std::any_of(parts.begin(), parts.end(),
                                    [](const CaptureRows& part) { return !part.report->rows.empty(); });
  if (!options.rules->writes_header_without_rows && options.device_only && !any_rows) return list.columns;
  if (needs.host_names) list.add("HOST", CellSource::kHostName);
  add_identity(list, options);
  add_times(list, options, needs);
  if (!options.device_only) {
    add_program(list, needs);
    for (const std::string_view name : kNetworkColumns) list.add(name, CellSource::kNetwork);
  } else if (options.rules->shows_devices_without_host) {
    list.add("METAL TRACE ID", CellSource::kTraceId);
    list.add("METAL TRACE REPLAY SESSION ID", CellSource::kReplaySession);
  }
  add_extra(list, parts, &CaptureRows::counters, CellSource::kCounter);
  if (!options.device_only) {
    for (const std::string& child : needs.children)
      list.add(child + "_TT_HOST_FUNC [ns]", CellSource::kChild);
  }
  if (options.rules->adds_own_columns) {
    if (needs.locations && !options.device_only) list.add("LOC", CellSource::kLocation);
    if (needs.message_durations) list.add("HOST MESSAGE DURATION [ns]", CellSource::kMessageDuration);
    for (const Figure figure : {Figure::kTraceFwNs, Figure::kTraceKernelNs}) {
      if (needs.figures.count(figure) > 0) list.add(figure);
    }
    add_extra(list, parts, &CaptureRows::network, CellSource::kNetwork);
  }
  return list.columns;
}

constexpr std::string_view kLineEnd = "\r\n";

const std::string& tensor_cell(const std::vector<TensorCells>& tensors, const OpsColumn& column) {
  static const std::string kEmpty;
  if (column.index >= tensors.size()) return kEmpty;
  const TensorCells& tensor = tensors[column.index];
  const std::array<const std::string*, 7> fields = {&tensor.w,      &tensor.z,     &tensor.y,     &tensor.x,
                                                    &tensor.layout, &tensor.dtype, &tensor.memory};
  return *fields[column.field];
}

/// Names of columns come from a log too: those of kernel sizes.
void append_cell(std::string& line, std::string_view cell, const ReportForm& form) {
  if (form.rules->defuses_formulas) {
    append_safe_csv_cell(line, cell);
  } else {
    append_csv_cell(line, cell);
  }
}

/// One cell after the other.
class RowWriter {
 public:
  RowWriter(const CaptureRows& part, const ReportForm& form)
      : part_(part), form_(form), values_(part, form) {}

  void write(const ReportRow& row, const std::vector<OpsColumn>& columns, std::string& line) {
    values_.go_to(row);
    bool first = true;
    for (const OpsColumn& column : columns) {
      if (!first) line += ',';
      first = false;
      cell_.clear();
      fill(column);
      std::replace(cell_.begin(), cell_.end(), ',', ';');
      append_cell(line, cell_, form_);
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
      case CellSource::kOpCode:
        return put(values_.op_code());
      case CellSource::kOpType:
        return put(values_.op_type());
      case CellSource::kAttributes:
        return put(values_.attributes());
      case CellSource::kHostName:
        return put(part_.host_name);
      case CellSource::kLocation:
        return put(values_.location());
      case CellSource::kCallCount:
        if (const auto count = values_.call_count()) cell_ += std::to_string(*count);
        return;
      case CellSource::kDeviceId:
        return put(values_.device());
      case CellSource::kDeviceArch:
        return put(values_.arch());
      case CellSource::kHostStart:
        return put(values_.host_start_ns());
      case CellSource::kHostEnd:
        return put(values_.host_end_ns());
      case CellSource::kHostDuration:
        return put(values_.host_duration_ns());
      case CellSource::kTraceId:
        return put(values_.trace());
      case CellSource::kReplaySession:
        return put(values_.replay_session());
      default:
        fill_measured(column);
        if (values_.info() != nullptr) fill_program(column);
    }
  }

  /// What executions and other files say.
  void fill_measured(const OpsColumn& column) {
    switch (column.source) {
      case CellSource::kFigure:
        return put(values_.figure(static_cast<Figure>(column.field)));
      case CellSource::kLatency:
        return put(values_.row().latency_ns);
      case CellSource::kLatencyDm:
        return put(values_.row().latency_dm_ns);
      case CellSource::kCounter:
        return put_extra(part_.counters, column);
      case CellSource::kNetwork:
        return put_extra(part_.network, column);
      default:
        return;
    }
  }

  void put_extra(const ExtraColumns* extra, const OpsColumn& column) {
    if (extra == nullptr || values_.row().execution == kNone) return;
    if (const std::string* cell = extra->find(values_.row().execution, column.name)) put(*cell);
  }

  /// What the host's message of an op says.
  void fill_program(const OpsColumn& column) {
    const OpInfo& info = *values_.info();
    switch (column.source) {
      case CellSource::kMathFidelity:
        return put(info.math_fidelity);
      case CellSource::kParallelization:
        return put(info.parallelization);
      case CellSource::kInput:
        return put(tensor_cell(info.inputs, column));
      case CellSource::kOutput:
        return put(tensor_cell(info.outputs, column));
      case CellSource::kProgramHash:
        return put(info.program_hash);
      case CellSource::kComputeSource:
        return put(info.compute_sources);
      case CellSource::kComputeHash:
        return put(info.compute_hashes);
      case CellSource::kDataMovementSource:
        return put(info.data_movement_sources);
      case CellSource::kDataMovementHash:
        return put(info.data_movement_hashes);
      default:
        return fill_model(info, column);
    }
  }

  void fill_model(const OpInfo& info, const OpsColumn& column) {
    switch (column.source) {
      case CellSource::kPmIdeal:
        return put(info.pm_ideal);
      case CellSource::kPmCompute:
        return put(info.pm_compute);
      case CellSource::kPmBandwidth:
        return put(info.pm_bandwidth);
      case CellSource::kPmReqInput:
        return put(info.pm_req_input);
      case CellSource::kPmReqOutput:
        return put(info.pm_req_output);
      case CellSource::kPmFpuUtil:
        return put_fpu_util(info);
      case CellSource::kKernelSize:
        return put_kernel_size(info, column.name);
      case CellSource::kChild:
        return put_child(column.name);
      case CellSource::kMessageDuration:
        if (values_.op()->zone_is_message) put(values_.op()->zone_ns);
        return;
      case CellSource::kCacheHit:
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
    for (const ChildTime& child : values_.op()->children) {
      const std::string& name = part_.host->child_names[child.name];
      if (column.compare(0, name.size(), name) != 0 || column.size() != name.size() + kChildEnd.size())
        continue;
      const bool with_own = !form_.rules->leaves_own_zone_out_of_children;
      const std::int64_t ns = with_own ? child.total_ns : child.total_ns - child.own_zone_ns;
      if (with_own || child.total_ns != child.own_zone_ns) put(ns);
    }
  }

  static constexpr std::string_view kChildEnd = "_TT_HOST_FUNC [ns]";
  const CaptureRows& part_;
  const ReportForm& form_;
  RowValues values_;
  std::string cell_;
};

}  // namespace

void write_ops_csv(const std::vector<CaptureRows>& parts, const ReportForm& options, Writer& out) {
  const std::vector<OpsColumn> columns = ops_columns(parts, options);
  std::string line;
  for (const OpsColumn& column : columns) {
    if (!line.empty()) line += ',';
    append_cell(line, column.name, options);
  }
  line += kLineEnd;
  out.write(line);
  for (const CaptureRows& part : parts) {
    RowWriter writer(part, options);
    for (const ReportRow& row : part.report->rows) {
      line.clear();
      writer.write(row, columns, line);
      out.write(line);
    }
  }
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
