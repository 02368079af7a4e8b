#include "metal/device_state.h"

#include <fmt/format.h>
#include <ttscope_device/memory_map.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "metal/machine.h"

namespace tt::tt_metal {
namespace {

namespace device = ttscope_device;
using ttscope::JsonTree;
using namespace ttscope::chip;
using ttscope::metal::HostMachine;
using ttscope::metal::throw_if_failed;
using ttscope::metal::value_or_throw;

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
          source.defines.push_back(value.empty() ? name : fmt::format("{}={}", name, value));
        source.compile_arguments = config.compile_args;
      },
      kernel.config);
  return source;
}

}  // namespace

DeviceState::DeviceState(int number, const Card& opened)
    : id(number),
      card(opened),
      device(card, HostMachine::get().compiler(), HostMachine::get().settings().build),
      profiler(static_cast<std::uint32_t>(number), device, HostMachine::get().settings(),
               HostMachine::get().clock_mhz(static_cast<std::size_t>(number))) {}

Place DeviceState::place_of(const CoreCoord& logical) const {
  const std::vector<Place>& tensix = facts_of(card.arch()).tensix;
  const std::size_t columns = facts_of(card.arch()).architecture->tensix_columns;
  const std::size_t index = logical.y * columns + logical.x;
  if (logical.x >= columns || index >= tensix.size()) {
    throw std::runtime_error(fmt::format("core ({},{}) is outside of the grid of {} x {}", logical.x,
                                         logical.y, columns, tensix.size() / columns));
  }
  return tensix[index];
}

Place DeviceState::ethernet_place_of(const CoreCoord& logical) const {
  const std::vector<Place>& ethernet = facts_of(card.arch()).ethernet;
  if (logical.x != 0 || logical.y >= ethernet.size()) {
    throw std::runtime_error(fmt::format("ethernet core ({},{}): there are (0,0) to (0,{})", logical.x,
                                         logical.y, ethernet.size() - 1));
  }
  return ethernet[logical.y];
}

void DeviceState::compile(ProgramState& program) {
  for (ProgramState::Kernel& kernel : program.kernels) {
    for (std::uint32_t risc : riscs_of(kernel.config)) {
      std::shared_ptr<const Binary>& binary = kernel.binaries[risc];
      if (binary) continue;
      const Processor processor = kernel.on_ethernet() ? Processor::kIdleErisc : static_cast<Processor>(risc);
      binary = std::make_shared<const Binary>(value_or_throw(HostMachine::get().compiler().kernel(
          card.arch(), processor, device.profiler(), source_of(kernel))));
    }
  }
}

/// Adds it to the launches of its cores.
void DeviceState::add_kernel(const ProgramState::Kernel& kernel, PreparedProgram& out,
                             std::map<Place, Launch>& launches) {
  for (std::uint32_t risc : riscs_of(kernel.config)) {
    const std::shared_ptr<const Binary>& binary = kernel.binaries.at(risc);
    out.binaries.push_back(binary);
    profiler.add_zones(binary->zones);
    for (const CoreCoord& core : kernel.cores) {
      const Place place = kernel.on_ethernet() ? ethernet_place_of(core) : place_of(core);
      Launch& launch = launches[place];
      launch.enables |= 1u << risc;
      launch.kernels[risc] = binary.get();
      const auto arguments = kernel.arguments.find(core);
      if (arguments == kernel.arguments.end()) continue;
      out.writes.push_back({place, device::kArguments + risc * device::kArgumentBytes, arguments->second});
    }
  }
}

void DeviceState::find_sub_device(const ProgramState& program, std::uint32_t host_id) {
  if (!loaded_manager) return;
  const std::vector<std::set<CoreCoord>>& parts = managers.at(*loaded_manager);
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    const auto is_in_range = [&](const ProgramState::Kernel& kernel) {
      return std::includes(parts[i].begin(), parts[i].end(), kernel.cores.begin(), kernel.cores.end());
    };
    if (!std::all_of(program.kernels.begin(), program.kernels.end(), is_in_range)) continue;
    profiler.runs_on(host_id, {i, *loaded_manager});
    return;
  }
  throw std::runtime_error("the program is not on the cores of one sub-device");
}

/// Compiles what is not compiled yet and collects everything that a run needs.
PreparedProgram DeviceState::prepare(ProgramState& program) {
  PreparedProgram out;
  out.host_id = static_cast<std::uint32_t>(program.runtime_id ? *program.runtime_id : next_runtime_id++);
  find_sub_device(program, out.host_id);
  compile(program);
  std::map<Place, Launch> launches;
  JsonTree kernels = JsonTree::object();
  for (const ProgramState::Kernel& kernel : program.kernels) {
    add_kernel(kernel, out, launches);
    for (std::uint32_t risc : riscs_of(kernel.config))
      kernels.set(kernel.on_ethernet() ? "erisc" : kRiscNames[risc], JsonTree::text(kernel.file));
  }
  for (auto& [place, launch] : launches) {
    launch.core = place;
    launch.host_id = out.host_id;
    out.launches.push_back(launch);
    out.places.push_back(place);
    if (!program.common_arguments.empty())
      out.writes.push_back({place, device::kCommonArguments, program.common_arguments});
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
  out.description.set("host_id", JsonTree::integer(out.host_id));
  out.description.set("kernels", std::move(kernels));
  out.description.set("core_count", JsonTree::integer(static_cast<std::int64_t>(out.places.size())));
  return out;
}

void DeviceState::start(const PreparedProgram& program) {
  finish();
  std::vector<Place> not_booted;  // ethernet cores get their firmware when they are first needed
  for (const Place& place : program.places) {
    const auto is_it = [&](const BootedCore& core) { return core.place == place; };
    if (std::none_of(device.cores().begin(), device.cores().end(), is_it)) not_booted.push_back(place);
  }
  if (!not_booted.empty()) throw_if_failed(device.boot(not_booted));
  for (const PreparedProgram::Write& write : program.writes)
    card.write_words(write.place, write.address, write.words);
  device.start(program.launches);
  running = program.places;
  profiler.program_ran(program.description);
}

void DeviceState::finish() {
  const std::vector<Place> places = std::move(running);
  running.clear();
  // In a debug dump cores wait for the host to read them: it looks now and then, as tt-metal's thread does.
  const bool looks = HostMachine::get().settings().build.debug_dump;
  const std::uint64_t longest = HostMachine::get().settings().longest_run_ns;
  const std::uint64_t step = looks ? std::min<std::uint64_t>(longest, 100'000) : longest;
  ttscope::Result<void> done;
  for (std::uint64_t waited = 0; waited < longest; waited += step) {
    done = device.wait(places, step);
    if (done || !card.simulator().error().empty()) break;
    profiler.serve_stalls();
  }
  if (done) return;
  const bool has_memory = card.simulator().has_memory();
  const std::string saved = has_memory ? profiler.save_hung() : "";
  const std::string longer = card.simulator().error().empty()
                                 ? " (TT_METAL_OPERATION_TIMEOUT_SECONDS, in simulated time, gives it longer)"
                             : has_memory ? ""
                                          : "; what its devices held is lost with it";
  throw std::runtime_error(
      saved.empty()
          ? done.error().message + longer
          : fmt::format("{}{}; what the profiler had recorded is in {}, to be read with: ttscope perf "
                        "--raw {}",
                        done.error().message, longer, saved, saved));
}

}  // namespace tt::tt_metal
