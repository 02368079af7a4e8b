#include "chip/host/device_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <ttscope_device/memory_map.h>
#include <ttscope_device/profiler_layout.h>

#include "chip/runtime/raw_dump.h"

namespace tt::tt_metal {

namespace {

namespace device = ttscope_device;
using ttscope::JsonTree;
using namespace ttscope::chip;

constexpr const char* kRiscNames[] = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2"};

std::string kernel_path(const std::string& file) {
  std::error_code ignored;
  const std::string& home = HostMachine::get().settings().home;
  if (std::filesystem::exists(file, ignored) || home.empty()) return file;
  return home + "/" + file;
}

KernelSource source_of(const ProgramState::Kernel& kernel) {
  KernelSource source;
  source.file = kernel_path(kernel.file);
  source.root = HostMachine::get().settings().home;
  std::visit(
      [&](const auto& config) {
        for (const auto& [name, value] : config.defines)
          source.defines.push_back(value.empty() ? name : name + "=" + value);
        source.compile_arguments = config.compile_args;
      },
      kernel.config);
  return source;
}

bool has_words(const std::vector<std::uint32_t>& control) {
  for (std::uint32_t risc = 0; risc < device::kRiscCount; ++risc) {
    if (control[device::kHostEnd + risc] != 0 || control[device::kDeviceEnd + risc] != 0) return true;
  }
  return false;
}

}  // namespace

DeviceState::DeviceState(int number, const Card& opened)
    : id(number),
      card(opened),
      device(card, HostMachine::get().compiler(), HostMachine::get().settings().build) {}

Place DeviceState::place_of(const CoreCoord& logical) const {
  const std::vector<Place>& tensix = facts_of(card.arch()).tensix;
  const std::size_t columns = card.arch() == Arch::kWormhole ? 8 : 14;
  const std::size_t index = logical.y * columns + logical.x;
  if (logical.x >= columns || index >= tensix.size()) {
    throw std::runtime_error(fmt::format("core ({},{}) is outside of the grid of {} x {}", logical.x,
                                         logical.y, columns, tensix.size() / columns));
  }
  return tensix[index];
}

void DeviceState::add_zones(const std::vector<ZoneName>& more) {
  for (const ZoneName& zone : more) {
    if (std::none_of(zones.begin(), zones.end(),
                     [&](const ZoneName& known) { return known.key == zone.key; }))
      zones.push_back(zone);
  }
}

/// Compiles what is not compiled yet and collects everything that a run needs.
PreparedProgram DeviceState::prepare(ProgramState& program) {
  PreparedProgram out;
  std::map<CoreCoord, Launch> launches;
  const std::uint64_t id_of_run = program.runtime_id.value_or(next_runtime_id++);
  JsonTree kernels = JsonTree::object();
  for (ProgramState::Kernel& kernel : program.kernels) {
    for (std::uint32_t risc : riscs_of(kernel.config)) {
      std::shared_ptr<const Binary>& binary = kernel.binaries[risc];
      if (!binary) {
        const KernelSource source = source_of(kernel);
        binary = std::make_shared<const Binary>(value_or_throw(HostMachine::get().compiler().kernel(
            card.arch(), static_cast<Processor>(risc), device.profiler(), source)));
      }
      out.binaries.push_back(binary);
      add_zones(binary->zones);
      kernels.set(kRiscNames[risc], JsonTree::text(kernel.file));
      for (const CoreCoord& core : kernel.cores) {
        Launch& launch = launches[core];
        launch.enables |= 1u << risc;
        launch.kernels[risc] = binary.get();
        const auto arguments = kernel.arguments.find(core);
        if (arguments == kernel.arguments.end()) continue;
        out.writes.push_back(
            {place_of(core), device::kArguments + risc * device::kArgumentBytes, arguments->second});
      }
    }
  }
  for (auto& [core, launch] : launches) {
    launch.core = place_of(core);
    launch.host_id = static_cast<std::uint32_t>(id_of_run);
    out.launches.push_back(launch);
    out.places.push_back(launch.core);
    if (!program.common_arguments.empty())
      out.writes.push_back({launch.core, device::kCommonArguments, program.common_arguments});
  }
  for (std::uint32_t i = 0; i < program.semaphores.size(); ++i) {
    for (const CoreCoord& core : program.semaphores[i].cores) {
      out.writes.push_back({place_of(core),
                            device::kSemaphores + i * device::kSemaphoreStride,
                            {program.semaphores[i].initial_value}});
    }
  }
  for (const ProgramState::CircularBuffer& buffer : program.circular_buffers) {
    const CircularBufferConfig& config = buffer.config;
    const std::uint32_t at =
        device::kCircularBuffers + config.index * static_cast<std::uint32_t>(sizeof(device::CircularBuffer));
    for (const CoreCoord& core : buffer.cores) {
      out.writes.push_back(
          {place_of(core),
           at,
           {buffer.address, config.page_bytes, config.total_bytes / config.page_bytes, 0, 0, 0, 0, 0}});
    }
  }
  out.description = JsonTree::object();
  out.description.set("host_id", JsonTree::integer(static_cast<std::int64_t>(id_of_run)));
  out.description.set("kernels", std::move(kernels));
  out.description.set("core_count", JsonTree::integer(static_cast<std::int64_t>(out.places.size())));
  return out;
}

void DeviceState::start(const PreparedProgram& program) {
  finish();
  for (const PreparedProgram::Write& write : program.writes)
    card.write_words(write.place, write.address, write.words);
  device.start(program.launches);
  running = program.places;
  programs.push_back(program.description);
}

void DeviceState::finish() {
  const std::vector<Place> places = std::move(running);
  running.clear();
  throw_if_failed(device.wait(places));
}

void DeviceState::read_profiler() {
  finish();
  const HostSettings& settings = HostMachine::get().settings();
  if (!settings.profiler) return;
  std::vector<BootedCore> with_words;
  for (const BootedCore& core : device.cores()) {
    if (has_words(card.read_words(core.place, device.control_address(core), device::kControlWords)))
      with_words.push_back(core);
  }
  std::error_code error;
  std::filesystem::create_directories(settings.logs, error);
  if (error) throw std::runtime_error(fmt::format("{}: {}", settings.logs, error.message()));
  RawDump dump(device, fmt::format("device_{}_read_{}", id, dumps),
               fmt::format("device {}, read {}", id, dumps));
  for (JsonTree& program : programs) dump.program(std::move(program));
  programs.clear();
  dump.cores(with_words);
  add_zones(device.firmware_zones());
  throw_if_failed(dump.write(settings.logs, zones));
  ++dumps;
  for (const BootedCore& core : with_words) device.reset_control(core);
}

}  // namespace tt::tt_metal
