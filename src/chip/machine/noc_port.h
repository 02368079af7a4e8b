#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace ttscope::chip {

/// Registers of one command buffer.
struct NocCommand {
  std::uint32_t target_low = 0;
  std::uint32_t target_mid = 0;
  std::uint32_t target_high = 0;
  std::uint32_t back_low = 0;
  std::uint32_t back_mid = 0;
  std::uint32_t back_high = 0;
  std::uint32_t tag = 0;
  std::uint32_t control = 0;
  std::uint32_t length = 0;
  std::uint32_t data = 0;
};

/// Which counter an answer adds to.
enum class NocAnswer : std::uint8_t { kAtomic, kWriteAck, kRead };

/// A tile's side of one network. With a latency model answers arrive later than the data.
struct NocPort {
  struct Pending {
    std::uint64_t time;
    NocAnswer answer;
  };
  std::array<NocCommand, 4> commands{};
  std::array<std::uint32_t, 3> answers{};  ///< by NocAnswer
  std::uint32_t writes_sent = 0;
  std::uint32_t posted_writes_sent = 0;
  std::uint32_t posted_atomics_sent = 0;
  std::vector<Pending> pending;

  void answer(NocAnswer kind, std::uint64_t now, std::uint64_t arrival) {
    if (arrival <= now) {
      ++answers[static_cast<std::size_t>(kind)];
    } else {
      pending.push_back({arrival, kind});
    }
  }
  /// Takes in what has arrived by `now`.
  void settle(std::uint64_t now) {
    if (pending.empty()) return;
    std::erase_if(pending, [&](const Pending& one) {
      if (one.time > now) return false;
      ++answers[static_cast<std::size_t>(one.answer)];
      return true;
    });
  }
};

}  // namespace ttscope::chip
