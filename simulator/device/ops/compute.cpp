// Computes: turns are the work of a core.
#include <tools/profiler/kernel_profiler.hpp>

void kernel_main() {
    const uint32_t turns = get_arg_val<uint32_t>(1);
    {
        DeviceZoneScopedN("COMPUTE-TILES");
        for (uint32_t i = 0; i < turns; i++) {
            asm volatile("nop");
        }
    }
    DeviceZoneScopedSumN1("COMPUTE-SUM");
    asm volatile("nop");
}
