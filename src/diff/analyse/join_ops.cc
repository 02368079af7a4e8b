#include "diff/analyse/join_ops.h"

#include <string_view>
#include <unordered_map>

namespace ttscope::diff {
namespace {

/// The first quoted name of a location, which is the same whatever stands around it; empty: it has none.
std::string_view quoted_name(std::string_view location) {
  const std::size_t open = location.find('"');
  if (open == std::string_view::npos) return {};
  const std::size_t close = location.find('"', open + 1);
  return close == std::string_view::npos ? std::string_view() : location.substr(open + 1, close - open - 1);
}

}  // namespace

std::size_t join_ops(DiffReport& report, const DiffReport& other) {
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

}  // namespace ttscope::diff
