// Clock synchronisation of a device with the host; declared in profiler.h.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include <ttscope_device/memory_map.h>
#include <ttscope_device/profiler_layout.h>

#include "chip/build/device_sources.h"
#include "metal/machine.h"
#include "metal/profiler.h"
#include "metal/profiler_files.h"
#include "metal/traced_run.h"
#include "perf/write/sync/sync_csv.h"

namespace ttscope::metal {

namespace {

namespace device = ttscope_device;

/// As many pairs as the optional words of a buffer hold, without the first.
constexpr std::uint32_t kSamples = (device::kBufferWords - device::kGuaranteedWords) / 2 - 1;
constexpr std::uint32_t kPauseNs = 10'000'000;
/// libttsim steps every tick: ten milliseconds of it would take seconds each.
constexpr std::uint32_t kLibraryPauseNs = 10'000;

/// One round: what the host wrote, how long that took, what the device noted.
struct SyncRound {
  std::uint64_t host_start_ns = 0;
  std::vector<perf::SyncExchange> exchanges;
  std::uint32_t device_high = 0;
};

SyncRound exchange(chip::Device& target, const chip::BootedCore& core, std::uint32_t pause_ns) {
  chip::Card& card = target.card();
  chip::Simulator& simulator = card.simulator();
  const std::uint32_t control = target.control_address(core);
  SyncRound round;
  round.host_start_ns = simulator.nanoseconds();
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    simulator.clock(pause_ns);
    const std::uint64_t before = simulator.nanoseconds();
    const auto told = static_cast<std::uint32_t>(before - round.host_start_ns);
    card.write_word(core.place, control + 4 * device::kFwResetLow, told == 0 ? 1 : told);
    round.exchanges.push_back({0, told, simulator.nanoseconds() - before});
  }
  simulator.clock(pause_ns);
  const std::vector<std::uint32_t> pairs =
      card.read_words(core.place, control + 4 * (device::kControlWords + device::kGuaranteedWords),
                      2 * (std::size_t{kSamples} + 1));
  round.device_high = pairs[0];
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    round.exchanges[i].device_low = pairs[2 + 2 * i];
    round.exchanges[i].host_low = pairs[3 + 2 * i];
  }
  return round;
}

}  // namespace

void DeviceProfiler::synchronise() {
  if (!is_on() || !settings_->synchronises) return;
  HostMachine& machine = HostMachine::get();
  const chip::BootedCore& core = device_->cores().front();
  const std::string sources = value_or_throw(chip::unpack_device_sources(settings_->cache));
  const chip::KernelSource source = {sources + "/firmware/sync_kernel.cc", sources, {}, {}};
  const chip::Binary kernel = value_or_throw(
      machine.compiler().kernel(device_->arch(), chip::Processor::kBrisc, device_->profiler(), source));
  chip::Launch launch = {core.place, 0, 1u << device::kBrisc, {}};
  launch.kernels[device::kBrisc] = &kernel;
  device_->card().write_word(core.place, device_->control_address(core) + 4 * device::kFwResetLow, 0);
  device_->card().write_word(core.place, device::kArguments, kSamples);
  device_->start({launch});
  const SyncRound round = exchange(*device_, core, settings_->library.empty() ? kPauseNs : kLibraryPauseNs);
  throw_if_failed(device_->wait({core.place}));
  device_->reset_control(core);  // the markers of this launch are nobody's

  TracedRun* const traced = TracedRun::current();
  if (!machine.sync_start_ns)
    machine.sync_start_ns = traced != nullptr ? traced->sync_start(round.host_start_ns) : round.host_start_ns;
  std::vector<perf::SyncSample> samples = perf::unfolded(round.exchanges, round.device_high);
  for (perf::SyncSample& sample : samples) sample.host_ticks += round.host_start_ns - *machine.sync_start_ns;
  sync_samples_.insert(sync_samples_.end(), samples.begin(), samples.end());
  std::optional<perf::HostDeviceSync> sync = perf::sync_host_device(sync_samples_, 1);
  if (!sync) {
    warn(fmt::format("device {}: the clocks of host and device could not be brought together", number_));
    return;
  }
  if (!machine.sync_root || machine.sync_root->device == number_) machine.sync_root = {number_, sync->line};
  to_root_ = perf::shift_between(sync->line, machine.sync_root->line);
  sync->samples = std::move(samples);  // rows are those of this round, the line that of all
  if (!settings_->writes_files || !machine.records()) return;
  std::vector<std::uint64_t> write_ns;
  for (const perf::SyncExchange& one : round.exchanges) write_ns.push_back(one.write_ticks);
  const perf::SyncPlace place = {number_, static_cast<std::int32_t>(core.place.x),
                                 static_cast<std::int32_t>(core.place.y), *machine.sync_start_ns, 0};
  StringWriter rows;
  perf::write_sync_rows(place, *sync, write_ns, rows);
  if (machine.sync_root->device != number_) perf::write_sync_shift(number_, to_root_, rows);
  throw_if_failed(rows.finish());
  ProfilerFiles::of(settings_->logs).add_sync(rows.text());
}

}  // namespace ttscope::metal
