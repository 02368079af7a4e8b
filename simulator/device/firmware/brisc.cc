/// BRISC: takes launches from the host, starts the other RISCs, waits for them and sends the profiler's
/// buffers.
#include "launch.h"

using namespace ttscope_device;

namespace {

void start_subordinates(uint32_t enables) {
  if (enables & 1u << kNcrisc) subordinate(kNcrisc) = kGo;
  if ((enables & 1u << kTrisc0) == 0) return;
  for (uint32_t risc = kTrisc0; risc <= kTrisc2; ++risc) subordinate(risc) = kGo;
}

void launch() {
  DeviceZoneScopedMainN("BRISC-FW");
  const uint32_t enables = launch_message().enables;
  DeviceValidateProfiler(enables != 0);
  DeviceZoneSetCounter(launch_message().host_id);
  start_subordinates(enables);
  if (enables & 1u << kBrisc) run_kernel(kBrisc);
  for (uint32_t risc = kNcrisc; risc < kRiscCount; ++risc) wait_for(subordinate(risc), kDone);
}

}  // namespace

extern "C" [[noreturn]] void firmware_main() {
  noc_reset_acks(0);
  DeviceProfilerInit();
  volatile uint32_t& go = mailbox_word(kGoWord);
  go = kDone;
  while (true) {
    while (go == kDone) {
    }
    if (go == kGo) {
      launch();
    } else {
      DeviceIncrementTraceCount();
    }
    go = kDone;
  }
}
