#include "perf/write/ops_csv/ops_csv.h"

#include <algorithm>
#include <array>

#include "base/csv_scanner.h"
#include "base/python_text.h"
#include "perf/write/ops_csv/ops_columns.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

/// The two cells of a signpost, as the reference cuts them: the part after the last ": " of the message, its
/// first line and its second. Otherwise the text after `TT_SIGNPOST: `, header and the whole message.
std::pair<std::string_view, std::string_view> signpost_cells(std::string_view text, bool compat) {
  constexpr std::string_view kMark = ": ";
  const std::size_t at = compat ? text.rfind(kMark) : text.find(kMark);
  if (at != std::string_view::npos) text.remove_prefix(at + kMark.size());
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return {text, {}};
  std::string_view rest = text.substr(line + 1);
  if (compat) rest = rest.substr(0, rest.find('\n'));
  return {text.substr(0, line), rest};
}

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
  RowWriter(const OpsCsvPart& part, const OpsCsvOptions& options) : part_(part), options_(options) {}

  void write(const ReportRow& row, const std::vector<OpsColumn>& columns, std::string& line) {
    row_ = &row;
    op_ = row.kind == ReportRowKind::kOp || row.kind == ReportRowKind::kReplay ? &part_.host->ops[row.host]
                                                                               : nullptr;
    info_ = op_ == nullptr ? nullptr : &part_.host->infos[op_->info];
    execution_ = row.execution == kNone ? nullptr : &part_.report->executions[row.execution];
    bool first = true;
    for (const OpsColumn& column : columns) {
      if (!first) line += ',';
      first = false;
      cell_.clear();
      fill(column);
      std::replace(cell_.begin(), cell_.end(), ',', ';');
      if (options_.compat) {
        append_csv_cell(line, cell_);
      } else {
        append_safe_csv_cell(line, cell_);
      }
    }
    line += kLineEnd;
  }

 private:
  void put(std::int64_t value) {
    if (value != kNoFigure) cell_ += std::to_string(value);
  }
  void put(const std::string& text) { cell_ += text; }

  void fill(const OpsColumn& column) {
    if (row_->kind == ReportRowKind::kSignpost) {
      fill_signpost(column);
    } else if (!fill_device(column) && info_ != nullptr) {
      fill_op(column);
    }
  }

  void fill_signpost(const OpsColumn& column) {
    const Signpost& signpost = part_.host->signposts[row_->host];
    const auto [header, message] = signpost_cells(signpost.text, options_.compat);
    if (column.source == CellSource::kOpCode) cell_ += header;
    if (column.source == CellSource::kOpType) cell_ += "signpost";
    if (column.source == CellSource::kAttributes) cell_ += message;
    if (column.source == CellSource::kHostStart) put(signpost.time_ns);
    if (column.source == CellSource::kHostName) put(part_.host_name);
  }

  /// What an execution says. False for the columns of the host.
  bool fill_device(const OpsColumn& column) {
    switch (column.source) {
      case CellSource::kHostName:
        put(part_.host_name);
        return true;
      case CellSource::kCallCount:
        put_call_count();
        return true;
      case CellSource::kDeviceId:
        put_device();
        return true;
      case CellSource::kDeviceArch:
        if (execution_ != nullptr && shows_arch()) put(execution_->arch);
        return true;
      case CellSource::kFigure:
        if (execution_ != nullptr) put(execution_->figures[static_cast<Figure>(column.field)]);
        return true;
      case CellSource::kLatency:
        put(row_->latency_ns);
        return true;
      case CellSource::kLatencyDm:
        put(row_->latency_dm_ns);
        return true;
      case CellSource::kTraceId:
        if (row_->kind != ReportRowKind::kOp && row_->trace >= 0) put(row_->trace);
        return true;
      case CellSource::kReplaySession:
        if (row_->kind != ReportRowKind::kOp && row_->session >= 0) put(row_->session);
        return true;
      case CellSource::kCounter:
        put_extra(part_.counters, column);
        return true;
      case CellSource::kNetwork:
        put_extra(part_.network, column);
        return true;
      default:
        return fill_whole_replay(column);
    }
  }

  /// The architecture is a column of the runtime's report; the reference has none from a device log.
  bool shows_arch() const { return !options_.compat || execution_->run_count == 0; }

  bool fill_whole_replay(const OpsColumn& column) {
    if (row_->kind != ReportRowKind::kTraceReplay) return false;
    if (column.source == CellSource::kOpCode) cell_ += "TraceReplay";
    if (column.source == CellSource::kOpType) cell_ += "trace_replay";
    return true;
  }

  void put_call_count() {
    if (op_ != nullptr) {
      cell_ += std::to_string(op_->id);
    } else if (execution_ != nullptr) {
      cell_ += std::to_string(execution_->key.op_id);
    }
  }

  void put_device() {
    if (op_ != nullptr) {
      if (op_->device >= 0) put(op_->device + part_.device_offset);
    } else if (execution_ != nullptr) {
      put(execution_->key.device + part_.device_offset);
    }
  }

  void put_extra(const ExtraColumns* extra, const OpsColumn& column) {
    if (extra == nullptr || row_->execution == kNone) return;
    const auto cells = extra->cells.find(row_->execution);
    if (cells == extra->cells.end()) return;
    const auto name = std::find(extra->names.begin(), extra->names.end(), column.name);
    if (name != extra->names.end()) put(cells->second[static_cast<std::size_t>(name - extra->names.begin())]);
  }

  void fill_op(const OpsColumn& column) {
    switch (column.source) {
      case CellSource::kOpCode:
        return put(info_->op_code);
      case CellSource::kOpType:
        return put(info_->op_type);
      case CellSource::kAttributes:
        return put(info_->attributes);
      case CellSource::kMathFidelity:
        return put(info_->math_fidelity);
      case CellSource::kParallelization:
        return put(info_->parallelization);
      case CellSource::kInput:
        return put(tensor_cell(info_->inputs, column));
      case CellSource::kOutput:
        return put(tensor_cell(info_->outputs, column));
      case CellSource::kProgramHash:
        return put(info_->program_hash);
      case CellSource::kKernelSize:
        return put_kernel_size(column.name);
      case CellSource::kChild:
        return put_child(column.name);
      default:
        return fill_host_times(column);
    }
  }

  void fill_host_times(const OpsColumn& column) {
    const bool message_only = op_->zone_is_message && !options_.compat;
    const std::int64_t start = op_->zone_start_ns;
    switch (column.source) {
      case CellSource::kHostStart:
        return put(message_only && op_->around_ns != kNoFigure ? op_->around_start_ns : start);
      case CellSource::kHostEnd:
        if (message_only) {
          if (op_->around_ns != kNoFigure) put(op_->around_start_ns + op_->around_ns);
        } else if (start != kNoFigure) {
          put(start + op_->zone_ns);
        }
        return;
      case CellSource::kHostDuration:
        return put(message_only ? op_->around_ns : op_->zone_ns);
      case CellSource::kMessageDuration:
        if (op_->zone_is_message) put(op_->zone_ns);
        return;
      case CellSource::kCacheHit:
        return put_cache_hit();
      default:
        return fill_program(column);
    }
  }

  void fill_program(const OpsColumn& column) {
    switch (column.source) {
      case CellSource::kComputeSource:
        return put(info_->compute_sources);
      case CellSource::kComputeHash:
        return put(info_->compute_hashes);
      case CellSource::kDataMovementSource:
        return put(info_->data_movement_sources);
      case CellSource::kDataMovementHash:
        return put(info_->data_movement_hashes);
      case CellSource::kPmIdeal:
        return put(info_->pm_ideal);
      case CellSource::kPmCompute:
        return put(info_->pm_compute);
      case CellSource::kPmBandwidth:
        return put(info_->pm_bandwidth);
      case CellSource::kPmReqInput:
        return put(info_->pm_req_input);
      case CellSource::kPmReqOutput:
        return put(info_->pm_req_output);
      case CellSource::kPmFpuUtil:
        return put_fpu_util();
      default:
        return;
    }
  }

  /// The runtime's flag is false in practice; that the program was there before is what makes a hit.
  void put_cache_hit() {
    const bool known = op_->has_cache_flag || (!options_.compat && !info_->program_hash.empty());
    if (!known) return;
    const bool hit = op_->cache_hit_said || (!options_.compat && op_->hash_seen_before) ||
                     (!options_.compat && row_->kind == ReportRowKind::kReplay);
    cell_ += hit ? "True" : "False";
  }

  void put_fpu_util() {
    if (execution_ == nullptr || info_->pm_compute_ns < 0 || !execution_->figures.has(Figure::kKernelNs))
      return;
    const auto kernel_ns = static_cast<double>(execution_->figures[Figure::kKernelNs]);
    constexpr double kPercent = 100;
    constexpr int kDigits = 3;
    append_python_float(
        cell_, kernel_ns == 0 ? 0.0 : python_round(kPercent * info_->pm_compute_ns / kernel_ns, kDigits));
  }

  void put_kernel_size(const std::string& name) {
    for (const auto& [column, value] : info_->kernel_sizes) {
      if (column == name) return put(value);
    }
  }

  void put_child(const std::string& column) {
    for (const ChildTime& child : op_->children) {
      const std::string& name = part_.host->child_names[child.name];
      if (column.compare(0, name.size(), name) != 0 || column.size() != name.size() + kChildEnd.size())
        continue;
      const std::int64_t ns = options_.compat ? child.total_ns : child.total_ns - child.own_zone_ns;
      if (options_.compat || child.total_ns != child.own_zone_ns) put(ns);
    }
  }

  static constexpr std::string_view kChildEnd = "_TT_HOST_FUNC [ns]";
  const OpsCsvPart& part_;
  const OpsCsvOptions& options_;
  const ReportRow* row_ = nullptr;
  const HostOp* op_ = nullptr;
  const OpInfo* info_ = nullptr;
  const Execution* execution_ = nullptr;
  std::string cell_;
};

}  // namespace

void write_ops_csv(const std::vector<OpsCsvPart>& parts, const OpsCsvOptions& options, Writer& out) {
  const std::vector<OpsColumn> columns = ops_columns(parts, options);
  std::string line;
  for (const OpsColumn& column : columns) {
    if (!line.empty()) line += ',';
    append_csv_cell(line, column.name);
  }
  line += kLineEnd;
  out.write(line);
  for (const OpsCsvPart& part : parts) {
    RowWriter writer(part, options);
    for (const ReportRow& row : part.report->rows) {
      line.clear();
      writer.write(row, columns, line);
      out.write(line);
    }
  }
}

}  // namespace ttscope::perf
