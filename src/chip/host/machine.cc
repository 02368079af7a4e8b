#include "chip/host/machine.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <ttscope_device/profiler_layout.h>

#include "chip/runtime/profiler_region.h"

namespace ttscope::chip {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// As tt-metal reads its switches: on if the first character is a 1.
bool is_on(const char* name) { return variable(name).starts_with('1'); }

std::uint32_t number_of(const char* name, std::uint32_t otherwise) {
  const std::string text = variable(name);
  if (text.empty()) return otherwise;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) {
    throw std::runtime_error(fmt::format("{}={}: expected a whole number above 0", name, text));
  }
  return number;
}

Arch arch_of(const std::string& name) {
  if (name.empty() || name == facts_of(Arch::kWormhole).name) return Arch::kWormhole;
  if (name == facts_of(Arch::kBlackhole).name) return Arch::kBlackhole;
  throw std::runtime_error(fmt::format("ARCH_NAME={}: expected wormhole_b0 or blackhole", name));
}

std::string cache_folder() {
  if (std::string given = variable("TTSCOPE_CHIP_CACHE"); !given.empty()) return given;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/ttscope/chip";
  const std::string home = variable("HOME");
  return home.empty() ? "/tmp/ttscope-chip" : home + "/.cache/ttscope/chip";
}

std::string logs_folder(const std::string& home) {
  if (const std::string given = variable("TT_METAL_PROFILER_DIR"); !given.empty()) return given + "/.logs";
  return (home.empty() ? std::string() : home + "/") + "generated/profiler/.logs";
}

void set_profiler(HostSettings& settings) {
  namespace device = ttscope_device;
  ProfilerBuild& build = settings.build;
  build.debug_dump = is_on("TT_METAL_NOC_DEBUG_DUMP");
  build.noc_events = is_on("TT_METAL_DEVICE_PROFILER_NOC_EVENTS") || build.debug_dump;
  settings.profiler = is_on("TT_METAL_DEVICE_PROFILER") || build.noc_events;
  build.on = settings.profiler;
  if (!settings.profiler) return;
  if (!variable("TT_METAL_DPRINT_CORES").empty())
    throw std::runtime_error("Cannot enable both debug printing and profiling");
  build.flags = device::kProfileOn;
  if (is_on("TT_METAL_DEVICE_PROFILER_DISPATCH")) build.flags |= device::kProfileDispatch;
  if (is_on("TT_METAL_TRACE_PROFILER")) build.flags |= device::kProfileTraceOnly;
  if (is_on("TT_METAL_PROFILER_SUM")) build.flags |= device::kProfileSum;
  if (is_on("TT_METAL_PROFILER_ACCUMULATE")) build.flags |= device::kProfileAccumulate;
  const bool mid_run = is_on("TT_METAL_PROFILER_MID_RUN_DUMP");
  if (mid_run && (build.flags & device::kProfileTraceOnly))
    throw std::runtime_error("Cannot dump data mid-run if only profiling trace runs");
  if (mid_run && (build.flags & device::kProfileDispatch))
    throw std::runtime_error("Cannot dump data mid-run if profiling dispatch cores");
  const std::uint32_t count =
      number_of("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", build.debug_dump ? 500 : 1000);
  const ProfilerRegion region = profiler_region(count, (build.flags & device::kProfileSum) != 0);
  if (!region.warning.empty()) fmt::print(stderr, "warning: {}\n", region.warning);
  settings.support_count = region.programs;
  build.region_bytes = region.bytes;
}

std::vector<SimulatedChip>& chosen_chips() {
  static std::vector<SimulatedChip> chips;
  return chips;
}

std::unique_ptr<HostMachine>& machine() {
  static std::unique_ptr<HostMachine> one;
  return one;
}

ChipOptions options_of(const SimulatedChip& chip) {
  ChipOptions options;
  options.arch = chip.arch == tt::ARCH::BLACKHOLE ? Arch::kBlackhole : Arch::kWormhole;
  options.clock = {chip.frequency_mhz, chip.clock_offset_cycles, chip.drift_ppm_per_second};
  options.latency = {chip.l1_ticks, chip.noc_base_ticks, chip.noc_hop_ticks, chip.noc_bytes_per_tick};
  options.host_jitter_ns = chip.host_jitter_ns;
  return options;
}

}  // namespace

void throw_if_failed(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().message);
}

HostSettings settings_from_environment() {
  HostSettings settings;
  settings.library = variable("TT_METAL_SIMULATOR");
  settings.home = variable("TT_METAL_HOME");
  settings.cache = cache_folder();
  settings.logs = logs_folder(settings.home);
  for (const SimulatedChip& chip : chosen_chips()) settings.chips.push_back(options_of(chip));
  if (settings.chips.empty()) {
    ChipOptions options;
    options.arch = arch_of(variable("ARCH_NAME"));
    settings.chips.assign(number_of("TTSCOPE_CHIPS", 1), options);
  }
  set_profiler(settings);
  return settings;
}

HostMachine::HostMachine(HostSettings settings)
    : settings_(std::move(settings)),
      simulator_(settings_.library.empty() ? embedded_simulator(settings_.chips)
                                           : value_or_throw(library_simulator(settings_.library))),
      compiler_(Compiler::kProgram, settings_.cache) {}

HostMachine& HostMachine::get() {
  if (!machine()) machine().reset(new HostMachine(settings_from_environment()));
  return *machine();
}

bool HostMachine::exists() { return machine() != nullptr; }

void HostMachine::use_chips(const std::vector<SimulatedChip>& chips) {
  if (exists()) throw std::runtime_error("use_simulated_chips: a device is there already");
  if (chips.empty()) throw std::runtime_error("use_simulated_chips: no chips");
  chosen_chips() = chips;
}

}  // namespace ttscope::chip

namespace ttscope {

void use_simulated_chips(const std::vector<SimulatedChip>& chips) { chip::HostMachine::use_chips(chips); }

std::uint64_t simulated_nanoseconds() {
  return chip::HostMachine::exists() ? chip::HostMachine::get().simulator().nanoseconds() : 0;
}

}  // namespace ttscope
