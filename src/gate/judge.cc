#include "gate/judge.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string_view>

#include "base/text.h"
#include "diff/compare_runs.h"

namespace ttscope::gate {

std::string_view key_of(CheckOutcome outcome) {
  constexpr std::array<std::string_view, 3> kKeys = {"passed", "failed", "unknown"};
  return kKeys[static_cast<std::size_t>(outcome)];
}

std::string_view key_of(Reason reason) {
  constexpr std::array<std::string_view, 10> kKeys = {
      "none",     "over_bound",   "run_failed",  "no_input",        "not_told",
      "no_whole", "no_such_name", "no_baseline", "baseline_failed", "unlike_baseline"};
  return kKeys[static_cast<std::size_t>(reason)];
}

bool GateResult::has_failed_run() const {
  return std::any_of(runs.begin(), runs.end(), [](const CheckedRun& run) { return !run.failure.empty(); });
}

bool GateResult::passed() const {
  return !has_failed_run() && std::all_of(checks.begin(), checks.end(), [](const Check& check) {
    return check.outcome == CheckOutcome::kPassed;
  });
}

namespace {

/// `MatmulDeviceOperation` is what people call `Matmul`.
std::string_view short_name(std::string_view op) {
  for (const std::string_view ending : {"DeviceOperation", "Operation"}) {
    if (op.size() > ending.size() && op.ends_with(ending)) return op.substr(0, op.size() - ending.size());
  }
  return op;
}

bool is_named(std::string_view own, std::string_view asked) {
  return own == asked || short_name(own) == asked;
}

/// A figure of one run.
struct Measured {
  std::optional<double> value;
  std::optional<double> whole;
  std::string how;
  bool has_name = true;
};

Measured measure_total(const diff::ComparedRun& run, const BudgetFigure& figure) {
  for (const diff::RunTotal& total : run.totals) {
    if (total.name != figure.total || !total.is_known) continue;
    return {total.value, total.whole, total.how, true};
  }
  return {};
}

/// The sum over all ops of a name or a layer.
Measured measure_ops(const diff::ComparedRun& run, const Bound& bound) {
  std::vector<bool> is_asked;
  for (const diff::ItemKind& kind : run.kinds) {
    is_asked.push_back(is_named(bound.figure->scope == Scope::kOp ? kind.op : kind.layer, bound.name));
  }
  double sum = 0;
  bool is_there = false;
  for (const diff::Item& item : run.items) {
    if (!is_asked[item.kind]) continue;
    is_there = true;
    sum += bound.figure->total == "count" ? 1 : bound.figure->total == "gaps" ? item.gap : item.cost;
  }
  if (!is_there) return {std::nullopt, std::nullopt, {}, false};
  return {sum, std::nullopt, {}, true};
}

Measured measure(const diff::ComparedRun& run, const Bound& bound) {
  return bound.figure->scope == Scope::kRun ? measure_total(run, *bound.figure) : measure_ops(run, bound);
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

using RunList = std::vector<const RunRepeats*>;

/// The median over the repeats of the first runs that tell the figure.
Measured measure(const RunList& runs, const Bound& bound) {
  Measured result;
  result.has_name = false;
  for (const RunRepeats* group : runs) {
    if (group->section != bound.figure->section) continue;
    std::vector<double> values;
    Measured last;
    for (const diff::ComparedRun& run : group->repeats) {
      Measured own = measure(run, bound);
      result.has_name = result.has_name || own.has_name;
      if (!own.value) continue;
      values.push_back(*own.value);
      last = std::move(own);
    }
    if (values.empty()) continue;
    last.value = median_of(std::move(values));
    return last;
  }
  return result;
}

/// The name of an op or layer of the runs that is nearest to one that is not there.
std::string similar_name(const RunList& runs, const Bound& bound) {
  std::vector<std::string_view> names;
  for (const RunRepeats* group : runs) {
    if (group->section != bound.figure->section) continue;
    for (const diff::ComparedRun& run : group->repeats) {
      for (const diff::ItemKind& kind : run.kinds) {
        const std::string& name = bound.figure->scope == Scope::kOp ? kind.op : kind.layer;
        if (!name.empty()) names.push_back(short_name(name));
      }
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string_view near = nearest_name(bound.name, names);
  if (!near.empty()) return std::string(near);
  const std::string asked = lower(bound.name);
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](std::string_view name) { return contains(lower(name), asked); });
  return found == names.end() ? std::string() : std::string(*found);
}

bool has_failed(const RunList& runs, Section section) {
  return std::any_of(runs.begin(), runs.end(), [&](const RunRepeats* group) {
    return group->section == section && std::any_of(group->repeats.begin(), group->repeats.end(),
                                                    [](const auto& run) { return !run.failure.empty(); });
  });
}

/// Wall, gaps and counts are the same thing whatever column the times of ops are of.
bool is_time_of_ops(const BudgetFigure& figure) {
  return figure.section == Section::kTime && figure.total == "device";
}

void add_costs(const RunRepeats& group, std::vector<std::string_view>& costs) {
  for (const diff::ComparedRun& run : group.repeats) {
    for (const diff::Fact& setting : run.settings) {
      if (setting.name == diff::kCostSetting) costs.push_back(setting.value);
    }
  }
}

bool has_unlike_costs(const RunList& runs, const RunList& baseline, Section section) {
  std::vector<std::string_view> costs;
  for (const RunList* side : {&runs, &baseline}) {
    for (const RunRepeats* group : *side) {
      if (group->section == section) add_costs(*group, costs);
    }
  }
  return std::adjacent_find(costs.begin(), costs.end(), std::not_equal_to<>()) != costs.end();
}

bool has_section(const RunList& runs, Section section) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const RunRepeats* group) { return group->section == section; });
}

class Judge {
 public:
  Judge(const RunList& runs, const RunList& baseline) : runs_(runs), baseline_(baseline) {}

  Check check(const Bound& bound) const {
    Check check;
    check.bound = bound;
    const Measured own = measure(runs_, bound);
    check.value = own.value;
    check.whole = own.whole;
    check.how = own.how;
    if (bound.needs_baseline()) check.baseline = measure(baseline_, bound).value;
    check.allowed = allowed(check);
    check.reason = reason_of(check, own);
    check.outcome = check.reason == Reason::kNone ? CheckOutcome::kPassed
                    : check.reason == Reason::kOverBound || check.reason == Reason::kRunFailed
                        ? CheckOutcome::kFailed
                        : CheckOutcome::kUnknown;
    if (check.reason == Reason::kNoSuchName) check.similar = similar_name(runs_, bound);
    return check;
  }

 private:
  static std::optional<double> allowed(const Check& check) {
    const Bound& bound = check.bound;
    switch (bound.kind) {
      case BoundKind::kAtMost:
      case BoundKind::kMustBe:
        return bound.value;
      case BoundKind::kShare:
        return check.whole ? std::optional(bound.value * *check.whole) : std::nullopt;
      case BoundKind::kRelative:
        return check.baseline ? std::optional(*check.baseline * (1 + bound.value)) : std::nullopt;
      case BoundKind::kDifference:
        return check.baseline ? std::optional(*check.baseline + bound.value) : std::nullopt;
    }
    return std::nullopt;
  }

  Reason reason_of(const Check& check, const Measured& own) const {
    const Bound& bound = check.bound;
    const Section section = bound.figure->section;
    if (!has_section(runs_, section)) return Reason::kNoInput;
    // The figures of a run that failed are those of a part of it.
    if (has_failed(runs_, section)) return Reason::kRunFailed;
    if (!check.value)
      return own.has_name || bound.name.empty() ? Reason::kFigureMissing : Reason::kNoSuchName;
    if (bound.kind == BoundKind::kShare && !check.whole) return Reason::kNoWhole;
    if (bound.needs_baseline() && has_failed(baseline_, section)) return Reason::kBaselineFailed;
    if (bound.needs_baseline() && !check.baseline) return Reason::kNoBaseline;
    if (bound.needs_baseline() && is_time_of_ops(*bound.figure) &&
        has_unlike_costs(runs_, baseline_, section))
      return Reason::kUnlikeBaseline;
    const bool is_within =
        bound.kind == BoundKind::kMustBe ? *check.value == bound.value : *check.value <= *check.allowed;
    return is_within ? Reason::kNone : Reason::kOverBound;
  }

  const RunList& runs_;
  const RunList& baseline_;
};

std::vector<CheckedRun> described(const RunList& runs) {
  std::vector<CheckedRun> list;
  for (const RunRepeats* group : runs) {
    CheckedRun made;
    const diff::ComparedRun& first = group->repeats.front();
    made.input = first.name;
    made.section = group->section;
    made.what = first.what;
    made.device = first.device;
    made.repeats = static_cast<std::uint32_t>(group->repeats.size());
    for (const diff::ComparedRun& run : group->repeats) {
      if (made.failure.empty()) made.failure = run.failure;
    }
    list.push_back(std::move(made));
  }
  return list;
}

void add_cautions(const RunList& runs, const RunList& baseline, GateResult& report) {
  for (const RunRepeats* group : runs) {
    for (const RunRepeats* base : baseline) {
      if (base->subject != group->subject || base->section != group->section) continue;
      const std::vector<diff::Caution> found =
          diff::unlike_settings(base->repeats.front(), group->repeats.front());
      report.cautions.insert(report.cautions.end(), found.begin(), found.end());
    }
  }
}

/// The runs that a bound is held against, one after the other: each that tells its figure.
RunList runs_with_figure(const RunList& runs, const Bound& bound) {
  RunList measured_runs;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(measured_runs), [&](const RunRepeats* group) {
    return group->section == bound.figure->section && measure({group}, bound).value.has_value();
  });
  return measured_runs;
}

/// A log of training is no baseline of a runtime log.
RunList of_subject(const RunList& runs, const std::string& subject) {
  RunList own;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(own),
               [&](const RunRepeats* group) { return group->subject == subject; });
  return own;
}

RunList listed(const std::vector<RunRepeats>& runs) {
  RunList list;
  for (const RunRepeats& group : runs) list.push_back(&group);
  return list;
}

}  // namespace

GateResult judge(const Budget& budget, const std::vector<RunRepeats>& given_runs,
                 const std::vector<RunRepeats>& given_baseline) {
  const RunList runs = listed(given_runs);
  const RunList baseline = listed(given_baseline);
  GateResult report;
  report.budget = budget.path;
  report.runs = described(runs);
  report.baseline = described(baseline);
  add_cautions(runs, baseline, report);
  for (const Bound& bound : budget.bounds) {
    const RunList measured_runs = runs_with_figure(runs, bound);
    if (measured_runs.empty()) report.checks.push_back(Judge(runs, baseline).check(bound));
    for (const RunRepeats* group : measured_runs) {
      const RunList own = {group};
      const RunList base = of_subject(baseline, group->subject);
      Check check = Judge(own, base).check(bound);
      if (measured_runs.size() > 1) check.input = group->repeats.front().name;
      report.checks.push_back(std::move(check));
    }
  }
  return report;
}

}  // namespace ttscope::gate
