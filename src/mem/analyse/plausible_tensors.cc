// plausible_tensors() of mem/analyse/tensor_candidates.h: a size says more than it seems to. What each bank
// takes is a whole number of pages, so the page, and with it element type and layout, can often be told:
// 167,772,160 B over 12 banks with 13,983,744 B each are 40,960 tiles of 4,096 B (f32), not 81,920 of 2,048.
#include <algorithm>
#include <array>
#include <cmath>

#include "mem/analyse/tensor_candidates.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kMostOfOneType = 3;
constexpr std::int64_t kMostPages = std::int64_t{1} << 34;  // their divisors are looked for one by one
constexpr std::array<std::string_view, 4> kTileTypes = {"bf16", "f32", "bfp_bf8", "bfp_bf4"};

/// Widths of known models.
constexpr std::array<std::int64_t, 17> kHidden = {512,  768,  1024, 1280, 1536, 1792, 2048, 2304, 2560,
                                                  3072, 3584, 4096, 5120, 5376, 6144, 7168, 8192};
/// Their feed-forward layers and vocabularies.
constexpr std::array<std::int64_t, 40> kWide = {
    3456,  4864,  5632,  6912,  8960,  9216,   9728,   10240,  11008,  12288,  13696,  13824, 14336, 15360,
    16384, 17408, 17920, 18432, 18944, 20480,  21504,  22016,  23040,  24576,  25600,  27648, 28672, 29568,
    32000, 32768, 36864, 46080, 49152, 128256, 129280, 131072, 151936, 152064, 256000, 262144};

template <typename List>
bool lists(const List& list, std::int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// How much a matrix looks like a weight of a model; ratios near 3 are usual.
double likeness(std::int64_t rows, std::int64_t columns) {
  const auto [narrow, broad] = std::minmax(rows, columns);
  double score = 0;
  if (lists(kHidden, narrow) && lists(kWide, broad)) score += 3;
  if (lists(kHidden, narrow) && lists(kHidden, broad)) score += 2;
  if (lists(kHidden, narrow) || lists(kWide, broad)) score += 1;
  return score - 0.1 * std::abs(std::log2(static_cast<double>(broad) / static_cast<double>(narrow)) - 1.5);
}

std::int64_t round_up_to(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

/// Whether pages of this size, dealt out to the banks in turn, give what the message says.
bool pages_fit(const OutOfMemory& failure, std::int64_t page_bytes) {
  if (page_bytes <= 0 || failure.requested_bytes % page_bytes != 0) return false;
  if (failure.banks <= 0 || failure.per_bank_bytes < 0) return true;
  const std::int64_t pages = failure.requested_bytes / page_bytes;
  const std::int64_t of_bank = pages / failure.banks + (pages % failure.banks == 0 ? 0 : 1);
  const auto takes = [&](std::int64_t alignment) {
    return saturating_multiply(of_bank, round_up_to(page_bytes, alignment)) == failure.per_bank_bytes;
  };
  return takes(16) || takes(32) || takes(64);
}

struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// The likeliest products of two dimensions, both multiples of 32 of a tile's side.
std::vector<Matrix> likely_matrices(std::int64_t tiles) {
  std::vector<Matrix> matrices;
  for (std::int64_t a = 1; a <= tiles / a; ++a) {
    if (tiles % a == 0) matrices.push_back({32 * (tiles / a), 32 * a});
  }
  const std::size_t kept = std::min(matrices.size(), kMostOfOneType);
  std::partial_sort(matrices.begin(), matrices.begin() + static_cast<std::ptrdiff_t>(kept), matrices.end(),
                    [](const Matrix& a, const Matrix& b) {
                      return likeness(a.rows, a.columns) > likeness(b.rows, b.columns);
                    });
  matrices.resize(kept);
  return matrices;
}

/// Rows of a row-major tensor are its pages. The longest that fits: shorter ones often fit by chance.
std::int64_t likely_row_bytes(const OutOfMemory& failure) {
  constexpr std::int64_t kLongestRow = std::int64_t{4} << 20;
  if (failure.banks <= 0 || failure.per_bank_bytes <= 0) return 0;
  for (std::int64_t row = std::min(kLongestRow, failure.requested_bytes); row >= 64; row -= 2) {
    if (failure.per_bank_bytes % row == 0 && pages_fit(failure, row)) return row;
  }
  return 0;
}

}  // namespace

std::vector<TensorCandidate> plausible_tensors(const OutOfMemory& failure) {
  std::vector<TensorCandidate> found;
  if (failure.requested_bytes <= 0) return found;
  for (const std::string_view dtype : kTileTypes) {
    const std::int64_t tile = tile_bytes(dtype, 32, 32);
    if (!pages_fit(failure, tile) || failure.requested_bytes / tile > kMostPages) continue;
    for (const Matrix& matrix : likely_matrices(failure.requested_bytes / tile)) {
      found.push_back({{matrix.rows, matrix.columns}, std::string(dtype)});
    }
  }
  // Of several element types that fit, the one with the dimensions of a model comes first.
  std::stable_sort(found.begin(), found.end(), [](const TensorCandidate& a, const TensorCandidate& b) {
    return std::floor(likeness(a.shape[0], a.shape[1])) > std::floor(likeness(b.shape[0], b.shape[1]));
  });
  if (!found.empty()) return found;
  const std::int64_t row = likely_row_bytes(failure);
  if (row <= 0) return found;
  for (const auto& [dtype, bytes] : {std::pair("bf16", 2), std::pair("f32", 4)}) {
    if (row % bytes != 0) continue;
    found.push_back({{failure.requested_bytes / row, row / bytes}, dtype, false});
  }
  return found;
}

}  // namespace ttscope::mem
