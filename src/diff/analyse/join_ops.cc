#include "diff/analyse/join_ops.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diff/align/edit_script.h"
#include "diff/analyse/op_family.h"

namespace ttscope::diff {
namespace {

/// The first quoted name of a location, which is the same whatever stands around it; empty: it has none.
std::string_view quoted_name(std::string_view location) {
  const std::size_t open = location.find('"');
  if (open == std::string_view::npos) return {};
  const std::size_t close = location.find('"', open + 1);
  return close == std::string_view::npos ? std::string_view() : location.substr(open + 1, close - open - 1);
}

std::size_t join_by_location(DiffReport& report, const DiffReport& other) {
  struct Places {
    std::vector<std::uint32_t> ops;
    std::size_t next = 0;
  };
  std::unordered_map<std::string_view, Places> by_name;
  for (std::uint32_t i = 0; i < other.ops.size(); ++i) {
    const std::string_view name = quoted_name(other.ops[i].location);
    if (!name.empty()) by_name[name].ops.push_back(i);
  }
  std::size_t joined = 0;
  for (DiffOp& op : report.ops) {
    const auto found = by_name.find(quoted_name(op.location));
    if (found == by_name.end() || found->second.next >= found->second.ops.size()) continue;
    op.beside = found->second.ops[found->second.next++];
    ++joined;
  }
  return joined;
}

/// The ops of one run of a report, last first: of a log of several passes a window is most often the last.
struct RunOrder {
  std::vector<std::uint32_t> ops;
  std::vector<std::uint32_t> keys;
};

class NameJoin {
 public:
  NameJoin(DiffReport& report, const DiffReport& other)
      : report_(report), other_(other), is_taken_(other.ops.size()) {}

  std::size_t join() {
    join_run(&DiffOp::after_place);
    join_run(&DiffOp::before_place);
    const auto joined = static_cast<std::size_t>(std::count_if(
        report_.ops.begin(), report_.ops.end(), [](const DiffOp& op) { return op.beside.has_value(); }));
    if (joined * 2 >= report_.ops.size()) return joined;
    for (DiffOp& op : report_.ops) op.beside.reset();
    return 0;
  }

 private:
  std::uint32_t key_of(const std::string& op) {
    return keys_.try_emplace(op_family(op), static_cast<std::uint32_t>(keys_.size())).first->second;
  }

  template <typename IsTaken>
  RunOrder order_of(const DiffReport& report, std::uint32_t DiffOp::*place, IsTaken is_taken) {
    RunOrder order;
    for (std::uint32_t i = 0; i < report.ops.size(); ++i) {
      if (report.ops[i].*place != kNone && !is_taken(i)) order.ops.push_back(i);
    }
    std::sort(order.ops.begin(), order.ops.end(),
              [&](std::uint32_t a, std::uint32_t b) { return report.ops[a].*place > report.ops[b].*place; });
    for (const std::uint32_t op : order.ops) order.keys.push_back(key_of(report.ops[op].op));
    return order;
  }

  void join_run(std::uint32_t DiffOp::*place) {
    const RunOrder own =
        order_of(report_, place, [&](std::uint32_t op) { return report_.ops[op].beside.has_value(); });
    const RunOrder others = order_of(other_, place, [&](std::uint32_t op) { return is_taken_[op]; });
    for (const auto& [mine, theirs] :
         common_subsequence(own.keys, others.keys, affordable_edits(own.keys.size() + others.keys.size()))) {
      report_.ops[own.ops[mine]].beside = others.ops[theirs];
      is_taken_[others.ops[theirs]] = true;
    }
  }

  DiffReport& report_;
  const DiffReport& other_;
  std::vector<bool> is_taken_;                           ///< by op of the other report
  std::unordered_map<std::string, std::uint32_t> keys_;  ///< by family
};

}  // namespace

JoinedOps join_ops(DiffReport& report, DiffReport& other) {
  JoinedOps joined = {JoinBasis::kLocations, join_by_location(report, other)};
  if (joined.count == 0) joined = {JoinBasis::kNames, NameJoin(report, other).join()};
  if (joined.count == 0) return {};
  for (std::uint32_t i = 0; i < report.ops.size(); ++i) {
    if (report.ops[i].beside) other.ops[*report.ops[i].beside].beside = i;
  }
  return joined;
}

}  // namespace ttscope::diff
