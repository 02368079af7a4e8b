#include "perf/analyse/ops/shown_ops.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "perf/analyse/ops/compile_gaps.h"
#include "perf/analyse/ops/op_merge.h"
#include "perf/analyse/ops/op_window.h"
#include "perf/analyse/ops/shown_times.h"

namespace ttscope::perf {
namespace {

class ShownOpsBuilder {
 public:
  ShownOpsBuilder(const OpsReport& table, const ShownOptions& options) : table_(table), options_(options) {}

  Result<ShownOps> build();

 private:
  void find_kind_facts();
  void leave_out_warm_up_passes(std::vector<std::uint32_t>& window);
  void time_shown_rows(const std::vector<std::uint32_t>& window);
  void measure_rows();
  void find_late_alone();
  void measure(ShownOp& row, bool is_first);
  void measure_matmul(const KindFacts& facts, ShownOp& row) const;
  double of_peak(double figure, double peak) const;
  void filter_rows();
  void derive();
  ShownBound bound_of(const KindFacts& facts, const ShownOp& row) const;
  void find_unclassified();
  void count_missing_durations();
  void note_hosts();

  const OpsReport& table_;
  const ShownOptions& options_;
  std::vector<bool> first_runs_;
  ShownOps result_;
};

void ShownOpsBuilder::find_kind_facts() {
  FactOptions facts;
  facts.rules = options_.rules;
  facts.active_experts = options_.active_experts;
  std::int32_t devices = 1;
  std::vector<bool> computes(table_.kinds.size());
  bool has_riscs = false;
  for (const OpRow& row : table_.rows) {
    devices = std::max(devices, row.device + 1);
    has_riscs = has_riscs || row.risc_us[0] > 0 || row.risc_us[1] > 0 || row.risc_us[3] > 0;
    if (row.risc_us[2] > 0 || row.risc_us[3] > 0 || row.risc_us[4] > 0) computes[row.kind] = true;
  }
  if (has_riscs) facts.computing_kinds = std::move(computes);
  facts.device_count = static_cast<std::uint32_t>(devices);
  result_.facts = find_facts(table_, result_.peaks, facts);
}

/// What is above its peak was not measured on all cores, or the model of the op does not fit: no percentage.
double ShownOpsBuilder::of_peak(double figure, double peak) const {
  const double percent = figure / peak * 100;
  return percent > 100 && options_.rules->hides_percents_above_peak ? kNoNumber : percent;
}

void ShownOpsBuilder::measure_matmul(const KindFacts& facts, ShownOp& row) const {
  const double duration_s = row.duration_ns * 1e-9;
  if (!(duration_s > 0)) return;
  if (facts.matmul_dram_bytes > 0) {
    row.dram_gb_s = facts.matmul_dram_bytes / duration_s / 1e9;
    if (result_.peaks.dram_gb_s > 0) row.dram_percent = of_peak(row.dram_gb_s, result_.peaks.dram_gb_s);
  }
  const double flops = facts.flops / duration_s;
  row.tflops = flops / 1e12;
  const ReportKind& kind = table_.kind_of(table_.rows[row.row]);
  const double peak =
      result_.peaks.tflops_per_core(table_.text(kind.math_fidelity)) * 1e12 * facts.peak_cores;
  if (peak > 0) row.flops_percent = of_peak(flops, peak);
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
    // No device waits for its turn: what it waits meanwhile is in the gap of the next op.
    if (options_.rules->follows_device_for_gaps) row.gap_us = kNoNumber;
  } else {
    ++result_.device_ops;
    if (!has_number(row.device_us) && options_.rules->counts_missing_time_as_zero) row.device_us = 0;
  }
}

void ShownOpsBuilder::measure_rows() {
  const std::vector<bool> is_first_of_device =
      options_.rules->follows_device_for_gaps ? first_on_device(table_, result_) : std::vector<bool>();
  bool is_first = true;
  for (ShownOp& row : result_.rows) {
    row.is_first_run = first_runs_[row.row];
    row.waits_for_compile = result_.compile_rows[row.row];
    measure(row, is_first || (!is_first_of_device.empty() && is_first_of_device[row.row]));
    if (!row.is_signpost) is_first = false;
  }
}

/// While the host makes a program of several devices all of them wait; one that waits alone is late for
/// another reason.
void ShownOpsBuilder::find_late_alone() {
  if (!result_.groups_are_programs) return;
  for (const OpGroup& group : result_.groups) {
    if (group.count < 2) continue;
    const auto first = result_.members.begin() + group.first;
    const auto waits = [&](std::uint32_t row) {
      return table_.rows[row].op_to_op_ns > kLeastCompileUs * 1000;
    };
    if (std::count_if(first, first + group.count, waits) != 1) continue;
    std::for_each(first, first + group.count, [&](std::uint32_t row) { result_.compile_rows[row] = false; });
  }
}

/// A window that signposts or ids set is what the user wants to see.
void ShownOpsBuilder::leave_out_warm_up_passes(std::vector<std::uint32_t>& window) {
  if (!options_.rules->leaves_warm_up_out || options_.keep_warm_up || options_.first_id || options_.last_id)
    return;
  const bool has_signposts = std::any_of(table_.rows.begin(), table_.rows.end(),
                                         [](const OpRow& row) { return row.type == OpRowType::kSignpost; });
  if (has_signposts && !options_.ignore_signposts) return;
  result_.warm_up = leave_out_warm_up(table_, first_runs_, window);
  const WarmUp& found = result_.warm_up;
  if (found.is_set_up) {
    result_.notes.push_back({NoteKind::kSetUpLeftOut,
                             {},
                             {static_cast<double>(found.ops), found.is_by_cache_misses ? 1.0 : 0.0}});
  }
  if (found.passes == 0) return;
  result_.notes.push_back({NoteKind::kWarmUpLeftOut,
                           {},
                           {static_cast<double>(found.passes), static_cast<double>(found.ops),
                            static_cast<double>(found.kept_passes), found.is_by_cache_misses ? 1.0 : 0.0}});
}

void ShownOpsBuilder::time_shown_rows(const std::vector<std::uint32_t>& window) {
  time_rows(table_, result_);
  if (options_.rules->orders_by_device_time) show_deciding_devices(table_, window, result_);
}

void ShownOpsBuilder::filter_rows() {
  std::vector<ShownOp>& rows = result_.rows;
  if (options_.first_id || options_.last_id) {
    const std::uint32_t first = options_.first_id.value_or(0);
    const std::uint32_t last = options_.last_id.value_or(0xffffffff);
    if (!options_.first_id) {
      result_.notes.push_back({NoteKind::kIdsUpTo, {}, {static_cast<double>(last)}});
    } else if (!options_.last_id) {
      result_.notes.push_back({NoteKind::kIdsFrom, {}, {static_cast<double>(first)}});
    } else {
      result_.notes.push_back(
          {NoteKind::kIdsBetween, {}, {static_cast<double>(first), static_cast<double>(last)}});
    }
    const auto is_outside = [&](const ShownOp& row) {
      const std::uint32_t id = table_.rows[row.row].id;
      return id < first || id > last;
    };
    rows.erase(std::remove_if(rows.begin(), rows.end(), is_outside), rows.end());
    if (!rows.empty()) rows.front().gap_us = kNoNumber;
    time_rows(table_, result_);
    if (options_.rules->follows_device_for_gaps) {
      const std::vector<bool> is_first = first_on_device(table_, result_);
      for (ShownOp& row : rows) row.gap_us = is_first[row.row] ? kNoNumber : row.gap_us;
    }
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
  const bool is_slow_without_time = !options_.rules->leaves_unmeasured_bounds_empty &&
                                    !has_number(row.duration_ns) && facts.matmul_dram_bytes > 0;
  if (is_slow_without_time) return ShownBound::kSlow;
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
  const double total = result_.counted_time_us =
      result_.device_us + result_.gap_us - (result_.compile_gaps_apart ? result_.compile_us : 0);
  const bool is_shared = options_.rules->shares_wall_time && share_wall(table_, result_);
  for (ShownOp& row : result_.rows) {
    const KindFacts& facts = result_.facts_of(table_, row);
    row.bound = bound_of(facts, row);
    if (row.bound == ShownBound::kHost) row.device_us = kNoNumber;
    if (is_shared) continue;
    const bool has_time = has_number(row.device_us) || has_number(row.gap_us);
    const double gap = result_.compile_gaps_apart && is_compile_gap(row) ? 0 : or_zero(row.gap_us);
    if (has_time && total != 0) row.total_percent = (or_zero(row.device_us) + gap) / total * 100;
  }
}

void ShownOpsBuilder::find_unclassified() {
  constexpr std::size_t kMostNamed = 8;
  std::unordered_set<std::uint32_t> seen;
  OpNote note{NoteKind::kUnknownOps};
  for (const ShownOp& row : result_.rows) {
    const KindFacts& facts = result_.facts_of(table_, row);
    const bool is_known =
        facts.category != OpCategory::kOther && facts.category_basis == CategoryBasis::kName;
    if (row.is_signpost || row.is_host || is_known) continue;
    const std::uint32_t name = table_.kind_of(table_.rows[row.row]).op_code;
    if (!seen.insert(name).second) continue;
    result_.unclassified.emplace_back(table_.text(name));
    // A whole replay is what it says; reports of the device alone have no names at all.
    if (name == 0 || table_.text(name) == kTraceReplayOp || note.names.size() == kMostNamed) continue;
    note.names.push_back(result_.unclassified.back());
    note.figures.push_back(static_cast<double>(facts.category));
    note.figures.push_back(static_cast<double>(facts.category_basis));
  }
  if (note.names.empty() || !options_.rules->knows_all_categories) return;
  note.figures.push_back(static_cast<double>(result_.unclassified.size() - note.names.size()));
  result_.notes.push_back(std::move(note));
}

void ShownOpsBuilder::count_missing_durations() {
  for (const ShownOp& row : result_.rows) {
    for_each_member(table_, result_, row, [&](std::uint32_t member) {
      result_.without_duration += has_number(table_.rows[member].kernel_duration_ns) ? 0 : 1;
    });
  }
}

/// Which devices are those of which host: their numbers go on from one report to the next.
void ShownOpsBuilder::note_hosts() {
  constexpr std::size_t kMostHosts = 16;
  if (table_.hosts.size() < 2 || table_.hosts.front().empty()) return;
  std::vector<std::int32_t> last(table_.hosts.size(), -1);
  for (const OpRow& row : table_.rows)
    if (row.file < last.size()) last[row.file] = std::max(last[row.file], row.device);
  OpNote note{NoteKind::kHosts};
  std::int32_t first = 0;
  for (std::size_t i = 0; i < std::min(last.size(), kMostHosts); ++i) {
    if (last[i] < first) continue;
    note.names.push_back(table_.hosts[i]);
    note.figures.insert(note.figures.end(), {static_cast<double>(first), static_cast<double>(last[i])});
    first = last[i] + 1;
  }
  if (note.names.empty()) return;
  note.figures.push_back(static_cast<double>(last.size() - std::min(last.size(), kMostHosts)));
  result_.notes.push_back(std::move(note));
}

Result<ShownOps> ShownOpsBuilder::build() {
  result_.notes.push_back({NoteKind::kFormat, {}, {static_cast<double>(table_.format)}});
  result_.notes.insert(result_.notes.end(), table_.remarks.begin(), table_.remarks.end());
  result_.peaks = find_peaks(table_, {options_.arch, options_.clock_mhz, options_.rules}, result_.notes);
  find_kind_facts();
  std::vector<std::uint32_t> rows = order_rows(table_, options_, result_.notes);
  if (options_.rules->counts_repeated_rows_once) {
    const auto is_repeated = [&](std::uint32_t row) { return table_.rows[row].is_repeated; };
    rows.erase(std::remove_if(rows.begin(), rows.end(), is_repeated), rows.end());
  }
  if (const Result<void> windowed = apply_window(table_, options_, rows, result_.notes); !windowed) {
    return failure(windowed.error());
  }
  first_runs_ = find_first_runs(table_);
  if (options_.rules->orders_by_device_time) order_by_device_time(table_, rows);
  leave_out_warm_up_passes(rows);
  result_.compile_rows = find_compile_gaps(table_, first_runs_, rows);
  make_rows(table_, rows, options_, result_);
  find_late_alone();
  time_shown_rows(rows);
  measure_rows();
  filter_rows();
  derive();
  find_unclassified();
  count_missing_durations();
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

std::string_view key_of(TimeBase base) {
  constexpr std::array<std::string_view, 3> kKeys = {"device_time_and_gaps", "wall", "walls_of_devices"};
  return kKeys[static_cast<std::size_t>(base)];
}

bool is_compile_gap(const ShownOp& row) { return row.waits_for_compile && row.gap_us > kLeastCompileUs; }

Result<ShownOps> find_shown_ops(const OpsReport& table, const ShownOptions& options) {
  return ShownOpsBuilder(table, options).build();
}

}  // namespace ttscope::perf
