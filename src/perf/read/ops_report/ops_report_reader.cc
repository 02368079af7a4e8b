#include "perf/read/ops_report/ops_report_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/csv_scanner.h"
#include "base/parallel.h"
#include "perf/read/ops_report/ops_columns.h"
#include "perf/read/ops_report/report_part.h"

namespace ttscope::perf {
namespace {

/// Appends parts to a table in their order; what they share is numbered anew.
class PartMerger {
 public:
  explicit PartMerger(OpsReport& table, std::uint64_t lines)
      : table_(table), file_(table.files.size() - 1), lines_(lines) {
    for (const OpRow& row : table_.rows) device_offset_ = std::max(device_offset_, row.device + 1);
  }

  void add(const ReportPart& part);

 private:
  std::vector<std::uint32_t> merge_kinds(const ReportPart& part);
  std::uint32_t add_kind(const OpsReport& from, const ReportKind& kind);

  OpsReport& table_;
  std::size_t file_;
  std::uint64_t lines_;  ///< before the next part
  std::int32_t device_offset_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> kinds_;
  std::vector<std::uint32_t> texts_;  ///< of the part, in the table
};

std::uint32_t PartMerger::add_kind(const OpsReport& from, const ReportKind& kind) {
  ReportKind added = kind;
  for (std::uint32_t* text :
       {&added.op_code, &added.op_type, &added.arch, &added.attributes, &added.math_fidelity,
        &added.program_hash, &added.compute_kernels, &added.data_kernels}) {
    *text = texts_[*text];
  }
  added.first_input = static_cast<std::uint32_t>(table_.tensors.size());
  const std::size_t count = std::size_t{kind.input_count} + kind.output_count;
  for (std::size_t i = 0; i < count; ++i) {
    OpTensor tensor = from.tensors[kind.first_input + i];
    for (std::uint32_t* text : {&tensor.layout, &tensor.datatype, &tensor.memory}) *text = texts_[*text];
    table_.tensors.push_back(tensor);
  }
  table_.kinds.push_back(added);
  return static_cast<std::uint32_t>(table_.kinds.size() - 1);
}

std::vector<std::uint32_t> PartMerger::merge_kinds(const ReportPart& part) {
  texts_.resize(part.table.texts.size());
  for (std::uint32_t i = 0; i < texts_.size(); ++i) texts_[i] = table_.texts.intern(part.table.texts[i]);
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
  const auto before = static_cast<std::uint32_t>(table_.rows.size());
  for (OpRow row : part.table.rows) {
    row.kind = kinds[row.kind];
    row.id += before;
    row.line += static_cast<std::uint32_t>(lines_);
    row.file = static_cast<std::uint8_t>(std::min<std::size_t>(file_, 255));
    if (row.device >= 0) row.device += device_offset_;
    table_.rows.push_back(row);
  }
  table_.problems.merge(part.table.problems, [before](std::uint32_t id) { return id + before; });
  table_.call_counts_missing = table_.call_counts_missing || part.table.call_counts_missing;
  table_.core_counts_missing = table_.core_counts_missing || part.table.core_counts_missing;
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

}  // namespace ttscope::perf
