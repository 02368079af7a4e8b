#include <fmt/format.h>
#include <ttscope/record.h>
#include <ttscope_device/memory_map.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <exception>
#include <iterator>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tt_metal/experimental/profiler.hpp>
#include <tt_metal/host_api.hpp>
#include <type_traits>

#include "metal/device_state.h"
#include "metal/machine.h"

namespace ttscope::metal {
namespace {

bool records_buffers() {
  return ttscope_record_active() != 0 && HostMachine::get().settings().records_buffers;
}

std::string pool_of(const tt::tt_metal::IDevice& device) {
  return fmt::format("Device {} DRAM", device.id());
}

void send(const std::string& message) { ttscope_record_message(message.data(), message.size(), 0); }

// What tt-metal tells Tracy of devices: here the recorder is told (libttscope_record), which takes it while a
// run is traced.

/// TT_METAL_MEM_PROFILER: a buffer in DRAM begins and ends.
void record_allocation(tt::tt_metal::IDevice& device, std::uint64_t address, std::uint64_t bytes) {
  if (records_buffers()) ttscope_record_alloc(address, bytes, pool_of(device).c_str());
}

void record_free(tt::tt_metal::IDevice& device, std::uint64_t address) {
  if (records_buffers()) ttscope_record_free(address, pool_of(device).c_str());
}

/// `TT_METAL_TRACE_BEGIN: 0, 3`: with TT_METAL_PROFILER_TRACE_TRACKING; the ends of captures whenever the
/// profiler is on.
void record_trace(tt::tt_metal::IDevice& device, const char* what, std::uint32_t trace) {
  if (ttscope_record_active() == 0) return;
  const HostSettings& settings = HostMachine::get().settings();
  const bool is_end = std::string_view(what) == "END";
  if (settings.records_traces || (is_end && settings.profiler))
    send(fmt::format("`TT_METAL_TRACE_{}: {}, {}`", what, device.id(), trace));
}

/// A program becomes part of a trace.
void record_trace_program(tt::tt_metal::IDevice& device, std::uint32_t trace, std::uint32_t program) {
  if (ttscope_record_active() == 0 || !HostMachine::get().settings().records_traces) return;
  send(fmt::format("`TT_METAL_TRACE_ENQUEUE_PROGRAM: {}, {}, {}`", device.id(), trace, program));
}

}  // namespace

}  // namespace ttscope::metal

namespace tt::tt_metal {
namespace {

// Devices, buffers, queues and traces as users see them. Their headers are public: include/tt_metal_compat,
// by the names of tt-metal's.

using namespace ttscope::chip;
using ttscope::metal::HostMachine;
using ttscope::metal::record_allocation;
using ttscope::metal::record_free;
using ttscope::metal::record_trace;
using ttscope::metal::record_trace_program;
using ttscope::metal::throw_if_failed;
using ttscope::metal::value_or_throw;

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::uint64_t dram_alignment(Arch arch) { return facts_of(arch).architecture->dram_alignment_bytes; }

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
  const auto bank_bytes =
      static_cast<std::uint64_t>(facts_of(state.card.arch()).architecture->dram_bank_bytes);
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

/// The devices of this process, in the order in which they were created.
std::list<std::unique_ptr<IDevice>>& open_devices() {
  static std::list<std::unique_ptr<IDevice>> devices;
  return devices;
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
  const ttscope::Architecture& architecture = *facts_of(state_->card.arch()).architecture;
  return {architecture.tensix_columns, architecture.tensix_rows};
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
  state->profiler.synchronize();
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
      device->state().profiler.synchronize();
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
    record_trace_program(*queue.device(), *state.recording, prepared.host_id);
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
  record_free(*config_.device, address_);
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
  record_allocation(*config.device, address, config.size);
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
  record_trace(*device, "BEGIN", *state.recording);
  return *state.recording;
}

void EndTraceCapture(IDevice* device, std::uint8_t /*queue_id*/, std::uint32_t trace) {
  if (device->state().recording != trace)
    throw std::runtime_error(fmt::format("trace {} is not being captured", trace));
  device->state().recording.reset();
  record_trace(*device, "END", trace);
}

void ReplayTrace(IDevice* device, std::uint8_t /*queue_id*/, std::uint32_t trace, bool blocking) {
  DeviceState& state = device->state();
  const auto found = state.traces.find(trace);
  if (found == state.traces.end()) throw std::runtime_error(fmt::format("there is no trace {}", trace));
  record_trace(*device, "REPLAY", trace);
  state.finish();
  std::vector<Place> places;
  for (const BootedCore& core : state.device.cores()) places.push_back(core.place);
  throw_if_failed(state.device.replay_trace(places));
  state.profiler.trace_replayed(trace);
  for (const PreparedProgram& program : found->second) state.start(program);
  if (blocking) state.finish();
}

void ReleaseTrace(IDevice* device, std::uint32_t trace) {
  if (device->state().traces.erase(trace) > 0) record_trace(*device, "RELEASE", trace);
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

namespace {

// Programs, kernels and circular buffers as users see them. Their headers are public:
// include/tt_metal_compat, by the names of tt-metal's.

namespace device = ttscope_device;

constexpr std::uint32_t kL1Alignment = ttscope::kBlackhole.dram_alignment_bytes;  // of both architectures

ProgramState::Kernel& kernel_of(Program& program, KernelHandle handle) {
  if (handle >= program.state().kernels.size()) {
    throw std::runtime_error(
        fmt::format("kernel {}: the program has {}", handle, program.state().kernels.size()));
  }
  return program.state().kernels[handle];
}

void add_range(std::set<CoreCoord>& cores, const CoreRange& range) {
  for (std::size_t y = range.start_coord.y; y <= range.end_coord.y; ++y) {
    for (std::size_t x = range.start_coord.x; x <= range.end_coord.x; ++x) cores.insert({x, y});
  }
}

}  // namespace

std::set<CoreCoord> cores_of(const CoreSpec& spec) {
  std::set<CoreCoord> cores;
  if (const auto* core = std::get_if<CoreCoord>(&spec)) cores.insert(*core);
  if (const auto* range = std::get_if<CoreRange>(&spec)) add_range(cores, *range);
  if (const auto* set = std::get_if<CoreRangeSet>(&spec)) {
    for (const CoreRange& range : set->ranges()) add_range(cores, range);
  }
  if (cores.empty()) throw std::runtime_error("no cores are given");
  return cores;
}

std::vector<std::uint32_t> riscs_of(const KernelConfig& config) {
  if (std::holds_alternative<EthernetConfig>(config)) return {device::kBrisc};  // it has one
  const auto* mover = std::get_if<DataMovementConfig>(&config);
  if (mover == nullptr) return {device::kTrisc0, device::kTrisc1, device::kTrisc2};
  return {mover->processor == DataMovementProcessor::RISCV_0 ? device::kBrisc : device::kNcrisc};
}

Program::Program() : state_(std::make_unique<ProgramState>()) {}

Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

void Program::set_runtime_id(std::uint64_t id) { state_->runtime_id = id; }

Program CreateProgram() { return {}; }

KernelHandle CreateKernel(Program& program, const std::string& file, const CoreSpec& cores,
                          const KernelConfig& config) {
  const std::set<CoreCoord> places = cores_of(cores);
  const auto* ethernet = std::get_if<EthernetConfig>(&config);
  if (ethernet != nullptr && ethernet->eth_mode != Eth::IDLE)
    throw std::runtime_error(fmt::format("{}: active ethernet cores are not simulated, use Eth::IDLE", file));
  for (const ProgramState::Kernel& other : program.state().kernels) {
    if (other.config.index() != config.index() || riscs_of(other.config) != riscs_of(config)) continue;
    for (const CoreCoord& core : places) {
      if (!other.cores.contains(core)) continue;
      throw std::runtime_error(fmt::format("{}: core ({},{}) already has the kernel {} on this processor",
                                           file, core.x, core.y, other.file));
    }
  }
  program.state().kernels.push_back({file, places, config, {}, {}});
  return static_cast<KernelHandle>(program.state().kernels.size() - 1);
}

void SetRuntimeArgs(Program& program, KernelHandle kernel, const CoreSpec& cores,
                    const std::vector<std::uint32_t>& arguments) {
  ProgramState::Kernel& target = kernel_of(program, kernel);
  constexpr std::size_t kMax = device::kArgumentBytes / 4 - 1;  // the last word takes answers of semaphores
  if (arguments.size() > kMax)
    throw std::runtime_error(
        fmt::format("{}: {} arguments, at most {} are possible", target.file, arguments.size(), kMax));
  for (const CoreCoord& core : cores_of(cores)) {
    if (!target.cores.contains(core)) {
      throw std::runtime_error(fmt::format("{}: arguments for core ({},{}), on which it does not run",
                                           target.file, core.x, core.y));
    }
    target.arguments[core] = arguments;
  }
}

void SetCommonRuntimeArgs(Program& program, KernelHandle kernel,
                          const std::vector<std::uint32_t>& arguments) {
  const ProgramState::Kernel& target = kernel_of(program, kernel);
  if (arguments.size() > device::kCommonArgumentCount) {
    throw std::runtime_error(fmt::format("{}: {} common arguments, at most {} are possible", target.file,
                                         arguments.size(), device::kCommonArgumentCount));
  }
  program.state().common_arguments = arguments;
}

std::uint32_t CreateSemaphore(Program& program, const CoreSpec& cores, std::uint32_t initial_value) {
  std::vector<ProgramState::Semaphore>& semaphores = program.state().semaphores;
  if (semaphores.size() == device::kSemaphoreCount)
    throw std::runtime_error(fmt::format("a program has at most {} semaphores", device::kSemaphoreCount));
  semaphores.push_back({cores_of(cores), initial_value});
  return static_cast<std::uint32_t>(semaphores.size() - 1);
}

void CreateCircularBuffer(Program& program, const CoreSpec& cores, const CircularBufferConfig& config) {
  if (config.index >= device::kCircularBufferCount || config.page_bytes == 0 ||
      config.total_bytes < config.page_bytes || config.total_bytes % config.page_bytes != 0) {
    throw std::runtime_error(fmt::format(
        "circular buffer {} of {} bytes in pages of {}: expected an index below {} and whole pages",
        config.index, config.total_bytes, config.page_bytes, device::kCircularBufferCount));
  }
  ProgramState& state = program.state();
  if (state.next_l1_address == 0) state.next_l1_address = device::kUnreserved;
  const std::uint32_t bytes = (config.total_bytes + kL1Alignment - 1) / kL1Alignment * kL1Alignment;
  constexpr std::uint32_t kMinL1 = device::kWormhole.l1_bytes;
  if (bytes > kMinL1 - state.next_l1_address) {
    throw std::runtime_error(
        fmt::format("circular buffer {} of {} bytes does not fit: {} bytes of L1 are left", config.index,
                    config.total_bytes, kMinL1 - state.next_l1_address));
  }
  state.circular_buffers.push_back({cores_of(cores), config, state.next_l1_address});
  state.next_l1_address += bytes;
}

}  // namespace tt::tt_metal

namespace tt::tt_metal::experimental {
namespace {

namespace perf = ttscope::perf;
using ProgramsByChip = std::map<ChipId, std::set<ProgramAnalysisData>>;

std::uint64_t uid_part(std::int64_t number) {
  return number < 0 ? INVALID_NUM_PROGRAM_EXECUTION_UID : static_cast<std::uint64_t>(number);
}

ProgramAnalysisData data_of(const perf::ProgramTimes& program, std::uint32_t cores) {
  ProgramAnalysisData data;
  data.program_execution_uid = {program.key.op_id, uid_part(program.key.trace), uid_part(program.key.replay)};
  data.core_count = program.cores;
  data.num_available_cores = cores;
  for (std::size_t i = 0; i < perf::kProgramSpanKinds; ++i) {
    const auto kind = static_cast<perf::ProgramSpanKind>(i);
    const perf::ProgramSpan& span = program.span(kind);
    if (!span.cycles.is_whole()) continue;
    data.program_analyses_results[std::string(perf::column_of(kind))] = {span.cycles.start, span.cycles.end,
                                                                         span.ns};
  }
  return data;
}

const ProgramSingleAnalysisResult* result_of(const ProgramAnalysisData& data, perf::ProgramSpanKind kind) {
  const auto found = data.program_analyses_results.find(std::string(perf::column_of(kind)));
  return found == data.program_analyses_results.end() ? nullptr : &found->second;
}

/// Of all open devices; nothing unless markers are measured while the process goes on.
template <typename Programs>
ProgramsByChip programs_by_chip(Programs programs) {
  ProgramsByChip chips;
  for (const auto& device : open_devices()) {
    const ttscope::metal::HostSettings& settings = ttscope::metal::HostMachine::get().settings();
    if (!settings.profiler || !settings.dumps_mid_run || !settings.post_processes) return {};
    const ttscope::metal::DeviceProfiler& profiler = device->state().profiler;
    std::set<ProgramAnalysisData>& found = chips[device->id()];
    for (const perf::ProgramTimes& program : programs(profiler))
      found.insert(data_of(program, profiler.compute_cores()));
  }
  return chips;
}

DurationHistogram histogram_of(const std::vector<std::uint64_t>& durations, std::uint64_t min_ns,
                               std::uint64_t max_ns, std::uint32_t buckets) {
  constexpr std::uint64_t kEmptyMinNs = 100;
  constexpr std::uint64_t kEmptyMaxNs = 10'000'000;
  if (min_ns == 0 && max_ns == 0) {
    const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
    min_ns = durations.empty() ? kEmptyMinNs : *least;
    max_ns = durations.empty() ? kEmptyMaxNs : *most + 1;
  }
  if (buckets == 0 || max_ns <= min_ns)
    throw std::runtime_error("a histogram needs buckets and a largest duration above the smallest");
  DurationHistogram histogram = {min_ns, max_ns, buckets, {}, std::vector<std::uint64_t>(buckets), 0, 0};
  for (std::uint64_t i = 0; i <= buckets; ++i)
    histogram.bucket_edges_ns.push_back(min_ns + (max_ns - min_ns) * i / buckets);
  for (const std::uint64_t duration : durations) {
    if (duration < min_ns) {
      ++histogram.underflow;
    } else if (duration >= max_ns) {
      ++histogram.overflow;
    } else {
      const auto above =
          std::upper_bound(histogram.bucket_edges_ns.begin(), histogram.bucket_edges_ns.end(), duration);
      ++histogram.bucket_counts[static_cast<std::size_t>(above - histogram.bucket_edges_ns.begin()) - 1];
    }
  }
  return histogram;
}

std::map<ChipId, KernelDurationSummary> summaries(const ProgramsByChip& chips, std::uint64_t min_ns,
                                                  std::uint64_t max_ns, std::uint32_t buckets) {
  std::map<ChipId, KernelDurationSummary> out;
  for (const auto& [chip, programs] : chips) {
    std::vector<std::uint64_t> durations;
    for (const ProgramAnalysisData& program : programs) {
      if (const auto* kernel = result_of(program, perf::ProgramSpanKind::kKernel))
        durations.push_back(kernel->duration);
    }
    KernelDurationSummary& summary = out[chip];
    summary.count = durations.size();
    for (const std::uint64_t duration : durations) summary.avg_ns += static_cast<double>(duration);
    if (!durations.empty()) {
      const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
      summary.min_ns = *least;
      summary.max_ns = *most;
      summary.avg_ns /= static_cast<double>(durations.size());
    }
    summary.histogram = histogram_of(durations, min_ns, max_ns, buckets);
  }
  return out;
}

}  // namespace

bool ProgramAnalysisData::operator<(const ProgramAnalysisData& other) const {
  const auto firmware = [](const ProgramAnalysisData& data) {
    const auto* result = result_of(data, perf::ProgramSpanKind::kFirmware);
    return result == nullptr ? ProgramSingleAnalysisResult{} : *result;
  };
  const auto order = firmware(*this) <=> firmware(other);
  return std::is_neq(order) ? std::is_lt(order) : program_execution_uid < other.program_execution_uid;
}

ProgramsByChip GetLatestProgramsPerfData() {
  return programs_by_chip([](const auto& profiler) -> const auto& { return profiler.latest_programs(); });
}

ProgramsByChip GetAllProgramsPerfData() {
  return programs_by_chip([](const auto& profiler) -> const auto& { return profiler.all_programs(); });
}

std::map<ChipId, KernelDurationSummary> GetLatestKernelDurationSummary(std::uint64_t histogram_min_ns,
                                                                       std::uint64_t histogram_max_ns,
                                                                       std::uint32_t histogram_buckets) {
  return summaries(GetLatestProgramsPerfData(), histogram_min_ns, histogram_max_ns, histogram_buckets);
}

std::map<ChipId, KernelDurationSummary> GetAllKernelDurationSummary(std::uint64_t histogram_min_ns,
                                                                    std::uint64_t histogram_max_ns,
                                                                    std::uint32_t histogram_buckets) {
  return summaries(GetAllProgramsPerfData(), histogram_min_ns, histogram_max_ns, histogram_buckets);
}

}  // namespace tt::tt_metal::experimental
