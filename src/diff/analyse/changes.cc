#include "diff/analyse/changes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "base/none.h"

namespace ttscope::diff {
namespace {

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

}  // namespace

void add_changes(const PairedOps& pairs, DiffReport& report) { ChangeList(pairs, report).add(); }

}  // namespace ttscope::diff
