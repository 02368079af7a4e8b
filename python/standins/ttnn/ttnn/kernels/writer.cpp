// Takes tiles away.
#include <tools/profiler/kernel_profiler.hpp>

void kernel_main() {
    const uint32_t tiles = get_arg_val<uint32_t>(0);
    DeviceZoneScopedN("WRITE-TILES");
    for (uint32_t i = 0; i < tiles; i++) {
        asm volatile("nop");
    }
}
