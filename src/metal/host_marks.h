#pragma once

#include <cstdint>

#include <tt_metal/host_api.hpp>

namespace ttscope::metal {

// What tt-metal tells Tracy of devices: here the recorder is told (libttscope_record), which takes it while a
// run is traced.

/// TT_METAL_MEM_PROFILER: a buffer in DRAM begins and ends.
void tell_allocation(tt::tt_metal::IDevice& device, std::uint64_t address, std::uint64_t bytes);
void tell_free(tt::tt_metal::IDevice& device, std::uint64_t address);

/// `TT_METAL_TRACE_BEGIN: 0, 3`: with TT_METAL_PROFILER_TRACE_TRACKING; the ends of captures whenever the
/// profiler is on.
void tell_trace(tt::tt_metal::IDevice& device, const char* what, std::uint32_t trace);
/// A program becomes part of a trace.
void tell_trace_program(tt::tt_metal::IDevice& device, std::uint32_t trace, std::uint32_t program);

}  // namespace ttscope::metal
