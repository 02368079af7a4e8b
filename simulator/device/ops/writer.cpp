// Takes the pages of this core away: to DRAM, where they belong there, else as long as that would take.
#include <tools/profiler/kernel_profiler.hpp>
#include "dataflow_api.h"

constexpr uint32_t cb_id = 0;

void kernel_main() {
    const uint32_t core = get_arg_val<uint32_t>(0);
    const uint32_t address = get_arg_val<uint32_t>(1);
    const uint32_t pages = get_arg_val<uint32_t>(2);
    const uint32_t cores = get_arg_val<uint32_t>(3);
    DeviceZoneScopedN("WRITE-TILES");
    for (uint32_t page = core; page < pages; page += cores) {
        if (address != 0) {
            noc_async_write_tile(page, address, cb_id);
            noc_async_write_barrier();
        } else {
            asm volatile("nop");
        }
    }
}
