// Programs, kernels and circular buffers as users see them. Their headers are public:
// include/tt_metal_compat, by the names of tt-metal's.
#include <fmt/format.h>

#include <stdexcept>
#include <type_traits>

#include <ttscope_device/memory_map.h>

#include "metal/program_state.h"

namespace tt::tt_metal {

namespace {

namespace device = ttscope_device;

constexpr std::uint32_t kL1Alignment = 64;  // of both architectures

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
  constexpr std::size_t kMost = device::kArgumentBytes / 4 - 1;  // the last word takes answers of semaphores
  if (arguments.size() > kMost)
    throw std::runtime_error(
        fmt::format("{}: {} arguments, at most {} are possible", target.file, arguments.size(), kMost));
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
  constexpr std::uint32_t kLeastL1 = device::kWormhole.l1_bytes;
  if (bytes > kLeastL1 - state.next_l1_address) {
    throw std::runtime_error(
        fmt::format("circular buffer {} of {} bytes does not fit: {} bytes of L1 are left", config.index,
                    config.total_bytes, kLeastL1 - state.next_l1_address));
  }
  state.circular_buffers.push_back({cores_of(cores), config, state.next_l1_address});
  state.next_l1_address += bytes;
}

}  // namespace tt::tt_metal
