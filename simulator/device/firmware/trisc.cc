/// TRISC0 to TRISC2: run their kernels when BRISC says so.
#include "launch.h"

using namespace ttscope_device;

extern "C" [[noreturn]] void firmware_main() {
  serve_launches(kThisRisc, [] {
    DeviceZoneScopedMainN("TRISC-FW");
    run_kernel(kThisRisc);
  });
}
