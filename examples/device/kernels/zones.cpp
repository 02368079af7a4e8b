// The other macros of the guide, on any RISC: a guaranteed child zone, sums, values, events, validity.
#include <tools/profiler/kernel_profiler.hpp>

namespace {

constexpr int ITERATIONS = 8;

void work(int turns) {
    for (int i = 0; i < turns; i++) {
        asm volatile("nop");
    }
}

bool check_preconditions() { return true; }

}  // namespace

void kernel_main() {
    DeviceZoneScopedMainN("KERNEL-MAIN");

    bool data_valid = check_preconditions();
    DeviceValidateProfiler(data_valid);

    DeviceRecordEvent(1);
    {
        DeviceZoneScopedN("LoadData");
        work(10);
    }
    {
        // Child zone - also guaranteed
        DeviceZoneScopedMainChildN("KERNEL-INNER-LOOP");
        for (int i = 0; i < ITERATIONS; i++) {
            {
                DeviceZoneScopedSumN1("AccumulatedCompute");
                work(20);
            }
            {
                DeviceZoneScopedSumN2("AccumulatedStore");
                work(5);
            }
            DeviceTimestampedData("IterationData", i);
        }
    }
    DeviceRecordEvent(2);
}
