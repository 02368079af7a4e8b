#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <stdexcept>

#include <ttscope_device/memory_map.h>

#include "chip/host/device_state.h"

namespace tt::tt_metal {

namespace {

using namespace ttscope::chip;

std::list<std::unique_ptr<IDevice>>& open_devices() {
  static std::list<std::unique_ptr<IDevice>> devices;
  return devices;
}

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::uint64_t dram_alignment(Arch arch) { return arch == Arch::kWormhole ? 32 : 64; }

/// Bytes that a buffer takes in each bank.
std::uint64_t bytes_per_bank(const InterleavedBufferConfig& config, std::size_t banks) {
  const std::uint64_t pages = (config.size + config.page_size - 1) / config.page_size;
  return (pages + banks - 1) / banks * config.page_size;
}

/// Behind the profiler's regions of all cores.
std::uint64_t first_dram_address(Device& device) {
  const std::uint64_t profiler = device.profiler().on
                                     ? std::uint64_t{cores_per_dram_bank(device.arch())} *
                                           ttscope_device::kRiscCount * device.profiler().region_bytes
                                     : 0;
  return rounded(facts_of(device.arch()).map->dram_profiler + profiler, dram_alignment(device.arch()));
}

/// The lowest gap that is large enough.
std::uint64_t place_block(DeviceState& state, std::uint64_t bytes) {
  std::uint64_t at = first_dram_address(state.device);
  for (const auto& [start, size] : state.dram_blocks) {
    if (start >= at + bytes) break;
    at = start + size;
  }
  const std::uint64_t bank_bytes = std::uint64_t{1} << 30;
  if (at + bytes > bank_bytes)
    throw std::runtime_error(
        fmt::format("out of DRAM: {} bytes in each bank do not fit behind {:#x}", bytes, at));
  state.dram_blocks.emplace(at, bytes);
  return at;
}

/// Copies pages between a buffer and the host.
template <typename Copy>
void for_pages(const Buffer& buffer, std::size_t banks, Copy copy) {
  for (std::uint64_t page = 0; page * buffer.page_size() < buffer.size(); ++page) {
    const std::uint64_t offset = page * buffer.page_size();
    const std::uint64_t bytes = std::min(buffer.page_size(), buffer.size() - offset);
    copy(static_cast<std::uint32_t>(page % banks), buffer.address() + page / banks * buffer.page_size(),
         offset, bytes);
  }
}

}  // namespace

IDevice::IDevice(std::unique_ptr<DeviceState> state) : state_(std::move(state)), queue_(*this) {}
IDevice::~IDevice() = default;
int IDevice::id() const { return state_->id; }
ARCH IDevice::arch() const {
  return state_->card.arch() == Arch::kWormhole ? ARCH::WORMHOLE_B0 : ARCH::BLACKHOLE;
}
CommandQueue& IDevice::command_queue(std::size_t id) {
  if (id != 0) throw std::runtime_error(fmt::format("command queue {}: a device has one", id));
  return queue_;
}
CoreCoord IDevice::compute_with_storage_grid_size() const {
  const std::size_t columns = state_->card.arch() == Arch::kWormhole ? 8 : 14;
  return {columns, facts_of(state_->card.arch()).tensix.size() / columns};
}
CoreCoord IDevice::worker_core_from_logical_core(const CoreCoord& logical) const {
  const Place place = state_->place_of(logical);
  return {place.x, place.y};
}
std::uint32_t IDevice::num_dram_channels() const {
  return static_cast<std::uint32_t>(facts_of(state_->card.arch()).dram.size());
}

IDevice* CreateDevice(int id) {
  for (const auto& device : open_devices()) {
    if (device->id() == id) throw std::runtime_error(fmt::format("device {} is open already", id));
  }
  if (id < 0) throw std::runtime_error(fmt::format("device {}: numbers begin with 0", id));
  HostMachine& machine = HostMachine::get();
  auto state = std::make_unique<DeviceState>(
      id, value_or_throw(Card::open(machine.simulator(), static_cast<std::uint32_t>(id))));
  throw_if_failed(state->device.boot(facts_of(state->card.arch()).tensix));
  open_devices().push_back(std::make_unique<IDevice>(std::move(state)));
  return open_devices().back().get();
}

bool CloseDevice(IDevice* device) {
  const auto found = std::find_if(open_devices().begin(), open_devices().end(),
                                  [&](const auto& one) { return one.get() == device; });
  if (found == open_devices().end()) return false;
  device->state().read_profiler();
  open_devices().erase(found);
  return true;
}

void EnqueueProgram(CommandQueue& queue, Program& program, bool blocking) {
  DeviceState& state = queue.device()->state();
  if (program.state().kernels.empty()) throw std::runtime_error("the program has no kernels");
  PreparedProgram prepared = state.prepare(program.state());
  if (state.recording) {
    state.traces[*state.recording].push_back(std::move(prepared));
    return;
  }
  state.start(prepared);
  if (blocking) state.finish();
}

void Finish(CommandQueue& queue) { queue.device()->state().finish(); }

// Memory
// --------------------------------------------------------------------------------------------------------------

Buffer::Buffer(const InterleavedBufferConfig& config, std::uint32_t address)
    : config_(config), address_(address) {}

Buffer::~Buffer() {
  const auto open = [&](const auto& one) { return one.get() == config_.device; };
  if (std::any_of(open_devices().begin(), open_devices().end(), open))
    config_.device->state().dram_blocks.erase(address_);
}

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig& config) {
  if (config.device == nullptr || config.size == 0 || config.page_size == 0)
    throw std::runtime_error("a buffer needs a device, a size and a page size");
  DeviceState& state = config.device->state();
  const std::uint64_t alignment = dram_alignment(state.card.arch());
  if (config.page_size % alignment != 0)
    throw std::runtime_error(
        fmt::format("pages of {} bytes: expected a multiple of {}", config.page_size, alignment));
  const std::uint64_t bytes = bytes_per_bank(config, config.device->num_dram_channels());
  return std::make_shared<Buffer>(config, static_cast<std::uint32_t>(place_block(state, bytes)));
}

void EnqueueWriteBuffer(CommandQueue& queue, Buffer& buffer, const void* data, bool /*blocking*/) {
  Finish(queue);
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  for_pages(buffer, queue.device()->num_dram_channels(),
            [&](std::uint32_t bank, std::uint64_t address, std::uint64_t offset, std::uint64_t size) {
              queue.device()->state().card.write_dram(bank, address, {bytes + offset, size});
            });
}

void EnqueueReadBuffer(CommandQueue& queue, Buffer& buffer, void* data, bool /*blocking*/) {
  Finish(queue);
  auto* bytes = static_cast<std::uint8_t*>(data);
  for_pages(buffer, queue.device()->num_dram_channels(),
            [&](std::uint32_t bank, std::uint64_t address, std::uint64_t offset, std::uint64_t size) {
              queue.device()->state().card.read_dram(bank, address, {bytes + offset, size});
            });
}

// Traces
// --------------------------------------------------------------------------------------------------------------

std::uint32_t BeginTraceCapture(IDevice* device, std::uint8_t /*queue_id*/) {
  DeviceState& state = device->state();
  if (state.recording) throw std::runtime_error("a trace is being captured already");
  state.recording = state.next_trace++;
  state.traces[*state.recording];
  return *state.recording;
}

void EndTraceCapture(IDevice* device, std::uint8_t /*queue_id*/, std::uint32_t trace) {
  if (device->state().recording != trace)
    throw std::runtime_error(fmt::format("trace {} is not being captured", trace));
  device->state().recording.reset();
}

void ReplayTrace(IDevice* device, std::uint8_t /*queue_id*/, std::uint32_t trace, bool blocking) {
  DeviceState& state = device->state();
  const auto found = state.traces.find(trace);
  if (found == state.traces.end()) throw std::runtime_error(fmt::format("there is no trace {}", trace));
  state.finish();
  std::vector<Place> places;
  for (const BootedCore& core : state.device.cores()) places.push_back(core.place);
  throw_if_failed(state.device.replay_trace(places));
  for (const PreparedProgram& program : found->second) state.start(program);
  if (blocking) state.finish();
}

void ReleaseTrace(IDevice* device, std::uint32_t trace) { device->state().traces.erase(trace); }

// Several devices, the profiler
// -----------------------------------------------------------------------------------------

namespace distributed {

std::shared_ptr<MeshDevice> MeshDevice::create(const MeshShape& shape) {
  std::vector<IDevice*> devices;
  for (std::uint32_t i = 0; i < shape.rows * shape.columns; ++i)
    devices.push_back(CreateDevice(static_cast<int>(i)));
  return std::shared_ptr<MeshDevice>(new MeshDevice(std::move(devices)));
}

bool MeshDevice::close() {
  for (IDevice* device : devices_) CloseDevice(device);
  devices_.clear();
  return true;
}

MeshDevice::~MeshDevice() {
  for (IDevice* device : devices_) {
    const auto is_it = [&](const auto& one) { return one.get() == device; };
    open_devices().remove_if(is_it);
  }
}

}  // namespace distributed

void ReadMeshDeviceProfilerResults(distributed::MeshDevice& mesh, ProfilerReadState /*state*/) {
  for (IDevice* device : mesh.get_devices()) device->state().read_profiler();
}

void ReadDeviceProfiler(IDevice* device) { device->state().read_profiler(); }

namespace detail {
void ReadDeviceProfilerResults(IDevice* device, ProfilerReadState /*state*/) {
  device->state().read_profiler();
}
}  // namespace detail

}  // namespace tt::tt_metal
