#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json_reader.h"
#include "chip/runtime/device.h"
#include "metal/machine.h"
#include "perf/analyze/clock_sync.h"
#include "perf/analyze/raw_run.h"

namespace ttscope::metal {

/// The device profiler's host side for one device: reads its buffers, keeps the markers until they are
/// written, says what was lost.
class DeviceProfiler {
 public:
  /// `device` and `settings` must outlive it.
  DeviceProfiler(std::uint32_t number, chip::Device& device, const HostSettings& settings, double clock_mhz);

  bool is_on() const { return settings_->profiler; }

  // What the host did, in order.
  void program_ran(const JsonTree& description) { programs_run_.push_back(description); }
  void program_recorded(std::uint32_t trace, std::uint32_t host_id) {
    traces_.recorded[trace].insert(host_id);
  }
  void trace_replayed(std::uint32_t trace) { traces_.replays.push_back(trace); }
  void runs_on(std::uint32_t host_id, perf::SubDeviceKey place);
  void add_zones(const std::vector<chip::ZoneName>& more);

  /// Waits until the device has sent everything, takes its markers and empties its buffers; in mid-run dumps
  /// they are written.
  void read();
  /// Before a device is closed: the same, but what was kept is written later, by the clocks that the last
  /// synchronization found.
  void read_last();
  void write_last();
  /// What the words were when a program did not end; the path of the document, empty if nothing is profiled.
  std::string save_hung();
  /// Reads what full processors of a debug dump wait for.
  void serve_stalls();
  /// Exchanges times with the device and writes them, if that is asked for: when it was opened, before it is
  /// closed.
  void synchronize();

  /// Of the last read, and of all.
  const std::vector<perf::ProgramTimes>& latest_programs() const { return latest_programs_; }
  const std::vector<perf::ProgramTimes>& all_programs() const { return all_programs_; }
  std::uint32_t compute_cores() const { return read_.compute_cores; }

 private:
  void take_words();
  void write_kept();
  perf::RawRun empty_run() const;
  perf::RawRun read_words();
  perf::RawCore read_core(const chip::BootedCore& core, const std::vector<std::uint32_t>& control);
  void wait_for_core(const chip::BootedCore& core);
  bool reads_l1() const;
  /// Of the region that a processor writes to, behind the first.
  std::uint64_t region_offset(const chip::BootedCore& core, std::uint32_t risc) const;
  void report_findings(const perf::RawRun& run) const;
  void save_words(const std::string& name, const std::vector<chip::BootedCore>& cores);
  void measure_programs();
  void write_markers();
  void report_unpaired_zones() const;

  std::uint32_t number_;
  chip::Device* device_;
  const HostSettings* settings_;
  perf::ProfilerReadout read_;
  perf::TraceHistory traces_;
  std::vector<chip::ZoneName> zones_;
  std::vector<JsonTree> programs_run_;  ///< since the last read
  std::vector<perf::ProgramTimes> latest_programs_;
  std::vector<perf::ProgramTimes> all_programs_;
  perf::ProgramTimes last_program_;  ///< of those that are written
  bool dropped_ = false;
  std::uint32_t reads_ = 0;
  std::vector<perf::SyncSample> sync_samples_;  ///< of all rounds
  perf::DeviceShift to_root_;                   ///< its clock to that of the device synchronized first
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> second_regions_;  ///< by core and processor
};

}  // namespace ttscope::metal
