#include "metal/machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "metal/traced_run.h"

namespace ttscope::metal {

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
  TracedRun* const traced = TracedRun::current();
  if (traced == nullptr || (exists() && machine()->open_devices_ > 0)) return get();
  const bool is_profiled = exists() ? machine()->settings().profiler : profiler_is_on();
  if (!is_profiled || !traced->take_devices()) return get();
  // Other processes have had the devices meanwhile.
  const bool is_ours = !exists() || machine()->settings().library.empty();
  if (exists() && is_ours && machine()->simulator().nanoseconds() < traced->nanoseconds()) machine().reset();
  HostMachine& made = get();
  if (!made.settings().library.empty()) return made;  // it steps every tick
  constexpr std::uint64_t kMostTicks = UINT32_MAX;
  while (made.simulator().nanoseconds() < traced->nanoseconds()) {
    const std::uint64_t missing = traced->nanoseconds() - made.simulator().nanoseconds();
    made.simulator().clock(static_cast<std::uint32_t>(std::min(missing, kMostTicks)));
  }
  return made;
}

void HostMachine::closed(std::uint32_t devices) {
  open_devices_ -= devices;
  TracedRun* const traced = TracedRun::current();
  if (open_devices_ == 0 && traced != nullptr) traced->give_devices_back();
}

bool HostMachine::records() {
  const TracedRun* const traced = TracedRun::current();
  if (traced == nullptr || traced->has_devices()) return true;
  if (!has_said_loss_) {
    warn(
        fmt::format("what the devices of process {} did is not in the logs of this run: process {} had them "
                    "at that time, and a run records the devices of one process at a time",
                    ::getpid(), traced->owner()));
  }
  has_said_loss_ = true;
  return false;
}

void HostMachine::note_written() {
  if (TracedRun* const traced = TracedRun::current()) traced->came_to(simulator().nanoseconds());
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
