#include "perf/analyse/ops/shown_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "perf/analyse/ops/op_merge.h"
#include "perf/analyse/ops/op_window.h"

namespace ttscope::perf {
namespace {

std::string_view format_text(ReportFormat format) {
  switch (format) {
    case ReportFormat::kV1:
      return "Detected CSV format: v1 (legacy format)";
    case ReportFormat::kV2:
      return "Detected CSV format: v2";
    case ReportFormat::kV21:
      break;
  }
  return "Detected CSV format: v2.1 (with device arch and worker core count)";
}

class ShownOpsBuilder {
 public:
  ShownOpsBuilder(const OpsReport& table, const ShownOptions& options) : table_(table), options_(options) {}

  Result<ShownOps> build();

 private:
  void find_kind_facts();
  void mark_first_runs();
  void measure_rows();
  void measure(ShownOp& row, bool is_first);
  void measure_matmul(const KindFacts& facts, ShownOp& row) const;
  void filter_rows();
  void derive();
  ShownBound bound_of(const KindFacts& facts, const ShownOp& row) const;
  void find_unclassified();
  void note_hosts();

  const OpsReport& table_;
  const ShownOptions& options_;
  ShownOps result_;
};

void ShownOpsBuilder::find_kind_facts() {
  FactOptions facts;
  facts.rules = options_.rules;
  facts.active_experts = options_.active_experts;
  std::int32_t devices = 1;
  for (const OpRow& row : table_.rows) devices = std::max(devices, row.device + 1);
  facts.device_count = static_cast<std::uint32_t>(devices);
  result_.facts = find_facts(table_, result_.peaks, facts);
}

/// A program is known by its hash, in older reports by all that is the same when it runs again. The recorded
/// PROGRAM CACHE HIT is no help: it is False in every row of all known reports.
void ShownOpsBuilder::mark_first_runs() {
  std::unordered_set<std::uint64_t> seen;
  std::vector<bool> is_first(table_.rows.size());
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    const OpRow& row = table_.rows[i];
    if (row.type != OpRowType::kDevice) continue;
    const std::uint32_t hash = table_.kind_of(row).program_hash;
    // Reports of the device alone have no names: nothing tells one program from another.
    if (hash == 0 && table_.kind_of(row).op_code == 0) continue;
    const std::uint64_t program = hash != 0 ? (std::uint64_t{1} << 32) | hash : row.kind;
    is_first[i] = seen.insert(program ^ (static_cast<std::uint64_t>(row.device + 1) << 34)).second;
  }
  for (ShownOp& row : result_.rows) row.is_first_run = is_first[row.row];
}

void ShownOpsBuilder::measure_matmul(const KindFacts& facts, ShownOp& row) const {
  const double duration_s = row.duration_ns * 1e-9;
  if (!(duration_s > 0)) return;
  if (facts.matmul_dram_bytes > 0) {
    row.dram_gb_s = facts.matmul_dram_bytes / duration_s / 1e9;
    if (result_.peaks.dram_gb_s > 0) row.dram_percent = row.dram_gb_s / result_.peaks.dram_gb_s * 100;
  }
  const double flops = facts.flops / duration_s;
  row.tflops = flops / 1e12;
  const ReportKind& kind = table_.kind_of(table_.rows[row.row]);
  const double peak =
      result_.peaks.tflops_per_core(table_.text(kind.math_fidelity)) * 1e12 * facts.peak_cores;
  if (peak > 0) row.flops_percent = flops / peak * 100;
}

void ShownOpsBuilder::measure(ShownOp& row, bool is_first) {
  const OpRow& op = table_.rows[row.row];
  const KindFacts& facts = result_.facts[op.kind];
  row.is_signpost = op.type == OpRowType::kSignpost;
  row.is_host = facts.is_host || (options_.rules->knows_host_ops_by_type && op.type == OpRowType::kHost);
  row.device_us = row.duration_ns / 1000;
  if (!is_first) row.gap_us = op.op_to_op_ns / 1000;
  if (row.is_signpost) {
    row.device_us = row.gap_us = kNoNumber;
    ++result_.signposts;
    return;
  }
  if (facts.is_matmul || facts.is_conv) measure_matmul(facts, row);
  if (row.is_host) {
    ++result_.host_ops;
  } else {
    ++result_.device_ops;
    if (!has_number(row.device_us) && options_.rules->counts_missing_time_as_zero) row.device_us = 0;
  }
}

void ShownOpsBuilder::measure_rows() {
  bool is_first = true;
  for (ShownOp& row : result_.rows) {
    measure(row, is_first);
    if (!row.is_signpost) is_first = false;
  }
}

void ShownOpsBuilder::filter_rows() {
  std::vector<ShownOp>& rows = result_.rows;
  if (options_.first_id || options_.last_id) {
    const std::uint32_t first = options_.first_id.value_or(0);
    const std::uint32_t last = options_.last_id.value_or(0xffffffff);
    if (!options_.first_id) {
      result_.notes.push_back({false, fmt::format("Filtering rows with IDs up to {}", last)});
    } else if (!options_.last_id) {
      result_.notes.push_back({false, fmt::format("Filtering rows with IDs from {} onwards", first)});
    } else {
      result_.notes.push_back({false, fmt::format("Filtering rows with IDs from {} to {}", first, last)});
    }
    const auto is_outside = [&](const ShownOp& row) {
      const std::uint32_t id = table_.rows[row.row].id;
      return id < first || id > last;
    };
    rows.erase(std::remove_if(rows.begin(), rows.end(), is_outside), rows.end());
    if (!rows.empty()) rows.front().gap_us = kNoNumber;
  }
  if (options_.no_host_ops) {
    rows.erase(std::remove_if(rows.begin(), rows.end(), [](const ShownOp& row) { return row.is_host; }),
               rows.end());
  }
}

/// Both percentages decide for a matmul with operands in DRAM; without, the FLOPs alone do. tt-perf-report
/// says nothing in that case, and "optimized" where it advises.
ShownBound ShownOpsBuilder::bound_of(const KindFacts& facts, const ShownOp& row) const {
  if (row.is_host) return ShownBound::kHost;
  if (!facts.is_matmul || row.is_signpost) return ShownBound::kNone;
  const bool has_dram = has_number(row.dram_percent) && row.dram_percent != 0;
  const bool has_flops = has_number(row.flops_percent) && row.flops_percent != 0;
  const bool is_known =
      options_.rules->bounds_by_either_percent ? has_dram || has_flops : has_dram && has_flops;
  if (!is_known) return ShownBound::kNone;
  const bool is_dram = has_dram && row.dram_percent >= kBoundPercent;
  const bool is_flop = has_flops && row.flops_percent >= kBoundPercent;
  if (is_dram && is_flop) return ShownBound::kBoth;
  if (is_dram) return ShownBound::kDram;
  return is_flop ? ShownBound::kFlop : ShownBound::kSlow;
}

void ShownOpsBuilder::derive() {
  result_.compile_gaps_apart = options_.rules->leaves_compile_gaps_apart;
  const auto or_zero = [](double number) { return has_number(number) ? number : 0; };
  for (const ShownOp& row : result_.rows) result_.device_us += or_zero(row.device_us);
  for (const ShownOp& row : result_.rows) {
    result_.gap_us += or_zero(row.gap_us);
    if (is_compile_gap(row)) result_.compile_us += row.gap_us;
  }
  const double total = result_.counted_us();
  for (ShownOp& row : result_.rows) {
    const KindFacts& facts = result_.facts_of(table_, row);
    const bool has_time = has_number(row.device_us) || has_number(row.gap_us);
    const double gap = result_.compile_gaps_apart && is_compile_gap(row) ? 0 : or_zero(row.gap_us);
    if (has_time && total != 0) row.total_percent = (or_zero(row.device_us) + gap) / total * 100;
    row.bound = bound_of(facts, row);
    if (row.bound == ShownBound::kHost) row.device_us = kNoNumber;
  }
}

void ShownOpsBuilder::find_unclassified() {
  std::unordered_set<std::uint32_t> seen;
  for (const ShownOp& row : result_.rows) {
    if (row.is_signpost || result_.facts_of(table_, row).category != OpCategory::kOther) continue;
    const std::uint32_t name = table_.kind_of(table_.rows[row.row]).op_code;
    if (seen.insert(name).second) result_.unclassified.emplace_back(table_.text(name));
  }
}

/// Which devices are those of which host: their numbers go on from one report to the next.
void ShownOpsBuilder::note_hosts() {
  constexpr std::size_t kMostHosts = 16;
  if (table_.hosts.size() < 2 || table_.hosts.front().empty()) return;
  std::vector<std::int32_t> last(table_.hosts.size(), -1);
  for (const OpRow& row : table_.rows)
    if (row.file < last.size()) last[row.file] = std::max(last[row.file], row.device);
  std::string text;
  std::int32_t first = 0;
  for (std::size_t i = 0; i < std::min(last.size(), kMostHosts); ++i) {
    if (last[i] < first) continue;
    text += fmt::format("{}{} to {}: {}", text.empty() ? "Devices " : "; ", first, last[i], table_.hosts[i]);
    first = last[i] + 1;
  }
  if (last.size() > kMostHosts) text += fmt::format("; {} more hosts", last.size() - kMostHosts);
  if (!text.empty()) result_.notes.push_back({false, text + "."});
}

Result<ShownOps> ShownOpsBuilder::build() {
  result_.notes.push_back({false, std::string(format_text(table_.format))});
  result_.peaks = find_peaks(table_, {options_.arch, options_.clock_mhz, options_.rules}, result_.notes);
  find_kind_facts();
  std::vector<std::uint32_t> rows = order_rows(table_, options_, result_.notes);
  if (const Result<void> windowed = apply_window(table_, options_, rows, result_.notes); !windowed) {
    return failure(windowed.error());
  }
  make_rows(table_, rows, options_, result_);
  mark_first_runs();
  measure_rows();
  filter_rows();
  derive();
  find_unclassified();
  if (options_.rules->notes_hosts) note_hosts();
  return std::move(result_);
}

}  // namespace

std::string_view name_of(ShownBound bound) {
  switch (bound) {
    case ShownBound::kNone:
      return "";
    case ShownBound::kBoth:
      return "BOTH";
    case ShownBound::kDram:
      return "DRAM";
    case ShownBound::kFlop:
      return "FLOP";
    case ShownBound::kSlow:
      return "SLOW";
    case ShownBound::kHost:
      return "HOST";
  }
  return "";
}

bool is_compile_gap(const ShownOp& row) {
  // Making a program takes the host longer than this even when its kernels are in the cache on disk.
  constexpr double kLeastCompileUs = 100;
  return row.is_first_run && row.gap_us > kLeastCompileUs;
}

Result<ShownOps> find_shown_ops(const OpsReport& table, const ShownOptions& options) {
  return ShownOpsBuilder(table, options).build();
}

}  // namespace ttscope::perf
