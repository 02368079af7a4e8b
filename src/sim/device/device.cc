// Its header is public: include/ttscope.
#include <ttscope/device.h>

#include <algorithm>

#include "sim/device/capture_stack.h"
#include "sim/device/device_state.h"
#include "sim/device/op_run.h"

namespace ttscope::sim {
namespace {

constexpr std::uint64_t kBinaryPageBytes = 2048;

BufferRequest binary_request(std::uint64_t size_bytes) {
  BufferRequest request;
  request.size_bytes = size_bytes;
  request.page_bytes = kBinaryPageBytes;
  request.bottom_up = false;  // away from the tensors, which grow from below
  return request;
}

void record_circular_buffers(const Program& program, const std::vector<std::uint64_t>& addresses,
                             std::int64_t device_id) {
  CaptureStack& captures = CaptureStack::current();
  if (!captures.is_active()) return;
  for (std::size_t i = 0; i < program.circular_buffers.size(); ++i) {
    const CircularBuffer& buffer = program.circular_buffers[i];
    const std::string cores = core_ranges_text(buffer.cores);
    graph::GraphTraceBuilder::ProgramBuffer node;
    node.size_bytes = static_cast<std::int64_t>(buffer.size_bytes);
    node.address = addresses.empty() ? 0 : static_cast<std::int64_t>(addresses[i]);
    node.device_id = device_id;
    node.core_ranges = cores;
    node.borrowed = buffer.globally_allocated;
    captures.for_each([&](Recorder& recorder) { recorder.allocate_circular_buffer(node); });
  }
}

/// `MatmulDeviceOperation` of the key of a program.
std::string_view operation_of(std::string_view program_key) {
  return program_key.substr(0, program_key.find('('));
}

}  // namespace

void DeviceState::add_live(const Buffer& buffer) { live_.emplace(buffer.id(), &buffer); }
void DeviceState::remove_live(const Buffer& buffer) { live_.erase(buffer.id()); }

MemoryFailure DeviceState::failure_of(const BufferRequest& request) const {
  MemoryFailure failure;
  failure.memory = request.type;
  failure.operation = current_operation();
  failure.module = OwnerScope::current().name;
  failure.bytes_per_bank = bank_share(request, spec_).bytes_per_bank;
  failure.stats = allocator_.stats(request.type);
  std::map<std::pair<MemoryKind, std::string>, LiveMemory> by_owner;
  for (const auto& [id, buffer] : live_) {
    if (buffer->request().type != request.type) continue;
    const MemoryOwner& owner = *buffer->owner();
    LiveMemory& entry = by_owner[{owner.kind, owner.name}];
    entry.kind = name_of(owner.kind);
    entry.name = owner.name;
    entry.bytes_per_bank += buffer->share().bytes_per_bank;
    ++entry.buffers;
  }
  for (auto& [owner, entry] : by_owner) failure.live.push_back(std::move(entry));
  std::stable_sort(failure.live.begin(), failure.live.end(), [](const LiveMemory& a, const LiveMemory& b) {
    return a.bytes_per_bank > b.bytes_per_bank;
  });
  return failure;
}

void DeviceState::enable_program_cache(bool enabled) {
  caches_programs_ = enabled;
  if (!enabled) programs_.clear();
}

void DeviceState::run(const Program& program) {
  CaptureStack::current().for_each([](Recorder& recorder) { recorder.deallocate_program_buffers(kMeshId); });
  if (CaptureStack::current().is_blocking()) {
    record_circular_buffers(program, {}, kMeshId);
    return;
  }
  const auto cached = programs_.find(program.key);
  if (cached == programs_.end()) {
    CachedProgram built = build(program);
    if (caches_programs_) programs_.emplace(program.key, std::move(built));
    return;
  }
  const auto fits = check_circular_buffers(cached->second.places, spec_,
                                           allocator_.stats(BufferType::kL1).lowest_occupied_address);
  if (!fits) throw OutOfMemory(fits.error().message);
}

DeviceState::CachedProgram DeviceState::build(const Program& program) {
  CachedProgram built;
  built.places = place_circular_buffers(program, spec_);
  built.places.program_id = ++last_program_id_;
  const auto fits =
      check_circular_buffers(built.places, spec_, allocator_.stats(BufferType::kL1).lowest_occupied_address);
  if (!fits) throw OutOfMemory(fits.error().message);
  for (std::uint32_t chip = 0; chip < spec_.chips; ++chip) {
    record_circular_buffers(program, built.places.addresses, chip);
  }
  if (program.binary_bytes > 0) {
    const OwnerScope binary(MemoryKind::kBinary, operation_of(program.key));
    built.binary = std::make_shared<Buffer>(*this, binary_request(program.binary_bytes));
  }
  return built;
}

Device::Device(const DeviceSpec& spec) {
  auto allocator = Allocator::create(spec);
  if (!allocator) throw std::invalid_argument(allocator.error().message);
  state_ = std::make_shared<DeviceState>(spec, std::move(*allocator));
}

const DeviceSpec& Device::spec() const { return state_->spec(); }
MemoryStats Device::stats(BufferType type) const { return state_->allocator().stats(type); }
std::uint64_t Device::peak_allocated_bytes_per_bank(BufferType type) const {
  return state_->allocator().peak_allocated_bytes_per_bank(type);
}
void Device::begin_window() { state_->allocator().begin_window(); }
const MemoryWindow& Device::window(BufferType type) const { return state_->allocator().window(type); }
void Device::enable_program_cache(bool enabled) { state_->enable_program_cache(enabled); }
std::uint32_t Device::program_cache_entries() const { return state_->program_cache_entries(); }

}  // namespace ttscope::sim
