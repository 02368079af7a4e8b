#include "perf/read/ops_report/ops_columns.h"

#include <algorithm>
#include <initializer_list>

namespace ttscope::perf {
namespace {

constexpr std::size_t kMostTensors = 64;
constexpr std::string_view kPadded = "_PAD[LOGICAL]";

std::size_t first_of(const CsvHeader& header, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const std::size_t column = header.find(name); column != CsvHeader::kNoColumn) return column;
  }
  return CsvHeader::kNoColumn;
}

std::vector<std::size_t> all_of(const CsvHeader& header, std::initializer_list<std::string_view> names) {
  std::vector<std::size_t> columns;
  for (const std::string_view name : names) {
    if (const std::size_t column = header.find(name); column != CsvHeader::kNoColumn)
      columns.push_back(column);
  }
  return columns;
}

/// `INPUT_0_W_PAD[LOGICAL]`, or `INPUT_0_W` in reports of before 2025.
bool find_tensor(const CsvHeader& header, const std::string& prefix, TensorColumns& columns) {
  constexpr std::array<std::string_view, 4> kSizes = {"W", "Z", "Y", "X"};
  bool found = false;
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    const std::string name = prefix + std::string(kSizes[i]);
    columns.sizes[i] = first_of(header, {name + std::string(kPadded), name});
    found = found || columns.sizes[i] != CsvHeader::kNoColumn;
  }
  columns.layout = header.find(prefix + "LAYOUT");
  columns.datatype = header.find(prefix + "DATATYPE");
  columns.memory = header.find(prefix + "MEMORY");
  return found || columns.datatype != CsvHeader::kNoColumn || columns.memory != CsvHeader::kNoColumn;
}

ReportFormat format_of(const CsvHeader& header) {
  if (header.find("DEVICE ARCH") != CsvHeader::kNoColumn ||
      header.find("AVAILABLE WORKER CORE COUNT") != CsvHeader::kNoColumn) {
    return ReportFormat::kV21;
  }
  const bool padded = std::any_of(header.names().begin(), header.names().end(), [](const std::string& name) {
    return name.find(kPadded) != std::string::npos;
  });
  return padded ? ReportFormat::kV2 : ReportFormat::kV1;
}

}  // namespace

OpsColumns::OpsColumns(const CsvHeader& header)
    : op_code(header.find("OP CODE")),
      op_type(header.find("OP TYPE")),
      arch(header.find("DEVICE ARCH")),
      attributes(header.find("ATTRIBUTES")),
      math_fidelity(header.find("MATH FIDELITY")),
      core_count(header.find("CORE COUNT")),
      available_cores(header.find("AVAILABLE WORKER CORE COUNT")),
      sub_device(header.find("SUB DEVICE ID")),
      program_hash(header.find("PROGRAM HASH")),
      compute_kernels(header.find("COMPUTE KERNEL SOURCE")),
      data_kernels(header.find("DATA MOVEMENT KERNEL SOURCE")),
      cache_hit(header.find("PROGRAM CACHE HIT")),
      pm_ideal(header.find("PM IDEAL [ns]")),
      pm_compute(header.find("PM COMPUTE [ns]")),
      pm_bandwidth(header.find("PM BANDWIDTH [ns]")),
      call_count(header.find("GLOBAL CALL COUNT")),
      device(header.find("DEVICE ID")),
      host_start(header.find("HOST START TS")),
      host_duration(header.find("HOST DURATION [ns]")),
      fw_start_cycle(header.find("DEVICE FW START CYCLE")),
      fw_end_cycle(header.find("DEVICE FW END CYCLE")),
      fw_duration(header.find("DEVICE FW DURATION [ns]")),
      op_to_op(first_of(header, {"OP TO OP LATENCY [ns]", "OP TO OP DM LATENCY [ns]"})),
      first_to_last_start(header.find("DEVICE KERNEL FIRST TO LAST START [ns]")),
      noc_util(header.find("NOC UTIL (%)")),
      dram_util(header.find("DRAM BW UTIL (%)")),
      math_util(header.find("MATH Util Median (%)")),
      trace_id(header.find("METAL TRACE ID")),
      replay_session(header.find("METAL TRACE REPLAY SESSION ID")),
      cb_wait(header.find("DEVICE COMPUTE CB WAIT FRONT [ns]")),
      cb_reserve(header.find("DEVICE COMPUTE CB RESERVE BACK [ns]")),
      location(header.find("LOC")),
      count(header.names().size()),
      format(format_of(header)) {
  for (const std::string_view name : kNocCounterColumns) {
    if (const std::size_t column = header.find(name); column != CsvHeader::kNoColumn)
      noc_counters.push_back(column);
  }
  find_durations(header);
  find_tensors(header);
  find_kind_runs();
}

bool OpsColumns::is_ops_report() const {
  const bool has_times = !kernel_durations.empty() || fw_duration != CsvHeader::kNoColumn;
  return has_times && (op_code != CsvHeader::kNoColumn || call_count != CsvHeader::kNoColumn);
}

void OpsColumns::find_durations(const CsvHeader& header) {
  kernel_durations = all_of(header, {"DEVICE KERNEL DURATION [ns]"});
  if (kernel_durations.empty()) {
    kernel_durations = all_of(
        header, {"DEVICE QUASAR_DM KERNEL DURATION [ns]", "DEVICE QUASAR_NEO_TRISC KERNEL DURATION [ns]"});
  }
  if (kernel_durations.empty()) {
    kernel_durations = all_of(
        header, {"DEVICE DM FW DURATION [ns]", "DEVICE TRISC FW DURATION [ns]", "DEVICE FW DURATION [ns]"});
    for (const std::size_t column : kernel_durations)
      kernel_stand_ins.append(kernel_stand_ins.empty() ? "" : ", ").append(header.names()[column]);
  }
  for (std::size_t i = 0; i < kRiscCount; ++i) {
    riscs[i] = header.find("DEVICE " + std::string(kRiscNames[i]) + " KERNEL DURATION [ns]");
  }
  per_core = {header.find("DEVICE KERNEL DURATION PER CORE MIN [ns]"),
              header.find("DEVICE KERNEL DURATION PER CORE MAX [ns]"),
              header.find("DEVICE KERNEL DURATION PER CORE AVG [ns]")};
}

void OpsColumns::find_tensors(const CsvHeader& header) {
  for (const bool is_input : {true, false}) {
    std::vector<TensorColumns>& tensors = is_input ? inputs : outputs;
    for (std::size_t i = 0; i < kMostTensors; ++i) {
      TensorColumns columns;
      const std::string prefix = (is_input ? "INPUT_" : "OUTPUT_") + std::to_string(i) + "_";
      if (!find_tensor(header, prefix, columns)) break;
      tensors.push_back(columns);
    }
  }
}

void OpsColumns::find_kind_runs() {
  std::vector<std::size_t> columns = {
      op_code,         op_type,      arch,     attributes, math_fidelity, core_count,
      available_cores, sub_device,   pm_ideal, pm_compute, pm_bandwidth,  program_hash,
      compute_kernels, data_kernels, location};
  for (const std::vector<TensorColumns>* tensors : {&inputs, &outputs}) {
    for (const TensorColumns& tensor : *tensors) {
      columns.insert(columns.end(), tensor.sizes.begin(), tensor.sizes.end());
      columns.insert(columns.end(), {tensor.layout, tensor.datatype, tensor.memory});
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  for (const std::size_t column : columns) {
    if (column == CsvHeader::kNoColumn) continue;
    if (!kind_runs.empty() && kind_runs.back().second + 1 == column) {
      kind_runs.back().second = column;
    } else {
      kind_runs.emplace_back(column, column);
    }
  }
}

}  // namespace ttscope::perf
