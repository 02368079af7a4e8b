#include "perf/analyze/made_report.h"

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

/// The two cells of a signpost, as the reference cuts them: the part after the last ": " of the message, its
/// first line and its second. Otherwise the text after `TT_SIGNPOST: `, header and the whole message.
std::pair<std::string_view, std::string_view> RowValues::signpost_cells() const {
  constexpr std::string_view kMark = ": ";
  std::string_view text = part_.host->signposts[row_->host].text;
  const std::size_t at = form_.rules->keeps_whole_signposts ? text.find(kMark) : text.rfind(kMark);
  if (at != std::string_view::npos) text.remove_prefix(at + kMark.size());
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return {text, {}};
  std::string_view rest = text.substr(line + 1);
  if (!form_.rules->keeps_whole_signposts) rest = rest.substr(0, rest.find('\n'));
  return {text.substr(0, line), rest};
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
  if (op_ == nullptr || !form_.rules->adds_own_columns) return {};
  return part_.host->locations[op_->location];
}

/// The architecture is a column of the runtime's report; the reference has none from a device log.
std::string_view RowValues::arch() const {
  if (execution_ == nullptr || (!form_.rules->shows_arch_of_logs && execution_->run_count > 0)) return {};
  return execution_->arch;
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
  return is_message_only() && op_->around_ns != kNoFigure ? op_->around_start_ns : op_->zone_start_ns;
}

std::int64_t RowValues::host_end_ns() const {
  if (op_ == nullptr) return kNoFigure;
  if (is_message_only()) {
    return op_->around_ns == kNoFigure ? kNoFigure : op_->around_start_ns + op_->around_ns;
  }
  return op_->zone_start_ns == kNoFigure ? kNoFigure : op_->zone_start_ns + op_->zone_ns;
}

std::int64_t RowValues::host_duration_ns() const {
  if (op_ == nullptr) return kNoFigure;
  return is_message_only() ? op_->around_ns : op_->zone_ns;
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
  if (!op_->has_cache_flag && (!form_.rules->finds_cache_hits || info_->program_hash.empty()))
    return std::nullopt;
  if (!form_.rules->finds_cache_hits) return op_->cache_hit_said;
  return op_->cache_hit_said || op_->hash_seen_before || row_->kind == ReportRowKind::kReplay;
}

namespace {

/// Which columns the written form of a report has: what it leaves out does not count as known either.
class MadeColumns {
 public:
  MadeColumns(const std::vector<CaptureRows>& parts, const ReportForm& form);

  /// Names, programs, tensors and host times.
  bool has_host() const { return !form_.device_only; }
  /// Device ids, architectures, core counts, traces and NoC figures.
  bool has_devices() const { return !form_.device_only || form_.rules->shows_devices_without_host; }
  bool has_latency() const;
  bool has(Figure figure) const { return !form_.device_only || figures_.count(figure) > 0; }
  bool has_fw_duration() const { return !form_.quasar && has(Figure::kFwNs); }
  /// Of BRISC, NCRISC and so on.
  bool has_riscs() const { return !form_.quasar; }
  bool is_quasar() const { return form_.quasar; }
  /// The longest of these is the kernel duration.
  const std::vector<Figure>& kernel_durations() const { return kernel_durations_; }
  /// Whether there is any time in it.
  bool is_report() const { return any_rows_ && (!kernel_durations_.empty() || has_fw_duration()); }

 private:
  void find_figures(const ReportRows& report);
  void find_kernel_durations();

  const ReportForm& form_;
  std::set<Figure> figures_;  ///< that occur
  bool any_rows_ = true;
  std::vector<Figure> kernel_durations_;
};

MadeColumns::MadeColumns(const std::vector<CaptureRows>& parts, const ReportForm& form) : form_(form) {
  if (form.device_only) {
    for (const CaptureRows& part : parts) find_figures(*part.report);
  }
  // The reference writes not even a header for a device without rows.
  if (!form.rules->writes_header_without_rows && form.device_only) {
    any_rows_ = std::any_of(parts.begin(), parts.end(),
                            [](const CaptureRows& part) { return !part.report->rows.empty(); });
  }
  find_kernel_durations();
}

bool MadeColumns::has_latency() const {
  return form_.quasar ? has(Figure::kQuasarDmLatencyNs) : has(Figure::kKernelNs);
}

void MadeColumns::find_figures(const ReportRows& report) {
  for (const ReportRow& row : report.rows) {
    if (row.execution == kNone) continue;
    const Figures& figures = report.executions[row.execution].figures;
    for (std::size_t i = 0; i < kFigureCount; ++i) {
      if (figures.has(static_cast<Figure>(i))) figures_.insert(static_cast<Figure>(i));
    }
  }
}

void MadeColumns::find_kernel_durations() {
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

constexpr std::size_t kMostTensors = 64;  ///< that the reader of reports looks for
constexpr std::array<Figure, kRiscCount> kRiscFigures = {Figure::kBriscNs,  Figure::kNcriscNs,
                                                         Figure::kTrisc0Ns, Figure::kTrisc1Ns,
                                                         Figure::kTrisc2Ns, Figure::kEriscNs};
constexpr std::array<Figure, 3> kPerCoreFigures = {Figure::kPerCoreMinNs, Figure::kPerCoreMaxNs,
                                                   Figure::kPerCoreAvgNs};

/// What rows of one kind have in common, as far as it is quick to compare. The texts behind may be the same
/// for several of these.
using KindSource = std::tuple<std::size_t, ReportRowKind, const OpInfo*, std::string_view, std::string_view,
                              std::int64_t, std::int64_t, std::int64_t>;

class ReportMaker {
 public:
  ReportMaker(const MadeColumns& columns, const ReportForm& form, OpsReport& report)
      : columns_(columns), form_(form), report_(report) {}

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

  /// A text as it stands in a cell.
  std::string_view shown(std::string_view text) {
    const bool is_formula = form_.rules->defuses_formulas && reads_as_formula(text);
    if (!is_formula && text.find(',') == std::string_view::npos) return text;
    cell_.clear();
    if (is_formula) cell_ += '\'';
    cell_ += text;
    std::replace(cell_.begin(), cell_.end(), ',', ';');
    return cell_;
  }
  std::uint32_t text(std::string_view text) {
    const std::string_view cell = shown(text);
    if (cell.size() <= kMostOpTextBytes) return report_.texts.intern(cell);
    has_cut_text_ = true;
    return report_.texts.intern(utf8_prefix(cell, kMostOpTextBytes));
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
  ReportKind read_kind(const RowValues& values);
  void read_program(const OpInfo& info, ReportKind& kind);
  void add_tensors(const std::vector<TensorCells>& tensors, std::uint16_t& count);
  OpRowType type_of(const ReportKind& kind) const;

  const MadeColumns& columns_;
  const ReportForm& form_;
  OpsReport& report_;
  std::map<KindSource, std::uint32_t> sources_;
  std::unordered_map<std::string, std::uint32_t> kinds_;  ///< by all their cells
  std::map<ExecutionKey, float> port_bytes_;              ///< of the NoC traces of this part
  std::size_t part_ = 0;
  bool has_cut_text_ = false;
  std::string cell_;
  std::string key_;
};

void ReportMaker::append_key(std::string_view cell) {
  key_ += std::to_string(cell.size());
  key_ += ' ';
  key_ += cell;
}

/// Tensors without any cell behind the last one that has some are not there in a table.
void ReportMaker::append_key(const std::vector<TensorCells>& tensors) {
  std::size_t end = key_.size();
  for (std::size_t i = 0; i < std::min(tensors.size(), kMostTensors); ++i) {
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

void ReportMaker::make_key(const RowValues& values) {
  key_.clear();
  if (columns_.has_devices()) {
    append_key(shown(values.arch()));
    append_key(values.figure(Figure::kCoreCount));
    append_key(values.figure(Figure::kAvailableCores));
  }
  append_key(values.figure(Figure::kSubDevice));
  if (!columns_.has_host()) return;
  append_key(shown(values.op_code()));
  append_key(shown(values.op_type()));
  append_key(shown(values.attributes()));
  append_key(shown(values.location()));
  if (values.info() == nullptr) return;
  const OpInfo& info = *values.info();
  for (const std::string* cell :
       {&info.math_fidelity, &info.program_hash, &info.compute_sources, &info.data_movement_sources,
        &info.pm_ideal, &info.pm_compute, &info.pm_bandwidth}) {
    append_key(shown(*cell));
  }
  append_key(info.inputs);
  append_key(info.outputs);
}

void ReportMaker::add_tensors(const std::vector<TensorCells>& tensors, std::uint16_t& count) {
  TensorList list(report_.tensors);
  for (std::size_t i = 0; i < std::min(tensors.size(), kMostTensors); ++i) {
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

void ReportMaker::read_program(const OpInfo& info, ReportKind& kind) {
  kind.pm_ideal_ns = duration(text_number(info.pm_ideal));
  kind.pm_compute_ns = duration(text_number(info.pm_compute));
  kind.pm_bandwidth_ns = duration(text_number(info.pm_bandwidth));
  add_tensors(info.inputs, kind.input_count);
  add_tensors(info.outputs, kind.output_count);
}

/// Texts are numbered in the order in which the reader of reports meets them.
ReportKind ReportMaker::read_kind(const RowValues& values) {
  ReportKind kind;
  has_cut_text_ = false;
  const OpInfo* info = columns_.has_host() ? values.info() : nullptr;
  if (columns_.has_host()) {
    kind.op_code = text(values.op_code());
    kind.op_type = text(values.op_type());
  }
  if (columns_.has_devices()) kind.arch = text(values.arch());
  if (columns_.has_host()) kind.attributes = text(values.attributes());
  if (info != nullptr) {
    kind.math_fidelity = text(info->math_fidelity);
    kind.program_hash = text(info->program_hash);
    kind.compute_kernels = text(info->compute_sources);
    kind.data_kernels = text(info->data_movement_sources);
  }
  if (columns_.has_host()) kind.location = text(values.location());
  if (columns_.has_devices()) {
    kind.core_count = duration(values, Figure::kCoreCount);
    kind.available_cores = duration(values, Figure::kAvailableCores);
  }
  kind.sub_device = number(values.figure(Figure::kSubDevice));
  kind.first_input = static_cast<std::uint32_t>(report_.tensors.size());
  if (info != nullptr) read_program(*info, kind);
  kind.has_cut_text = has_cut_text_;
  return kind;
}

std::uint32_t ReportMaker::find_kind(const RowValues& values) {
  make_key(values);
  const auto known = kinds_.find(key_);
  if (known != kinds_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(report_.kinds.size());
  kinds_.emplace(key_, number);
  report_.kinds.push_back(read_kind(values));
  return number;
}

std::uint32_t ReportMaker::kind_of_row(const RowValues& values) {
  if (values.is_signpost()) return find_kind(values);
  const KindSource source = {
      part_,
      values.row().kind == ReportRowKind::kTraceReplay ? ReportRowKind::kTraceReplay : ReportRowKind::kOp,
      values.info(),
      values.location(),
      values.arch(),
      values.figure(Figure::kCoreCount),
      values.figure(Figure::kAvailableCores),
      values.figure(Figure::kSubDevice)};
  const auto known = sources_.find(source);
  if (known != sources_.end()) return known->second;
  const std::uint32_t kind = find_kind(values);
  sources_.emplace(source, kind);
  return kind;
}

OpRowType ReportMaker::type_of(const ReportKind& kind) const {
  const std::string_view type = report_.text(kind.op_type);
  if (type.find("signpost") != std::string_view::npos) return OpRowType::kSignpost;
  const bool ran_on_device = type == kDeviceOpType || type == kTraceReplayType;
  if (ran_on_device || !columns_.has_host()) return OpRowType::kDevice;
  return OpRowType::kHost;
}

void ReportMaker::read_times(const RowValues& values, OpRow& row) {
  if (columns_.has_host()) {
    row.host_start_ns = number(values.host_start_ns());
    row.host_duration_ns = duration(number(values.host_duration_ns()));
    if (const auto hit = values.cache_hit()) row.cache_hit = *hit ? 1 : 0;
  }
  row.fw_start_cycle = duration(values, Figure::kFwStartCycle);
  row.fw_end_cycle = duration(values, Figure::kFwEndCycle);
  if (columns_.has_fw_duration()) row.fw_duration_ns = duration(values, Figure::kFwNs);
  for (const Figure figure : columns_.kernel_durations()) {
    const double value = duration(values, figure);
    if (!(row.kernel_duration_ns >= value) && has_number(value)) row.kernel_duration_ns = value;
  }
  if (columns_.has_latency()) {
    row.op_to_op_ns =
        number(columns_.is_quasar() ? values.figure(Figure::kQuasarDmLatencyNs) : values.row().latency_ns);
  }
  row.first_to_last_start_ns = duration(values, Figure::kFirstToLastStartNs);
  for (std::size_t i = 0; i < kPerCoreFigures.size(); ++i) {
    row.per_core_ns[i] = duration(values, kPerCoreFigures[i]);
  }
  for (std::size_t i = 0; i < kRiscCount; ++i) {
    const double ns = columns_.has_riscs() ? duration(values, kRiscFigures[i]) : kNoNumber;
    row.risc_us[i] = static_cast<float>(ns / 1000);
  }
  const auto wait_us = [&](Figure figure) { return static_cast<float>(duration(values, figure) / 1000); };
  row.cb_wait_us = wait_us(Figure::kCbWaitFrontNs);
  row.cb_reserve_us = wait_us(Figure::kCbReserveBackNs);
  if (!columns_.has_devices()) return;
  row.trace_id = static_cast<float>(number(values.trace()));
  row.replay_session = static_cast<float>(number(values.replay_session()));
}

void ReportMaker::read_network(const CaptureRows& part, OpRow& row, std::uint32_t execution) {
  const auto percent = [&](const ExtraColumns& columns, std::string_view column) {
    const std::string* cell = columns.find(execution, column);
    return static_cast<float>(cell == nullptr ? kNoNumber : duration(text_number(*cell)));
  };
  if (execution == kNone) return;
  if (part.counters != nullptr) {
    row.math_util_percent = percent(*part.counters, "MATH Util Median (%)");
    for (const std::string_view column : kNocCounterColumns) {
      const float busy = percent(*part.counters, column);
      if (busy == busy && !(row.noc_counter_percent >= busy)) row.noc_counter_percent = busy;
    }
  }
  if (part.network == nullptr || !columns_.has_devices()) return;
  row.noc_util_percent = percent(*part.network, "NOC UTIL (%)");
  row.dram_util_percent = percent(*part.network, "DRAM BW UTIL (%)");
}

void ReportMaker::read_device(const RowValues& values, OpRow& row) {
  constexpr double kMostDevices = 1 << 20;
  const double device = columns_.has_devices() ? number(values.device()) : kNoNumber;
  if (device >= 0 && device < kMostDevices) row.device = static_cast<std::int32_t>(device);
  if (row.type != OpRowType::kDevice) return;
  if (row.device < 0 && columns_.has_devices()) note(ReportProblem::kNoDevice);
  if (!has_number(row.kernel_duration_ns)) note(ReportProblem::kNoDuration);
}

void ReportMaker::add_row(const CaptureRows& part, const RowValues& values) {
  OpRow row;
  row.kind = kind_of_row(values);
  const ReportKind& kind = report_.kinds[row.kind];
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
    row.host_start_ns = number(values.host_start_ns());
  }
  read_device(values, row);
  report_.call_counts_missing = report_.call_counts_missing || !has_number(row.call_count);
  report_.core_counts_missing = report_.core_counts_missing || !has_number(kind.core_count);
  if (const auto bytes =
          values.execution() == nullptr ? port_bytes_.end() : port_bytes_.find(values.execution()->key);
      bytes != port_bytes_.end()) {
    report_.noc_core_bytes.resize(report_.rows.size(), std::numeric_limits<float>::quiet_NaN());
    report_.noc_core_bytes.push_back(bytes->second);
  }
  report_.rows.push_back(row);
}

void ReportMaker::add(const CaptureRows& part) {
  port_bytes_.clear();
  if (part.noc != nullptr) {
    for (const NocSummary& summary : *part.noc)
      port_bytes_[summary.key] = static_cast<float>(summary.busiest_port_bytes());
  }
  RowValues values(part, form_);
  report_.rows.reserve(report_.rows.size() + part.report->rows.size());
  for (const ReportRow& row : part.report->rows) {
    values.go_to(row);
    add_row(part, values);
  }
  ++part_;
}

}  // namespace

Result<OpsReport> make_ops_report(const std::vector<CaptureRows>& parts, const ReportForm& form,
                                  const std::string& name) {
  const MadeColumns columns(parts, form);
  if (!columns.is_report()) {
    return failure(nothing_found(name + ": no op in it has a duration, so there is no ops report to read"));
  }
  OpsReport report;
  report.texts.intern({});
  report.format = columns.has_devices() ? ReportFormat::kV21 : ReportFormat::kV1;
  constexpr std::size_t kMostFiles = std::size_t{1} << std::numeric_limits<decltype(OpRow::file)>::digits;
  const bool has_hosts = parts.size() > 1 && parts.size() <= kMostFiles && !parts.front().host_name.empty();
  report.files.assign(has_hosts ? parts.size() : 1, name);
  report.hosts.assign(report.files.size(), "");
  for (std::size_t i = 0; has_hosts && i < parts.size(); ++i) {
    report.files[i] = parts[i].source;
    report.hosts[i] = parts[i].host_name;
  }
  report.has_host_start = columns.has_host();
  report.has_device_column = columns.has_devices();
  report.has_arch_column = columns.has_devices();
  report.has_available_cores_column = columns.has_devices();
  ReportMaker maker(columns, form, report);
  for (const CaptureRows& part : parts) maker.add(part);
  if (!report.noc_core_bytes.empty())
    report.noc_core_bytes.resize(report.rows.size(), std::numeric_limits<float>::quiet_NaN());
  report.cb_waits_are_means = form.rules->averages_buffer_waits;
  finish_ops_report(report);
  return report;
}

}  // namespace ttscope::perf
