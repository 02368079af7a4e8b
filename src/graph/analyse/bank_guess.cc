#include "graph/analyse/bank_guess.h"

#include <algorithm>
#include <array>
#include <utility>

#include "graph/analyse/trace_utilities.h"

namespace ttscope::graph {

// A bank holds ceil(pages / banks) pages, so that k of them mean pages / k <= banks < pages / (k - 1).
void BankGuess::learn(const BufferFacts& facts) {
  if (facts.num_cores != 0 || facts.page_size_bytes <= 0 || facts.max_size_per_bank_bytes <= 0) return;
  if (facts.size_bytes > kLargestMemoryBytes || facts.max_size_per_bank_bytes > kLargestMemoryBytes) return;
  const std::int64_t pages = facts.size_bytes / facts.page_size_bytes;
  const std::int64_t of_a_bank = facts.max_size_per_bank_bytes / facts.page_size_bytes;
  if (pages <= 0 || of_a_bank <= 0) return;
  Range& range = facts.in_dram ? dram_ : l1_;
  range.least = std::max(range.least, (pages + of_a_bank - 1) / of_a_bank);
  if (of_a_bank > 1) range.most = std::min(range.most, (pages + of_a_bank - 2) / (of_a_bank - 1) - 1);
}

std::int64_t BankGuess::per_bank_bytes(const BufferFacts& facts, std::int64_t page_bytes) const {
  const Range& range = facts.in_dram ? dram_ : l1_;
  if (page_bytes <= 0 || facts.size_bytes <= 0 || range.least > range.most) return 0;
  if (page_bytes > kLargestMemoryBytes || facts.size_bytes > kLargestMemoryBytes) return 0;
  const std::int64_t pages = (facts.size_bytes + page_bytes - 1) / page_bytes;
  const auto share = [&](std::int64_t banks) { return (pages + banks - 1) / banks * page_bytes; };
  const std::vector<std::int64_t> known = known_banks(range, facts.in_dram);
  return share(known.empty() ? range.least : known.front());
}

std::vector<std::int64_t> BankGuess::known_banks(const Range& range, bool in_dram) {
  const std::vector<std::int64_t> usual = in_dram ? std::vector<std::int64_t>{12, 8, 7}
                                                  : std::vector<std::int64_t>{64, 130, 110, 56, 72, 120, 140};
  std::vector<std::int64_t> known;
  for (const std::int64_t banks : usual) {
    if (range.least <= banks && banks <= range.most) known.push_back(banks);
  }
  return known;
}

std::optional<std::int64_t> BankGuess::banks(bool in_dram) const {
  const Range& range = in_dram ? dram_ : l1_;
  if (range.least == range.most) return range.least;
  const std::vector<std::int64_t> known = known_banks(range, in_dram);
  return known.size() == 1 ? std::optional<std::int64_t>(known.front()) : std::nullopt;
}

std::int64_t page_bytes_of(const GraphTrace& trace, const TensorFacts& tensor) {
  struct Type {
    std::string_view name;
    std::int64_t tile_bytes;
    std::int64_t element_bytes;  ///< 0: only in tiles
  };
  constexpr std::array<Type, 8> kTypes = {{{"BFLOAT16", 2048, 2},
                                           {"FLOAT32", 4096, 4},
                                           {"UINT32", 4096, 4},
                                           {"INT32", 4096, 4},
                                           {"UINT16", 2048, 2},
                                           {"UINT8", 1024, 1},
                                           {"BFLOAT8_B", 1088, 0},
                                           {"BFLOAT4_B", 576, 0}}};
  const std::string_view dtype = trace.text(tensor.dtype);
  const std::string_view layout = trace.text(tensor.layout);
  const std::string_view name = dtype.substr(dtype.rfind(':') + 1);
  const auto* const type =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& one) { return one.name == name; });
  if (type == kTypes.end()) return 0;
  if (layout.ends_with("TILE")) return type->tile_bytes;
  const std::vector<std::int64_t> shape = shape_numbers(trace.text(tensor.shape));
  if (!layout.ends_with("ROW_MAJOR") || shape.empty() || shape.back() > kLargestMemoryBytes) return 0;
  return shape.back() * type->element_bytes;
}

}  // namespace ttscope::graph
