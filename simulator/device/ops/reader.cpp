// Brings the pages of this core in: from DRAM, where they are there. More than those are waited for: a turn each.
#include <tools/profiler/kernel_profiler.hpp>
#include "dataflow_api.h"

constexpr uint32_t cb_id = 0;

void kernel_main() {
    const uint32_t core = get_arg_val<uint32_t>(0);
    const uint32_t address = get_arg_val<uint32_t>(1);
    const uint32_t pages = get_arg_val<uint32_t>(2);
    const uint32_t cores = get_arg_val<uint32_t>(3);
    const uint32_t turns = get_arg_val<uint32_t>(4);
    DeviceZoneScopedN("READ-TILES");
    for (uint32_t page = core; page < pages; page += cores) {
        if (address != 0) {
            noc_async_read_tile(page, address, cb_id);
            noc_async_read_barrier();
        } else {
            asm volatile("nop");
        }
    }
    for (uint32_t i = 0; i < turns; i++) {
        asm volatile("nop");
    }
}
