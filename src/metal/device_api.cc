// Devices, buffers, queues and traces as users see them. Their headers are public: include/tt_metal_compat,
// by the names of tt-metal's.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <list>
#include <stdexcept>

#include <ttscope_device/memory_map.h>

#include "metal/device_state.h"
#include "metal/host_marks.h"
#include "metal/machine.h"
#include "metal/open_devices.h"

namespace tt::tt_metal {

namespace {

using namespace ttscope::chip;
using ttscope::metal::HostMachine;
using ttscope::metal::tell_allocation;
using ttscope::metal::tell_free;
using ttscope::metal::tell_trace;
using ttscope::metal::tell_trace_program;
using ttscope::metal::throw_if_failed;
using ttscope::metal::value_or_throw;

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::uint64_t dram_alignment(Arch arch) { return arch == Arch::kWormhole ? 32 : 64; }

/// Bytes that a buffer takes in each bank.
std::uint64_t bytes_per_bank(const InterleavedBufferConfig& config, std::size_t banks) {
  const std::uint64_t pages = (config.size + config.page_size - 1) / config.page_size;
  return (pages + banks - 1) / banks * config.page_size;
}

/// Behind the profiler's regions of all cores; debug dumps have two of each.
std::uint64_t first_dram_address(Device& device) {
  const std::uint64_t regions = !device.profiler().on ? 0 : device.profiler().debug_dump ? 2 : 1;
  return rounded(facts_of(device.arch()).map->dram_profiler + regions * device.profiler_bytes_per_bank(),
                 dram_alignment(device.arch()));
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

std::list<std::unique_ptr<IDevice>>& open_devices() {
  static std::list<std::unique_ptr<IDevice>> devices;
  return devices;
}

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

std::vector<CoreCoord> IDevice::get_inactive_ethernet_cores() const {
  std::vector<CoreCoord> cores;
  for (std::size_t i = 0; i < facts_of(state_->card.arch()).ethernet.size(); ++i) cores.push_back({0, i});
  return cores;
}

SubDeviceManagerId IDevice::create_sub_device_manager(const std::vector<SubDevice>& sub_devices,
                                                      std::uint64_t /*local_l1_size*/) {
  std::vector<std::set<CoreCoord>> parts;
  for (const SubDevice& one : sub_devices) {
    std::set<CoreCoord>& cores = parts.emplace_back();
    for (const CoreRangeSet& set : one.cores()) cores.merge(cores_of(set));
  }
  state_->managers[state_->next_manager] = std::move(parts);
  return state_->next_manager++;
}

void IDevice::load_sub_device_manager(SubDeviceManagerId manager) {
  if (!state_->managers.contains(manager))
    throw std::runtime_error(fmt::format("there is no sub-device manager {}", manager));
  state_->loaded_manager = manager;
}

void IDevice::clear_loaded_sub_device_manager() { state_->loaded_manager.reset(); }

void IDevice::remove_sub_device_manager(SubDeviceManagerId manager) {
  if (state_->loaded_manager == manager)
    throw std::runtime_error(fmt::format("sub-device manager {} is loaded", manager));
  state_->managers.erase(manager);
}

IDevice* CreateDevice(int id) {
  for (const auto& device : open_devices()) {
    if (device->id() == id) throw std::runtime_error(fmt::format("device {} is open already", id));
  }
  if (id < 0) throw std::runtime_error(fmt::format("device {}: numbers begin with 0", id));
  HostMachine& machine = HostMachine::to_open();
  auto state = std::make_unique<DeviceState>(
      id, value_or_throw(Card::open(machine.simulator(), static_cast<std::uint32_t>(id))));
  throw_if_failed(state->device.boot(facts_of(state->card.arch()).tensix));
  state->profiler.synchronise();
  open_devices().push_back(std::make_unique<IDevice>(std::move(state)));
  machine.opened();
  return open_devices().back().get();
}

namespace {

bool is_open(const IDevice* device) {
  return std::any_of(open_devices().begin(), open_devices().end(),
                     [&](const auto& one) { return one.get() == device; });
}

/// Those of them that came to their end; why the others did not is told when all else is done.
std::vector<IDevice*> finished(const std::vector<IDevice*>& devices, std::exception_ptr& trouble) {
  std::vector<IDevice*> ready;
  for (IDevice* device : devices) {
    try {
      device->state().finish();
      device->state().profiler.read_last();
      ready.push_back(device);
    } catch (const std::runtime_error&) {
      if (!trouble) trouble = std::current_exception();
    }
  }
  return ready;
}

/// The clocks of all are compared once more before any file is written: what is written is told by them.
void close_devices(const std::vector<IDevice*>& devices) {
  std::exception_ptr trouble;
  const std::vector<IDevice*> ready = finished(devices, trouble);
  for (IDevice* device : ready) {
    try {
      device->state().profiler.synchronise();
    } catch (const std::runtime_error& error) {  // what was read is written all the same
      ttscope::metal::warn(fmt::format("device {}: no clock synchronisation before it is closed: {}",
                                       device->id(), error.what()));
    }
  }
  for (IDevice* device : ready) {
    device->state().profiler.write_last();
    open_devices().remove_if([&](const auto& one) { return one.get() == device; });
    HostMachine::get().closed(1);
  }
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace

bool CloseDevice(IDevice* device) {
  if (!is_open(device)) return false;
  close_devices({device});
  return true;
}

void EnqueueProgram(CommandQueue& queue, Program& program, bool blocking) {
  DeviceState& state = queue.device()->state();
  if (program.state().kernels.empty()) throw std::runtime_error("the program has no kernels");
  PreparedProgram prepared = state.prepare(program.state());
  if (state.recording) {
    state.profiler.program_recorded(*state.recording, prepared.host_id);
    tell_trace_program(*queue.device(), *state.recording, prepared.host_id);
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
  if (!is_open(config_.device)) return;
  config_.device->state().dram_blocks.erase(address_);
  tell_free(*config_.device, address_);
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
  const auto address = static_cast<std::uint32_t>(place_block(state, bytes));
  tell_allocation(*config.device, address, config.size);
  return std::make_shared<Buffer>(config, address);
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
  tell_trace(*device, "BEGIN", *state.recording);
  return *state.recording;
}

void EndTraceCapture(IDevice* device, std::uint8_t /*queue_id*/, std::uint32_t trace) {
  if (device->state().recording != trace)
    throw std::runtime_error(fmt::format("trace {} is not being captured", trace));
  device->state().recording.reset();
  tell_trace(*device, "END", trace);
}

void ReplayTrace(IDevice* device, std::uint8_t /*queue_id*/, std::uint32_t trace, bool blocking) {
  DeviceState& state = device->state();
  const auto found = state.traces.find(trace);
  if (found == state.traces.end()) throw std::runtime_error(fmt::format("there is no trace {}", trace));
  tell_trace(*device, "REPLAY", trace);
  state.finish();
  std::vector<Place> places;
  for (const BootedCore& core : state.device.cores()) places.push_back(core.place);
  throw_if_failed(state.device.replay_trace(places));
  state.profiler.trace_replayed(trace);
  for (const PreparedProgram& program : found->second) state.start(program);
  if (blocking) state.finish();
}

void ReleaseTrace(IDevice* device, std::uint32_t trace) {
  if (device->state().traces.erase(trace) > 0) tell_trace(*device, "RELEASE", trace);
}

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
  std::vector<IDevice*> open;
  std::copy_if(devices_.begin(), devices_.end(), std::back_inserter(open), is_open);
  close_devices(open);
  devices_.clear();
  return true;
}

MeshDevice::~MeshDevice() {
  for (IDevice* device : devices_) {
    const auto is_it = [&](const auto& one) { return one.get() == device; };
    HostMachine::get().closed(static_cast<std::uint32_t>(open_devices().remove_if(is_it)));
  }
}

}  // namespace distributed

namespace {

void read_profiler(IDevice* device, ProfilerReadState read_state) {
  if (read_state == ProfilerReadState::ONLY_DISPATCH_CORES) return;
  device->state().finish();
  device->state().profiler.read();
}

}  // namespace

void ReadMeshDeviceProfilerResults(distributed::MeshDevice& mesh, ProfilerReadState state) {
  for (IDevice* device : mesh.get_devices()) read_profiler(device, state);
}

void ReadDeviceProfiler(IDevice* device) { read_profiler(device, ProfilerReadState::NORMAL); }

namespace detail {

void CompileProgram(IDevice* device, Program& program) { device->state().compile(program.state()); }

void ReadDeviceProfilerResults(IDevice* device, ProfilerReadState state) { read_profiler(device, state); }

// One bit that says where an op ran, 21 of the program, 10 of the device.
std::uint64_t EncodePerDeviceProgramID(std::uint32_t base_program_id, std::uint32_t device_id,
                                       bool is_host_fallback_op) {
  const std::uint64_t fallback = is_host_fallback_op ? std::uint64_t{1} << 31 : 0;
  return fallback | std::uint64_t{base_program_id} << 10 | device_id;
}

DeviceProgramId DecodePerDeviceProgramID(std::uint64_t program_id) {
  return {static_cast<std::uint32_t>(program_id >> 10 & 0x1FFFFF),
          static_cast<std::uint32_t>(program_id & 0x3FF), (program_id >> 31 & 1) != 0};
}

}  // namespace detail

}  // namespace tt::tt_metal
