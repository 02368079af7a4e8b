#include "perf/read/table_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kTimes = " x ";

std::optional<std::int64_t> positive_size(std::string_view text) {
  constexpr std::int64_t kMax = std::int64_t{1} << 31;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > kMax) return {};
  return number;
}

std::vector<std::string_view> split_sizes(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(kTimes); at != std::string_view::npos; at = text.find(kTimes)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + kTimes.size());
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

std::optional<MatmulSizes> matmul_sizes(std::string_view label) {
  const std::size_t blank = label.find(' ');
  if (blank == std::string_view::npos || label.substr(0, blank).find("Matmul") == std::string_view::npos)
    return {};
  MatmulSizes sizes;
  sizes.op_code = label.substr(0, blank);
  std::vector<std::string_view> parts = split_sizes(label.substr(blank + 1));
  if (parts.size() == 4 && parts[0].starts_with("b={") && parts[0].ends_with("}")) {
    const auto batch = positive_size(parts[0].substr(3, parts[0].size() - 4));
    if (!batch) return {};
    sizes.batch = *batch;
    parts.erase(parts.begin());
  }
  if (parts.size() != 3) return {};
  const auto m = positive_size(parts[0]);
  const auto k = positive_size(parts[1]);
  const auto n = positive_size(parts[2]);
  if (!m || !k || !n) return {};
  sizes.m = *m;
  sizes.k = *k;
  sizes.n = *n;
  return sizes;
}

namespace {

/// Where the cells of a table are; versions differ in which columns they have. kNoColumn: not there.
struct TableColumns {
  explicit TableColumns(const CsvHeader& header)
      : id(header.find("ID")),
        op_code(header.find("OP Code")),
        raw_op_code(header.find("Raw OP Code")),
        device(header.find("Device")),
        device_time(header.find("Device Time")),
        gap(header.find("Op-to-Op Gap")),
        cores(header.find("Cores")),
        available_cores(header.find("Available Cores")),
        sub_device(header.find("Sub Device ID")),
        dram_gb_s(header.find("DRAM")),
        dram_percent(header.find("DRAM %")),
        tflops(header.find("FLOPs")),
        flops_percent(header.find("FLOPs %")),
        fidelity(header.find("Math Fidelity")),
        output_type(header.find("Output Datatype")),
        input_types{header.find("Input 0 Datatype"), header.find("Input 1 Datatype")},
        is_dram_sharded(header.find("DRAM Sharded")),
        input_memory(header.find("Input 0 Memory")),
        block_w(header.find("Inner Dim Block Size")),
        subblock_h(header.find("Output Subblock H")),
        subblock_w(header.find("Output Subblock W")),
        call_count(header.find("Global Call Count")),
        count(header.names().size()) {}

  bool is_table() const {
    return id != CsvHeader::kNoColumn && op_code != CsvHeader::kNoColumn &&
           device_time != CsvHeader::kNoColumn;
  }

  std::size_t id, op_code, raw_op_code, device, device_time, gap, cores, available_cores, sub_device;
  std::size_t dram_gb_s, dram_percent, tflops, flops_percent, fidelity, output_type;
  std::size_t input_types[2];
  std::size_t is_dram_sharded, input_memory, block_w, subblock_h, subblock_w, call_count;
  std::size_t count;
};

constexpr std::string_view kSignpostSuffix = " (signpost)";
constexpr std::string_view kShardedConfig = "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig";
/// What memory of an operand is called that follows from figures.
constexpr std::string_view kDerivedDram = "DRAM (derived)";

class TableReader {
 public:
  TableReader(std::string_view text, const TableColumns& columns, OpsReport& table)
      : scanner_(text), columns_(columns), report_(table), first_row_(table.rows.size()) {
    scanner_.next();  // the header
  }

  void read();

 private:
  std::uint32_t last_id() const { return report_.rows.empty() ? 1 : report_.rows.back().id; }
  void note(ReportProblem problem) { report_.problems.add(problem, last_id() + 1); }
  std::string_view cell(std::size_t column) const {
    const std::string_view text = column == CsvHeader::kNoColumn ? std::string_view{} : scanner_.cell(column);
    return text == "nan" ? std::string_view{} : text;
  }
  double number(std::size_t column) {
    const std::optional<double> value = cell_number(cell(column));
    if (value) return *value;
    note(ReportProblem::kBadNumber);
    return kNoNumber;
  }
  double time_ns(std::size_t column) {
    const double us = number(column);
    if (!(us < 0)) return us * 1000;
    note(ReportProblem::kNegativeTime);
    return kNoNumber;
  }
  std::uint32_t text(std::string_view bytes) {
    return report_.texts.intern(utf8_prefix(bytes, std::min(bytes.size(), kMaxOpTextBytes)));
  }

  void read_row();
  std::uint32_t kind_of_row(double device_ns);
  OpKind read_kind();
  void add_tensors(OpKind& kind, const std::optional<MatmulSizes>& sizes);
  std::string attributes_of_row() const;
  void find_places(const OpKind& kind, double dram_bytes);
  double bytes_of(const OpTensor& tensor) const;
  void derive_peaks(const OpKind& kind, double gb_s);
  void put_devices_together();

  CsvScanner scanner_;
  const TableColumns& columns_;
  OpsReport& report_;
  std::size_t first_row_;
  std::unordered_map<std::string, std::uint32_t> kinds_;
};

/// The table's own columns, in the form in which a report has them.
std::string TableReader::attributes_of_row() const {
  std::string inside;
  const auto add = [&](std::string_view key, std::size_t column) {
    if (!cell(column).empty())
      inside +=
          fmt::format("{}{}={:.0f}", inside.empty() ? "" : "; ", key, cell_number(cell(column)).value_or(0));
  };
  add("in0_block_w", columns_.block_w);
  add("out_subblock_h", columns_.subblock_h);
  add("out_subblock_w", columns_.subblock_w);
  const bool is_sharded = cell(columns_.is_dram_sharded) == "True";
  if (inside.empty() && !is_sharded) return {};
  return fmt::format("{{'program_config': '{}({})'}}", is_sharded ? kShardedConfig : "", inside);
}

void TableReader::add_tensors(OpKind& kind, const std::optional<MatmulSizes>& sizes) {
  kind.first_input = static_cast<std::uint32_t>(report_.tensors.size());
  const auto add = [&](std::string_view type, std::string_view memory, std::array<std::int64_t, 2> shape) {
    OpTensor tensor;
    tensor.datatype = text(type);
    tensor.memory = text(memory);
    if (sizes) tensor.padded = tensor.logical = {1, sizes->batch, shape[0], shape[1]};
    report_.tensors.push_back(tensor);
  };
  const bool has_second = !cell(columns_.input_types[1]).empty() || sizes;
  const MatmulSizes none;
  const MatmulSizes& size = sizes ? *sizes : none;
  if (!cell(columns_.input_types[0]).empty() || sizes) {
    add(cell(columns_.input_types[0]), cell(columns_.input_memory), {size.m, size.k});
    ++kind.input_count;
    if (has_second) add(cell(columns_.input_types[1]), {}, {size.k, size.n});
    kind.input_count = static_cast<std::uint16_t>(kind.input_count + (has_second ? 1 : 0));
  }
  if (cell(columns_.output_type).empty() && !sizes) return;
  add(cell(columns_.output_type), {}, {size.m, size.n});
  kind.output_count = 1;
}

OpKind TableReader::read_kind() {
  OpKind kind;
  std::string_view label = cell(columns_.op_code);
  const bool is_signpost = label.ends_with(kSignpostSuffix);
  if (is_signpost) label.remove_suffix(kSignpostSuffix.size());
  const std::optional<MatmulSizes> sizes = is_signpost ? std::nullopt : matmul_sizes(label);
  const std::string_view raw = cell(columns_.raw_op_code);
  kind.op_code = text(sizes ? sizes->op_code : label);
  if (!raw.empty() && sizes) kind.op_code = text(raw);
  kind.op_type = text(is_signpost                  ? "signpost"
                      : contains(label, "(torch)") ? "python_fallback"
                                                   : kDeviceOpType);
  if (is_signpost) return kind;
  kind.attributes = text(attributes_of_row());
  const std::string_view fidelity = cell(columns_.fidelity);
  const std::string_view first = fidelity.substr(0, fidelity.find(' '));
  if (first.starts_with("HiFi") || first == "LoFi") kind.math_fidelity = text(first);
  kind.core_count = number(columns_.cores);
  kind.available_cores = number(columns_.available_cores);
  kind.sub_device = number(columns_.sub_device);
  add_tensors(kind, sizes);
  return kind;
}

/// As tt-perf-report counts them: BFLOAT8_B as 1 byte, BFLOAT4_B as half of one.
double TableReader::bytes_of(const OpTensor& tensor) const {
  const std::string_view type = report_.text(tensor.datatype);
  const std::size_t digit = type.find_first_of("0123456789");
  if (digit == std::string_view::npos || !tensor.has_shape()) return 0;
  double bits = 0;
  for (std::size_t i = digit; i < type.size() && type[i] >= '0' && type[i] <= '9'; ++i)
    bits = bits * 10 + (type[i] - '0');
  double elements = 1;
  for (const std::int64_t size : tensor.padded) elements *= static_cast<double>(size);
  return elements * bits / 8;
}

/// The bytes of a matmul that were in DRAM tell which of its operands were. The place is left unknown where
/// no choice, or more than one, fits; shared exponents are counted by us and not by tt-perf-report.
void TableReader::find_places(const OpKind& kind, double dram_bytes) {
  if (kind.input_count < 2 || kind.output_count < 1 || !(dram_bytes > 0)) return;
  constexpr double kExponents = 1.13;
  const std::size_t in0 = kind.first_input;
  const double first =
      contains(report_.text(report_.tensors[in0].memory), "DRAM") ? bytes_of(report_.tensors[in0]) : 0;
  int fitting = 0;
  unsigned found = 0;
  for (unsigned choice = 0; choice < 4; ++choice) {
    const double bytes = first + ((choice & 1) != 0 ? bytes_of(report_.tensors[in0 + 1]) : 0) +
                         ((choice & 2) != 0 ? bytes_of(report_.tensors[in0 + 2]) : 0);
    const bool fits = std::abs(dram_bytes - bytes) <= bytes * 1e-3;
    const bool fits_with_exponents = dram_bytes > bytes && dram_bytes <= bytes * kExponents;
    if (!fits && !fits_with_exponents) continue;
    if (fits) {
      found = choice;
      fitting = 1;
      break;
    }
    found = choice;
    ++fitting;
  }
  if (fitting != 1) return;
  if ((found & 1) != 0) report_.tensors[in0 + 1].memory = text(kDerivedDram);
  if ((found & 2) != 0) report_.tensors[in0 + 2].memory = text(kDerivedDram);
}

/// What a percentage is of follows from it and its figure; matmuls alone tell on how many cores they count.
void TableReader::derive_peaks(const OpKind& kind, double gb_s) {
  constexpr std::array<std::string_view, 4> kFidelities = {"HiFi4", "HiFi3", "HiFi2", "LoFi"};
  const auto value = [&](std::size_t column) { return cell_number(cell(column)).value_or(kNoNumber); };
  TablePeaks& peaks = report_.table_peaks;
  const double dram_gb_s = std::round(gb_s / value(columns_.dram_percent) * 100);
  if (peaks.dram_gb_s == 0 && dram_gb_s >= 1 && dram_gb_s < 1e5) peaks.dram_gb_s = dram_gb_s;
  const bool counts_other_cores =
      cell(columns_.is_dram_sharded) == "True" || !contains(report_.text(kind.op_code), "Matmul");
  const double tflops = value(columns_.tflops) / value(columns_.flops_percent) * 100 / kind.core_count;
  if (counts_other_cores || !(tflops > 0) || !(tflops < 1e3)) return;
  for (std::size_t i = 0; i < kFidelities.size(); ++i) {
    const bool is_own = report_.text(kind.math_fidelity) == kFidelities[i];
    if (is_own && peaks.tflops_per_core[i] == 0) peaks.tflops_per_core[i] = tflops;
  }
}

std::uint32_t TableReader::kind_of_row(double device_ns) {
  std::string key;
  for (const std::size_t column :
       {columns_.op_code, columns_.raw_op_code, columns_.cores, columns_.available_cores, columns_.sub_device,
        columns_.fidelity, columns_.output_type, columns_.input_types[0], columns_.input_types[1],
        columns_.is_dram_sharded, columns_.input_memory, columns_.block_w, columns_.subblock_h,
        columns_.subblock_w}) {
    key.append(cell(column)).push_back('\n');
  }
  const auto [known, is_new] =
      kinds_.try_emplace(std::move(key), static_cast<std::uint32_t>(report_.kinds.size()));
  if (!is_new) return known->second;
  const OpKind kind = read_kind();
  report_.kinds.push_back(kind);
  const double gb_s = cell_number(cell(columns_.dram_gb_s)).value_or(kNoNumber);
  find_places(kind, gb_s * device_ns);
  derive_peaks(kind, gb_s);
  return known->second;
}

void TableReader::read_row() {
  if (scanner_.cells().size() != columns_.count) {
    const bool is_short = scanner_.cells().size() < columns_.count;
    note(!is_short                ? ReportProblem::kLongRow
         : scanner_.is_complete() ? ReportProblem::kShortRow
                                  : ReportProblem::kCutRow);
  }
  OpRow row;
  row.line = static_cast<std::uint32_t>(scanner_.line());
  const double id = number(columns_.id);
  constexpr double kMaxId = 4e9;
  row.id = id >= 1 && id < kMaxId ? static_cast<std::uint32_t>(id) : last_id() + 1;
  row.kernel_duration_ns = time_ns(columns_.device_time);
  row.kind = kind_of_row(row.kernel_duration_ns);
  const std::string_view type = report_.text(report_.kinds[row.kind].op_type);
  row.type = type == "signpost"      ? OpRowType::kSignpost
             : type == kDeviceOpType ? OpRowType::kDevice
                                     : OpRowType::kHost;
  if (row.type == OpRowType::kSignpost) row.kernel_duration_ns = kNoNumber;
  row.op_to_op_ns = number(columns_.gap) * 1000;
  row.call_count = number(columns_.call_count);
  const double device = number(columns_.device);
  constexpr double kMaxDevices = 1 << 20;
  if (device >= 0 && device < kMaxDevices) row.device = static_cast<std::int32_t>(device);
  row.file = static_cast<std::uint8_t>(std::min<std::size_t>(report_.files.size() - 1, 255));
  if (row.type == OpRowType::kDevice && !has_number(row.kernel_duration_ns)) note(ReportProblem::kNoDuration);
  report_.call_counts_missing = report_.call_counts_missing || !has_number(row.call_count);
  report_.rows.push_back(row);
}

/// A row of several devices that were merged has the number of the slowest: such rows follow each other as
/// those of one device. Tables with a row a device are told by ids of calls, which share all but the device.
void TableReader::put_devices_together() {
  constexpr double kDevicesOfId = 1024;
  std::map<std::int64_t, std::int32_t> device_of_call;
  std::int32_t least = -1;
  bool is_several = false;
  bool is_apart = false;
  for (std::size_t i = first_row_; i < report_.rows.size(); ++i) {
    const OpRow& row = report_.rows[i];
    if (row.type != OpRowType::kDevice || row.device < 0) continue;
    is_several = is_several || (least >= 0 && row.device != least);
    least = least < 0 ? row.device : std::min(least, row.device);
    if (!has_number(row.call_count)) continue;
    const auto call = static_cast<std::int64_t>(row.call_count / kDevicesOfId);
    const auto [known, is_new] = device_of_call.try_emplace(call, row.device);
    is_apart = is_apart || (!is_new && known->second != row.device);
  }
  if (!is_several || is_apart) return;
  for (std::size_t i = first_row_; i < report_.rows.size(); ++i) {
    if (report_.rows[i].device >= 0) report_.rows[i].device = least;
  }
  report_.remarks.push_back({NoteKind::kRowsOfSlowest});
}

void TableReader::read() {
  while (scanner_.next()) read_row();
  for (std::uint64_t i = 0; i < scanner_.unclosed_quotes(); ++i) note(ReportProblem::kUnclosedQuote);
  put_devices_together();
}

}  // namespace

Result<void> read_table_csv(const ReportSource& source, OpsReport& table) {
  CsvScanner scanner(source.text);
  const bool has_header = scanner.next();
  const TableColumns columns{CsvHeader(scanner.cells())};
  if (!has_header || !columns.is_table()) {
    return failure(
        bad_input(fmt::format("{}:1: no table of tt-perf-report: expected the columns ID, OP Code and Device "
                              "Time in the first line",
                              source.name)));
  }
  if (!table.files.empty()) {
    return failure(
        bad_input(fmt::format("{}: the table of tt-perf-report is read alone: give one, or the ops "
                              "reports of all hosts",
                              source.name)));
  }
  if (table.texts.size() == 0) table.texts.intern({});
  table.format = ReportFormat::kTable;
  table.files.push_back(source.name);
  table.hosts.push_back(source.host);
  table.has_device_column = columns.device != CsvHeader::kNoColumn;
  table.remarks.push_back({NoteKind::kTableOnly});
  TableReader(source.text, columns, table).read();
  return {};
}

}  // namespace ttscope::perf
