#include "base/edit_distance.h"

#include <algorithm>

namespace ttscope {
namespace {

constexpr std::size_t kLongestGivenName = 40;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::string_view nearest_name(std::string_view given, const std::vector<std::string_view>& candidates) {
  if (given.empty() || given.size() > kLongestGivenName) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(given.size() / 3, 1) + 1;
  for (const std::string_view candidate : candidates) {
    const bool is_start = given.size() >= 3 && candidate.substr(0, given.size()) == given;
    const std::size_t distance = is_start ? 0 : edit_distance(given, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace ttscope
