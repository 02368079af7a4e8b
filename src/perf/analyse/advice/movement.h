#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// What an op does with its data.
enum class MovementClass : std::uint8_t {
  kComputes,
  kCollective,  ///< between devices
  kLayout,      ///< layout, type or place change: another place, layout or type of tensors removes it
  kStructural,  ///< the graph asks for another shape: a rewrite of the graph removes it
  kOther,       ///< caches, copies into tensors, ops on the host
};
inline constexpr std::size_t kMovementClassCount = 5;
std::string_view key_of(MovementClass movement);

MovementClass movement_of(std::string_view op_name, OpCategory category);
/// A reshape or the like that should cost nothing.
bool is_view(std::string_view op_name);

/// Ops of one name, shape and type that only move or convert data.
struct Conversion {
  std::uint32_t kind = 0;  ///< of the first one
  MovementClass movement = MovementClass::kLayout;
  double device_us = 0;  ///< of all executions
  std::uint64_t ops = 0;
  double bytes = 0;          ///< of all executions: the larger of what goes in and comes out; 0: unknown
  double us_with_bytes = 0;  ///< device time of those whose bytes are known
  double gb_s() const { return us_with_bytes > 0 ? bytes / us_with_bytes / 1e3 : 0; }
  double bytes_of_one() const { return bytes / static_cast<double>(ops); }
};

/// How much of the device time computes, and how much only moves or converts data.
struct MovementBudget {
  static constexpr std::size_t kConversionsListed = 20;
  std::array<double, kMovementClassCount> device_us{};  ///< add up to the table's
  std::vector<Conversion> conversions;                  ///< the costliest
  /// Ops whose kernels have no duration, and what their firmware took: they ran, whatever it was.
  std::uint64_t unmeasured_ops = 0;
  double unmeasured_us = 0;
  double of(MovementClass movement) const { return device_us[static_cast<std::size_t>(movement)]; }
};

MovementBudget find_movement(const OpsReport& table, const ShownOps& ops);

/// Bytes that one execution of an op takes in or puts out, whichever is more.
double moved_bytes(const OpsReport& table, const ReportKind& kind);

}  // namespace ttscope::perf
