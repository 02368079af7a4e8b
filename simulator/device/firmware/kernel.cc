/// The frame of every kernel: TTSCOPE_KERNEL is its file.
#include "dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

#if defined(COMPILE_FOR_BRISC)
#define TTSCOPE_KERNEL_ZONE "BRISC-KERNEL"
#elif defined(COMPILE_FOR_NCRISC)
#define TTSCOPE_KERNEL_ZONE "NCRISC-KERNEL"
#elif defined(COMPILE_FOR_IDLE_ERISC)
#define TTSCOPE_KERNEL_ZONE "IDLE-ERISC-KERNEL"
#else
#define TTSCOPE_KERNEL_ZONE "TRISC-KERNEL"
#endif

#include TTSCOPE_KERNEL

// GCC makes calls of these out of loops and assignments.
extern "C" void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) {
  char* out = static_cast<char*>(to);
  const char* in = static_cast<const char*>(from);
  while (bytes-- != 0) *out++ = *in++;
  return to;
}
extern "C" void* memset(void* to, int value, __SIZE_TYPE__ bytes) {
  char* out = static_cast<char*>(to);
  while (bytes-- != 0) *out++ = static_cast<char>(value);
  return to;
}

extern "C" uint32_t __data_load[], __data_start[], __data_end[], __bss_start[], __bss_end[];

extern "C" __attribute__((section(".text.start"), used)) void kernel_entry() {
  const uint32_t* from = __data_load;
  for (uint32_t* to = __data_start; to != __data_end; ++to) *to = *from++;
  for (uint32_t* to = __bss_start; to != __bss_end; ++to) *to = 0;
#if !defined(COMPILE_FOR_TRISC)
  ttscope_device::noc_counts().reads = ttscope_device::noc_register(noc_index, ttscope_device::kReadAnswers);
  ttscope_device::noc_counts().atomics =
      ttscope_device::noc_register(noc_index, ttscope_device::kAtomicAnswers);
#endif
#if TTSCOPE_PROFILING
  TTSCOPE_SCOPE(TTSCOPE_KERNEL_ZONE, GuaranteedScope<TTSCOPE_JOIN(zone_id_, __LINE__), 1>);
#endif
  kernel_main();
  // In a debug dump the end of the reads is recorded, as tt-metal's kernels do.
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kReadBarrierEnd);
}
