/// NCRISC: runs its kernel when BRISC says so.
#include "launch.h"

using namespace ttscope_device;

extern "C" [[noreturn]] void firmware_main() {
  serve_launches(kNcrisc, [] {
    DeviceZoneScopedMainN("NCRISC-FW");
    run_kernel(kNcrisc);
  });
}
