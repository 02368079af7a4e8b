#include "metal/host_marks.h"

#include <fmt/format.h>
#include <ttscope/record.h>

#include <string>
#include <string_view>

#include "metal/machine.h"

namespace ttscope::metal {
namespace {

bool tells_buffers() { return ttscope_record_active() != 0 && HostMachine::get().settings().tells_buffers; }

std::string pool_of(const tt::tt_metal::IDevice& device) {
  return fmt::format("Device {} DRAM", device.id());
}

void send(const std::string& message) { ttscope_record_message(message.data(), message.size(), 0); }

}  // namespace

void tell_allocation(tt::tt_metal::IDevice& device, std::uint64_t address, std::uint64_t bytes) {
  if (tells_buffers()) ttscope_record_alloc(address, bytes, pool_of(device).c_str());
}

void tell_free(tt::tt_metal::IDevice& device, std::uint64_t address) {
  if (tells_buffers()) ttscope_record_free(address, pool_of(device).c_str());
}

void tell_trace(tt::tt_metal::IDevice& device, const char* what, std::uint32_t trace) {
  if (ttscope_record_active() == 0) return;
  const HostSettings& settings = HostMachine::get().settings();
  const bool is_end = std::string_view(what) == "END";
  if (settings.tells_traces || (is_end && settings.profiler))
    send(fmt::format("`TT_METAL_TRACE_{}: {}, {}`", what, device.id(), trace));
}

void tell_trace_program(tt::tt_metal::IDevice& device, std::uint32_t trace, std::uint32_t program) {
  if (ttscope_record_active() == 0 || !HostMachine::get().settings().tells_traces) return;
  send(fmt::format("`TT_METAL_TRACE_ENQUEUE_PROGRAM: {}, {}, {}`", device.id(), trace, program));
}

}  // namespace ttscope::metal
