#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mem/analyze/memory_profile.h"
#include "support/log_text.h"
#include "support/read_text.h"

namespace ttscope::testing {

/// A log and its profile.
struct Profiled {
  explicit Profiled(std::string_view text, bool live_totals = false)
      : log(read_text(text)), profile(mem::profile_memory(log, {live_totals})) {}
  explicit Profiled(const LogText& text) : Profiled(text.text()) {}

  const mem::RankLog& ops_of_rank(std::size_t r = 0) const { return log.ranks.at(r); }
  const mem::RankProfile& rank(std::size_t r = 0) const { return profile.ranks.at(r); }
  /// Own growth of an op in DRAM, bytes per bank.
  std::int64_t dram(std::size_t op) const { return rank().effects.at(op).own_growth[0]; }
  std::int64_t l1(std::size_t op) const { return rank().effects.at(op).own_growth[1]; }
  const mem::Peak& peak(mem::Memory memory = mem::Memory::kDram) const {
    return rank().peaks[mem::index_of(memory)];
  }
  const mem::LiveSet& live_at_peak(mem::Memory memory = mem::Memory::kDram) const {
    return rank().live_at_peak.at(mem::index_of(memory));
  }
  /// The live buffer of a name at the peak; null if none.
  const mem::Buffer* live_at_peak(std::string_view name) const {
    for (const std::uint32_t b : live_at_peak().buffers) {
      if (rank().buffers[b].name != kNone && log.names[rank().buffers[b].name] == name)
        return &rank().buffers[b];
    }
    return nullptr;
  }

  mem::RuntimeLog log;
  mem::MemoryProfile profile;
};

/// Bytes per bank of `units(1)`, on a device with 12 banks.
inline constexpr std::int64_t kUnit = 65536;
/// A DRAM tensor of `count` units without any padding.
inline std::string units(std::int64_t count) { return dram_tensor(1024 * count, 384); }

/// `result = name(operands)` where all tensors are given in units.
inline std::string unit_op(std::string_view result, std::string_view name, std::string_view operand,
                           std::int64_t from, std::int64_t to) {
  return op_text(result, name, operand, operand.empty() ? "" : units(from), units(to));
}
inline std::string ones(std::string_view result, std::int64_t size) {
  return unit_op(result, "ttnn.ones", "", 0, size);
}
inline std::string neg(std::string_view result, std::string_view operand, std::int64_t size) {
  return unit_op(result, "ttnn.neg", operand, size, size);
}
inline std::string free_of(const std::string& name, std::int64_t size) {
  return deallocate_text(name, units(size));
}

}  // namespace ttscope::testing
