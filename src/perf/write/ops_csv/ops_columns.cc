#include "perf/write/ops_csv/ops_columns.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "base/number_text.h"
#include "perf/model/figure_columns.h"

namespace ttscope::perf {
namespace {

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

}  // namespace

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

}  // namespace ttscope::perf
