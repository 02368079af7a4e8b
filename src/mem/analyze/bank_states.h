#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

/// State of one memory, per bank.
struct BankFigures {
  MilliMib allocated = 0;
  MilliMib free = 0;
  MilliMib largest_free = kNone;
  bool operator==(const BankFigures&) const = default;
};

/// State of all memories at one moment.
struct BankState {
  std::array<BankFigures, kMemoryCount> memories{};
  Geometry geometry;  ///< a memory with 0 banks is not known and not shown
};

/// Where the state before an op comes from.
enum class StateSource : std::uint8_t { kLogged, kPartlyRepeated, kRepeated, kModeled };

std::string_view name_of(StateSource source);

/// The states before and after the ops of one rank, in bytes printed as the log prints them. Asked in the
/// order of the ops. Not thread safe.
class BankStates {
 public:
  BankStates(const RuntimeLog& log, const MemoryProfile& profile, std::uint32_t rank);

  struct Before {
    BankState state;
    StateSource source = StateSource::kLogged;
  };
  /// What the op's own memory block shows; the last state known when it has none; in a log without memory
  /// lines the modeled tensors.
  Before before(std::uint32_t op);

  struct After {
    BankState state;
    Confidence confidence = Confidence::kMeasured;
  };
  /// The state once the op and the programs it called are done, before what happens between programs: the
  /// next block where nothing else lies between, else the state before with the op's own growth.
  After after(std::uint32_t op, const BankState& before) const;

 private:
  BankState from_block(const MemoryBlock& block) const;
  BankState modeled(std::uint32_t op) const;
  std::uint32_t next_op(std::uint32_t op) const;
  bool changed_between(std::uint32_t op, std::uint32_t next) const;
  PerTensorMemory growth(std::uint32_t op, std::uint32_t next) const;
  Confidence weakest(std::uint32_t op) const;

  const RuntimeLog& log_;
  const RankLog& rank_;
  const RankProfile& profile_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      calls_;                            ///< (calling op, first op after the called program)
  std::vector<BoundaryChange> changes_;  ///< by before_op
  std::uint32_t blocks_passed_ = 0;      ///< blocks at or before the op asked for last
};

/// Bytes as the runtime would print them.
MilliMib milli_mib_of(std::int64_t bytes);

/// How much of the free part of a bank its largest block does not reach: 1 - largest / free. 0 where nothing
/// is free, and where the largest block is above what is free, as the roundings of a log can have it.
double fragmentation_of(const MemoryBlock& block, Memory memory);

/// The worst block of each of at most `most` stretches, so that a long log gives a short curve that hides
/// nothing. Indices in `blocks`, in order.
std::vector<std::uint32_t> fragmentation_curve(std::span<const MemoryBlock> blocks, Memory memory,
                                               std::size_t most);

}  // namespace ttscope::mem
