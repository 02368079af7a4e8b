#pragma once

#include <array>
#include <cstdint>

namespace ttscope::chip {

/// Words of L1 that a polling loop reads.
constexpr int kWatchedWords = 4;

/// One RISC-V core. `time` is the tick of its next instruction: a core may be ahead of others of its tile as
/// long as it does nothing that they could see or change.
struct Core {
  std::array<std::uint32_t, 33> registers{};  ///< the last one takes writes to x0
  std::uint32_t pc = 0;
  std::uint64_t time = 0;
  bool running = false;

  // A loop that reads memory and changes nothing is found by two equal states at its head. The core then
  // sleeps until somebody writes what it reads; the turns in between are counted, not executed.
  enum class Watch : std::uint8_t {
    kNone,
    kRecording,  ///< one turn is being looked at; a write to what it has read ends that
    kAsleep,
  };
  Watch watch = Watch::kNone;
  std::uint8_t watched_count = 0;
  std::uint32_t loop_head = 0;
  std::uint32_t loop_turns = 0;
  std::uint64_t loop_time = 0;
  std::uint64_t period = 0;
  std::uint64_t effects = 0;  ///< how often it did something that others could see
  std::uint64_t loop_effects = 0;
  std::array<std::uint32_t, 32> loop_registers{};
  std::array<std::uint32_t, kWatchedWords> watched{};
};

}  // namespace ttscope::chip
