#pragma once
// The host side of programs on simulated chips: the names of tt-metal's host API that programs of this
// repository need. Everything that goes wrong is thrown as std::runtime_error. One thread at a time. Which
// chips there are: TT_METAL_SIMULATOR names a libttsim to run on; otherwise ttscope's own simulator runs,
// with the chips of ttscope::use_simulated_chips() or, without, TTSCOPE_CHIPS of the kind ARCH_NAME.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tt {

enum class ARCH : std::uint8_t { WORMHOLE_B0, BLACKHOLE };
enum class DataFormat : std::uint8_t { Float32 = 0, Float16 = 1, Float16_b = 5, UInt32 = 24 };

namespace tt_metal {

// Cores: logical coordinates, (0,0) is the first worker of the grid
// ---------------------------------------------------

struct CoreCoord {
  std::size_t x = 0;
  std::size_t y = 0;
  friend bool operator==(const CoreCoord&, const CoreCoord&) = default;
  friend auto operator<=>(const CoreCoord&, const CoreCoord&) = default;
};

/// A rectangle; both corners belong to it.
struct CoreRange {
  CoreCoord start_coord;
  CoreCoord end_coord;
  CoreRange(CoreCoord start, CoreCoord end) : start_coord(start), end_coord(end) {}
  explicit CoreRange(CoreCoord one) : start_coord(one), end_coord(one) {}
};

class CoreRangeSet {
 public:
  explicit CoreRangeSet(std::vector<CoreRange> ranges) : ranges_(std::move(ranges)) {}
  const std::vector<CoreRange>& ranges() const { return ranges_; }

 private:
  std::vector<CoreRange> ranges_;
};

using CoreSpec = std::variant<CoreCoord, CoreRange, CoreRangeSet>;

// Programs
// ------------------------------------------------------------------------------------------------------------

enum class DataMovementProcessor : std::uint8_t { RISCV_0, RISCV_1 };

struct DataMovementConfig {
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  std::vector<std::uint32_t> compile_args;
  std::map<std::string, std::string> defines;
};
/// The kernel runs on the three compute RISCs.
struct ComputeConfig {
  std::vector<std::uint32_t> compile_args;
  std::map<std::string, std::string> defines;
};
enum class Eth : std::uint8_t { SENDER, RECEIVER, IDLE };
/// The kernel runs on ethernet cores, by their logical coordinates (0, channel). Only idle ones are
/// simulated.
struct EthernetConfig {
  Eth eth_mode = Eth::IDLE;
  std::vector<std::uint32_t> compile_args;
  std::map<std::string, std::string> defines;
};
using KernelConfig = std::variant<DataMovementConfig, ComputeConfig, EthernetConfig>;
using KernelHandle = std::uint32_t;

class IDevice;
struct ProgramState;

/// Kernels with their arguments, circular buffers and semaphores.
class Program {
 public:
  Program();
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  /// What the profiler calls a run of it. Without, each run gets the next number of its device, from 1.
  void set_runtime_id(std::uint64_t id);
  ProgramState& state() { return *state_; }

 private:
  std::unique_ptr<ProgramState> state_;
};

Program CreateProgram();
/// `file`: a path; what is not found from here is looked for below TT_METAL_HOME. It is compiled by
/// detail::CompileProgram, else when the program first runs.
KernelHandle CreateKernel(Program& program, const std::string& file, const CoreSpec& cores,
                          const KernelConfig& config);
void SetRuntimeArgs(Program& program, KernelHandle kernel, const CoreSpec& cores,
                    const std::vector<std::uint32_t>& arguments);
/// The same for all RISCs of all cores.
void SetCommonRuntimeArgs(Program& program, KernelHandle kernel, const std::vector<std::uint32_t>& arguments);
std::uint32_t CreateSemaphore(Program& program, const CoreSpec& cores, std::uint32_t initial_value);

struct CircularBufferConfig {
  std::uint32_t index = 0;  ///< what kernels call it
  std::uint32_t total_bytes = 0;
  std::uint32_t page_bytes = 0;
};
void CreateCircularBuffer(Program& program, const CoreSpec& cores, const CircularBufferConfig& config);

// Devices
// -------------------------------------------------------------------------------------------------------------

class CommandQueue {
 public:
  explicit CommandQueue(IDevice& device) : device_(&device) {}
  IDevice* device() const { return device_; }

 private:
  IDevice* device_;
};

struct DeviceState;

/// A part of the grid on which programs run on their own.
class SubDevice {
 public:
  explicit SubDevice(std::vector<CoreRangeSet> cores) : cores_(std::move(cores)) {}
  const std::vector<CoreRangeSet>& cores() const { return cores_; }

 private:
  std::vector<CoreRangeSet> cores_;
};
using SubDeviceManagerId = std::uint64_t;

class IDevice {
 public:
  explicit IDevice(std::unique_ptr<DeviceState> state);
  ~IDevice();
  IDevice(const IDevice&) = delete;
  IDevice& operator=(const IDevice&) = delete;

  int id() const;
  ARCH arch() const;
  CommandQueue& command_queue(std::size_t id = 0);
  CoreCoord compute_with_storage_grid_size() const;
  /// Physical coordinates on the first network.
  CoreCoord worker_core_from_logical_core(const CoreCoord& logical) const;
  std::uint32_t num_dram_channels() const;
  /// Logical coordinates of ethernet cores that can have kernels.
  std::vector<CoreCoord> get_inactive_ethernet_cores() const;

  /// Once loaded, a program must lie within one of them; the profiler notes in which.
  SubDeviceManagerId create_sub_device_manager(const std::vector<SubDevice>& sub_devices,
                                               std::uint64_t local_l1_size = 0);
  void load_sub_device_manager(SubDeviceManagerId manager);
  void clear_loaded_sub_device_manager();
  void remove_sub_device_manager(SubDeviceManagerId manager);

  DeviceState& state() { return *state_; }

 private:
  std::unique_ptr<DeviceState> state_;
  CommandQueue queue_;
};

IDevice* CreateDevice(int id);
/// Reads the profiler, if it is on. The pointer is invalid afterwards.
bool CloseDevice(IDevice* device);

/// `blocking`: waits for its end. A program waits for the one before it.
void EnqueueProgram(CommandQueue& queue, Program& program, bool blocking);
void Finish(CommandQueue& queue);

// Memory
// --------------------------------------------------------------------------------------------------------------

/// Pages in DRAM, dealt out over the banks in turn.
struct InterleavedBufferConfig {
  IDevice* device = nullptr;
  std::uint64_t size = 0;
  std::uint64_t page_size = 0;
};

class Buffer {
 public:
  Buffer(const InterleavedBufferConfig& config, std::uint32_t address);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::uint32_t address() const { return address_; }
  std::uint64_t size() const { return config_.size; }
  std::uint64_t page_size() const { return config_.page_size; }
  IDevice* device() const { return config_.device; }

 private:
  InterleavedBufferConfig config_;
  std::uint32_t address_;
};

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig& config);
void EnqueueWriteBuffer(CommandQueue& queue, Buffer& buffer, const void* data, bool blocking);
void EnqueueReadBuffer(CommandQueue& queue, Buffer& buffer, void* data, bool blocking);
template <typename T>
void EnqueueWriteBuffer(CommandQueue& queue, const std::shared_ptr<Buffer>& buffer,
                        const std::vector<T>& data, bool blocking) {
  EnqueueWriteBuffer(queue, *buffer, data.data(), blocking);
}
template <typename T>
void EnqueueReadBuffer(CommandQueue& queue, const std::shared_ptr<Buffer>& buffer, std::vector<T>& data,
                       bool blocking) {
  data.resize(buffer->size() / sizeof(T));
  EnqueueReadBuffer(queue, *buffer, data.data(), blocking);
}

// Traces: programs that are recorded once and run again and again
// --------------------------------------------------------

std::uint32_t BeginTraceCapture(IDevice* device, std::uint8_t queue_id);
void EndTraceCapture(IDevice* device, std::uint8_t queue_id, std::uint32_t trace);
void ReplayTrace(IDevice* device, std::uint8_t queue_id, std::uint32_t trace, bool blocking);
void ReleaseTrace(IDevice* device, std::uint32_t trace);

// The profiler
// ----------------------------------------------------------------------------------------------------------

/// LAST_FD_READ: the read of CloseDevice(). ONLY_DISPATCH_CORES reads nothing: none are simulated.
enum class ProfilerReadState : std::uint8_t { NORMAL, ONLY_DISPATCH_CORES, LAST_FD_READ };

namespace distributed {

struct MeshShape {
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
};

/// Several devices at once.
class MeshDevice {
 public:
  static std::shared_ptr<MeshDevice> create(const MeshShape& shape);
  ~MeshDevice();
  MeshDevice(const MeshDevice&) = delete;
  MeshDevice& operator=(const MeshDevice&) = delete;

  const std::vector<IDevice*>& get_devices() const { return devices_; }
  bool close();

 private:
  explicit MeshDevice(std::vector<IDevice*> devices) : devices_(std::move(devices)) {}
  std::vector<IDevice*> devices_;
};

}  // namespace distributed

/// Waits for the devices, takes the profiler's markers of all cores and empties its buffers. What was read is
/// written when a device is closed, or at once with TT_METAL_PROFILER_MID_RUN_DUMP=1. Nothing happens unless
/// TT_METAL_DEVICE_PROFILER=1 (docs/device_profiler.md).
void ReadMeshDeviceProfilerResults(distributed::MeshDevice& mesh,
                                   ProfilerReadState state = ProfilerReadState::NORMAL);
void ReadDeviceProfiler(IDevice* device);

namespace detail {
/// Compiles the kernels that are not compiled yet, for this device and those of its kind.
void CompileProgram(IDevice* device, Program& program);
void ReadDeviceProfilerResults(IDevice* device, ProfilerReadState state = ProfilerReadState::NORMAL);

/// The number of a program in the profiler's files: `base_program_id` is what set_runtime_id() was given.
struct DeviceProgramId {
  std::uint32_t base_program_id = 0;
  std::uint32_t device_id = 0;
  bool is_host_fallback_op = false;
};
std::uint64_t EncodePerDeviceProgramID(std::uint32_t base_program_id, std::uint32_t device_id,
                                       bool is_host_fallback_op = false);
DeviceProgramId DecodePerDeviceProgramID(std::uint64_t program_id);
}  // namespace detail

}  // namespace tt_metal
}  // namespace tt

namespace ttscope {

/// One chip of the simulation. Its clock runs against the time of the simulation; times of accesses are ticks
/// beyond the one that each instruction takes.
struct SimulatedChip {
  tt::ARCH arch = tt::ARCH::WORMHOLE_B0;
  double frequency_mhz = 1000;
  std::uint64_t clock_offset_cycles = 0;
  double drift_ppm_per_second = 0;
  std::uint32_t host_jitter_ns =
      0;  ///< a write of the host takes up to so long; each time another, the same in every run
  std::uint32_t l1_ticks = 0;
  std::uint32_t noc_base_ticks = 0;
  std::uint32_t noc_hop_ticks = 0;
  std::uint32_t noc_bytes_per_tick = 0;  ///< 0: size costs nothing
};

/// While no device is open. Time begins anew, and the environment is read again.
void use_simulated_chips(const std::vector<SimulatedChip>& chips);
/// Whether the environment switches the device profiler on: TT_METAL_DEVICE_PROFILER, or what cannot be had
/// without it (TT_METAL_DEVICE_PROFILER_NOC_EVENTS, TT_METAL_PROFILE_PERF_COUNTERS, TT_METAL_NOC_DEBUG_DUMP).
bool profiles_devices();
/// Time of the simulation since it began.
std::uint64_t simulated_nanoseconds();

}  // namespace ttscope
