#include "perf/analyze/reference_ops.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/text.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kUsualArch = "wormhole";

template <typename Item>
void add_distinct(std::vector<Item>& items, const Item& item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
}

std::string noted_arch(const OpsReport& table, std::vector<OpNote>& notes) {
  if (!table.has_arch_column) {
    notes.push_back({NoteKind::kArchColumnLacks});
    return std::string(kUsualArch);
  }
  std::string first;
  std::vector<std::string> all;
  for (const ReportKind& kind : table.kinds) {
    const std::string_view arch = table.text(kind.arch);
    if (arch.empty()) continue;
    if (first.empty()) first = arch;
    add_distinct(all, std::string(arch));
  }
  if (first.empty()) {
    notes.push_back({NoteKind::kArchValuesLack});
    return std::string(kUsualArch);
  }
  if (all.size() > 1) {
    all.insert(all.begin(), first);
    notes.push_back({NoteKind::kArchsListed, all});
  }
  return first == "wormhole_b0" ? std::string(kUsualArch) : first;
}

void note_cores(const OpsReport& table, std::vector<OpNote>& notes) {
  if (!table.has_available_cores_column) {
    notes.push_back({NoteKind::kCoresColumnLacks});
    return;
  }
  // A column with empty cells is one of floats there.
  const bool as_floats = std::any_of(table.kinds.begin(), table.kinds.end(), [](const ReportKind& kind) {
    return !has_number(kind.available_cores);
  });
  std::vector<double> all;
  for (const ReportKind& kind : table.kinds) {
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

}  // namespace

std::string reference_arch(const OpsReport& table, const PeakOptions& options, std::vector<OpNote>& notes) {
  if (table.format != ReportFormat::kV21)
    return options.arch.empty() ? std::string(kUsualArch) : options.arch;
  std::string arch = noted_arch(table, notes);
  if (options.arch.empty()) {
    notes.push_back({NoteKind::kArchOfReport, {arch}});
  } else {
    notes.push_back({NoteKind::kArchIgnored, {options.arch, arch}});
  }
  // It looks twice, and says what it finds both times.
  noted_arch(table, notes);
  note_cores(table, notes);
  return arch;
}

namespace {

// numpy's argsort without vector instructions: an introsort by the median of three that sorts stretches of up
// to 16 by insertion and goes on with the smaller part. Which equal rows change places follows from each of
// these choices, so they are repeated here one by one; a test has its results.

class ReferenceSort {
 public:
  ReferenceSort(const OpsReport& table, std::vector<std::uint32_t>& rows) : table_(table), rows_(rows) {}

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

  double time(std::uint32_t row) const { return table_.rows[row].host_start_ns; }
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

  const OpsReport& table_;
  std::vector<std::uint32_t>& rows_;
  std::vector<Stretch> waiting_;
};

}  // namespace

void sort_like_reference(const OpsReport& table, std::vector<std::uint32_t>& rows) {
  const auto timed = std::stable_partition(
      rows.begin(), rows.end(), [&](std::uint32_t row) { return has_number(table.rows[row].host_start_ns); });
  ReferenceSort(table, rows).sort(static_cast<std::size_t>(timed - rows.begin()));
}

namespace {

constexpr double kManyCores = 64;
constexpr double kFewFlopsPercent = 40;

void advise_on_config(const KindFacts& facts, const Rules& rules, std::vector<MatmulRemark>& advice) {
  const bool has_block = facts.in0_block_w >= 0;
  const bool has_subblock = facts.out_subblock_h >= 0 && facts.out_subblock_w >= 0;
  const bool has_config = rules.advises_what_attributes_allow && facts.has_program_config;
  if (!has_block && facts.out_subblock_h < 0 && facts.out_subblock_w < 0) {
    if (!has_config) advice.push_back(MatmulRemark::kNoProgramConfig);
    return;
  }
  const bool is_small_block = has_block && facts.in0_block_w < 2;
  const bool is_small_subblock =
      has_subblock &&
      static_cast<double>(facts.out_subblock_h) * static_cast<double>(facts.out_subblock_w) < 2;
  if (is_small_block) advice.push_back(MatmulRemark::kSmallInnerBlock);
  if (!has_block && !has_config) advice.push_back(MatmulRemark::kNoInnerBlock);
  if (is_small_subblock) advice.push_back(MatmulRemark::kSmallSubblock);
  if (!has_subblock && !has_config) advice.push_back(MatmulRemark::kNoSubblock);
  if (has_block && has_subblock && !is_small_block && !is_small_subblock)
    advice.push_back(MatmulRemark::kBlocksLookGood);
  const bool is_about_speed =
      !rules.advises_what_attributes_allow || facts.fidelity_advice.verdict == FidelityVerdict::kTooHigh;
  if (facts.fidelity_advice.remark != FidelityRemark::kNothing && is_about_speed)
    advice.push_back(MatmulRemark::kFidelity);
}

}  // namespace

std::vector<MatmulRemark> matmul_advice(const OpsReport& table, const ShownOps& ops, const ShownOp& row,
                                        const Rules& rules) {
  std::vector<MatmulRemark> advice;
  const KindFacts& facts = ops.facts_of(table, row);
  if (!facts.is_matmul || row.is_signpost) return advice;
  const FidelityVerdict fidelity = facts.fidelity_advice.verdict;
  const bool is_too_high = fidelity == FidelityVerdict::kTooHigh;
  if (row.bound == ShownBound::kDram || row.bound == ShownBound::kBoth) {
    if (!facts.is_dram_sharded) advice.push_back(MatmulRemark::kTryDramSharded);
    const bool is_too_low = fidelity == FidelityVerdict::kTooLow && !rules.advises_what_attributes_allow;
    if ((is_too_low && row.flops_percent < kFewFlopsPercent) || is_too_high)
      advice.push_back(MatmulRemark::kFidelity);
  } else if (row.bound == ShownBound::kFlop) {
    const double all = !rules.compares_with_cores_of_chip || ops.peaks.worker_cores == 0
                           ? kManyCores
                           : ops.peaks.worker_cores;
    if (facts.cores < all) advice.push_back(MatmulRemark::kIncreaseGrid);
    if (is_too_high) advice.push_back(MatmulRemark::kFidelity);
  } else if (row.bound == ShownBound::kSlow) {
    const OpTensor* in0 = table.input(table.kind_of(table.rows[row.row]), 0);
    const std::string_view memory = in0 == nullptr ? std::string_view{} : table.text(in0->memory);
    if (!memory.empty() && !contains(memory, "L1")) advice.push_back(MatmulRemark::kPlaceInputInL1);
    advise_on_config(facts, rules, advice);
  }
  return advice;
}

}  // namespace ttscope::perf
