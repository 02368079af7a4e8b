#include "perf/read/table_csv/op_label.h"

#include <charconv>
#include <vector>

namespace ttscope::perf {
namespace {

constexpr std::string_view kTimes = " x ";

std::optional<std::int64_t> positive_size(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > kMost) return {};
  return number;
}

std::vector<std::string_view> split_sizes(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(kTimes); at != std::string_view::npos; at = text.find(kTimes)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + kTimes.size());
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

std::optional<MatmulSizes> matmul_sizes(std::string_view label) {
  const std::size_t blank = label.find(' ');
  if (blank == std::string_view::npos || label.substr(0, blank).find("Matmul") == std::string_view::npos)
    return {};
  MatmulSizes sizes;
  sizes.op_code = label.substr(0, blank);
  std::vector<std::string_view> parts = split_sizes(label.substr(blank + 1));
  if (parts.size() == 4 && parts[0].starts_with("b={") && parts[0].ends_with("}")) {
    const auto batch = positive_size(parts[0].substr(3, parts[0].size() - 4));
    if (!batch) return {};
    sizes.batch = *batch;
    parts.erase(parts.begin());
  }
  if (parts.size() != 3) return {};
  const auto m = positive_size(parts[0]);
  const auto k = positive_size(parts[1]);
  const auto n = positive_size(parts[2]);
  if (!m || !k || !n) return {};
  sizes.m = *m;
  sizes.k = *k;
  sizes.n = *n;
  return sizes;
}

}  // namespace ttscope::perf
