/// An idle ethernet core: takes launches from the host; it has one RISC and one buffer.
#include "launch.h"

using namespace ttscope_device;

extern "C" [[noreturn]] void firmware_main() {
  noc_reset_acks(0);
  DeviceProfilerInit();
  volatile uint32_t& go = mailbox_word(kGoWord);
  go = kDone;
  while (true) {
    while (go == kDone) {
    }
    if (go == kGo) {
      DeviceZoneScopedMainN("ERISC-IDLE-FW");
      const uint32_t enables = launch_message().enables;
      DeviceValidateProfiler(enables != 0);
      DeviceZoneSetCounter(launch_message().host_id);
      if (enables & 1) run_kernel(kBrisc);
    } else {
      DeviceIncrementTraceCount();
    }
    go = kDone;
  }
}
