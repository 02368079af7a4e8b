#include "perf/read/ops_report/report_part.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/csv_scanner.h"
#include "base/utf8.h"
#include "perf/model/cell_number.h"
#include "perf/model/op_tensors.h"

namespace ttscope::perf {
namespace {

class ReportReader {
 public:
  ReportReader(std::string_view text, const OpsColumns& columns, ReportPart& part)
      : scanner_(text), columns_(columns), part_(part), table_(part.table) {
    table_.texts.intern({});
  }

  void read_rows() {
    while (scanner_.next()) read_row();
    for (std::uint64_t i = 0; i < scanner_.unclosed_quotes(); ++i) note(ReportProblem::kUnclosedQuote);
  }

 private:
  void note(ReportProblem problem) { table_.problems.add(problem, next_id()); }
  std::uint32_t next_id() const { return static_cast<std::uint32_t>(table_.rows.size() + 2); }

  double number(std::size_t column) {
    if (column == CsvHeader::kNoColumn) return kNoNumber;
    const std::optional<double> value = cell_number(scanner_.cell(column));
    if (value) return *value;
    note(ReportProblem::kBadNumber);
    return kNoNumber;
  }
  double duration(std::size_t column) {
    const double value = number(column);
    if (!(value < 0)) return value;
    note(ReportProblem::kNegativeTime);
    return kNoNumber;
  }
  std::uint32_t text(std::size_t column) {
    if (column == CsvHeader::kNoColumn) return 0;
    const std::string_view cell = scanner_.cell(column);
    if (cell.size() <= kMostOpTextBytes) return table_.texts.intern(cell);
    has_cut_text_ = true;
    return table_.texts.intern(utf8_prefix(cell, kMostOpTextBytes));
  }

  void check_shape() {
    const std::size_t cells = scanner_.cells().size();
    if (!scanner_.is_complete() && cells < columns_.count) {
      note(ReportProblem::kCutRow);
    } else if (cells < columns_.count) {
      note(ReportProblem::kShortRow);
    } else if (cells > columns_.count) {
      note(ReportProblem::kLongRow);
    }
  }

  OpRowType type_of(std::uint32_t kind) const {
    const std::string_view type = table_.text(table_.kinds[kind].op_type);
    if (type.find("signpost") != std::string_view::npos) return OpRowType::kSignpost;
    if (type == kDeviceOpType || type == kTraceReplayType || columns_.op_type == CsvHeader::kNoColumn)
      return OpRowType::kDevice;
    return OpRowType::kHost;
  }

  void read_row();
  void read_times(OpRow& row);
  void read_device(OpRow& row);
  std::uint64_t kind_hash() const;
  std::uint32_t kind_of_row();
  ReportKind read_kind();
  void add_tensors(const std::vector<TensorColumns>& columns, std::uint16_t& count);

  CsvScanner scanner_;
  const OpsColumns& columns_;
  ReportPart& part_;
  OpsReport& table_;
  std::unordered_map<std::uint64_t, std::uint32_t> kinds_;
  bool has_cut_text_ = false;  ///< of the kind that is being read
};

/// The cells of a run of columns are hashed as they stand in the file, delimiters and quotes and all.
std::uint64_t ReportReader::kind_hash() const {
  const std::vector<std::string_view>& cells = scanner_.cells();
  const std::string_view record = scanner_.record();
  const auto is_inside = [&](std::string_view cell) {
    return cell.data() >= record.data() && cell.data() + cell.size() <= record.data() + record.size();
  };
  std::uint64_t hash = 0;
  const auto mix = [&](std::string_view bytes) {
    hash = (hash ^ hash_text(bytes)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  };
  for (const auto& [first, last] : columns_.kind_runs) {
    if (first >= cells.size()) break;
    const std::size_t end = std::min(last, cells.size() - 1);
    const std::string_view from = cells[first];
    const std::string_view to = cells[end];
    if (is_inside(from) && is_inside(to)) {
      mix({from.data(), static_cast<std::size_t>(to.data() + to.size() - from.data())});
    } else {
      for (std::size_t i = first; i <= end; ++i) mix(cells[i]);
    }
  }
  return hash;
}

std::uint32_t ReportReader::kind_of_row() {
  const std::uint64_t hash = kind_hash();
  const auto [place, is_new] = kinds_.try_emplace(hash, static_cast<std::uint32_t>(table_.kinds.size()));
  if (is_new) {
    table_.kinds.push_back(read_kind());
    part_.kind_hashes.push_back(hash);
  }
  return place->second;
}

void ReportReader::add_tensors(const std::vector<TensorColumns>& columns, std::uint16_t& count) {
  TensorList list(table_.tensors);
  for (const TensorColumns& from : columns) {
    OpTensor tensor;
    for (std::size_t i = 0; i < from.sizes.size(); ++i) {
      if (from.sizes[i] != CsvHeader::kNoColumn) set_size(tensor, i, scanner_.cell(from.sizes[i]));
    }
    tensor.layout = text(from.layout);
    tensor.datatype = text(from.datatype);
    tensor.memory = text(from.memory);
    list.add(tensor);
  }
  count = list.finish();
}

ReportKind ReportReader::read_kind() {
  ReportKind kind;
  has_cut_text_ = false;
  kind.op_code = text(columns_.op_code);
  kind.op_type = text(columns_.op_type);
  kind.arch = text(columns_.arch);
  kind.attributes = text(columns_.attributes);
  kind.math_fidelity = text(columns_.math_fidelity);
  kind.program_hash = text(columns_.program_hash);
  kind.compute_kernels = text(columns_.compute_kernels);
  kind.data_kernels = text(columns_.data_kernels);
  kind.location = text(columns_.location);
  kind.core_count = duration(columns_.core_count);
  kind.available_cores = duration(columns_.available_cores);
  kind.sub_device = number(columns_.sub_device);
  kind.pm_ideal_ns = duration(columns_.pm_ideal);
  kind.pm_compute_ns = duration(columns_.pm_compute);
  kind.pm_bandwidth_ns = duration(columns_.pm_bandwidth);
  kind.first_input = static_cast<std::uint32_t>(table_.tensors.size());
  add_tensors(columns_.inputs, kind.input_count);
  add_tensors(columns_.outputs, kind.output_count);
  kind.has_cut_text = has_cut_text_;
  return kind;
}

void ReportReader::read_times(OpRow& row) {
  row.host_start_ns = number(columns_.host_start);
  row.host_duration_ns = duration(columns_.host_duration);
  row.fw_start_cycle = duration(columns_.fw_start_cycle);
  row.fw_end_cycle = duration(columns_.fw_end_cycle);
  row.fw_duration_ns = duration(columns_.fw_duration);
  for (const std::size_t column : columns_.kernel_durations) {
    const double value = duration(column);
    if (!(row.kernel_duration_ns >= value) && has_number(value)) row.kernel_duration_ns = value;
  }
  row.op_to_op_ns = number(columns_.op_to_op);
  row.first_to_last_start_ns = duration(columns_.first_to_last_start);
  for (std::size_t i = 0; i < row.per_core_ns.size(); ++i)
    row.per_core_ns[i] = duration(columns_.per_core[i]);
  for (std::size_t i = 0; i < kRiscCount; ++i) {
    row.risc_us[i] = static_cast<float>(duration(columns_.riscs[i]) / 1000);
  }
  row.noc_util_percent = static_cast<float>(duration(columns_.noc_util));
  row.dram_util_percent = static_cast<float>(duration(columns_.dram_util));
  row.math_util_percent = static_cast<float>(duration(columns_.math_util));
  for (const std::size_t column : columns_.noc_counters) {
    const auto percent = static_cast<float>(duration(column));
    if (percent == percent && !(row.noc_counter_percent >= percent)) row.noc_counter_percent = percent;
  }
  row.cb_wait_us = static_cast<float>(duration(columns_.cb_wait) / 1000);
  row.cb_reserve_us = static_cast<float>(duration(columns_.cb_reserve) / 1000);
  row.trace_id = static_cast<float>(number(columns_.trace_id));
  row.replay_session = static_cast<float>(number(columns_.replay_session));
}

void ReportReader::read_device(OpRow& row) {
  constexpr double kMostDevices = 1 << 20;
  const double device = number(columns_.device);
  if (device >= 0 && device < kMostDevices) row.device = static_cast<std::int32_t>(device);
  if (row.type != OpRowType::kDevice) return;
  if (row.device < 0 && columns_.device != CsvHeader::kNoColumn) note(ReportProblem::kNoDevice);
  if (!has_number(row.kernel_duration_ns)) note(ReportProblem::kNoDuration);
}

void ReportReader::read_row() {
  check_shape();
  OpRow row;
  row.kind = kind_of_row();
  row.type = type_of(row.kind);
  row.id = next_id();
  if (table_.kinds[row.kind].has_cut_text) note(ReportProblem::kLongText);
  row.line = static_cast<std::uint32_t>(scanner_.line());
  row.call_count = number(columns_.call_count);
  if (row.type != OpRowType::kSignpost) {
    read_times(row);
    const std::string_view hit =
        columns_.cache_hit == CsvHeader::kNoColumn ? "" : scanner_.cell(columns_.cache_hit);
    if (hit == "True" || hit == "true" || hit == "1") row.cache_hit = 1;
    if (hit == "False" || hit == "false" || hit == "0") row.cache_hit = 0;
  } else {
    row.host_start_ns = number(columns_.host_start);
  }
  read_device(row);
  if (!has_number(row.call_count)) table_.call_counts_missing = true;
  if (!has_number(table_.kinds[row.kind].core_count)) table_.core_counts_missing = true;
  table_.rows.push_back(row);
}

/// Lines of a report are long: finding each end is much quicker than looking at each byte.
std::uint64_t count_lines(std::string_view text) {
  std::uint64_t lines = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) ++lines;
  return lines;
}

}  // namespace

void read_report_part(std::string_view text, const OpsColumns& columns, ReportPart& part) {
  ReportReader(text, columns, part).read_rows();
  part.lines = count_lines(text);
}

}  // namespace ttscope::perf
