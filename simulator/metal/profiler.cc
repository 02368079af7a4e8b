#include "metal/profiler.h"

#include <fmt/format.h>
#include <ttscope_device/memory_map.h>
#include <ttscope_device/profiler_layout.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/file_names.h"
#include "chip/build/compiler.h"
#include "chip/runtime/device.h"
#include "metal/machine.h"
#include "perf/analyze/clock_sync.h"
#include "perf/analyze/raw_run.h"
#include "perf/model/capture_files.h"
#include "perf/model/raw_run.h"
#include "perf/read/raw_run.h"
#include "perf/write/capture_files.h"
#include "perf/write/raw_run.h"

namespace ttscope::metal {
namespace {

/// The profiler's files of one folder, as tt-metal's runtime keeps them: logs of earlier processes are
/// removed when the first device of this one writes, unless they are of the same traced run, then everything
/// is added at their ends. Errors are thrown.
class ProfilerFiles {
 public:
  /// The one of this process for the folder, which is made if it is not there.
  static ProfilerFiles& of(const std::string& folder);

  /// profile_log_device.csv
  void add_markers(const perf::ProfilerReadout& read);
  /// zone_src_locations.log, which is kept between runs, and new_zone_src_locations.log
  void add_zones(const std::vector<chip::ZoneName>& zones);
  /// cpp_device_perf_report.csv
  void add_programs(const perf::ProfilerReadout& read, const std::vector<perf::ProgramTimes>& programs,
                    perf::ProgramTimes& previous);
  /// Times are those of the root's clock.
  static void write_noc_traces(const perf::ProfilerReadout& read, chip::Arch arch,
                               const perf::DeviceShift& to_root, const std::string& folder);
  /// A row of sync_device_info.csv, or several.
  void add_sync(const std::string& rows);

 private:
  explicit ProfilerFiles(std::string folder);
  std::string path(const char* name) const { return folder_ + "/" + name; }
  void remove_earlier();
  /// Adds to a file; `header` where it begins.
  void append(const char* name, const std::string& header, const std::string& text);

  std::string folder_;
  std::set<std::string> zones_;  ///< in zone_src_locations.log
  std::set<std::string> new_zones_;
};

using profiler_names::kDeviceLog;
using profiler_names::kNewZones;
using profiler_names::kProgramReport;
using profiler_names::kSyncInfo;
using profiler_names::kZones;

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(fmt::format("{}: {}", folder, error.message()));
}

/// Those of an earlier process would be taken for transfers of the programs that this one runs.
void remove_noc_traces(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("noc_trace_dev") && name.ends_with(".json")) old.push_back(entry.path());
  }
  for (const std::filesystem::path& path : old) std::filesystem::remove(path, ignored);
}

template <typename Write>
std::string text_of(Write write) {
  StringWriter out;
  write(out);
  throw_if_failed(out.finish());
  return out.text();
}

void write_simulated_marker(const std::string& folder) {
  throw_if_failed(write_file(fmt::format("{}/{}", folder, perf::kSimulatedChips), [](Writer& out) {
    out.write(
        "The chips of this run were simulated by ttscope, and the host that they exchange clocks with: "
        "times of devices are modelled.\n");
  }));
}

std::string line_of(const std::string& key) { return fmt::format("'#pragma message: {}'\n", key); }

/// The keys of a file of zones; lines of compilers have more before them.
std::set<std::string> keys_of(const std::string& path) {
  constexpr std::string_view kMark = "#pragma message: ";
  std::set<std::string> keys;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t mark = line.find(kMark);
    if (mark == std::string::npos || line.empty()) continue;
    const std::size_t start = mark + kMark.size();
    keys.insert(line.substr(start, line.rfind('\'') - start));
  }
  return keys;
}

ProfilerFiles& ProfilerFiles::of(const std::string& folder) {
  static std::map<std::string, std::unique_ptr<ProfilerFiles>> known;
  std::unique_ptr<ProfilerFiles>& files = known[folder];
  if (!files) files.reset(new ProfilerFiles(folder));
  make_folder(folder);
  return *files;
}

ProfilerFiles::ProfilerFiles(std::string folder) : folder_(std::move(folder)) {
  make_folder(folder_);
  if (SharedTraceState::current() == nullptr) {
    remove_earlier();
  } else {
    new_zones_ = keys_of(path(kNewZones));
  }
  write_simulated_marker(folder_);
  zones_ = keys_of(path(kZones));
}

void ProfilerFiles::remove_earlier() {
  std::error_code ignored;
  for (const char* old : {kDeviceLog, kProgramReport, kSyncInfo, kNewZones, perf::kSimulatedChips})
    std::filesystem::remove(path(old), ignored);
  remove_noc_traces(folder_);
}

void ProfilerFiles::append(const char* name, const std::string& header, const std::string& text) {
  const std::string file = path(name);
  std::error_code ignored;
  const bool first = !std::filesystem::exists(file, ignored);
  struct Close {
    void operator()(std::FILE* open) const { std::fclose(open); }
  };
  const std::unique_ptr<std::FILE, Close> out(std::fopen(file.c_str(), "ab"));
  const std::string all = first ? header + text : text;
  // In one piece, so that a process that is killed leaves whole rows.
  if (!out || std::fwrite(all.data(), 1, all.size(), out.get()) != all.size() || std::fflush(out.get()) != 0)
    throw std::runtime_error(fmt::format("{}: {}", file, std::strerror(errno)));
}

void ProfilerFiles::add_markers(const perf::ProfilerReadout& read) {
  append(kDeviceLog, text_of([&](Writer& out) { perf::write_device_log_header(read, out); }),
         text_of([&](Writer& out) { perf::write_device_log_rows(read, out); }));
}

void ProfilerFiles::add_zones(const std::vector<chip::ZoneName>& zones) {
  std::string kept;
  std::string found;
  for (const chip::ZoneName& zone : zones) {
    if (zones_.insert(zone.key).second) kept += line_of(zone.key);
    if (new_zones_.insert(zone.key).second) found += line_of(zone.key);
  }
  append(kZones, "", kept);
  append(kNewZones, "", found);
}

void ProfilerFiles::add_programs(const perf::ProfilerReadout& read,
                                 const std::vector<perf::ProgramTimes>& programs,
                                 perf::ProgramTimes& previous) {
  append(kProgramReport, text_of([](Writer& out) { perf::write_program_report_header(out); }),
         text_of([&](Writer& out) { perf::write_program_report(read, programs, &previous, out); }));
}

void ProfilerFiles::write_noc_traces(const perf::ProfilerReadout& read, chip::Arch arch,
                                     const perf::DeviceShift& to_root, const std::string& folder) {
  perf::NocTraceOptions options;
  options.time_scale = to_root.scale;
  options.time_shift = to_root.shift;
  options.physical = [arch](unsigned noc, int x, int y) {
    const auto place =
        chip::resolve(arch, noc, {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)});
    return place ? std::pair(static_cast<int>(place->x), static_cast<int>(place->y)) : std::pair(x, y);
  };
  make_folder(folder);
  write_simulated_marker(folder);
  for (const perf::NocTraceFile& file : perf::noc_trace_files(read, options))
    throw_if_failed(write_file(folder + "/" + file.name, [&](Writer& out) { out.write(file.text); }));
}

void ProfilerFiles::add_sync(const std::string& rows) {
  append(kSyncInfo, text_of([](Writer& out) { perf::write_sync_header(out); }), rows);
}

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
  read_.arch = facts.architecture->runtime_name;
  read_.clock_mhz = clock_mhz;
  read_.compute_cores = static_cast<std::uint32_t>(facts.tensix.size());
}

void DeviceProfiler::runs_on(std::uint32_t host_id, perf::SubDeviceKey place) {
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
void DeviceProfiler::report_findings(const perf::RawRun& run) const {
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
  report_findings(run);
  for (const perf::RawFinding& finding : run.findings)
    dropped_ |= finding.problem == perf::RawProblem::kDramFull;
  perf::collect_markers(run, {&traces_, reads_l1()}, read_);
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
  if (!settings_->dumps_mid_run) report_unpaired_zones();
  write_kept();
}

/// Zones are nested: what does not fit together was lost on the way.
void DeviceProfiler::report_unpaired_zones() const {
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

namespace {

/// Which control word holds the address of a processor's region.
std::uint32_t address_word(std::uint32_t risc) {
  return device::kDumpAddress + risc < device::kControlWords
             ? device::kDumpAddress + risc
             : static_cast<std::uint32_t>(device::kDramAddress);
}

}  // namespace

std::uint64_t DeviceProfiler::region_offset(const chip::BootedCore& core, std::uint32_t risc) const {
  const auto found = second_regions_.find({core.flat_id, risc});
  return found != second_regions_.end() && found->second ? device_->profiler_bytes_per_bank() : 0;
}

void DeviceProfiler::serve_stalls() {
  if (!settings_->build.debug_dump) return;
  perf::RawRun run = empty_run();
  for (const chip::BootedCore& core : device_->cores()) {
    const std::uint32_t base = device_->control_address(core);
    std::vector<std::uint32_t> control = device_->card().read_words(core.place, base, device::kControlWords);
    std::vector<std::uint32_t> full;
    for (std::uint32_t risc = 0; risc < (core.ethernet ? 1u : device::kRiscCount); ++risc) {
      if (control[address_word(risc)] == device::kStalled) {
        full.push_back(risc);
      } else {
        control[device::kHostEnd + risc] = 0;  // goes on; it is read when it is full or all has ended
      }
    }
    if (full.empty()) continue;
    run.cores.push_back(read_core(core, control));
    run.cores.back().is_done = true;
    for (const std::uint32_t risc : full) {
      bool& second = second_regions_[{core.flat_id, risc}];
      second = !second;
      const std::uint64_t address = device_->dram_address() + region_offset(core, risc);
      device_->card().write_word(core.place, base + 4 * address_word(risc),
                                 static_cast<std::uint32_t>(address));
    }
  }
  if (run.cores.empty()) return;
  perf::judge_markers(run);
  report_findings(run);
  perf::collect_markers(run, {&traces_, false}, read_);
}

namespace {

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

void DeviceProfiler::synchronize() {
  if (!is_on() || !settings_->synchronizes) return;
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

  SharedTraceState* const traced = SharedTraceState::current();
  if (!machine.sync_start_ns)
    machine.sync_start_ns = traced != nullptr ? traced->sync_start(round.host_start_ns) : round.host_start_ns;
  std::vector<perf::SyncSample> samples = perf::unwrap_samples(round.exchanges, round.device_high);
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
  const perf::SyncOrigin place = {number_, static_cast<std::int32_t>(core.place.x),
                                  static_cast<std::int32_t>(core.place.y), *machine.sync_start_ns, 0};
  StringWriter rows;
  perf::write_sync_rows(place, *sync, write_ns, rows);
  if (machine.sync_root->device != number_) perf::write_sync_shift(number_, to_root_, rows);
  throw_if_failed(rows.finish());
  ProfilerFiles::of(settings_->logs).add_sync(rows.text());
}

}  // namespace ttscope::metal
