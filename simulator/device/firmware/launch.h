#pragma once
/// What the firmware of all cores shares: the mailbox.

#include "tools/profiler/kernel_profiler.hpp"

namespace ttscope_device {

inline volatile uint32_t& mailbox_word(uint32_t offset) { return *words_at(kMap.mailbox + offset); }
inline volatile uint32_t& subordinate(uint32_t risc) { return mailbox_word(kSubordinates + 4 * (risc - 1)); }
inline const volatile LaunchMessage& launch_message() {
  return *reinterpret_cast<const volatile LaunchMessage*>(kMap.mailbox + kLaunch);
}

inline void run_kernel(uint32_t risc) { reinterpret_cast<void (*)()>(launch_message().entry[risc])(); }

inline void wait_for(volatile uint32_t& word, uint32_t value) {
  while (word != value) {
  }
}

/// NCRISC and the TRISCs: the zone is closed and published before the word says that it is done.
template <typename Launch>
[[noreturn]] inline void serve_launches(uint32_t risc, Launch launch) {
  DeviceProfilerInit();
  while (true) {
    wait_for(subordinate(risc), kGo);
    launch();
    subordinate(risc) = kDone;
  }
}

}  // namespace ttscope_device
