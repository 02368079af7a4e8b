#include "perf/analyse/path/path_sums.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace ttscope::perf {

std::vector<PathSum> path_sums(const OpsReport& table, const ShownOps& ops) {
  std::map<std::tuple<PathPartKind, bool, std::string, std::int32_t>, PathSum> sums;
  for (const PathPart& part : ops.path.parts) {
    const std::uint32_t kind = table.rows[part.row].kind;
    const std::string name = part.kind == PathPartKind::kGap ? std::string() : ops.facts[kind].label;
    PathSum& sum = sums[{part.kind, part.is_compile, name, part.device}];
    sum.us += part.us;
    ++sum.parts;
    sum.kind = kind;
    sum.device = part.device;
    sum.part = part.kind;
    sum.is_compile = part.is_compile;
  }
  std::vector<PathSum> list;
  list.reserve(sums.size());
  for (const auto& [key, sum] : sums) list.push_back(sum);
  std::stable_sort(list.begin(), list.end(), [](const PathSum& a, const PathSum& b) { return a.us > b.us; });
  return list;
}

}  // namespace ttscope::perf
