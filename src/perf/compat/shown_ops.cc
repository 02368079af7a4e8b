#include "perf/compat/shown_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "perf/analyze/kind_facts.h"
#include "perf/analyze/repeats.h"
#include "perf/analyze/roofline.h"

namespace ttscope::perf::compat {
namespace {

// The chip, its cores and its peaks.

constexpr std::string_view kDefaultArch = "wormhole";

template <typename Item>
void add_distinct(std::vector<Item>& items, const Item& item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
}

std::string noted_arch(const OpsReport& table, std::vector<OpNote>& notes) {
  if (!table.has_arch_column) {
    notes.push_back({NoteKind::kArchColumnLacks});
    return std::string(kDefaultArch);
  }
  std::string first;
  std::vector<std::string> all;
  for (const OpKind& kind : table.kinds) {
    const std::string_view arch = table.text(kind.arch);
    if (arch.empty()) continue;
    if (first.empty()) first = arch;
    add_distinct(all, std::string(arch));
  }
  if (first.empty()) {
    notes.push_back({NoteKind::kArchValuesLack});
    return std::string(kDefaultArch);
  }
  if (all.size() > 1) {
    all.insert(all.begin(), first);
    notes.push_back({NoteKind::kArchsListed, all});
  }
  return first == "wormhole_b0" ? std::string(kDefaultArch) : first;
}

void note_cores(const OpsReport& table, std::vector<OpNote>& notes) {
  if (!table.has_available_cores_column) {
    notes.push_back({NoteKind::kCoresColumnLacks});
    return;
  }
  // A column with empty cells is one of floats there.
  const bool as_floats = std::any_of(table.kinds.begin(), table.kinds.end(),
                                     [](const OpKind& kind) { return !has_number(kind.available_cores); });
  std::vector<double> all;
  for (const OpKind& kind : table.kinds) {
    if (has_number(kind.available_cores) && kind.available_cores != 0)
      add_distinct(all, kind.available_cores);
  }
  if (all.empty()) {
    notes.push_back({NoteKind::kCoreValuesLack});
  } else if (all.size() > 1) {
    std::vector<double> figures = {all.front(), as_floats ? 1.0 : 0.0};
    figures.insert(figures.end(), all.begin(), all.end());
    notes.push_back({NoteKind::kCoresListed, {}, std::move(figures)});
  }
}

/// The architecture that a report is taken for, with what is said on the way: Wormhole where none is
/// recorded, and what the user gives only where the report has no column for it.
std::string arch_of(const OpsReport& table, const std::string& given, std::vector<OpNote>& notes) {
  if (table.format != ReportFormat::kV21) return given.empty() ? std::string(kDefaultArch) : given;
  std::string arch = noted_arch(table, notes);
  if (given.empty()) {
    notes.push_back({NoteKind::kArchOfReport, {arch}});
  } else {
    notes.push_back({NoteKind::kArchIgnored, {given, arch}});
  }
  // It looks twice, and says what it finds both times.
  noted_arch(table, notes);
  note_cores(table, notes);
  return arch;
}

/// Numbers of cores and banks are fixed, the clock is the nominal one, and the peaks of Wormhole are the
/// published ones: 74, 148 and 262 TFLOPs for 72 cores at 1 GHz.
DevicePeaks find_peaks(const OpsReport& table, const ShownOptions& options, std::vector<OpNote>& notes) {
  constexpr double kBlackholeCores = 130;
  constexpr double kCoresOfNewReports = 64;
  constexpr double kDramBanks = 12;
  DevicePeaks peaks;
  peaks.clock_mhz = options.clock_mhz > 0 ? options.clock_mhz : table.clock_mhz;
  const std::string name = arch_of(table, options.arch, notes);
  const bool may_have_cores = table.format == ReportFormat::kV21;
  const double cores = may_have_cores ? recorded_cores(table) : 0;
  const ArchFacts* facts = facts_of_arch(name);
  if (facts == nullptr) {
    peaks.worker_cores = cores;
    notes.push_back({NoteKind::kUnknownArch, {name}});
    return peaks;
  }
  peaks.clock_mhz = facts->nominal_mhz;
  set_peaks_of_chip(*facts, peaks);
  peaks.dram_banks = kDramBanks;
  if (cores > 0) {
    peaks.worker_cores = cores;
  } else if (may_have_cores) {
    peaks.worker_cores = kCoresOfNewReports;
  } else if (peaks.arch == "blackhole") {
    peaks.worker_cores = kBlackholeCores;
  }
  if (peaks.arch == "wormhole") {
    const double scale = peaks.clock_mhz / 1000;
    peaks.hifi4_tflops_per_core = 74.0 / 72 * scale;
    peaks.hifi3_tflops_per_core = 74.0 / 72 * 4 / 3 * scale;
    peaks.hifi2_tflops_per_core = 148.0 / 72 * scale;
    peaks.lofi_tflops_per_core = 262.0 / 72 * scale;
  }
  notes.push_back({NoteKind::kArchAndCores, {peaks.arch}, {peaks.worker_cores}});
  return peaks;
}

// Facts of ops.

/// A type that is not known is `nan`. FP32 is judged as if it were BFP8.
void set_fidelity(const OpsReport& table, const OpKind& kind, KindFacts& facts) {
  const std::string_view fidelity = table.text(kind.math_fidelity);
  facts.fidelity_advice = {};
  if (auto types = matmul_types(table, kind)) {
    for (std::string_view& type : *types) type = type == "FLOAT32" ? "BFLOAT8_B" : type;
    facts.fidelity_advice = judge_fidelity(fidelity, *types);
  }
  if (fidelity.empty()) return;
  const auto shown = [&](const OpTensor* tensor) {
    const std::string_view type = tensor == nullptr ? std::string_view{} : table.text(tensor->datatype);
    return type.empty() ? "nan" : short_datatype(type);
  };
  facts.fidelity = fmt::format("{} {} x {} => {}", fidelity, shown(table.input(kind, 0)),
                               shown(table.input(kind, 1)), shown(table.output(kind, 0)));
}

/// Operands count as they lie, elements of block floats without their exponents, and all experts of a sparse
/// matmul.
void set_matmul(const OpsReport& table, const OpKind& kind, KindFacts& facts) {
  const OpTensor* in0 = table.input(kind, 0);
  const OpTensor* in1 = table.input(kind, 1);
  if (in0 == nullptr || in1 == nullptr || !in0->has_shape() || !in1->has_shape()) return;
  const auto dram_bytes = [&](const OpTensor* tensor) {
    const bool is_in_dram = tensor != nullptr && contains(table.text(tensor->memory), "DRAM");
    return is_in_dram ? tensor_bytes(table, *tensor, false) : 0;
  };
  facts.matmul_dram_bytes = dram_bytes(in0) + dram_bytes(in1) + dram_bytes(table.output(kind, 0));
  facts.product = {in0->padded[2], in0->padded[3], in1->padded[3]};
  const auto [m, k, n] = facts.product;
  const std::int64_t batch =
      std::max(in0->padded[0], in1->padded[0]) * std::max(in0->padded[1], in1->padded[1]);
  facts.flops = static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n) *
                static_cast<double>(batch) * 2;
  const std::string size = batch > 1 ? fmt::format("b={{{}}} x ", batch) : std::string();
  facts.label = fmt::format("{} {}{} x {} x {}", table.text(kind.op_code), size, m, k, n);
}

std::vector<KindFacts> find_facts(const OpsReport& table, const DevicePeaks& peaks,
                                  const FactOptions& options) {
  std::vector<KindFacts> all = perf::find_facts(table, peaks, options);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const OpKind& kind = table.kinds[i];
    KindFacts& facts = all[i];
    facts.category = category_of(table.text(kind.op_code));
    facts.category_basis = CategoryBasis::kName;
    facts.traffic = traffic_of(table, kind, false);
    if (facts.is_matmul || facts.is_conv) set_fidelity(table, kind, facts);
    if (facts.is_matmul) set_matmul(table, kind, facts);
    if (!facts.is_multi_device) continue;
    facts.link_bytes = kNoNumber;
    facts.link_hops = 0;
    facts.links = 1;
    set_links(table, kind, options.device_count, input_bytes_per_device(table, kind, facts.product, false),
              facts);
  }
  return all;
}

// The order of the rows.

// numpy's argsortnamespace {

// numpy's argsort without vector instructions: an introsort by the median of three that sorts stretches of up
// to 16 by insertion and goes on with the smaller part. Which equal rows change places follows from each of
// these choices, so they are repeated here one by one; a test has its results.

class ReferenceSort {
 public:
  ReferenceSort(const OpsReport& table, std::vector<std::uint32_t>& rows) : report_(table), rows_(rows) {}

  void sort(std::size_t count) {
    if (count < 2) return;
    Stretch now{0, static_cast<std::ptrdiff_t>(count) - 1, 2 * (static_cast<int>(std::bit_width(count)) - 1)};
    while (true) {
      if (now.depth < 0) {
        // Never seen with times: the order of equal rows is then not that of the reference.
        std::stable_sort(rows_.begin() + now.first, rows_.begin() + now.last + 1,
                         [&](std::uint32_t a, std::uint32_t b) { return time(a) < time(b); });
      } else {
        while (now.last - now.first > kFew) now = split(now);
        insert(now);
      }
      if (waiting_.empty()) return;
      now = waiting_.back();
      waiting_.pop_back();
    }
  }

 private:
  static constexpr std::ptrdiff_t kFew = 15;
  struct Stretch {
    std::ptrdiff_t first = 0;
    std::ptrdiff_t last = 0;
    int depth = 0;
  };

  double time(std::uint32_t row) const { return report_.rows[row].host_start_ns; }
  double at(std::ptrdiff_t place) const { return time(rows_[static_cast<std::size_t>(place)]); }
  void exchange(std::ptrdiff_t a, std::ptrdiff_t b) {
    std::swap(rows_[static_cast<std::size_t>(a)], rows_[static_cast<std::size_t>(b)]);
  }
  void put_in_order(std::ptrdiff_t a, std::ptrdiff_t b) {
    if (at(b) < at(a)) exchange(a, b);
  }

  /// Parts a stretch at its median of three; the larger part waits.
  Stretch split(const Stretch& now) {
    const std::ptrdiff_t middle = now.first + ((now.last - now.first) >> 1);
    put_in_order(now.first, middle);
    put_in_order(middle, now.last);
    put_in_order(now.first, middle);
    const double pivot = at(middle);
    std::ptrdiff_t low = now.first;
    std::ptrdiff_t high = now.last - 1;
    exchange(middle, high);
    while (true) {
      do ++low;
      while (at(low) < pivot);
      do --high;
      while (pivot < at(high));
      if (low >= high) break;
      exchange(low, high);
    }
    exchange(low, now.last - 1);
    const Stretch left{now.first, low - 1, now.depth - 1};
    const Stretch right{low + 1, now.last, now.depth - 1};
    const bool is_left_smaller = low - now.first < now.last - low;
    waiting_.push_back(is_left_smaller ? right : left);
    return is_left_smaller ? left : right;
  }

  void insert(const Stretch& now) {
    for (std::ptrdiff_t i = now.first + 1; i <= now.last; ++i) {
      const std::uint32_t row = rows_[static_cast<std::size_t>(i)];
      std::ptrdiff_t place = i;
      for (; place > now.first && time(row) < at(place - 1); --place)
        rows_[static_cast<std::size_t>(place)] = rows_[static_cast<std::size_t>(place - 1)];
      rows_[static_cast<std::size_t>(place)] = row;
    }
  }

  const OpsReport& report_;
  std::vector<std::uint32_t>& rows_;
  std::vector<Stretch> waiting_;
};

}  // namespace

void sort_by_host_time(const OpsReport& table, std::vector<std::uint32_t>& rows) {
  const auto timed = std::stable_partition(
      rows.begin(), rows.end(), [&](std::uint32_t row) { return has_number(table.rows[row].host_start_ns); });
  ReferenceSort(table, rows).sort(static_cast<std::size_t>(timed - rows.begin()));
}

OpCategory category_of(std::string_view op_name) {
  return listed_category(op_name).value_or(OpCategory::kOther);
}

namespace {

/// All rows, ops of replays too; the note says that a column is missing even if it is not.
std::vector<std::uint32_t> order_rows(const OpsReport& table, const ShownOptions& options,
                                      std::vector<OpNote>& notes) {
  std::vector<std::uint32_t> rows(table.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i);
  if (table.has_host_start && !options.tracing_mode) {
    notes.push_back({NoteKind::kHostOrder});
    sort_by_host_time(table, rows);
  } else {
    notes.push_back({NoteKind::kNoHostTimes});
  }
  return rows;
}

// The window.

/// The rows of a report in order, and where its signposts stand.
class Window {
 public:
  Window(const OpsReport& table, const ShownOptions& options, std::vector<std::uint32_t>& rows,
         std::vector<OpNote>& notes)
      : report_(table), options_(options), rows_(rows), notes_(notes), end_(rows.size()) {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (is_signpost(i)) signposts_.push_back(i);
  }

  void apply() {
    if (options_.ignore_signposts) return say(NoteKind::kSignpostsIgnored);
    if (signposts_.empty()) return say(NoteKind::kNoSignposts);
    const bool has_start = find_start();
    const bool has_end = find_end();
    if (!has_start && !has_end) find_last();
    std::vector<std::uint32_t> kept;
    for (std::size_t i = begin_; i < end_; ++i)
      if (options_.print_signposts || !is_signpost(i)) kept.push_back(rows_[i]);
    rows_ = std::move(kept);
  }

 private:
  bool is_signpost(std::size_t at) const { return report_.rows[rows_[at]].type == OpRowType::kSignpost; }
  std::string_view name(std::size_t at) const {
    return report_.text(report_.kind_of(report_.rows[rows_[at]]).op_code);
  }
  void say(NoteKind kind, std::vector<std::string> names = {}) { notes_.push_back({kind, std::move(names)}); }
  std::vector<std::size_t> named(std::string_view wanted) const {
    std::vector<std::size_t> found;
    for (const std::size_t at : signposts_)
      if (name(at) == wanted) found.push_back(at);
    return found;
  }

  bool find_start() {
    if (options_.start_signpost.empty()) return false;
    const std::vector<std::size_t> matching = named(options_.start_signpost);
    say(matching.empty() ? NoteKind::kNoStartSignpost : NoteKind::kAfterSignpost, {options_.start_signpost});
    if (matching.empty()) return false;
    begin_ = matching.front() + 1;
    return true;
  }

  bool find_end() {
    if (options_.end_signpost.empty()) return false;
    const std::vector<std::size_t> matching = named(options_.end_signpost);
    say(matching.empty() ? NoteKind::kNoEndSignpost : NoteKind::kUntilSignpost, {options_.end_signpost});
    if (matching.empty()) return false;
    const std::size_t index = options_.start_signpost == options_.end_signpost ? 1 : 0;
    if (index == 1 && matching.size() > 2) say(NoteKind::kSecondSignpost, {options_.end_signpost});
    if (index >= matching.size()) {
      say(NoteKind::kTooFewSignposts, {options_.end_signpost});
      return false;
    }
    end_ = matching[index];
    return true;
  }

  /// It says "last" but takes what follows the first row of the last signpost's name.
  void find_last() {
    std::vector<std::string> names;
    for (const std::size_t at : signposts_) names.emplace_back(name(at));
    const std::string_view last = name(signposts_.back());
    say(NoteKind::kSignpostsListed, std::move(names));
    say(NoteKind::kFromLastSignpost, {std::string(last)});
    begin_ = 0;
    while (name(begin_) != last) ++begin_;
    ++begin_;
    end_ = rows_.size();
  }

  const OpsReport& report_;
  const ShownOptions& options_;
  std::vector<std::uint32_t>& rows_;
  std::vector<OpNote>& notes_;
  std::vector<std::size_t> signposts_;  ///< positions in rows_
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// The rows of the table.

/// Ops of several devices are one op by the order of their names; of a merged op the slowest device is shown,
/// the first one if that has no duration. Every device that lacks an op is warned of, also before it is known
/// which op that is.
void merge_devices(const OpsReport& table, const std::vector<std::uint32_t>& window, ShownOps& result) {
  if (result.device_count > 0)
    result.notes.push_back({NoteKind::kDevicesMerged, {}, {static_cast<double>(result.device_count)}});
  for (const std::uint32_t row : window) {
    if (table.rows[row].type != OpRowType::kDevice) add_row(table, row, result);
  }
  DeviceRounds round(table, window);
  while (round.next()) {
    const std::string name(table.text(round.name));
    const auto number = static_cast<double>(round.number - 1);
    for (const DeviceRounds::Ended& ended : round.ended) {
      result.notes.push_back({NoteKind::kDeviceLacksOp,
                              ended.is_name_known ? std::vector{name} : std::vector<std::string>(),
                              {static_cast<double>(ended.device), number}});
    }
    if (!round.others.empty()) {
      std::vector<double> figures = {number};
      figures.insert(figures.end(), round.others.begin(), round.others.end());
      result.notes.push_back({NoteKind::kOpOfSomeDevices, {name}, std::move(figures)});
    }
    const std::uint32_t slowest =
        *std::max_element(round.rows.begin(), round.rows.end(), [&](std::uint32_t a, std::uint32_t b) {
          return table.rows[a].kernel_duration_ns < table.rows[b].kernel_duration_ns;
        });
    add_merged(table, round, slowest, result);
  }
  std::stable_sort(result.rows.begin(), result.rows.end(),
                   [](const ShownOp& a, const ShownOp& b) { return a.row < b.row; });
}

void make_rows(const OpsReport& table, const std::vector<std::uint32_t>& window, const ShownOptions& options,
               ShownOps& result) {
  result.device_count = count_devices(table, window);
  const bool has_ops = std::any_of(window.begin(), window.end(), [&](std::uint32_t row) {
    return table.rows[row].type == OpRowType::kDevice;
  });
  result.rows.reserve(window.size());
  if (options.no_merge_devices && result.device_count > 1) {
    result.notes.push_back({NoteKind::kDevicesApart, {}, {static_cast<double>(result.device_count)}});
  } else if (!has_ops) {
    result.notes.push_back({NoteKind::kNoDeviceOps});
  } else {
    return merge_devices(table, window, result);
  }
  for (const std::uint32_t row : window) add_row(table, row, result);
}

// Figures of the rows.

/// The first op of the table has no gap. An op of a device without a duration has the time 0.
void measure_rows(const OpsReport& table, const std::vector<bool>& first_runs, ShownOps& ops) {
  bool is_first = true;
  for (ShownOp& row : ops.rows) {
    const OpRow& op = table.rows[row.row];
    row.is_first_run = first_runs[row.row];
    row.waits_for_compile = ops.compile_rows[row.row];
    row.is_signpost = op.type == OpRowType::kSignpost;
    row.is_host = ops.facts[op.kind].is_host;
    if (row.is_signpost) {
      ++ops.signposts;
      continue;
    }
    row.device_us = row.duration_ns / 1000;
    if (!is_first) row.gap_us = op.op_to_op_ns / 1000;
    is_first = false;
    measure_matmul(table, ops, row);
    if (row.is_host) {
      ++ops.host_ops;
    } else {
      ++ops.device_ops;
      if (!has_number(row.device_us)) row.device_us = 0;
    }
  }
}

/// Both percentages have to be known; a matmul without a duration is SLOW where its operands are in DRAM.
ShownBound bound_of(const KindFacts& facts, const ShownOp& row) {
  if (row.is_host) return ShownBound::kHost;
  if (!facts.is_matmul || row.is_signpost) return ShownBound::kNone;
  if (!has_number(row.duration_ns) && facts.matmul_dram_bytes > 0) return ShownBound::kSlow;
  const auto is_known = [](double percent) { return has_number(percent) && percent != 0; };
  return is_known(row.dram_percent) && is_known(row.flops_percent) ? bound_by_percents(row)
                                                                   : ShownBound::kNone;
}

/// Percentages are of the sum of the rows, which counts waiting twice, with the gaps of compiling.
void derive(const OpsReport& table, ShownOps& ops) {
  const auto or_zero = [](double number) { return has_number(number) ? number : 0; };
  ops.compile_gaps_apart = false;
  for (const ShownOp& row : ops.rows) ops.device_us += or_zero(row.device_us);
  for (const ShownOp& row : ops.rows) {
    ops.gap_us += or_zero(row.gap_us);
    if (is_compile_gap(row)) ops.compile_us += row.gap_us;
  }
  ops.counted_time_us = ops.device_us + ops.gap_us;
  for (ShownOp& row : ops.rows) {
    row.bound = bound_of(ops.facts_of(table, row), row);
    if (row.bound == ShownBound::kHost) row.device_us = kNoNumber;
    const bool has_time = has_number(row.device_us) || has_number(row.gap_us);
    if (has_time && ops.counted_time_us != 0)
      row.total_percent = (or_zero(row.device_us) + or_zero(row.gap_us)) / ops.counted_time_us * 100;
  }
}

/// Op names that the list does not have.
void find_unclassified(const OpsReport& table, ShownOps& ops) {
  std::unordered_set<std::uint32_t> seen;
  for (const ShownOp& row : ops.rows) {
    if (row.is_signpost || row.is_host || ops.facts_of(table, row).category != OpCategory::kOther) continue;
    const std::uint32_t name = table.kind_of(table.rows[row.row]).op_code;
    if (seen.insert(name).second) ops.unclassified.emplace_back(table.text(name));
  }
}

}  // namespace

ShownOps find_shown_ops(const OpsReport& table, const ShownOptions& options) {
  ShownOps ops;
  ops.notes.push_back({NoteKind::kFormat, {}, {static_cast<double>(table.format)}});
  ops.notes.insert(ops.notes.end(), table.remarks.begin(), table.remarks.end());
  ops.peaks = find_peaks(table, options, ops.notes);
  ops.facts = compat::find_facts(table, ops.peaks, fact_options(table, options.active_experts));
  std::vector<std::uint32_t> rows = order_rows(table, options, ops.notes);
  Window(table, options, rows, ops.notes).apply();
  const std::vector<bool> first_runs = find_first_runs(table);
  ops.compile_rows = find_compile_gaps(table, first_runs, rows);
  make_rows(table, rows, options, ops);
  time_rows(table, ops);
  measure_rows(table, first_runs, ops);
  keep_ids(table, options, ops);
  if (options.no_host_ops) std::erase_if(ops.rows, [](const ShownOp& row) { return row.is_host; });
  derive(table, ops);
  find_unclassified(table, ops);
  count_missing_durations(table, ops);
  return ops;
}

OpAnalysis analyze_ops(const OpsReport& table, const ShownOptions& options) {
  return interpret_ops(table, compat::find_shown_ops(table, options));
}

/// What ran on no device is left out where devices are apart, and mean FLOPs are over all devices.
std::vector<StackEntry> stack_ops(const OpsReport& table, const ShownOps& ops, const StackOptions& options) {
  std::vector<StackSum> sums = sum_stack(table, ops, options);
  if (options.per_device) std::erase_if(sums, [](const StackSum& sum) { return sum.entry.device < 0; });
  std::map<std::int32_t, PreciseSum> totals;
  std::map<std::string, std::pair<PreciseSum, PreciseSum>> weighted_by_name;
  for (StackSum& sum : sums) {
    if (!is_by_signpost(options.by)) sum.entry.category = ops.facts[sum.first_kind].category;
    totals[sum.entry.device].add(sum.entry.device_us);
    auto& [weighted, weights] = weighted_by_name[sum.entry.name];
    weighted.add(sum.weighted.total);
    weights.add(sum.weights.total);
  }
  std::vector<StackEntry> entries;
  for (const StackSum& sum : sums) {
    StackEntry& entry = entries.emplace_back(sum.entry);
    const double total = totals[entry.device].total;
    entry.percent = total > 0 ? entry.device_us / total * 100 : 0;
    const auto& [weighted, weights] = weighted_by_name[entry.name];
    entry.flops_weighted_mean = weights.total > 0 ? weighted.total / weights.total : kNoNumber;
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const StackEntry& a, const StackEntry& b) { return a.device_us > b.device_us; });
  return entries;
}

}  // namespace ttscope::perf::compat
