// Brings tiles in: as long as there are tiles, a few instructions each.
#include <tools/profiler/kernel_profiler.hpp>

void kernel_main() {
    const uint32_t tiles = get_arg_val<uint32_t>(0);
    DeviceZoneScopedN("READ-TILES");
    for (uint32_t i = 0; i < tiles; i++) {
        asm volatile("nop");
    }
}
