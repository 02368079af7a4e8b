#include "metal/machine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <ttscope_device/profiler_layout.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/number_text.h"
#include "chip/runtime/device.h"

namespace ttscope::metal {
namespace {

namespace device = ttscope_device;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// As tt-metal reads its switches: on if the first character is a 1.
bool is_on(const char* name) { return variable(name).starts_with('1'); }

std::optional<std::uint32_t> number_of(const char* name) {
  const std::string text = variable(name);
  if (text.empty()) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::runtime_error(fmt::format("{}={}: expected a whole number", name, text));
  return number;
}

std::uint32_t number_above_0(const char* name, std::uint32_t otherwise) {
  const std::uint32_t number = number_of(name).value_or(otherwise);
  if (number == 0) throw std::runtime_error(fmt::format("{}=0: expected a whole number above 0", name));
  return number;
}

std::uint64_t nanoseconds_of(const char* name, std::uint64_t otherwise) {
  const std::string text = variable(name);
  if (text.empty()) return otherwise;
  const std::optional<double> seconds = parse_number(text);
  if (!seconds || !(*seconds > 0) || *seconds > 1e6)
    throw std::runtime_error(fmt::format("{}={}: expected seconds above 0, at most a million", name, text));
  return static_cast<std::uint64_t>(std::ceil(*seconds * 1e9));
}

chip::Arch arch_of(const std::string& name) {
  using chip::Arch;
  if (name.empty() || name == kWormhole.runtime_name) return Arch::kWormhole;
  if (name == kBlackhole.runtime_name) return Arch::kBlackhole;
  throw std::runtime_error(fmt::format("ARCH_NAME={}: expected wormhole_b0 or blackhole", name));
}

std::string cache_folder() {
  if (std::string given = variable("TTSCOPE_CHIP_CACHE"); !given.empty()) return given;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/ttscope/chip";
  const std::string home = variable("HOME");
  if (home.empty())  // a folder that others may write to is no place for what will run
    throw std::runtime_error(
        "no place for compiled kernels: none of TTSCOPE_CHIP_CACHE, XDG_CACHE_HOME and HOME is set");
  return home + "/.cache/ttscope/chip";
}

std::string logs_folder(const std::string& home) {
  if (const std::string given = variable("TT_METAL_PROFILER_DIR"); !given.empty()) return given + "/.logs";
  return (home.empty() ? std::string() : home + "/") + "generated/profiler/.logs";
}

/// Groups of hardware counters; at most one bank of L1 can be looked at.
void check_counters(HostSettings& settings, std::uint32_t mask) {
  constexpr std::uint32_t kL1Banks = 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 8;
  if (std::popcount(mask & kL1Banks) > 1)
    throw std::runtime_error(
        fmt::format("TT_METAL_PROFILE_PERF_COUNTERS={}: at most one bank of L1 can be counted", mask));
  settings.warnings.emplace_back(
      "TT_METAL_PROFILE_PERF_COUNTERS: simulated chips have no hardware counters, none are recorded");
}

/// Switches that only work if the profiler is on by then, in the order in which tt-metal handles them.
void set_modes(HostSettings& settings) {
  chip::ProfilerBuild& build = settings.build;
  const auto if_on = [&](const char* name) { return settings.profiler && is_on(name); };
  std::uint32_t& flags = build.flags;
  flags = device::kProfileOn;
  settings.profiler = is_on("TT_METAL_DEVICE_PROFILER");
  if (if_on("TT_METAL_DEVICE_PROFILER_DISPATCH")) {
    flags |= device::kProfileDispatch;
    settings.warnings.emplace_back(
        "TT_METAL_DEVICE_PROFILER_DISPATCH: simulated chips have no dispatch cores, nothing is added");
  }
  settings.synchronizes = if_on("TT_METAL_PROFILER_SYNC");
  build.noc_events = is_on("TT_METAL_DEVICE_PROFILER_NOC_EVENTS");
  const std::uint32_t counters = number_of("TT_METAL_PROFILE_PERF_COUNTERS").value_or(0);
  if (counters != 0) check_counters(settings, counters);
  settings.profiler |= build.noc_events || counters != 0;
  settings.records_buffers = is_on("TT_METAL_MEM_PROFILER");
  if (if_on("TT_METAL_TRACE_PROFILER")) flags |= device::kProfileTraceOnly;
  settings.records_traces = if_on("TT_METAL_PROFILER_TRACE_TRACKING");
  settings.dumps_mid_run = if_on("TT_METAL_PROFILER_MID_RUN_DUMP");
  settings.post_processes = if_on("TT_METAL_PROFILER_CPP_POST_PROCESS");
  if (if_on("TT_METAL_PROFILER_SUM")) flags |= device::kProfileSum;
  if (if_on("TT_METAL_PROFILER_ACCUMULATE")) flags |= device::kProfileAccumulate;
  build.debug_dump = is_on("TT_METAL_NOC_DEBUG_DUMP");
  build.noc_events |= build.debug_dump;
  settings.profiler |= build.debug_dump;
  build.on = settings.profiler;
}

void check_conflicts(const HostSettings& settings) {
  const std::uint32_t flags = settings.build.flags;
  if (!variable("TT_METAL_DPRINT_CORES").empty())
    throw std::runtime_error("Cannot enable both debug printing and profiling");
  if (settings.dumps_mid_run && (flags & device::kProfileTraceOnly))
    throw std::runtime_error("Cannot dump data mid-run if only profiling trace runs");
  if (settings.dumps_mid_run && (flags & device::kProfileDispatch))
    throw std::runtime_error("Cannot dump data mid-run if profiling dispatch cores");
}

void set_profiler(HostSettings& settings) {
  settings.writes_files = !is_on("TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES");
  settings.saves_words = is_on("TTSCOPE_SAVE_PROFILER_WORDS");
  set_modes(settings);
  if (!settings.profiler) return;
  check_conflicts(settings);
  settings.noc_traces = variable("TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH");
  if (settings.noc_traces.empty()) settings.noc_traces = settings.logs;
  if (settings.build.noc_events)
    settings.warnings.emplace_back("recording NoC events makes kernels 1 to 15 % slower");
  const std::uint32_t count =
      number_above_0("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", settings.build.debug_dump ? 500 : 1000);
  const chip::ProfilerRegion region =
      chip::profiler_region(count, (settings.build.flags & device::kProfileSum) != 0);
  if (!region.warning.empty()) settings.warnings.push_back(region.warning);
  settings.support_count = region.programs;
  settings.build.region_bytes = region.bytes;
}

chip::ChipOptions options_of(const SimulatedChip& chip) {
  chip::ChipOptions options;
  options.arch = chip.arch == tt::ARCH::BLACKHOLE ? chip::Arch::kBlackhole : chip::Arch::kWormhole;
  options.clock = {chip.frequency_mhz, chip.clock_offset_cycles, chip.drift_ppm_per_second};
  options.latency = {chip.l1_ticks, chip.noc_base_ticks, chip.noc_hop_ticks, chip.noc_bytes_per_tick};
  options.host_jitter_ns = chip.host_jitter_ns;
  return options;
}

}  // namespace

bool profiler_is_on() {
  HostSettings settings;
  set_modes(settings);
  return settings.profiler;
}

HostSettings settings_from_environment(const std::vector<SimulatedChip>& chips) {
  HostSettings settings;
  settings.library = variable("TT_METAL_SIMULATOR");
  settings.home = variable("TT_METAL_HOME");
  settings.cache = cache_folder();
  settings.logs = logs_folder(settings.home);
  settings.longest_run_ns = nanoseconds_of("TT_METAL_OPERATION_TIMEOUT_SECONDS", settings.longest_run_ns);
  for (const SimulatedChip& chip : chips) settings.chips.push_back(options_of(chip));
  if (settings.chips.empty()) {
    chip::ChipOptions options;
    options.arch = arch_of(variable("ARCH_NAME"));
    settings.chips.assign(number_above_0("TTSCOPE_CHIPS", 1), options);
  }
  set_profiler(settings);
  return settings;
}

/// Zero in a run that has just begun.
struct SharedTraceState::Shared {
  std::uint32_t device_calls;
  std::uint32_t host_calls;
  std::uint64_t nanoseconds;
  std::uint64_t sync_start_ns;
};

namespace {

constexpr const char* kRunFile = "/devices_of_run.bin";

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

struct flock lock_of(short kind) {
  struct flock lock {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

SharedTraceState* SharedTraceState::current() {
  // Never closed: locks of a process end with the first descriptor of their file that it closes.
  static SharedTraceState* const kRun = [] {
    const std::string logs = setting("TTSCOPE_TRACED_LOGS");
    const bool is_here = !logs.empty() && setting("TT_METAL_PROFILER_DIR") + "/.logs" == logs;
    return is_here ? open(logs) : nullptr;
  }();
  return kRun;
}

SharedTraceState* SharedTraceState::open(const std::string& logs) {
  std::error_code ignored;
  std::filesystem::create_directories(logs, ignored);
  const int file = ::open((logs + kRunFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return nullptr;
  void* shared = MAP_FAILED;
  if (::ftruncate(file, sizeof(Shared)) == 0)
    shared = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared != MAP_FAILED) return new SharedTraceState(file, static_cast<Shared*>(shared));
  ::close(file);
  return nullptr;
}

std::uint32_t SharedTraceState::next_device_call() { return ++std::atomic_ref(shared_->device_calls); }

std::uint32_t SharedTraceState::next_host_call() { return ++std::atomic_ref(shared_->host_calls); }

bool SharedTraceState::take_devices() {
  struct flock lock = lock_of(F_WRLCK);
  if (::fcntl(file_, F_SETLK, &lock) == 0) {
    owner_ = ::getpid();
    return true;
  }
  owner_ = ::fcntl(file_, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? lock.l_pid : 0;
  return false;
}

void SharedTraceState::release_devices() {
  if (!has_devices()) return;
  struct flock lock = lock_of(F_UNLCK);
  ::fcntl(file_, F_SETLK, &lock);
  owner_ = 0;
}

bool SharedTraceState::has_devices() const { return owner_ == ::getpid(); }

std::uint64_t SharedTraceState::nanoseconds() const { return std::atomic_ref(shared_->nanoseconds).load(); }

void SharedTraceState::advance_to(std::uint64_t nanoseconds) {
  std::atomic_ref(shared_->nanoseconds).store(nanoseconds);
}

std::uint64_t SharedTraceState::sync_start(std::uint64_t own) {
  std::uint64_t known = 0;
  return std::atomic_ref(shared_->sync_start_ns).compare_exchange_strong(known, own) ? own : known;
}

namespace {

std::vector<SimulatedChip>& chosen_chips() {
  static std::vector<SimulatedChip> chips;
  return chips;
}

std::unique_ptr<HostMachine>& machine() {
  static std::unique_ptr<HostMachine> one;
  return one;
}

}  // namespace

void warn(const std::string& text) { fmt::print(stderr, "warning: {}\n", text); }

void throw_if_failed(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().message);
}

HostMachine::HostMachine(HostSettings settings)
    : settings_(std::move(settings)),
      simulator_(settings_.library.empty() ? chip::embedded_simulator(settings_.chips)
                                           : value_or_throw(chip::library_simulator(settings_.library))),
      compiler_(chip::Compiler::kProgram, settings_.cache) {
  for (const std::string& text : settings_.warnings) warn(text);
}

HostMachine& HostMachine::get() {
  if (!machine()) machine().reset(new HostMachine(settings_from_environment(chosen_chips())));
  return *machine();
}

HostMachine& HostMachine::to_open() {
  SharedTraceState* const traced = SharedTraceState::current();
  if (traced == nullptr || (exists() && machine()->open_devices_ > 0)) return get();
  const bool is_profiled = exists() ? machine()->settings().profiler : profiler_is_on();
  if (!is_profiled || !traced->take_devices()) return get();
  // Other processes have had the devices meanwhile.
  const bool is_ours = !exists() || machine()->settings().library.empty();
  if (exists() && is_ours && machine()->simulator().nanoseconds() < traced->nanoseconds()) machine().reset();
  HostMachine& made = get();
  if (!made.settings().library.empty()) return made;  // it steps every tick
  constexpr std::uint64_t kMaxTicks = UINT32_MAX;
  while (made.simulator().nanoseconds() < traced->nanoseconds()) {
    const std::uint64_t missing = traced->nanoseconds() - made.simulator().nanoseconds();
    made.simulator().clock(static_cast<std::uint32_t>(std::min(missing, kMaxTicks)));
  }
  return made;
}

void HostMachine::closed(std::uint32_t devices) {
  open_devices_ -= devices;
  SharedTraceState* const traced = SharedTraceState::current();
  if (open_devices_ == 0 && traced != nullptr) traced->release_devices();
}

bool HostMachine::records() {
  const SharedTraceState* const traced = SharedTraceState::current();
  if (traced == nullptr || traced->has_devices()) return true;
  if (!has_reported_loss_) {
    warn(
        fmt::format("what the devices of process {} did is not in the logs of this run: process {} had them "
                    "at that time, and a run records the devices of one process at a time",
                    ::getpid(), traced->owner()));
  }
  has_reported_loss_ = true;
  return false;
}

void HostMachine::note_written() {
  if (SharedTraceState* const traced = SharedTraceState::current())
    traced->advance_to(simulator().nanoseconds());
}

bool HostMachine::exists() { return machine() != nullptr; }

void HostMachine::use_chips(const std::vector<SimulatedChip>& chips) {
  if (exists() && machine()->open_devices_ > 0)
    throw std::runtime_error("use_simulated_chips: a device is there already");
  if (chips.empty()) throw std::runtime_error("use_simulated_chips: no chips");
  machine().reset();
  chosen_chips() = chips;
}

double HostMachine::clock_mhz(std::size_t device) const {
  constexpr double kLibraryMhz = 1000;  // it counts one tick a step, which we take for a nanosecond
  const bool known = settings_.library.empty() && device < settings_.chips.size();
  return known ? settings_.chips[device].clock.frequency_mhz : kLibraryMhz;
}

}  // namespace ttscope::metal

namespace ttscope {

void use_simulated_chips(const std::vector<SimulatedChip>& chips) { metal::HostMachine::use_chips(chips); }

bool profiles_devices() { return metal::profiler_is_on(); }

std::uint64_t simulated_nanoseconds() {
  return metal::HostMachine::exists() ? metal::HostMachine::get().simulator().nanoseconds() : 0;
}

}  // namespace ttscope
