#include "perf/analyse/advice/op_practice.h"

#include <algorithm>
#include <array>

#include "base/text_search.h"

namespace ttscope::perf {

bool has_core_per_user(std::string_view op_name) {
  return contains(op_name, "HeadsDecode") || contains(op_name, "UpdateCache") ||
         contains(op_name, "FillCache");
}

bool can_divide_rows(std::string_view op_name) {
  constexpr std::array<std::string_view, 7> kWords = {"Norm", "Softmax", "Reduce", "ArgMax",
                                                      "TopK", "Mean",    "Moe"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return contains(op_name, word); });
}

double tile_rows_of(const OpsReport& table, const ReportKind& kind) {
  constexpr std::int64_t kTile = 32;
  const OpTensor* out = table.output(kind, 0);
  if (out == nullptr || !out->has_shape()) return 0;
  const std::int64_t tiles_down = (out->padded[2] + kTile - 1) / kTile;
  return static_cast<double>(out->padded[0]) * static_cast<double>(out->padded[1]) *
         static_cast<double>(tiles_down);
}

const UsualPrice& usual_price(std::string_view op_name) {
  static constexpr std::array<UsualPrice, 6> kPrices = {{{"InterleavedToSharded", 1.2, 2.6},
                                                         {"ShardedToInterleaved", 1.5, 3.5},
                                                         {"Reshard", 1.4, 1.9},
                                                         {"Untilize", 6.7, 10},
                                                         {"Tilize", 6.7, 10},
                                                         {"", 1.2, 1.9}}};
  return *std::find_if(kPrices.begin(), kPrices.end(),
                       [&](const UsualPrice& price) { return contains(op_name, price.word); });
}

}  // namespace ttscope::perf
