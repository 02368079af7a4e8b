/// NCRISC: runs its kernel when BRISC says so.
#include "launch.h"

using namespace ttscope_device;

extern "C" [[noreturn]] void firmware_main() {
  noc_reset_acks(1);
  serve_launches(kNcrisc, [] {
    DeviceZoneScopedMainN("NCRISC-FW");
    run_kernel(kNcrisc);
  });
}
