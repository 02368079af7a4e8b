#include "perf/analyze/report_builder.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "perf/analyze/report_rows.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

void RowValues::go_to(const ReportRow& row) {
  const bool is_op = row.kind == ReportRowKind::kOp || row.kind == ReportRowKind::kReplay;
  row_ = &row;
  op_ = is_op ? &part_.host->ops[row.host] : nullptr;
  info_ = op_ == nullptr ? nullptr : &part_.host->infos[op_->info];
  execution_ = row.execution == kNone ? nullptr : &part_.report->executions[row.execution];
}

/// The text after `TT_SIGNPOST: `: header and the whole message.
std::pair<std::string_view, std::string_view> RowValues::signpost_cells() const {
  constexpr std::string_view kMark = ": ";
  std::string_view text = part_.host->signposts[row_->host].text;
  const std::size_t at = text.find(kMark);
  if (at != std::string_view::npos) text.remove_prefix(at + kMark.size());
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return {text, {}};
  return {text.substr(0, line), text.substr(line + 1)};
}

std::string_view RowValues::op_code() const {
  if (is_signpost()) return signpost_cells().first;
  if (row_->kind == ReportRowKind::kTraceReplay) return kTraceReplayOp;
  return info_ == nullptr ? std::string_view() : info_->op_code;
}

std::string_view RowValues::op_type() const {
  if (is_signpost()) return "signpost";
  if (row_->kind == ReportRowKind::kTraceReplay) return kTraceReplayType;
  if (row_->kind == ReportRowKind::kDeviceOnly) return kDeviceOpType;
  return info_ == nullptr ? std::string_view() : info_->op_type;
}

std::string_view RowValues::attributes() const {
  if (is_signpost()) return signpost_cells().second;
  return info_ == nullptr ? std::string_view() : info_->attributes;
}

std::string_view RowValues::location() const {
  if (op_ == nullptr) return {};
  return part_.host->locations[op_->location];
}

std::string_view RowValues::arch() const {
  return execution_ == nullptr ? std::string_view() : std::string_view(execution_->arch);
}

std::optional<std::uint64_t> RowValues::call_count() const {
  if (op_ != nullptr) return op_->id;
  if (execution_ != nullptr) return execution_->key.op_id;
  return std::nullopt;
}

std::int64_t RowValues::device() const {
  if (op_ != nullptr) return op_->device >= 0 ? op_->device + part_.device_offset : kNoFigure;
  if (execution_ != nullptr) return execution_->key.device + part_.device_offset;
  return kNoFigure;
}

std::int64_t RowValues::host_start_ns() const {
  if (is_signpost()) return part_.host->signposts[row_->host].time_ns;
  if (op_ == nullptr) return kNoFigure;
  return op_->zone_is_message && op_->around_ns != kNoFigure ? op_->around_start_ns : op_->zone_start_ns;
}

std::int64_t RowValues::host_end_ns() const {
  if (op_ == nullptr) return kNoFigure;
  if (op_->zone_is_message) {
    return op_->around_ns == kNoFigure ? kNoFigure : op_->around_start_ns + op_->around_ns;
  }
  return op_->zone_start_ns == kNoFigure ? kNoFigure : op_->zone_start_ns + op_->zone_ns;
}

std::int64_t RowValues::host_duration_ns() const {
  if (op_ == nullptr) return kNoFigure;
  return op_->zone_is_message ? op_->around_ns : op_->zone_ns;
}

std::int64_t RowValues::trace() const {
  return row_->kind != ReportRowKind::kOp && row_->trace >= 0 ? row_->trace : kNoFigure;
}

std::int64_t RowValues::replay_session() const {
  return row_->kind != ReportRowKind::kOp && row_->session >= 0 ? row_->session : kNoFigure;
}

/// The runtime's flag is false in practice; that the program was there before is what makes a hit.
std::optional<bool> RowValues::cache_hit() const {
  if (op_ == nullptr) return std::nullopt;
  if (!op_->has_cache_flag && info_->program_hash.empty()) return std::nullopt;
  return op_->reported_cache_hit || op_->hash_seen_before || row_->kind == ReportRowKind::kReplay;
}

std::string_view RowValues::text(ReportColumn column) const {
  switch (column) {
    case ReportColumn::kOpCode:
      return op_code();
    case ReportColumn::kOpType:
      return op_type();
    case ReportColumn::kDeviceArch:
      return arch();
    case ReportColumn::kAttributes:
      return attributes();
    case ReportColumn::kHostName:
      return part_.host_name;
    case ReportColumn::kLocation:
      return location();
    default:
      break;
  }
  if (info_ == nullptr) return {};
  switch (column) {
    case ReportColumn::kMathFidelity:
      return info_->math_fidelity;
    case ReportColumn::kParallelization:
      return info_->parallelization;
    case ReportColumn::kProgramHash:
      return info_->program_hash;
    case ReportColumn::kComputeSource:
      return info_->compute_sources;
    case ReportColumn::kComputeHash:
      return info_->compute_hashes;
    case ReportColumn::kDataMovementSource:
      return info_->data_movement_sources;
    case ReportColumn::kDataMovementHash:
      return info_->data_movement_hashes;
    case ReportColumn::kPmIdeal:
      return info_->pm_ideal;
    case ReportColumn::kPmCompute:
      return info_->pm_compute;
    case ReportColumn::kPmBandwidth:
      return info_->pm_bandwidth;
    case ReportColumn::kPmReqInput:
      return info_->pm_req_input;
    case ReportColumn::kPmReqOutput:
      return info_->pm_req_output;
    default:
      return {};
  }
}

std::int64_t RowValues::number(ReportColumn column) const {
  switch (column) {
    case ReportColumn::kDeviceId:
      return device();
    case ReportColumn::kHostStart:
      return host_start_ns();
    case ReportColumn::kHostEnd:
      return host_end_ns();
    case ReportColumn::kHostDuration:
      return host_duration_ns();
    case ReportColumn::kMessageDuration:
      return op_ != nullptr && op_->zone_is_message ? op_->zone_ns : kNoFigure;
    case ReportColumn::kLatency:
      return row_->latency_ns;
    case ReportColumn::kLatencyDm:
      return row_->latency_dm_ns;
    case ReportColumn::kTraceId:
      return trace();
    case ReportColumn::kReplaySession:
      return replay_session();
    default:
      return kNoFigure;
  }
}

namespace {

/// Which columns the written form of a report has: what it leaves out does not count as known either.
class ReportColumns {
 public:
  ReportColumns(const std::vector<CaptureRows>& parts, const ColumnOptions& form);

  /// Names, programs, tensors and host times.
  bool has_host() const { return !form_.device_only; }
  bool has_latency() const;
  bool has(Figure figure) const { return !form_.device_only || figures_.count(figure) > 0; }
  bool has_fw_duration() const { return !form_.quasar && has(Figure::kFwNs); }
  /// On Quasar firmware and processors have columns of their own.
  bool has_row_figure(Figure figure) const {
    if (figure == Figure::kFwNs) return has_fw_duration();
    return !form_.quasar || figure < Figure::kBriscNs || figure > Figure::kEriscNs;
  }
  bool is_quasar() const { return form_.quasar; }
  /// The longest of these is the kernel duration.
  const std::vector<Figure>& kernel_durations() const { return kernel_durations_; }
  /// Whether there is any time in it.
  bool is_report() const { return !kernel_durations_.empty() || has_fw_duration(); }

 private:
  void find_figures(const ReportRows& report);
  void find_kernel_durations();

  const ColumnOptions& form_;
  std::set<Figure> figures_;  ///< that occur
  std::vector<Figure> kernel_durations_;
};

ReportColumns::ReportColumns(const std::vector<CaptureRows>& parts, const ColumnOptions& form) : form_(form) {
  if (form.device_only) {
    for (const CaptureRows& part : parts) find_figures(*part.report);
  }
  find_kernel_durations();
}

bool ReportColumns::has_latency() const {
  return form_.quasar ? has(Figure::kQuasarDmLatencyNs) : has(Figure::kKernelNs);
}

void ReportColumns::find_figures(const ReportRows& report) {
  for (const ReportRow& row : report.rows) {
    if (row.execution == kNone) continue;
    const Figures& figures = report.executions[row.execution].figures;
    for (std::size_t i = 0; i < kFigureCount; ++i) {
      if (figures.has(static_cast<Figure>(i))) figures_.insert(static_cast<Figure>(i));
    }
  }
}

void ReportColumns::find_kernel_durations() {
  const auto take = [this](std::initializer_list<Figure> figures) {
    if (!kernel_durations_.empty()) return;
    for (const Figure figure : figures) {
      if (has(figure)) kernel_durations_.push_back(figure);
    }
  };
  take({Figure::kKernelNs});
  if (form_.quasar) {
    take({Figure::kQuasarDmNs, Figure::kQuasarTriscNs});
    take({Figure::kQuasarDmFwNs, Figure::kQuasarTriscFwNs});
  } else {
    take({Figure::kFwNs});
  }
}

/// What rows of one kind have in common, as far as it is quick to compare. The texts behind may be the same
/// for several of these.
using KindSource = std::tuple<std::size_t, ReportRowKind, const OpInfo*, std::string_view, std::string_view,
                              std::int64_t, std::int64_t, std::int64_t>;

class ReportBuilder {
 public:
  ReportBuilder(const ReportColumns& columns, OpsReport& report) : columns_(columns), report_(report) {}

  void add(const CaptureRows& part);

 private:
  void note(ReportProblem problem) { report_.problems.add(problem, next_id()); }
  std::uint32_t next_id() const { return static_cast<std::uint32_t>(report_.rows.size() + 2); }

  double checked(std::optional<double> number) {
    if (number) return *number;
    note(ReportProblem::kBadNumber);
    return kNoNumber;
  }
  double number(std::int64_t figure) {
    return figure == kNoFigure ? kNoNumber : checked(report_number(static_cast<double>(figure)));
  }
  double duration(double number) {
    if (!(number < 0)) return number;
    note(ReportProblem::kNegativeTime);
    return kNoNumber;
  }
  double duration(const RowValues& values, Figure figure) { return duration(number(values.figure(figure))); }
  double text_number(std::string_view text) { return checked(cell_number(shown(text))); }

  /// A report of the device alone has the architecture and no other text.
  bool is_written(ReportColumn column) const {
    return columns_.has_host() || column == ReportColumn::kDeviceArch;
  }
  /// A text as it stands in a cell.
  std::string_view shown(std::string_view text) {
    const bool is_formula = reads_as_formula(text);
    if (!is_formula && text.find(',') == std::string_view::npos) return text;
    cell_.clear();
    if (is_formula) cell_ += '\'';
    cell_ += text;
    std::replace(cell_.begin(), cell_.end(), ',', ';');
    return cell_;
  }
  std::uint32_t text(std::string_view text) {
    const std::string_view cell = shown(text);
    if (cell.size() <= kMaxOpTextBytes) return report_.texts.intern(cell);
    has_cut_text_ = true;
    return report_.texts.intern(utf8_prefix(cell, kMaxOpTextBytes));
  }

  void add_row(const CaptureRows& part, const RowValues& values);
  void read_times(const RowValues& values, OpRow& row);
  void read_network(const CaptureRows& part, OpRow& row, std::uint32_t execution);
  void read_device(const RowValues& values, OpRow& row);
  std::uint32_t kind_of_row(const RowValues& values);
  std::uint32_t find_kind(const RowValues& values);
  void append_key(std::string_view cell);
  void append_key(std::int64_t figure) { append_key(figure == kNoFigure ? "" : std::to_string(figure)); }
  void append_key(const std::vector<TensorCells>& tensors);
  void make_key(const RowValues& values);
  OpKind read_kind(const RowValues& values);
  void add_tensors(const std::vector<TensorCells>& tensors, std::uint16_t& count);
  OpRowType type_of(const OpKind& kind) const;

  const ReportColumns& columns_;
  OpsReport& report_;
  std::map<KindSource, std::uint32_t> sources_;
  std::unordered_map<std::string, std::uint32_t> kinds_;  ///< by all their cells
  std::size_t part_ = 0;
  bool has_cut_text_ = false;
  std::string cell_;
  std::string key_;
};

void ReportBuilder::append_key(std::string_view cell) {
  key_ += std::to_string(cell.size());
  key_ += ' ';
  key_ += cell;
}

/// Tensors without any cell behind the last one that has some are not there in a table.
void ReportBuilder::append_key(const std::vector<TensorCells>& tensors) {
  std::size_t end = key_.size();
  for (std::size_t i = 0; i < std::min(tensors.size(), kMaxTensors); ++i) {
    const TensorCells& tensor = tensors[i];
    bool has_cells = false;
    for (const std::string* cell :
         {&tensor.w, &tensor.z, &tensor.y, &tensor.x, &tensor.layout, &tensor.dtype, &tensor.memory}) {
      append_key(shown(*cell));
      has_cells = has_cells || !cell->empty();
    }
    if (has_cells) end = key_.size();
  }
  key_.resize(end);
  key_ += '|';
}

void ReportBuilder::make_key(const RowValues& values) {
  key_.clear();
  for (const KindFigure& each : kKindFigures) append_key(values.figure(each.figure));
  for (const KindText& each : kKindTexts) {
    if (is_written(each.column)) append_key(shown(values.text(each.column)));
  }
  if (!columns_.has_host() || values.info() == nullptr) return;
  const OpInfo& info = *values.info();
  for (const KindModelTime& each : kKindModelTimes) append_key(shown(values.text(each.column)));
  append_key(info.inputs);
  append_key(info.outputs);
}

void ReportBuilder::add_tensors(const std::vector<TensorCells>& tensors, std::uint16_t& count) {
  TensorList list(report_.tensors);
  for (std::size_t i = 0; i < std::min(tensors.size(), kMaxTensors); ++i) {
    const TensorCells& from = tensors[i];
    const std::array<const std::string*, 4> sizes = {&from.w, &from.z, &from.y, &from.x};
    OpTensor tensor;
    for (std::size_t k = 0; k < sizes.size(); ++k) set_size(tensor, k, shown(*sizes[k]));
    tensor.layout = text(from.layout);
    tensor.datatype = text(from.dtype);
    tensor.memory = text(from.memory);
    list.add(tensor);
  }
  count = list.finish();
}

OpKind ReportBuilder::read_kind(const RowValues& values) {
  OpKind kind;
  has_cut_text_ = false;
  for (const KindText& each : kKindTexts) {
    if (is_written(each.column)) kind.*each.field = text(values.text(each.column));
  }
  for (const KindFigure& each : kKindFigures) {
    const double value = number(values.figure(each.figure));
    kind.*each.field = each.may_be_negative ? value : duration(value);
  }
  kind.first_input = static_cast<std::uint32_t>(report_.tensors.size());
  if (columns_.has_host() && values.info() != nullptr) {
    for (const KindModelTime& each : kKindModelTimes)
      kind.*each.field = duration(text_number(values.text(each.column)));
    add_tensors(values.info()->inputs, kind.input_count);
    add_tensors(values.info()->outputs, kind.output_count);
  }
  kind.has_cut_text = has_cut_text_;
  return kind;
}

std::uint32_t ReportBuilder::find_kind(const RowValues& values) {
  make_key(values);
  const auto known = kinds_.find(key_);
  if (known != kinds_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(report_.kinds.size());
  kinds_.emplace(key_, number);
  report_.kinds.push_back(read_kind(values));
  return number;
}

std::uint32_t ReportBuilder::kind_of_row(const RowValues& values) {
  if (values.is_signpost()) return find_kind(values);
  const KindSource source = {
      part_,
      values.row().kind == ReportRowKind::kTraceReplay ? ReportRowKind::kTraceReplay : ReportRowKind::kOp,
      values.info(),
      values.text(ReportColumn::kLocation),
      values.text(ReportColumn::kDeviceArch),
      values.figure(Figure::kCoreCount),
      values.figure(Figure::kAvailableCores),
      values.figure(Figure::kSubDevice)};
  const auto known = sources_.find(source);
  if (known != sources_.end()) return known->second;
  const std::uint32_t kind = find_kind(values);
  sources_.emplace(source, kind);
  return kind;
}

OpRowType ReportBuilder::type_of(const OpKind& kind) const {
  const std::string_view type = report_.text(kind.op_type);
  if (type.find("signpost") != std::string_view::npos) return OpRowType::kSignpost;
  const bool ran_on_device = type == kDeviceOpType || type == kTraceReplayType;
  if (ran_on_device || !columns_.has_host()) return OpRowType::kDevice;
  return OpRowType::kHost;
}

void ReportBuilder::read_times(const RowValues& values, OpRow& row) {
  for (const RowNumber& each : kRowNumbers) {
    const bool is_of_host =
        each.column == ReportColumn::kHostStart || each.column == ReportColumn::kHostDuration;
    if (is_of_host && !columns_.has_host()) continue;
    const double value = number(values.number(each.column));
    each.set(row, each.may_be_negative ? value : duration(value));
  }
  if (const auto hit = columns_.has_host() ? values.cache_hit() : std::nullopt) row.cache_hit = *hit ? 1 : 0;
  for (const RowFigure& each : row_figures()) {
    if (columns_.has_row_figure(each.figure)) {
      each.set(row, duration(values, each.figure));
    } else {
      each.set(row, kNoNumber);
    }
  }
  for (const Figure figure : columns_.kernel_durations()) {
    const double value = duration(values, figure);
    if (!(row.kernel_duration_ns >= value) && has_number(value)) row.kernel_duration_ns = value;
  }
  if (columns_.has_latency())
    row.op_to_op_ns = number(columns_.is_quasar() ? values.figure(Figure::kQuasarDmLatencyNs)
                                                  : values.number(ReportColumn::kLatency));
}

void ReportBuilder::read_network(const CaptureRows& part, OpRow& row, std::uint32_t execution) {
  const auto percent = [&](const ExtraColumns& columns, std::string_view column) {
    const std::string* cell = columns.find(execution, column);
    return static_cast<float>(cell == nullptr ? kNoNumber : duration(text_number(*cell)));
  };
  if (execution == kNone) return;
  if (part.counters != nullptr) {
    row.math_util_percent = percent(*part.counters, kMathUtilColumn);
    for (const std::string_view column : kNocCounterColumns) {
      const float busy = percent(*part.counters, column);
      if (busy == busy && !(row.noc_counter_percent >= busy)) row.noc_counter_percent = busy;
    }
  }
  if (part.network == nullptr) return;
  row.noc_util_percent = percent(*part.network, kNocUtilColumn);
  row.dram_util_percent = percent(*part.network, kDramUtilColumn);
}

void ReportBuilder::read_device(const RowValues& values, OpRow& row) {
  constexpr double kMaxDevices = 1 << 20;
  const double device = number(values.number(ReportColumn::kDeviceId));
  if (device >= 0 && device < kMaxDevices) row.device = static_cast<std::int32_t>(device);
  if (row.type != OpRowType::kDevice) return;
  if (row.device < 0) note(ReportProblem::kNoDevice);
  if (!has_number(row.kernel_duration_ns)) note(ReportProblem::kNoDuration);
}

void ReportBuilder::add_row(const CaptureRows& part, const RowValues& values) {
  OpRow row;
  row.kind = kind_of_row(values);
  const OpKind& kind = report_.kinds[row.kind];
  row.type = type_of(kind);
  row.id = next_id();
  if (report_.files.size() > 1) row.file = static_cast<decltype(row.file)>(part_);
  if (kind.has_cut_text) note(ReportProblem::kLongText);
  if (const auto count = values.call_count())
    row.call_count = checked(report_number(static_cast<double>(*count)));
  if (row.type != OpRowType::kSignpost) {
    read_times(values, row);
    read_network(part, row, values.row().execution);
  } else if (columns_.has_host()) {
    row.host_start_ns = number(values.number(ReportColumn::kHostStart));
  }
  read_device(values, row);
  report_.call_counts_missing = report_.call_counts_missing || !has_number(row.call_count);
  report_.core_counts_missing = report_.core_counts_missing || !has_number(kind.core_count);
  report_.rows.push_back(row);
}

void ReportBuilder::add(const CaptureRows& part) {
  RowValues values(part);
  report_.rows.reserve(report_.rows.size() + part.report->rows.size());
  for (const ReportRow& row : part.report->rows) {
    values.go_to(row);
    add_row(part, values);
  }
  ++part_;
}

}  // namespace

std::vector<float> noc_core_bytes(const std::vector<CaptureRows>& parts) {
  std::vector<float> bytes;
  bool is_known = false;
  for (const CaptureRows& part : parts) {
    std::map<ExecutionKey, float> busiest;
    if (part.noc != nullptr) {
      for (const NocSummary& summary : *part.noc)
        busiest[summary.key] = static_cast<float>(summary.busiest_port_bytes());
    }
    for (const ReportRow& row : part.report->rows) {
      bytes.push_back(std::numeric_limits<float>::quiet_NaN());
      if (busiest.empty() || row.execution == kNone) continue;
      const auto found = busiest.find(part.report->executions[row.execution].key);
      if (found == busiest.end()) continue;
      bytes.back() = found->second;
      is_known = true;
    }
  }
  if (!is_known) bytes.clear();
  return bytes;
}

Result<OpsReport> make_ops_report(const std::vector<CaptureRows>& parts, const ColumnOptions& form,
                                  const std::string& name) {
  const ReportColumns columns(parts, form);
  if (!columns.is_report()) {
    return failure(nothing_found(name + ": no op in it has a duration, so there is no ops report to read"));
  }
  OpsReport report;
  report.texts.intern({});
  report.format = ReportFormat::kV21;
  constexpr std::size_t kMaxFiles = std::size_t{1} << std::numeric_limits<decltype(OpRow::file)>::digits;
  const bool has_hosts = parts.size() > 1 && parts.size() <= kMaxFiles && !parts.front().host_name.empty();
  report.files.assign(has_hosts ? parts.size() : 1, name);
  report.hosts.assign(report.files.size(), "");
  for (std::size_t i = 0; has_hosts && i < parts.size(); ++i) {
    report.files[i] = parts[i].source;
    report.hosts[i] = parts[i].host_name;
  }
  report.has_host_start = columns.has_host();
  report.has_device_column = true;
  report.has_arch_column = true;
  report.has_available_cores_column = true;
  ReportBuilder maker(columns, report);
  for (const CaptureRows& part : parts) maker.add(part);
  report.noc_core_bytes = noc_core_bytes(parts);
  report.cb_waits_are_means = true;
  finish_ops_report(report);
  return report;
}

}  // namespace ttscope::perf
