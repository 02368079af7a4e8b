// Declared in device_state.h, which all of the device shares.
#include <atomic>

#include "sim/device/capture_stack.h"
#include "sim/device/device_state.h"
#include "sim/device/op_run.h"
#include "sim/device/recorded_facts.h"

namespace ttscope::sim {
namespace {

std::uint64_t next_buffer_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

Buffer::Buffer(DeviceState& device, const BufferRequest& request)
    : device_(device.weak_from_this()),
      request_(request),
      share_(bank_share(request, device.spec())),
      owner_(std::make_shared<MemoryOwner>(OwnerScope::current())),
      id_(next_buffer_id()) {
  CaptureStack& captures = CaptureStack::current();
  if (!captures.is_blocking() && request_.size_bytes > 0) {
    const auto address = device.allocator().allocate(request_);
    if (!address) throw OutOfMemory(address.error().message, device.failure_of(request_));
    address_ = *address;
    placed_ = true;
    if (device.allocator().is_at_window_peak(request_.type)) {
      device.allocator().name_window_peak(request_.type, current_operation(), OwnerScope::current().name);
    }
  }
  allocated_ = true;
  if (request_.size_bytes == 0) return;
  device.add_live(*this);
  captures.for_each([&](Recorder& recorder) {
    recorder.note_device(recorded_device(device.spec()));
    recorder.allocate(recorded_buffer(*this), address_);
  });
}

Buffer::~Buffer() { free(); }

void Buffer::free() {
  if (!allocated_) return;
  allocated_ = false;
  if (request_.size_bytes == 0) return;
  CaptureStack::current().for_each(
      [this](Recorder& recorder) { recorder.deallocate(recorded_buffer(*this), address_); });
  const auto device = device_.lock();
  if (device) device->remove_live(*this);
  if (placed_ && device) device->allocator().deallocate(request_.type, address_);
}

}  // namespace ttscope::sim
