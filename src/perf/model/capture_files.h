#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// A file beside those of the profiler: the chips were simulated.
inline constexpr const char* kSimulatedChips = "simulated_chips.txt";

/// The files of one capture; empty where there is none.
struct CaptureFiles {
  std::string name;  ///< the folder or file as typed
  std::string device_log;
  std::string cpp_report;
  std::string host_times;
  std::string host_messages;
  std::string host_capture;  ///< a capture of Tracy or a folder of recordings, from which the host's two
                             ///< files are made
  std::string sync_info;
  std::string simulated;  ///< kSimulatedChips: who made the chips of this run
  std::string zone_locations;
  std::vector<std::string> noc_traces;
  std::string npe_results;  ///< npe_viz/manifest.json beside .logs

  bool has_device() const { return !device_log.empty() || !cpp_report.empty(); }
  bool has_host() const { return !host_times.empty() || !host_messages.empty(); }
  /// The capture counts where the files that are made of it are not there.
  bool reads_host_capture() const { return !has_host() && !host_capture.empty(); }
  /// NoC traces and nothing else.
  bool is_noc_alone() const { return !noc_traces.empty() && !has_device() && !has_host(); }
  bool has_any() const { return has_device() || has_host() || !noc_traces.empty(); }
  /// Every file that is read.
  std::vector<std::string> all() const;
};

/// The cells of a tensor in a report.
struct TensorCells {
  std::string w, z, y, x, layout, dtype, memory;
};

/// What a full op message says; ops that repeat it share one. The texts are the cells of a report, before
/// commas are replaced: lists and maps are written as Python prints them.
struct OpInfo {
  std::string op_code;
  std::string op_type;
  std::string attributes;
  std::string math_fidelity;
  std::string parallelization;
  std::string compute_sources, compute_hashes;
  std::string data_movement_sources, data_movement_hashes;
  std::string program_hash;
  std::string pm_ideal, pm_compute, pm_bandwidth, pm_req_input, pm_req_output;
  double pm_compute_ns = -1;  ///< below 0: unknown
  std::vector<TensorCells> inputs;
  std::vector<TensorCells> outputs;
  std::vector<std::pair<std::string, std::string>> kernel_sizes;  ///< column and value
};

/// Time in zones of one name below an op's zone.
struct ChildTime {
  std::uint32_t name = 0;  ///< into HostCapture::child_names
  std::int64_t total_ns = 0;
  std::int64_t own_zone_ns = 0;  ///< of it, the op's own zone, which recent captures list as its child
};

/// One op that the host reported.
struct HostOp {
  std::uint64_t id = 0;  ///< GLOBAL CALL COUNT
  std::uint32_t info = 0;
  std::uint32_t location = 0;  ///< in HostCapture::locations
  std::int64_t device = -1;    ///< -1: the op ran on the host
  std::int64_t trace = -1;     ///< captured into this trace
  std::int64_t message_ns = 0;
  std::int64_t zone_start_ns = kNoFigure;
  std::int64_t zone_ns = kNoFigure;
  std::int64_t around_start_ns = kNoFigure;  ///< of the zone around the whole op, when there is one
  std::int64_t around_ns = kNoFigure;
  bool zone_is_message = false;     ///< the zone only covers the making of the message
  bool reported_cache_hit = false;  ///< what the message says
  bool has_cache_flag = false;
  bool hash_seen_before = false;  ///< an earlier op of this device had the same program
  std::vector<ChildTime> children;
};

struct Signpost {
  std::string text;  ///< the whole message
  std::int64_t time_ns = 0;
};

/// What the host side of a capture says.
struct HostCapture {
  bool has_files = false;
  bool is_simulated = false;  ///< the capture says that its chips were
  std::vector<OpInfo> infos;
  std::vector<HostOp> ops;  ///< in the order of their first messages; ids are distinct
  std::vector<Signpost> signposts;
  std::vector<std::string> locations = {
      ""};  ///< where a compiler says that the model asks for ops; 0: nowhere
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>>
      replays;  ///< (device, trace): times
  std::vector<std::string> child_names;
  PerfProblems problems;
};

struct NocCount {
  std::uint64_t transfers = 0;
  std::uint64_t bytes = 0;

  void add(std::uint64_t more_bytes) {
    ++transfers;
    bytes += more_bytes;
  }
};

/// The transfers over the network on chip that one execution made, as recorded.
struct NocSummary {
  ExecutionKey key;
  std::string op_name;
  NocCount all;
  std::map<std::string, NocCount> by_type;
  std::map<std::pair<std::int64_t, std::int64_t>, NocCount> by_core;  ///< of the sender
  /// Of the core, its NoC, and whether the data come in: bytes.
  std::map<std::tuple<std::int64_t, std::int64_t, std::string, bool>, std::uint64_t> by_port;
  std::uint64_t saturated = 0;  ///< events of 8160 bytes, the most that one can say

  /// Each core has a port to each of the two networks, which carries data in and out at the same time: the
  /// bytes of the busiest one in the direction of which it carries more.
  std::uint64_t busiest_port_bytes() const {
    std::uint64_t most = 0;
    for (const auto& [port, bytes] : by_port) most = std::max(most, bytes);
    return most;
  }
};

/// What tt-npe's simulation of an op found, in percent; NaN where it does not say.
struct NpeResult {
  std::uint64_t op_id = 0;
  double link_util = 0;
  double multicast_util = 0;
  double dram_util = 0;
  double congestion_impact = 0;
};

/// One row of a device log as it is written. Views point into the log.
struct LogMarker {
  std::string_view timer, time, data, op_id, trace, replay, zone, type, line, file, meta;
};

/// Gives the rows of a log by their places.
class MarkerRows {
 public:
  virtual ~MarkerRows() = default;
  /// The row at this place.
  virtual LogMarker read(std::uint64_t at) const = 0;
  /// Only its time.
  virtual std::uint64_t cycle_at(std::uint64_t at) const = 0;
  /// The place behind the row.
  virtual std::uint64_t after(std::uint64_t at) const = 0;
};

/// Rows of one processor and execution that follow each other in the log, none earlier than the one before.
/// Their places are not kept one by one, so a log of any length has few of them.
struct MarkerExtent {
  std::uint64_t at = 0;           ///< of the first row
  std::uint64_t first_cycle = 0;  ///< as recorded
  std::uint32_t rows = 0;
  std::uint32_t op = 0;  ///< into DeviceMarkers::ops
};

struct MarkerProcessor {
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::uint32_t core = 0;  ///< into DeviceMarkers::cores
  std::string_view risc;
};

/// Extents of one processor in order of the log and of time.
struct MarkerLane {
  std::uint32_t processor = 0;
  std::vector<MarkerExtent> extents;
};

struct MarkerCore {
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  bool dispatches = false;  ///< a processor other than ERISC has a zone of the command queue
};

/// All rows of one device.
struct DeviceMarkers {
  std::uint32_t device = 0;
  bool wrapped = false;                     ///< the 44-bit timer began again from zero
  std::vector<MarkerCore> cores;            ///< in order of appearance
  std::vector<MarkerProcessor> processors;  ///< core by core, in order of appearance
  std::vector<MarkerLane> lanes;            ///< processor by processor; more than one if its times fall
  std::vector<ExecutionKey> ops;
};

struct MarkerLog {
  std::vector<DeviceMarkers> devices;  ///< ascending
  std::shared_ptr<const MarkerRows> rows;
};

/// Whose time a zone of a device log is.
enum class ZoneKind : std::uint8_t {
  kFirmware,
  kKernel,
  kUser,      ///< put into a kernel by its author, or of a name that is not known
  kDispatch,  ///< of the cores that start programs
  kSync,      ///< of the synchronization of clocks
  kProfiler,  ///< the profiler's own: what measuring costs
  kSum,       ///< cycles that a processor added up itself (ZONE_TOTAL); no start, no end
  kData,      ///< a value of a kernel's author at a moment (DeviceTimestampedData); no length
  kEvent,     ///< the same without a value (DeviceRecordEvent)
};

/// `firmware`, `kernel`, `user`, ...
std::string_view key_of(ZoneKind kind);

/// Whether the author of a kernel put it there.
inline bool is_of_user(ZoneKind kind) {
  return kind == ZoneKind::kUser || kind == ZoneKind::kSum || kind == ZoneKind::kData ||
         kind == ZoneKind::kEvent;
}

/// One zone as a source has it. Two zones of one name at different lines are two.
struct ZoneSource {
  std::string name;  ///< those of the dispatcher without the program's id
  std::string file;
  std::string line;
  ZoneKind kind = ZoneKind::kUser;
  std::uint32_t pair = 0;  ///< an end closes a start with the same number
};

/// The distinct zones and executions that markers refer to by number. The device of the executions is 0.
struct ZoneCatalog {
  std::vector<ZoneSource> zones;
  std::vector<ExecutionKey> executions;
};

struct ZoneMarker {
  std::uint64_t cycle = 0;  ///< of the timer, as recorded
  std::uint32_t zone = 0;
  std::uint32_t execution = kNone;
  bool is_start = false;
};

/// A sum of cycles; of a marker its value.
struct ZoneTotal {
  std::uint64_t cycle = 0;  ///< of the timer, as recorded
  std::uint64_t cycles = 0;
  std::uint32_t zone = 0;
  std::uint32_t execution = kNone;
};

/// What one processor of a core recorded, in the order of the log.
struct ZoneGroup {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::string risc;
  std::vector<ZoneMarker> markers;
  std::vector<ZoneTotal> totals;
  bool wraps = true;  ///< the timer has 44 bits; false where a time is beyond them
};

}  // namespace ttscope::perf
