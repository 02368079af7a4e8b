#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ttscope::mem {

enum class TensorKind : std::uint8_t { kUnknown, kWeight, kConstEval, kActivation, kInput };

inline constexpr std::size_t kTensorKindCount = 5;

std::string_view name_of(TensorKind kind);

/// Moments of a rank in the order of its ops: before_op(i) is the state the block of op i shows; after_op(i)
/// is the state once op i is done, before anything between programs happens.
using Moment = std::uint32_t;

constexpr Moment before_op(std::uint32_t op) { return 2 * op; }

constexpr Moment after_op(std::uint32_t op) { return 2 * op + 1; }

inline constexpr Moment kForever = 0xffffffff;

/// The tensors that make up one moment.
struct LiveSet {
  std::vector<std::uint32_t> buffers;  ///< in RankProfile::buffers, largest per bank first
  std::int64_t accounted_bytes_per_bank = 0;
  /// Measured less accounted; negative when the model has too much.
  std::int64_t unaccounted_bytes_per_bank = 0;
  std::int64_t logical_bytes = 0;  ///< of the whole tensors, no padding
  std::int64_t padded_bytes = 0;   ///< of the whole tensors, as stored
  std::array<std::int64_t, kTensorKindCount> kind_bytes_per_bank{};
  /// What an even spread over the banks would not take: a small or row-major buffer takes a page in every
  /// bank.
  std::int64_t lockstep_bytes_per_bank = 0;
  /// Results that a failing op had got already when the next found no room: it never ended, so no buffer is
  /// theirs. They count as accounted activations.
  std::uint32_t failing_results = 0;
  std::int64_t failing_result_bytes_per_bank = 0;
};

}  // namespace ttscope::mem
