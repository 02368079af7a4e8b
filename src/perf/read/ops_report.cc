#include "perf/read/ops_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "base/resources.h"
#include "base/text.h"
#include "perf/model/capture_files.h"
#include "perf/model/ops_report.h"
#include "perf/model/report_columns.h"

namespace ttscope::perf {
namespace {

/// Columns of one tensor; CsvHeader::kNoColumn where the report has none.
struct TensorColumns {
  std::array<std::size_t, 4> sizes{};  ///< W, Z, Y, X
  std::size_t layout = CsvHeader::kNoColumn;
  std::size_t datatype = CsvHeader::kNoColumn;
  std::size_t memory = CsvHeader::kNoColumn;
};

/// Where the cells of a report are. Reports of all years differ in which columns they have, in order and in
/// names; what is missing reads as empty.
struct OpsColumns {
  explicit OpsColumns(const CsvHeader& header);

  /// Whether it is an ops report at all.
  bool is_ops_report() const;

  std::size_t op_code, op_type, arch, available_cores, call_count, device, cache_hit, host_start;
  std::size_t fw_duration, op_to_op, noc_util, dram_util, math_util;
  std::array<std::size_t, kKindTexts.size()> kind_texts{};  ///< in the order of these lists
  std::array<std::size_t, kKindFigures.size()> kind_figures{};
  std::array<std::size_t, kKindModelTimes.size()> kind_model_times{};
  std::array<std::size_t, kRowNumbers.size()> row_numbers{};
  std::vector<std::size_t> row_figures;
  std::vector<std::size_t> noc_counters;  ///< the busiest of these counts
  /// The longest of these is the kernel duration: one column, or one for each kind of processor (Quasar).
  std::vector<std::size_t> kernel_durations;
  std::string kernel_stand_ins;  ///< columns that stand for a kernel duration that is not there; empty: it is
  std::vector<TensorColumns> inputs;
  std::vector<TensorColumns> outputs;
  std::size_t count = 0;  ///< columns of the header
  ReportFormat format = ReportFormat::kV1;
  /// Runs [first, last] of neighboring columns that make the kind of an op.
  std::vector<std::pair<std::size_t, std::size_t>> kind_runs;

 private:
  void find_tensors(const CsvHeader& header);
  void find_durations(const CsvHeader& header);
  void find_kind_runs();
};

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
  if (header.find(name_of(ReportColumn::kDeviceArch)) != CsvHeader::kNoColumn ||
      header.find(column_of(Figure::kAvailableCores)) != CsvHeader::kNoColumn) {
    return ReportFormat::kV21;
  }
  const bool padded = std::any_of(header.names().begin(), header.names().end(), [](const std::string& name) {
    return name.find(kPadded) != std::string::npos;
  });
  return padded ? ReportFormat::kV2 : ReportFormat::kV1;
}

OpsColumns::OpsColumns(const CsvHeader& header)
    : op_code(header.find(name_of(ReportColumn::kOpCode))),
      op_type(header.find(name_of(ReportColumn::kOpType))),
      arch(header.find(name_of(ReportColumn::kDeviceArch))),
      available_cores(header.find(column_of(Figure::kAvailableCores))),
      call_count(header.find(name_of(ReportColumn::kCallCount))),
      device(header.find(name_of(ReportColumn::kDeviceId))),
      cache_hit(header.find(name_of(ReportColumn::kCacheHit))),
      host_start(header.find(name_of(ReportColumn::kHostStart))),
      fw_duration(header.find(column_of(Figure::kFwNs))),
      op_to_op(first_of(header, {name_of(ReportColumn::kLatency), column_of(Figure::kQuasarDmLatencyNs)})),
      noc_util(header.find(kNocUtilColumn)),
      dram_util(header.find(kDramUtilColumn)),
      math_util(header.find(kMathUtilColumn)),
      count(header.names().size()),
      format(format_of(header)) {
  for (std::size_t i = 0; i < kKindTexts.size(); ++i)
    kind_texts[i] = header.find(name_of(kKindTexts[i].column));
  for (std::size_t i = 0; i < kKindFigures.size(); ++i)
    kind_figures[i] = header.find(column_of(kKindFigures[i].figure));
  for (std::size_t i = 0; i < kKindModelTimes.size(); ++i)
    kind_model_times[i] = header.find(name_of(kKindModelTimes[i].column));
  for (std::size_t i = 0; i < kRowNumbers.size(); ++i)
    row_numbers[i] = header.find(name_of(kRowNumbers[i].column));
  for (const RowFigure& each : perf::row_figures())
    row_figures.push_back(header.find(column_of(each.figure)));
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
  kernel_durations = all_of(header, {column_of(Figure::kKernelNs)});
  if (kernel_durations.empty()) {
    kernel_durations = all_of(header, {column_of(Figure::kQuasarDmNs), column_of(Figure::kQuasarTriscNs)});
  }
  if (kernel_durations.empty()) {
    kernel_durations = all_of(header, {column_of(Figure::kQuasarDmFwNs), column_of(Figure::kQuasarTriscFwNs),
                                       column_of(Figure::kFwNs)});
    for (const std::size_t column : kernel_durations)
      kernel_stand_ins.append(kernel_stand_ins.empty() ? "" : ", ").append(header.names()[column]);
  }
}

void OpsColumns::find_tensors(const CsvHeader& header) {
  for (const bool is_input : {true, false}) {
    std::vector<TensorColumns>& tensors = is_input ? inputs : outputs;
    for (std::size_t i = 0; i < kMaxTensors; ++i) {
      TensorColumns columns;
      const std::string prefix = (is_input ? "INPUT_" : "OUTPUT_") + std::to_string(i) + "_";
      if (!find_tensor(header, prefix, columns)) break;
      tensors.push_back(columns);
    }
  }
}

void OpsColumns::find_kind_runs() {
  std::vector<std::size_t> columns(kind_texts.begin(), kind_texts.end());
  columns.insert(columns.end(), kind_figures.begin(), kind_figures.end());
  columns.insert(columns.end(), kind_model_times.begin(), kind_model_times.end());
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

/// Records of a report that were read on their own. Ids and lines count from the start of the part.
struct ReportPart {
  OpsReport table;
  std::vector<std::uint64_t> kind_hashes;  ///< by kind of the table
  std::uint64_t lines = 0;
};

class ReportReader {
 public:
  ReportReader(std::string_view text, const OpsColumns& columns, ReportPart& part)
      : scanner_(text), columns_(columns), part_(part), report_(part.table) {
    report_.texts.intern({});
  }

  void read_rows() {
    while (scanner_.next()) read_row();
    for (std::uint64_t i = 0; i < scanner_.unclosed_quotes(); ++i) note(ReportProblem::kUnclosedQuote);
  }

 private:
  void note(ReportProblem problem) { report_.problems.add(problem, next_id()); }
  std::uint32_t next_id() const { return static_cast<std::uint32_t>(report_.rows.size() + 2); }

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
    if (cell.size() <= kMaxOpTextBytes) return report_.texts.intern(cell);
    has_cut_text_ = true;
    return report_.texts.intern(utf8_prefix(cell, kMaxOpTextBytes));
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
    const std::string_view type = report_.text(report_.kinds[kind].op_type);
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
  OpKind read_kind();
  void add_tensors(const std::vector<TensorColumns>& columns, std::uint16_t& count);

  CsvScanner scanner_;
  const OpsColumns& columns_;
  ReportPart& part_;
  OpsReport& report_;
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
  const auto [place, is_new] = kinds_.try_emplace(hash, static_cast<std::uint32_t>(report_.kinds.size()));
  if (is_new) {
    report_.kinds.push_back(read_kind());
    part_.kind_hashes.push_back(hash);
  }
  return place->second;
}

void ReportReader::add_tensors(const std::vector<TensorColumns>& columns, std::uint16_t& count) {
  TensorList list(report_.tensors);
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

OpKind ReportReader::read_kind() {
  OpKind kind;
  has_cut_text_ = false;
  for (std::size_t i = 0; i < kKindTexts.size(); ++i)
    kind.*kKindTexts[i].field = text(columns_.kind_texts[i]);
  for (std::size_t i = 0; i < kKindFigures.size(); ++i) {
    const std::size_t column = columns_.kind_figures[i];
    kind.*kKindFigures[i].field = kKindFigures[i].may_be_negative ? number(column) : duration(column);
  }
  for (std::size_t i = 0; i < kKindModelTimes.size(); ++i)
    kind.*kKindModelTimes[i].field = duration(columns_.kind_model_times[i]);
  kind.first_input = static_cast<std::uint32_t>(report_.tensors.size());
  add_tensors(columns_.inputs, kind.input_count);
  add_tensors(columns_.outputs, kind.output_count);
  kind.has_cut_text = has_cut_text_;
  return kind;
}

void ReportReader::read_times(OpRow& row) {
  for (std::size_t i = 0; i < kRowNumbers.size(); ++i) {
    const std::size_t column = columns_.row_numbers[i];
    kRowNumbers[i].set(row, kRowNumbers[i].may_be_negative ? number(column) : duration(column));
  }
  const std::span<const RowFigure> figures = row_figures();
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].set(row, duration(columns_.row_figures[i]));
  for (const std::size_t column : columns_.kernel_durations) {
    const double value = duration(column);
    if (!(row.kernel_duration_ns >= value) && has_number(value)) row.kernel_duration_ns = value;
  }
  row.op_to_op_ns = number(columns_.op_to_op);
  row.noc_util_percent = static_cast<float>(duration(columns_.noc_util));
  row.dram_util_percent = static_cast<float>(duration(columns_.dram_util));
  row.math_util_percent = static_cast<float>(duration(columns_.math_util));
  for (const std::size_t column : columns_.noc_counters) {
    const auto percent = static_cast<float>(duration(column));
    if (percent == percent && !(row.noc_counter_percent >= percent)) row.noc_counter_percent = percent;
  }
}

void ReportReader::read_device(OpRow& row) {
  constexpr double kMaxDevices = 1 << 20;
  const double device = number(columns_.device);
  if (device >= 0 && device < kMaxDevices) row.device = static_cast<std::int32_t>(device);
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
  if (report_.kinds[row.kind].has_cut_text) note(ReportProblem::kLongText);
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
  if (!has_number(row.call_count)) report_.call_counts_missing = true;
  if (!has_number(report_.kinds[row.kind].core_count)) report_.core_counts_missing = true;
  report_.rows.push_back(row);
}

/// Lines of a report are long: finding each end is much quicker than looking at each byte.
std::uint64_t count_lines(std::string_view text) {
  std::uint64_t lines = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) ++lines;
  return lines;
}

/// Reads whole records, without a header.
void read_report_part(std::string_view text, const OpsColumns& columns, ReportPart& part) {
  ReportReader(text, columns, part).read_rows();
  part.lines = count_lines(text);
}

/// Appends parts to a table in their order; what they share is numbered anew.
class PartMerger {
 public:
  explicit PartMerger(OpsReport& table, std::uint64_t lines)
      : report_(table), file_(table.files.size() - 1), lines_(lines) {
    for (const OpRow& row : report_.rows) device_offset_ = std::max(device_offset_, row.device + 1);
  }

  void add(const ReportPart& part);

 private:
  std::vector<std::uint32_t> merge_kinds(const ReportPart& part);
  std::uint32_t add_kind(const OpsReport& from, const OpKind& kind);

  OpsReport& report_;
  std::size_t file_;
  std::uint64_t lines_;  ///< before the next part
  std::int32_t device_offset_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> kinds_;
  std::vector<std::uint32_t> texts_;  ///< of the part, in the table
};

std::uint32_t PartMerger::add_kind(const OpsReport& from, const OpKind& kind) {
  OpKind added = kind;
  for (std::uint32_t* text :
       {&added.op_code, &added.op_type, &added.arch, &added.attributes, &added.math_fidelity,
        &added.program_hash, &added.compute_kernels, &added.data_kernels}) {
    *text = texts_[*text];
  }
  added.first_input = static_cast<std::uint32_t>(report_.tensors.size());
  const std::size_t count = std::size_t{kind.input_count} + kind.output_count;
  for (std::size_t i = 0; i < count; ++i) {
    OpTensor tensor = from.tensors[kind.first_input + i];
    for (std::uint32_t* text : {&tensor.layout, &tensor.datatype, &tensor.memory}) *text = texts_[*text];
    report_.tensors.push_back(tensor);
  }
  report_.kinds.push_back(added);
  return static_cast<std::uint32_t>(report_.kinds.size() - 1);
}

std::vector<std::uint32_t> PartMerger::merge_kinds(const ReportPart& part) {
  texts_.resize(part.table.texts.size());
  for (std::uint32_t i = 0; i < texts_.size(); ++i) texts_[i] = report_.texts.intern(part.table.texts[i]);
  std::vector<std::uint32_t> kinds(part.table.kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto known = kinds_.find(part.kind_hashes[i]);
    kinds[i] = known != kinds_.end() ? known->second : add_kind(part.table, part.table.kinds[i]);
    kinds_.emplace(part.kind_hashes[i], kinds[i]);
  }
  return kinds;
}

void PartMerger::add(const ReportPart& part) {
  const std::vector<std::uint32_t> kinds = merge_kinds(part);
  const auto before = static_cast<std::uint32_t>(report_.rows.size());
  for (OpRow row : part.table.rows) {
    row.kind = kinds[row.kind];
    row.id += before;
    row.line += static_cast<std::uint32_t>(lines_);
    row.file = static_cast<std::uint8_t>(std::min<std::size_t>(file_, 255));
    if (row.device >= 0) row.device += device_offset_;
    report_.rows.push_back(row);
  }
  report_.problems.merge(part.table.problems, [before](std::uint32_t id) { return id + before; });
  report_.call_counts_missing = report_.call_counts_missing || part.table.call_counts_missing;
  report_.core_counts_missing = report_.core_counts_missing || part.table.core_counts_missing;
  lines_ += part.lines;
}

/// The next whole lines of about that size.
std::string_view take_lines(std::string_view& rest, std::size_t size) {
  std::size_t end = rest.size() <= size ? std::string_view::npos : rest.find('\n', size);
  end = end == std::string_view::npos ? rest.size() : end + 1;
  const std::string_view lines = rest.substr(0, end);
  rest.remove_prefix(end);
  return lines;
}

/// A line is a record only where no quote has been seen; from the first quote on one thread reads all.
void read_records(std::string_view text, const OpsColumns& columns, const ReportSource& source,
                  PartMerger& merger) {
  const unsigned threads = std::max(1u, source.threads);
  while (!text.empty()) {
    const std::string_view turn = text;
    std::vector<std::string_view> pieces;
    while (!text.empty() && pieces.size() < threads) pieces.push_back(take_lines(text, source.part_bytes));
    std::vector<ReportPart> parts(pieces.size());
    std::vector<char> quoted(pieces.size());
    run_parallel(pieces.size(), threads, [&](std::size_t i) {
      quoted[i] = pieces[i].find('"') != std::string_view::npos ? 1 : 0;
      if (quoted[i] == 0) read_report_part(pieces[i], columns, parts[i]);
    });
    std::size_t done = 0;
    for (std::size_t i = 0; i < pieces.size() && !quoted[i]; ++i) {
      merger.add(parts[i]);
      done += pieces[i].size();
    }
    if (std::find(quoted.begin(), quoted.end(), 1) == quoted.end()) continue;
    ReportPart rest;
    read_report_part(turn.substr(done), columns, rest);
    merger.add(rest);
    return;
  }
}

}  // namespace

Result<void> read_ops_report(const ReportSource& source, OpsReport& table) {
  if (source.text.empty()) {
    return failure(
        bad_input(source.name + ": the file is empty; expected an ops report (ops_perf_results*.csv)"));
  }
  CsvScanner scanner(source.text);
  if (!scanner.next()) {
    return failure(bad_input(source.name + ": no header; expected an ops report (ops_perf_results*.csv)"));
  }
  const CsvHeader header(scanner.cells());
  const OpsColumns columns(header);
  if (!columns.is_ops_report()) {
    return failure(
        bad_input(fmt::format("{}:1: no ops report: expected columns such as OP CODE and DEVICE KERNEL "
                              "DURATION [ns] in the first line",
                              source.name)));
  }
  if (table.texts.size() == 0) table.texts.intern({});
  table.format = table.files.empty() ? columns.format : std::max(table.format, columns.format);
  table.files.push_back(source.name);
  table.hosts.push_back(source.host);
  table.has_host_start = table.has_host_start || columns.host_start != CsvHeader::kNoColumn;
  table.has_device_column = table.has_device_column || columns.device != CsvHeader::kNoColumn;
  table.has_arch_column = table.has_arch_column || columns.arch != CsvHeader::kNoColumn;
  table.has_available_cores_column =
      table.has_available_cores_column || columns.available_cores != CsvHeader::kNoColumn;
  if (!columns.kernel_stand_ins.empty()) {
    table.remarks.push_back({NoteKind::kStandInDuration, {source.name, columns.kernel_stand_ins}});
  }
  const std::string_view head = source.text.substr(0, scanner.offset());
  PartMerger merger(table, static_cast<std::uint64_t>(std::count(head.begin(), head.end(), '\n')));
  read_records(source.text.substr(head.size()), columns, source, merger);
  return {};
}

namespace {

/// What ops of different names and shapes never have in common.
bool are_replays(const OpsReport& report) {
  constexpr std::size_t kMinRows = 8;
  constexpr std::size_t kMinNames = 4;
  constexpr double kMaxSpread = 0.05;
  constexpr double kMinUs = 100;
  std::vector<double> times;
  std::set<std::uint32_t> names;
  std::set<double> cores;
  for (const OpRow& row : report.rows) {
    if (row.type != OpRowType::kDevice) continue;
    const bool has_risc =
        std::any_of(row.risc_us.begin(), row.risc_us.end(), [](float us) { return us > 0; });
    const OpKind& kind = report.kind_of(row);
    if (has_risc || !(row.kernel_duration_ns > 0) || !(kind.core_count > 0)) return false;
    times.push_back(row.kernel_duration_ns);
    names.insert(kind.op_code);
    cores.insert(kind.core_count);
  }
  if (times.size() < kMinRows || names.size() < kMinNames || cores.size() > 1) return false;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  const double usual = *middle;
  return usual > kMinUs * 1000 && std::all_of(times.begin(), times.end(), [&](double ns) {
           return std::abs(ns - usual) < usual * kMaxSpread;
         });
}

}  // namespace

void fix_misbooked_replays(OpsReport& report) {
  if (report.format == ReportFormat::kTable || !are_replays(report)) return;
  double replays = 0;
  std::map<std::int32_t, std::uint32_t> replays_of;
  OpKind replay;
  for (OpRow& row : report.rows) {
    if (row.type != OpRowType::kDevice) continue;
    const OpKind& booked = report.kind_of(row);
    if (replays++ == 0) {
      replay.op_code = report.texts.intern(kTraceReplayOp);
      replay.op_type = report.texts.intern(kTraceReplayType);
      replay.arch = booked.arch;
      replay.core_count = booked.core_count;
      replay.available_cores = booked.available_cores;
      replay.first_input = static_cast<std::uint32_t>(report.tensors.size());
      report.kinds.push_back(replay);
    }
    row.kind = static_cast<std::uint32_t>(report.kinds.size() - 1);
    row.replay_session = static_cast<float>(++replays_of[row.device]);
    row.host_duration_ns = kNoNumber;
    row.cache_hit = -1;
  }
  report.remarks.push_back({NoteKind::kReplaysOnOps, {}, {replays}});
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReportStem = "ops_perf_results";

bool is_report_name(std::string_view name) {
  return name.starts_with(kReportStem) && name.find(".csv") != std::string_view::npos;
}

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

std::size_t count_sibling_reports(const std::string& report) {
  std::size_t count = 0;
  std::error_code ignored;
  const fs::path folder = fs::path(report).parent_path();
  for (fs::directory_iterator at(folder.empty() ? fs::path(".") : folder,
                                 fs::directory_options::skip_permission_denied, ignored),
       end;
       !ignored && at != end; at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    if (is_report_name(name) && name != name_of(report)) ++count;
  }
  return count;
}

/// The report that a word is of; empty: it is that of a run.
std::string report_named_in(const std::string& word) {
  std::ifstream file(word, std::ios::binary);
  std::string first(1000, '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t colon = first.find(": ");
  return colon != std::string::npos && is_report_name(first) ? first.substr(0, colon) : std::string();
}

}  // namespace

std::string simulated_marker_path(const std::string& report) {
  const std::string name = name_of(report);
  if (!is_report_name(name)) return {};
  const std::string_view word(kSimulatedChips);
  const std::size_t dot = word.find('.');
  return (fs::path(report).parent_path() /
          (std::string(word.substr(0, dot)) +
           name.substr(kReportStem.size(), name.find(".csv") - kReportStem.size()) +
           std::string(word.substr(dot))))
      .string();
}

std::string simulated_marker_text(const std::string& report) {
  return fmt::format("{}: the chips of its run were simulated, times of devices are modelled\n",
                     name_of(report));
}

bool is_marker_of_report(const std::string& word, const std::string& report) {
  return report_named_in(word) == name_of(report);
}

std::string find_simulated_marker(const std::string& report) {
  if (report == "-") return {};
  std::error_code ignored;
  std::string own = simulated_marker_path(report);
  if (!own.empty() && fs::exists(own, ignored) && is_marker_of_report(own, report)) return own;
  return count_sibling_reports(report) == 0 ? find_simulated_marker_of_run(report) : std::string();
}

std::string find_simulated_marker_of_run(const std::string& file) {
  if (file.empty() || file == "-") return {};
  const std::string word = (fs::path(file).parent_path() / kSimulatedChips).string();
  std::error_code ignored;
  return fs::exists(word, ignored) && report_named_in(word).empty() ? word : std::string();
}

}  // namespace ttscope::perf
