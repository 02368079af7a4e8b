#include "diff/compare_runs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "diff/align.h"
#include "diff/report.h"

namespace ttscope::diff {
namespace {

/// Which items of both runs became which of DiffReport::ops.
struct PairedOps {
  const ItemAlignment& alignment;
  const std::vector<std::uint32_t>& op_of_before;
  const std::vector<std::uint32_t>& op_of_after;
};

template <std::size_t kCount>
bool is_one_of(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a property was chosen that might have stayed; the others follow from what the model is and does,
/// and of a tensor of another shape so does how it is spread.
bool has_choice(const std::vector<Cause>& causes) {
  constexpr std::array<std::string_view, 4> kChoices = {"fidelity", "dtype", "layout", "buffer_type"};
  constexpr std::array<std::string_view, 3> kOfShape = {"cores", "sharding", "program_config"};
  const bool is_other_shape =
      std::any_of(causes.begin(), causes.end(), [](const Cause& cause) { return cause.name == "shape"; });
  return std::any_of(causes.begin(), causes.end(), [&](const Cause& cause) {
    return is_one_of(kChoices, cause.name) || (!is_other_shape && is_one_of(kOfShape, cause.name));
  });
}

class ChangeList {
 public:
  ChangeList(const PairedOps& pairs, DiffReport& report) : pairs_(pairs), report_(report) {}

  void add() {
    for (const Replacement& replacement : pairs_.alignment.replacements) add_replacement(replacement);
    add_moved();
    add_causes();
    add_plain_changes();
    std::stable_sort(
        report_.changes.begin(), report_.changes.end(),
        [](const DiffChange& a, const DiffChange& b) { return std::abs(a.change) > std::abs(b.change); });
    mark_unannounced();
  }

 private:
  void add_replacement(const Replacement& replacement) {
    DiffChange change;
    for (const std::uint32_t item : replacement.removed) change.ops.push_back(pairs_.op_of_before[item]);
    for (const std::uint32_t item : replacement.added) change.ops.push_back(pairs_.op_of_after[item]);
    change.what = replacement.added.empty()     ? DiffChange::What::kRemoved
                  : replacement.removed.empty() ? DiffChange::What::kAdded
                                                : DiffChange::What::kReplaced;
    finish(std::move(change));
  }

  void finish(DiffChange change) {
    for (const std::uint32_t op : change.ops) change.change += report_.ops[op].change();
    report_.changes.push_back(std::move(change));
  }

  /// Ops that only changed their place: one entry for those that moved together.
  void add_moved() {
    std::uint32_t last = kNone;
    for (std::uint32_t i = 0; i < report_.ops.size(); ++i) {
      const DiffOp& op = report_.ops[i];
      if (op.kind != OpChange::kMoved || !op.causes.empty() || op.is_beyond_noise) continue;
      if (last == kNone || last + 1 != i) moved_.emplace_back().what = DiffChange::What::kMoved;
      moved_.back().ops.push_back(i);
      last = i;
    }
    for (DiffChange& change : moved_) finish(std::move(change));
  }

  /// One entry for each set of properties that changed in the same way, over all ops that have it.
  void add_causes() {
    std::map<std::string, DiffChange> groups;
    for (std::uint32_t i = 0; i < report_.ops.size(); ++i) {
      const DiffOp& op = report_.ops[i];
      if (!op.is_pair() || op.causes.empty()) continue;
      DiffChange group;
      group.what = DiffChange::What::kCause;
      for (const Cause& cause : op.causes) {
        const std::string_view separator = group.cause.empty() ? "" : ", ";
        group.cause += std::string(separator) + cause.name;
        group.before_value += std::string(separator) + cause.before;
        group.after_value += std::string(separator) + cause.after;
      }
      const std::string key =
          op.op + '\x1f' + group.cause + '\x1f' + group.before_value + '\x1f' + group.after_value;
      groups.try_emplace(key, std::move(group)).first->second.ops.push_back(i);
    }
    for (auto& [key, group] : groups) finish(std::move(group));
  }

  /// Ops that take another time although nothing that is known of them changed: one entry for each name.
  void add_plain_changes() {
    std::map<std::string, DiffChange> groups;
    for (std::uint32_t i = 0; i < report_.ops.size(); ++i) {
      const DiffOp& op = report_.ops[i];
      if (!op.is_pair() || !op.causes.empty() || !op.is_beyond_noise) continue;
      DiffChange& group = groups[op.label];
      group.what = DiffChange::What::kSlower;
      group.ops.push_back(i);
    }
    for (auto& [key, group] : groups) finish(std::move(group));
  }

  /// Choices that changed beside the largest change and are not part of it: nobody may have asked for them.
  void mark_unannounced() {
    for (std::size_t i = 1; i < report_.changes.size(); ++i) {
      DiffChange& change = report_.changes[i];
      if (change.what != DiffChange::What::kCause || change.cause == report_.changes.front().cause) continue;
      change.is_intended_unknown = has_choice(report_.ops[change.ops.front()].causes);
    }
  }

  const PairedOps& pairs_;
  DiffReport& report_;
  std::vector<DiffChange> moved_;
};

/// Fills DiffReport::changes from its ops, which must be judged: neighbors that became others, ops that
/// moved, properties that changed, and costs that changed alone. Every op that is not `same` is in one of
/// them.
void add_changes(const PairedOps& pairs, DiffReport& report) { ChangeList(pairs, report).add(); }

/// Costs of one row in two runs that should be the same.
struct EqualRow {
  double before = 0;
  double after = 0;
};

/// How far rows that did not change differ all the same. Robust: a few that did change do not matter.
class NoiseModel {
 public:
  /// `comparisons`: how many pairs of runs the rows are of; `is_of_repeats`: of runs of one side.
  NoiseModel(const std::vector<EqualRow>& rows, std::size_t comparisons, bool is_of_repeats);

  /// Of figures without noise, which are rounded to this.
  explicit NoiseModel(double exact_within) : exact_within_(exact_within) { figures_.is_rounding = true; }

  /// Beyond this a change of a row of this cost is more than noise.
  double limit_of(double cost) const;
  /// The same for the sum of many rows.
  double band_of(double total) const;
  const Noise& figures() const { return figures_; }

 private:
  Noise figures_;
  double exact_within_ = 0;
  double sum_variance_ = 0;  ///< of all rows of one run together, in costs
};

/// How gaps vary around what they have in common: a host that is busy with other things makes a few long gaps
/// longer and others shorter. Robust, as that of rows.
class GapNoise {
 public:
  explicit GapNoise(const std::vector<EqualRow>& gaps);

  /// Beyond this the sum of gaps changed by more than each of them varies.
  double band() const { return band_; }
  /// Whether a gap is another one: gaps that all grew alike are.
  bool is_beyond(const EqualRow& gap) const;

 private:
  double relative_ = 0;
  double band_ = 0;
};

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  // The lower one of two: rows that changed are rather too many than too few.
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median distance from 0 as a standard deviation.
constexpr double kDeviationsOfMedian = 1.4826;
/// A row is beyond noise from this many deviations on: one of a million by chance.
constexpr double kRowDeviations = 5;
constexpr double kSumDeviations = 4;
/// Seen in pairs of published runs: rows of up to 2 us differ by 12 %, the median row by 1 %, sums by 0.3 %.
constexpr double kSmallChange = 0.5;  // us: within it a short row or gap lies wherever the clock stopped
constexpr double kSmallRelative = 0.25;
constexpr double kTypicalRelative = 0.03;
/// Rows of two runs alone cannot tell more noise than this from a change; repeats can.
constexpr double kMaxAssumedNoise = 0.03;
constexpr double kSumRelative = 0.005;

NoiseModel::NoiseModel(const std::vector<EqualRow>& rows, std::size_t comparisons, bool is_of_repeats) {
  std::vector<double> distances;
  for (const EqualRow& row : rows) {
    if (row.before > 0) distances.push_back(std::abs(row.after / row.before - 1));
  }
  figures_.equal_rows = rows.size();
  figures_.is_of_repeats = is_of_repeats;
  figures_.relative = kDeviationsOfMedian * median_of(distances);
  // Where most rows changed, their distance is no noise.
  if (!is_of_repeats) figures_.relative = std::min(figures_.relative, kMaxAssumedNoise);
  for (const EqualRow& row : rows) {
    const double deviation = figures_.relative * row.before;
    sum_variance_ += deviation * deviation / static_cast<double>(std::max<std::size_t>(comparisons, 1));
  }
}

double NoiseModel::limit_of(double cost) const {
  if (figures_.is_rounding) return exact_within_;
  const double least = std::min(kSmallChange, kSmallRelative * cost);
  return std::max(least, cost * std::max(kTypicalRelative, kRowDeviations * figures_.relative));
}

GapNoise::GapNoise(const std::vector<EqualRow>& gaps) {
  constexpr std::size_t kMinGaps = 3;
  constexpr double kOfFew = 20;  // few gaps tell little of how they vary
  std::vector<double> ratios;
  double squares = 0;
  for (const EqualRow& gap : gaps) {
    if (gap.before <= 0 || gap.after <= 0) continue;
    ratios.push_back(gap.after / gap.before);
    squares += gap.before * gap.before;
  }
  if (ratios.size() < kMinGaps) return;
  const double usual = median_of(ratios);
  for (double& ratio : ratios) ratio = std::abs(ratio - usual);
  const double deviations = kSumDeviations + kOfFew / static_cast<double>(ratios.size());
  relative_ = kDeviationsOfMedian * median_of(std::move(ratios));
  band_ = deviations * relative_ * std::sqrt(squares);
}

bool GapNoise::is_beyond(const EqualRow& gap) const {
  // By the shorter one: a gap may have grown to many times what it was.
  const double shorter = std::min(gap.before, gap.after);
  return std::abs(gap.after - gap.before) > std::max(kSmallChange, kRowDeviations * relative_ * shorter);
}

double NoiseModel::band_of(double total) const {
  if (figures_.is_rounding) return exact_within_;
  return std::max(kSumRelative * total, kSumDeviations * std::sqrt(sum_variance_));
}

/// A change of one row must be this share of the whole cost to make two runs differ.
constexpr double kMinNamedShare = 0.005;
/// Below this share of the cost, and of the items, in pairs two runs are hardly of the same thing.
constexpr double kMinShared = 0.25;

/// Properties that both sides know and that differ.
std::vector<Cause> causes_of(const ItemKind& before, const ItemKind& after, bool with_operands) {
  std::vector<Cause> causes;
  for (const Fact& old : before.facts) {
    const auto found = std::find_if(after.facts.begin(), after.facts.end(),
                                    [&](const Fact& fact) { return fact.name == old.name; });
    if (found == after.facts.end() || found->value == old.value) continue;
    if (old.value.empty() || found->value.empty()) continue;
    if (old.of_operands && !with_operands) continue;
    causes.push_back({old.name, old.value, found->value});
  }
  return causes;
}

/// Whether a repeat has the same ops in the same order: its rows stand for those of the run one by one.
bool is_repeat_of(const ComparedRun& repeat, const ComparedRun& run) {
  if (repeat.items.size() != run.items.size()) return false;
  for (std::size_t i = 0; i < run.items.size(); ++i) {
    const ItemKind& own = run.kind_of(run.items[i]);
    const ItemKind& other = repeat.kind_of(repeat.items[i]);
    if (own.op != other.op || own.shape != other.shape) return false;
  }
  return true;
}

/// A side without repeats that are none, so that rows of one number are rows of one op.
Side with_true_repeats(const Side& side, std::vector<Caution>& cautions) {
  Side kept = {side.run, {}};
  for (const ComparedRun& repeat : side.repeats) {
    if (is_repeat_of(repeat, side.run)) {
      kept.repeats.push_back(repeat);
    } else {
      cautions.push_back({Caution::What::kRepeats, repeat.name, {}, {}});
    }
  }
  return kept;
}

/// The mean of a figure of an item over a run and its repeats.
double mean_of(const Side& side, std::size_t item, double Item::*figure) {
  double sum = side.run.items[item].*figure;
  for (const ComparedRun& repeat : side.repeats) sum += repeat.items[item].*figure;
  return sum / static_cast<double>(side.repeats.size() + 1);
}

double mean_cost(const Side& side, std::size_t item) { return mean_of(side, item, &Item::cost); }

double mean_gap(const Side& side, std::size_t item) { return mean_of(side, item, &Item::gap); }

/// The mean of a total over a run and those of its repeats that know it.
double mean_total(const Side& side, const RunTotal& own) {
  double sum = own.value;
  std::size_t count = 1;
  for (const ComparedRun& repeat : side.repeats) {
    for (const RunTotal& total : repeat.totals) {
      if (total.name != own.name || !total.is_known) continue;
      sum += total.value;
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

class RunComparison {
 public:
  RunComparison(const Side& before, const Side& after)
      : before_(with_true_repeats(before, report_.cautions)),
        after_(with_true_repeats(after, report_.cautions)),
        alignment_(align_runs(before.run, after.run)) {}

  DiffReport compare() {
    report_.before_name = before_.run.name;
    report_.after_name = after_.run.name;
    report_.before_what = before_.run.what;
    report_.after_what = after_.run.what;
    report_.before_device = before_.run.device;
    report_.after_device = after_.run.device;
    report_.row_name = after_.run.row_name;
    report_.cost_name = after_.run.cost_name;
    report_.unit = after_.run.unit;
    for (const Side* side : {&before_, &after_}) {
      report_.warnings.insert(report_.warnings.end(), side->run.warnings.begin(), side->run.warnings.end());
    }
    add_cautions();
    add_ops();
    warn_if_little_in_common();
    judge_ops();
    judge_gaps();
    add_totals();
    add_sums();
    add_changes({alignment_, op_of_before_, op_of_after_}, report_);
    report_.is_wall_beyond_noise = is_wall_beyond_noise();
    report_.is_different = is_different();
    return std::move(report_);
  }

 private:
  // ---- before any figure -----------------------------------------------------------------------------

  void add_cautions() {
    const std::vector<Caution> unlike = unlike_settings(before_.run, after_.run);
    report_.cautions.insert(report_.cautions.end(), unlike.begin(), unlike.end());
    for (const Side* side : {&before_, &after_}) {
      if (!side->run.failure.empty())
        report_.cautions.push_back({Caution::What::kPartial, side->run.name, side->run.failure, {}});
      for (const ComparedRun& repeat : side->repeats) {
        if (!repeat.failure.empty())
          report_.cautions.push_back({Caution::What::kPartial, repeat.name, repeat.failure, {}});
      }
      if (side->run.items.empty()) {
        report_.cautions.push_back({Caution::What::kEmpty, side->run.name, side->run.what, {}});
      }
    }
  }

  // ---- ops -------------------------------------------------------------------------------------------

  DiffOp half(const Side& side, std::uint32_t item, bool is_before) const {
    const ItemKind& kind = side.run.kind_of(side.run.items[item]);
    DiffOp op;
    op.op = kind.op;
    op.label = kind.label;
    op.layer = kind.layer;
    op.location = kind.location;
    op.device = side.run.items[item].device;
    op.kind = is_before ? OpChange::kRemoved : OpChange::kAdded;
    (is_before ? op.before : op.after) = mean_cost(side, item);
    (is_before ? op.gap_before : op.gap_after) = mean_gap(side, item);
    (is_before ? op.before_row : op.after_row) = side.run.items[item].row;
    return op;
  }

  DiffOp whole(std::size_t pair) const {
    const ItemPair& own = alignment_.pairs[pair];
    DiffOp op = half(after_, own.after, false);
    const Item& old = before_.run.items[own.before];
    op.kind = own.is_moved ? OpChange::kMoved : OpChange::kSame;
    op.before = mean_cost(before_, own.before);
    op.gap_before = mean_gap(before_, own.before);
    op.before_row = old.row;
    op.confidence = confidence_of(alignment_, pair);
    op.causes = causes_of(before_.run.kind_of(old), after_.run.kind_of(after_.run.items[own.after]),
                          before_.run.has_all_operands == after_.run.has_all_operands);
    op.has_other_property = !op.causes.empty();
    return op;
  }

  /// In the order of the later run; a removed op stands behind the pair that it stood behind.
  void add_ops() {
    op_of_before_.assign(before_.run.items.size(), kNone);
    op_of_after_.assign(after_.run.items.size(), kNone);
    std::vector<std::uint32_t> pair_of_after(after_.run.items.size(), kNone);
    for (std::size_t i = 0; i < alignment_.pairs.size(); ++i) {
      pair_of_after[alignment_.pairs[i].after] = static_cast<std::uint32_t>(i);
    }
    std::size_t removed = 0;
    const auto add_removed_before = [&](std::uint32_t item) {
      while (removed < alignment_.removed.size() && alignment_.removed[removed] < item) {
        put(half(before_, alignment_.removed[removed], true), alignment_.removed[removed], kNone);
        ++removed;
      }
    };
    for (std::uint32_t i = 0; i < after_.run.items.size(); ++i) {
      const std::uint32_t pair = pair_of_after[i];
      if (pair == kNone) {
        put(half(after_, i, false), kNone, i);
        continue;
      }
      const ItemPair& own = alignment_.pairs[pair];
      if (!own.is_moved) add_removed_before(own.before);
      put(whole(pair), own.before, i);
    }
    add_removed_before(static_cast<std::uint32_t>(before_.run.items.size()));
  }

  void put(DiffOp op, std::uint32_t before, std::uint32_t after) {
    const auto index = static_cast<std::uint32_t>(report_.ops.size());
    op.before_place = before;
    op.after_place = after;
    if (before != kNone) op_of_before_[before] = index;
    if (after != kNone) op_of_after_[after] = index;
    report_.ops.push_back(std::move(op));
  }

  /// Ops without a partner on the other side say that other things were run.
  void warn_if_little_in_common() {
    double shared = 0;
    double all = 0;
    double paired_items = 0;
    for (const DiffOp& op : report_.ops) {
      all += op.before + op.after;
      if (!op.is_pair()) continue;
      shared += op.before + op.after;
      paired_items += 2;
    }
    const auto items = static_cast<double>(before_.run.items.size() + after_.run.items.size());
    const bool is_empty = before_.run.items.empty() || after_.run.items.empty();
    if (is_empty || all <= 0 || shared >= kMinShared * all || paired_items >= kMinShared * items) return;
    const auto percent = static_cast<int>(std::floor(100 * shared / all));
    report_.cautions.push_back({Caution::What::kLittleInCommon, {}, std::to_string(percent), {}});
  }

  /// Rows of repeats where there are some, else rows that did not change.
  NoiseModel noise() const {
    if (before_.run.exact_within && after_.run.exact_within)
      return NoiseModel(std::max(*before_.run.exact_within, *after_.run.exact_within));
    std::vector<EqualRow> rows;
    std::size_t comparisons = 0;
    for (const Side* side : {&before_, &after_}) {
      for (const ComparedRun& repeat : side->repeats) {
        ++comparisons;
        for (std::size_t i = 0; i < repeat.items.size(); ++i) {
          rows.push_back({side->run.items[i].cost, repeat.items[i].cost});
        }
      }
    }
    if (!rows.empty()) return NoiseModel(rows, comparisons, true);
    for (const DiffOp& op : report_.ops) {
      if (op.is_pair() && op.causes.empty()) rows.push_back({op.before, op.after});
    }
    return NoiseModel(rows, 1, false);
  }

  /// The op took as long as before, but on other devices that had not decided the wall.
  void add_deciding_device(DiffOp& op, const NoiseModel& model) const {
    const Item& old = before_.run.items[op.before_place];
    const Item& now = after_.run.items[op.after_place];
    if (old.device < 0 || now.device < 0 || old.device == now.device) return;
    if (!(old.mean_cost > 0) || !(now.mean_cost > 0)) return;
    if (std::abs(now.mean_cost - old.mean_cost) > model.limit_of(std::max(old.mean_cost, now.mean_cost)))
      return;
    op.causes.push_back({"deciding_device", std::to_string(old.device), std::to_string(now.device)});
  }

  /// What differs of the runs as a whole explains a cost that nothing else does, but not that of which
  /// nothing is known.
  void add_settings_that_explain(DiffOp& op) const {
    if (after_.run.kind_of(after_.run.items[op.after_place]).facts.empty()) return;
    for (const Fact& old : before_.run.settings) {
      if (!old.explains_costs || old.value.empty()) continue;
      for (const Fact& now : after_.run.settings) {
        if (now.name == old.name && !now.value.empty() && now.value != old.value)
          op.causes.push_back({old.name, old.value, now.value});
      }
    }
  }

  void judge_ops() {
    const NoiseModel model = noise();
    double total = 0;
    for (const DiffOp& op : report_.ops) total += op.before;
    report_.noise = model.figures();
    report_.noise.band = model.band_of(total);
    report_.noise.equal_rows = 0;
    for (DiffOp& op : report_.ops) {
      if (!op.is_pair()) {
        op.is_beyond_noise = true;
        continue;
      }
      op.is_beyond_noise = std::abs(op.change()) > model.limit_of(std::max(op.before, op.after));
      if (op.is_beyond_noise && op.causes.empty()) add_deciding_device(op, model);
      if (op.is_beyond_noise && op.causes.empty()) add_settings_that_explain(op);
      if (op.kind == OpChange::kSame && (op.is_beyond_noise || !op.causes.empty()))
        op.kind = OpChange::kChanged;
      if (op.kind != OpChange::kSame) continue;
      report_.noise.left_over += op.change();
      ++report_.noise.equal_rows;
    }
  }

  /// Gaps and waiting are in no op: what the wall lost or won beside them counts for itself.
  bool is_wall_beyond_noise() const {
    for (const DiffTotal& total : report_.totals) {
      if (total.name != "wall" || !total.change()) continue;
      const double beside = *total.change() - report_.cost_change();
      return std::abs(beside) > std::max({wall_tolerance() * *total.before, report_.noise.band, gap_band_});
    }
    return false;
  }

  void judge_gaps() {
    const auto gap_of = [](const DiffOp& op) { return EqualRow{op.gap_before, op.gap_after}; };
    std::vector<EqualRow> gaps;
    for (const DiffOp& op : report_.ops) {
      if (op.is_pair()) gaps.push_back(gap_of(op));
    }
    const GapNoise noise(gaps);
    gap_band_ = noise.band();
    for (DiffOp& op : report_.ops) op.is_gap_beyond_noise = op.is_pair() && noise.is_beyond(gap_of(op));
  }

  /// As a part of the wall. Replays of a trace start op after op by themselves, a host starts them when it
  /// can.
  double wall_tolerance() const {
    constexpr double kOfHost = 0.02;
    constexpr double kOfTrace = 0.01;
    const auto is_traced = [](const ComparedRun& run) {
      return std::any_of(run.settings.begin(), run.settings.end(), [](const Fact& setting) {
        return setting.name == kModeSetting && setting.value == kTraced;
      });
    };
    return is_traced(before_.run) && is_traced(after_.run) ? kOfTrace : kOfHost;
  }

  static bool has_failed(const Side& side) {
    return !side.run.failure.empty() ||
           std::any_of(side.repeats.begin(), side.repeats.end(),
                       [](const ComparedRun& repeat) { return !repeat.failure.empty(); });
  }

  bool is_different() const {
    double total = 0;
    for (const DiffOp& op : report_.ops) total += op.before;
    if (std::abs(report_.cost_change()) > report_.noise.band || report_.is_wall_beyond_noise) return true;
    // Figures that agree do not make a run that broke off, or times of other things, the same.
    if (has_failed(before_) != has_failed(after_) || report_.has_unlike_costs()) return true;
    if (std::any_of(report_.totals.begin(), report_.totals.end(),
                    [](const DiffTotal& figure) { return figure.is_other(); })) {
      return true;
    }
    return std::any_of(report_.ops.begin(), report_.ops.end(), [&](const DiffOp& op) {
      if (!op.is_pair() || op.has_other_property || op.kind == OpChange::kMoved) return true;
      return op.is_beyond_noise && std::abs(op.change()) > kMinNamedShare * total;
    });
  }

  // ---- sums ------------------------------------------------------------------------------------------

  static const RunTotal* total_of(const ComparedRun& run, const std::string& name) {
    const auto found = std::find_if(run.totals.begin(), run.totals.end(),
                                    [&](const RunTotal& total) { return total.name == name; });
    return found == run.totals.end() ? nullptr : &*found;
  }

  void add_total(const RunTotal* old, const RunTotal* now) {
    DiffTotal total;
    total.name = old != nullptr ? old->name : now->name;
    total.unit = old != nullptr ? old->unit : now->unit;
    if (old != nullptr && old->is_known) total.before = mean_total(before_, *old);
    if (now != nullptr && now->is_known) total.after = mean_total(after_, *now);
    if (old != nullptr && now != nullptr && old->exact_within && now->exact_within)
      total.exact_within = std::max(*old->exact_within, *now->exact_within);
    report_.totals.push_back(std::move(total));
  }

  void add_totals() {
    for (const RunTotal& old : before_.run.totals) add_total(&old, total_of(after_.run, old.name));
    for (const RunTotal& now : after_.run.totals) {
      if (total_of(before_.run, now.name) == nullptr) add_total(nullptr, &now);
    }
    // The parts are the whole to the last digit.
    for (DiffTotal& total : report_.totals) {
      if (total.name != report_.cost_name) continue;
      total.before = 0;
      total.after = 0;
      for (const DiffOp& op : report_.ops) {
        *total.before += op.before;
        *total.after += op.after;
      }
    }
  }

  std::vector<DiffSum> summed(std::string ItemKind::*name) const {
    std::map<std::string, DiffSum> sums;
    for (std::size_t i = 0; i < before_.run.items.size(); ++i) {
      DiffSum& sum = sums[before_.run.kind_of(before_.run.items[i]).*name];
      sum.before += mean_cost(before_, i);
      ++sum.ops_before;
    }
    for (std::size_t i = 0; i < after_.run.items.size(); ++i) {
      DiffSum& sum = sums[after_.run.kind_of(after_.run.items[i]).*name];
      sum.after += mean_cost(after_, i);
      ++sum.ops_after;
    }
    return by_change(sums);
  }

  /// Largest first.
  static std::vector<DiffSum> by_change(const std::map<std::string, DiffSum>& sums) {
    std::vector<DiffSum> list;
    for (const auto& [name, sum] : sums) {
      list.push_back(sum);
      list.back().name = name;
    }
    std::stable_sort(list.begin(), list.end(), [](const DiffSum& a, const DiffSum& b) {
      return std::abs(a.change()) > std::abs(b.change());
    });
    return list;
  }

  void add_sums() {
    report_.categories = summed(&ItemKind::category);
    report_.movement = summed(&ItemKind::movement);
    report_.classes = summed(&ItemKind::op);
    report_.placements = summed(&ItemKind::placement);
    report_.layers = summed(&ItemKind::layer);
    report_.devices = device_sums();
  }

  /// The mean over a run and its repeats of what one device did.
  static std::map<std::string, double> device_costs(const Side& side) {
    std::map<std::string, double> costs;
    const auto runs = static_cast<double>(side.repeats.size() + 1);
    const auto add = [&](const ComparedRun& run) {
      for (const DeviceShare& device : run.devices) costs[device.name] += device.cost / runs;
    };
    add(side.run);
    for (const ComparedRun& repeat : side.repeats) add(repeat);
    return costs;
  }

  /// Where both runs had several.
  std::vector<DiffSum> device_sums() const {
    const std::map<std::string, double> old = device_costs(before_);
    const std::map<std::string, double> now = device_costs(after_);
    if (old.empty() || now.empty()) return {};
    std::map<std::string, DiffSum> sums;
    for (const auto& [name, cost] : old) sums[name].before = cost;
    for (const auto& [name, cost] : now) sums[name].after = cost;
    return by_change(sums);
  }

  DiffReport report_;
  Side before_;
  Side after_;
  ItemAlignment alignment_;
  std::vector<std::uint32_t> op_of_before_;
  std::vector<std::uint32_t> op_of_after_;
  double gap_band_ = 0;
};

}  // namespace

std::vector<Caution> unlike_settings(const ComparedRun& before, const ComparedRun& after) {
  std::vector<Caution> cautions;
  for (const Fact& old : before.settings) {
    const auto found = std::find_if(after.settings.begin(), after.settings.end(),
                                    [&](const Fact& fact) { return fact.name == old.name; });
    if (found == after.settings.end() || found->value == old.value) continue;
    if (found->value.empty() || old.value.empty()) continue;
    cautions.push_back({Caution::What::kSetting, old.name, old.value, found->value});
  }
  return cautions;
}

DiffReport compare_runs(const Side& before, const Side& after) {
  return RunComparison(before, after).compare();
}

}  // namespace ttscope::diff
