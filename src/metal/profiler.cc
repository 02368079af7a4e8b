#include "metal/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include <ttscope_device/profiler_layout.h>

#include "chip/runtime/raw_dump.h"
#include "metal/machine.h"
#include "metal/profiler_files.h"
#include "perf/analyse/raw/judge_markers.h"
#include "perf/read/raw_run/marker_words.h"
#include "perf/write/raw/raw_report.h"

namespace ttscope::metal {

namespace {

namespace device = ttscope_device;

constexpr const char* kRiscNames[] = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2"};

std::uint32_t processors_of(const chip::BootedCore& core) {
  return core.ethernet ? 1u : static_cast<std::uint32_t>(device::kRiscCount);
}

bool has_words(const std::vector<std::uint32_t>& control) {
  for (std::uint32_t risc = 0; risc < device::kRiscCount; ++risc) {
    if (control[device::kHostEnd + risc] != 0 || control[device::kDeviceEnd + risc] != 0) return true;
  }
  return false;
}

/// Sent again with every launch of other processors: nothing is lost by that.
bool is_ordinary(perf::RawProblem problem) {
  return problem == perf::RawProblem::kStaleMarkers || problem == perf::RawProblem::kOnlyInL1 ||
         problem == perf::RawProblem::kNotDone || problem == perf::RawProblem::kUnpaired;
}

}  // namespace

DeviceProfiler::DeviceProfiler(std::uint32_t number, chip::Device& device, const HostSettings& settings,
                               double clock_mhz)
    : number_(number), device_(&device), settings_(&settings) {
  const chip::ArchFacts& facts = facts_of(device.arch());
  read_.device = number;
  read_.arch = facts.name;
  read_.clock_mhz = clock_mhz;
  read_.compute_cores = static_cast<std::uint32_t>(facts.tensix.size());
}

void DeviceProfiler::runs_on(std::uint32_t host_id, perf::SubDevicePlace place) {
  read_.sub_devices[perf::run_id_of(host_id, number_)] = place;
}

void DeviceProfiler::add_zones(const std::vector<chip::ZoneName>& more) {
  for (const chip::ZoneName& zone : more) {
    const auto is_it = [&](const chip::ZoneName& known) { return known.key == zone.key; };
    if (std::any_of(zones_.begin(), zones_.end(), is_it)) continue;
    const auto [place, is_new] = read_.zones.try_emplace(static_cast<std::uint16_t>(zone.id),
                                                         perf::RawZone{zone.name, zone.file, zone.line});
    if (!is_new) {
      warn(fmt::format(
          "Source location hashes are colliding, two different locations are having the same hash: "
          "{} ({}:{}) and {} ({}:{}) are both told as the first",
          place->second.name, place->second.file, place->second.line, zone.name, zone.file, zone.line));
    }
    zones_.push_back(zone);
  }
}

/// Builds that do not send their markers after each launch leave some in L1.
bool DeviceProfiler::reads_l1() const {
  return (settings_->build.flags & (device::kProfileTraceOnly | device::kProfileAccumulate)) != 0;
}

/// The firmware says that a launch is done and sends its markers: the go word is not enough.
void DeviceProfiler::wait_for_core(const chip::BootedCore& core) {
  constexpr std::uint64_t kLimitTicks = 100'000'000;  // 100 ms, as tt-metal
  const std::uint32_t done = device_->control_address(core) + 4 * device::kProfilerDone;
  if (device_->card().read_word(core.place, done) == 1) return;
  if (device_->card().wait_for_word(core.place, done, 1, kLimitTicks)) return;
  warn(fmt::format("Device profiling never finished on device {}, worker core {}, {}", number_, core.place.x,
                   core.place.y));
}

perf::RawCore DeviceProfiler::read_core(const chip::BootedCore& core,
                                        const std::vector<std::uint32_t>& control) {
  perf::RawCore out;
  out.x = static_cast<std::int32_t>(core.place.x);
  out.y = static_cast<std::int32_t>(core.place.y);
  out.flat_id = core.flat_id;
  out.has_dram = control[device::kDramAddress] != 0;
  out.is_done = control[device::kProfilerDone] == 1;
  chip::Card& card = device_->card();
  for (std::uint32_t risc = 0; risc < processors_of(core); ++risc) {
    perf::RawProcessor& processor = out.processors.emplace_back();
    processor.name = core.ethernet ? "erisc" : kRiscNames[risc];
    processor.dropped = (control[device::kDropped] >> risc & 1) != 0;
    const perf::RegionOwner owner = {&perf::layout_of(device::kControlWords), risc, core.flat_id};
    std::vector<std::uint32_t> words(control[device::kHostEnd + risc]);
    const chip::Device::Region region = device_->region(core, risc);
    if (!words.empty()) {
      card.read_dram(region.bank, region.address + region_offset(core, risc),
                     {reinterpret_cast<std::uint8_t*>(words.data()), 4 * words.size()});
    }
    processor.dram = perf::read_marker_words(words, owner);
    processor.dram.end_words = control[device::kHostEnd + risc];
    if (!reads_l1()) continue;
    const std::uint32_t in_l1 =
        std::min<std::uint32_t>(control[device::kDeviceEnd + risc], device::kBufferWords);
    const std::uint32_t address =
        device_->control_address(core) + 4 * (device::kControlWords + risc * device::kBufferWords);
    processor.l1 = perf::read_marker_words(card.read_words(core.place, address, in_l1), owner);
    processor.l1.end_words = in_l1;
  }
  return out;
}

perf::RawRun DeviceProfiler::empty_run() const {
  perf::RawRun run;
  run.arch = read_.arch;
  run.device = number_;
  run.clock_mhz = read_.clock_mhz;
  run.zones = read_.zones;
  run.modes.trace_only = (settings_->build.flags & device::kProfileTraceOnly) != 0;
  run.modes.accumulates = (settings_->build.flags & device::kProfileAccumulate) != 0;
  run.modes.noc_events = settings_->build.noc_events;
  return run;
}

/// Takes the words of all cores that have some and empties their buffers.
perf::RawRun DeviceProfiler::read_words() {
  perf::RawRun run = empty_run();
  std::vector<chip::BootedCore> with_words;
  for (const chip::BootedCore& core : device_->cores()) {
    const auto control = [&] {
      return device_->card().read_words(core.place, device_->control_address(core), device::kControlWords);
    };
    if (!has_words(control())) continue;
    if (!run.modes.trace_only) wait_for_core(core);
    run.cores.push_back(read_core(core, control()));
    with_words.push_back(core);
  }
  if (settings_->saves_words) save_words(fmt::format("device_{}_read_{}", number_, reads_), with_words);
  for (const chip::BootedCore& core : with_words) device_->reset_control(core);
  second_regions_.clear();
  return run;
}

/// What was lost is said: full DRAM in the words of the runtime for each processor, the rest once for each
/// kind.
void DeviceProfiler::tell(const perf::RawRun& run) const {
  std::map<perf::RawProblem, std::pair<std::uint64_t, const perf::RawFinding*>> others;
  for (const perf::RawFinding& finding : run.findings) {
    if (finding.problem == perf::RawProblem::kDramFull) {
      warn(perf::finding_text(run, finding));
    } else if (!is_ordinary(finding.problem)) {
      auto& [places, first] = others[finding.problem];
      if (places++ == 0) first = &finding;
    }
  }
  for (const auto& [problem, found] : others) {
    const auto& [places, first] = found;
    warn(fmt::format("device {}: {}{}", number_, perf::finding_text(run, *first),
                     places == 1 ? "" : fmt::format("; and on {} other processors", places - 1)));
  }
}

void DeviceProfiler::take_words() {
  add_zones(device_->firmware_zones());
  perf::RawRun run = read_words();
  programs_run_.clear();
  ++reads_;
  perf::judge_markers(run);
  tell(run);
  for (const perf::RawFinding& finding : run.findings)
    dropped_ |= finding.problem == perf::RawProblem::kDramFull;
  perf::take_markers(run, {&traces_, reads_l1()}, read_);
}

void DeviceProfiler::write_kept() {
  measure_programs();
  write_markers();
  for (auto& [place, lane] : read_.lanes) lane.markers.clear();
}

void DeviceProfiler::read() {
  if (!is_on()) return;
  take_words();
  if (settings_->dumps_mid_run) write_kept();
}

void DeviceProfiler::read_last() {
  if (is_on()) take_words();
}

void DeviceProfiler::write_last() {
  if (!is_on()) return;
  if (!settings_->dumps_mid_run) tell_pairs();
  write_kept();
}

/// Zones are nested: what does not fit together was lost on the way.
void DeviceProfiler::tell_pairs() const {
  for (const auto& [place, lane] : read_.lanes) {
    const perf::PairingProblems problems = perf::check_pairs(lane);
    if (!problems.any() || read_.modes.trace_only) continue;
    const std::string where =
        fmt::format("device {}, worker core {}, {}, Risc {}", number_, place.x, place.y, lane.risc);
    if (problems.ends_alone > 0)
      warn(fmt::format("End marker found without a corresponding start marker ({}): {}", problems.ends_alone,
                       where));
    if (problems.mismatches > 0)
      warn(fmt::format("Start and end marker IDs do not match ({}): {}", problems.mismatches, where));
    if (problems.starts_alone > 0)
      warn(fmt::format("{} start markers detected without corresponding end markers: {}",
                       problems.starts_alone, where));
  }
}

void DeviceProfiler::measure_programs() {
  latest_programs_.clear();
  if (!settings_->post_processes || read_.modes.accumulates) return;
  latest_programs_ = perf::program_times(read_);
  all_programs_.insert(all_programs_.end(), latest_programs_.begin(), latest_programs_.end());
}

void DeviceProfiler::write_markers() {
  if (!settings_->writes_files || !HostMachine::get().records()) return;
  ProfilerFiles& files = ProfilerFiles::of(settings_->logs);
  files.add_markers(read_);
  files.add_zones(zones_);
  if (settings_->post_processes && !read_.modes.accumulates)
    files.add_programs(read_, latest_programs_, last_program_);
  if (settings_->build.noc_events)
    files.write_noc_traces(read_, device_->arch(), to_root_, settings_->noc_traces);
  HostMachine::get().note_written();
}

void DeviceProfiler::save_words(const std::string& name, const std::vector<chip::BootedCore>& cores) {
  ProfilerFiles::of(settings_->logs);  // makes the folder
  chip::RawDump dump(*device_, name, fmt::format("device {}, {}", number_, name));
  for (const JsonTree& program : programs_run_) dump.program(program);
  dump.device(number_, read_.clock_mhz);
  dump.cores(cores);
  throw_if_failed(dump.write(settings_->logs, zones_));
}

std::string DeviceProfiler::save_hung() {
  if (!is_on() || !settings_->writes_files) return {};
  add_zones(device_->firmware_zones());
  const std::string name = fmt::format("device_{}_hung", number_);
  save_words(name, device_->cores());
  return settings_->logs + "/" + name + ".json";
}

}  // namespace ttscope::metal
