#pragma once
/// The device profiler's macros for kernels and firmware: freestanding, words as tt-metal's profiler writes
/// them (docs/design/chip.md lists where that original is wrong and this header differs). Without
/// PROFILE_KERNEL nothing of it is left in the object code.

#include <stdint.h>

#include "ttscope_device/noc.h"
#include "ttscope_device/profiler_layout.h"

#if defined(PROFILE_KERNEL) && (!defined(DISPATCH_KERNEL) || (PROFILE_KERNEL & 2))
#define TTSCOPE_PROFILING 1
#else
#define TTSCOPE_PROFILING 0
#endif

#define TTSCOPE_TEXT_OF(x) #x
#define TTSCOPE_TEXT(x) TTSCOPE_TEXT_OF(x)
#define TTSCOPE_JOIN_OF(a, b) a##b
#define TTSCOPE_JOIN(a, b) TTSCOPE_JOIN_OF(a, b)

#if TTSCOPE_PROFILING

#include "tools/profiler/profiler_core.hpp"

/// The text that is hashed on the device and printed by the compiler, so that the host learns which zones a
/// kernel has.
#define TTSCOPE_ZONE_KEY(name) name "," __FILE__ "," TTSCOPE_TEXT(__LINE__) ",KERNEL_PROFILER"
#define TTSCOPE_PRAGMA(text) _Pragma(#text)
#define TTSCOPE_ANNOUNCE(key) TTSCOPE_PRAGMA(message(key))
#define TTSCOPE_ID_AS(variable, name)      \
  TTSCOPE_ANNOUNCE(TTSCOPE_ZONE_KEY(name)) \
  constexpr uint32_t variable = ttscope_device::zone_id(TTSCOPE_ZONE_KEY(name))
#define TTSCOPE_ZONE_ID(name) TTSCOPE_ID_AS(TTSCOPE_JOIN(zone_id_, __LINE__), name)
#define TTSCOPE_SCOPE(name, ...) \
  TTSCOPE_ZONE_ID(name);         \
  kernel_profiler::__VA_ARGS__ TTSCOPE_JOIN(zone_, __LINE__)

#define DeviceZoneScopedN(name) TTSCOPE_SCOPE(name, ZoneScope<TTSCOPE_JOIN(zone_id_, __LINE__)>)

#if defined(TTSCOPE_FIRMWARE)
#define DeviceZoneScopedMainN(name) TTSCOPE_SCOPE(name, GuaranteedScope<TTSCOPE_JOIN(zone_id_, __LINE__), 0>)
#define DeviceZoneScopedMainChildN(name) \
  TTSCOPE_SCOPE(name, GuaranteedScope<TTSCOPE_JOIN(zone_id_, __LINE__), 1>)
#else
/// Inside a user's kernel. In tt-metal the guaranteed slots belong to the firmware: there MainN in a kernel
/// initialises the profiler anew and ends the launch early (host id 0, the zones of the other RISCs lost),
/// and MainChildN leaves a start that no end fits. Here both are zones of the kernel that find room: the
/// markers before them are sent to DRAM first where this RISC can.
#define DeviceZoneScopedMainN(name) TTSCOPE_SCOPE(name, KernelMainScope<TTSCOPE_JOIN(zone_id_, __LINE__)>)
#define DeviceZoneScopedMainChildN(name) \
  TTSCOPE_SCOPE(name, KernelMainScope<TTSCOPE_JOIN(zone_id_, __LINE__)>)
#endif

#if (PROFILE_KERNEL & 8) && !(PROFILE_KERNEL & 16)
#define DeviceZoneScopedSumN1(name) TTSCOPE_SCOPE(name, SumScope<TTSCOPE_JOIN(zone_id_, __LINE__), 0>)
#define DeviceZoneScopedSumN2(name) TTSCOPE_SCOPE(name, SumScope<TTSCOPE_JOIN(zone_id_, __LINE__), 1>)
#else
#define DeviceZoneScopedSumN1(name) static_cast<void>(sizeof(name))
#define DeviceZoneScopedSumN2(name) static_cast<void>(sizeof(name))
#endif

#if PROFILE_KERNEL & 16
#define DeviceTimestampedData(name, data) static_cast<void>(sizeof(name) + sizeof(data))
#define DeviceValidateProfiler(condition) static_cast<void>(sizeof(condition))
#define DeviceZoneSetCounter(value) static_cast<void>(sizeof(value))
#else
#define DeviceTimestampedData(name, data)                                 \
  do {                                                                    \
    TTSCOPE_ZONE_ID(name);                                                \
    kernel_profiler::record_data(TTSCOPE_JOIN(zone_id_, __LINE__), data); \
  } while (false)
#define DeviceValidateProfiler(condition) kernel_profiler::validate(condition)
#define DeviceZoneSetCounter(value) kernel_profiler::set_counter(value)
#endif

#define DeviceRecordEvent(id) kernel_profiler::record_event(id)
#define DevicePerfCounter(type, value, reference) kernel_profiler::record_perf_counter(type, value, reference)
#define DeviceProfilerInit() kernel_profiler::boot()
#define DeviceIncrementTraceCount() kernel_profiler::replay_trace()

#include "tools/profiler/profiler_push.hpp"

#else

#define DeviceZoneScopedN(name) static_cast<void>(sizeof(name))
#define DeviceZoneScopedMainN(name) static_cast<void>(sizeof(name))
#define DeviceZoneScopedMainChildN(name) static_cast<void>(sizeof(name))
#define DeviceZoneScopedSumN1(name) static_cast<void>(sizeof(name))
#define DeviceZoneScopedSumN2(name) static_cast<void>(sizeof(name))
#define DeviceTimestampedData(name, data) static_cast<void>(sizeof(name) + sizeof(data))
#define DeviceRecordEvent(id) static_cast<void>(sizeof(id))
#define DeviceValidateProfiler(condition) static_cast<void>(sizeof(condition))
#define DeviceZoneSetCounter(value) static_cast<void>(sizeof(value))
#define DevicePerfCounter(type, value, reference) \
  static_cast<void>(sizeof(type) + sizeof(value) + sizeof(reference))
#define DeviceProfilerInit() static_cast<void>(0)
#define DeviceIncrementTraceCount() static_cast<void>(0)

#endif
