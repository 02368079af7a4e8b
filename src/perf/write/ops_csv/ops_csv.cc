#include "perf/write/ops_csv/ops_csv.h"

#include <algorithm>
#include <array>

#include "base/csv_scanner.h"
#include "base/python_text.h"
#include "perf/analyse/executions/row_values.h"
#include "perf/write/ops_csv/ops_columns.h"

namespace ttscope::perf {
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

}  // namespace ttscope::perf
