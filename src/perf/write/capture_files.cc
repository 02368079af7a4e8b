#include "perf/write/capture_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/file_names.h"
#include "base/files.h"
#include "base/json_writer.h"
#include "base/result.h"
#include "base/writer.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kColumns =
    "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, "
    "trace id, trace id counter, zone name, type, source line, source file, meta data\n";

/// Where a capture does not say it: the clock that the simulators of the field count in.
constexpr double kUnknownClockMhz = 1000;

/// The log has no quotes: a comma in a name would move all that follows.
std::string cell(std::string_view text) {
  std::string safe(text);
  std::replace_if(
      safe.begin(), safe.end(), [](char c) { return c == ',' || c == '\n' || c == '\r'; }, ';');
  return safe;
}

/// Bits of a NoC record of a debug dump: addresses in units of 16 bytes and what is below them.
std::uint64_t address_of(std::uint64_t packed) {
  constexpr std::uint64_t kUnits = 0x3FFFFF;
  return (packed & kUnits) << 4 | (packed >> 22 & 0xF);
}

std::string meta_of(const ProfilerReadout& read, const ReadMarker& marker) {
  if (marker.kind == MarkerKind::kData16 && marker.id == kPerfCounterMarkerId) {
    const std::string_view name = counter_name(static_cast<std::uint32_t>(marker.data[1] & 0xFF));
    if (name.empty()) return {};
    return fmt::format(R"({{"counter type":"{}";"ref cnt":{};"value":{}}})", name, marker.data[0] >> 32,
                       marker.data[0] & 0xFFFFFFFF);
  }
  if (marker.kind == MarkerKind::kData16 && marker.id == kNocDebugEventId) {
    return fmt::format(R"({{"dst_addr":{};"noc_status_counter":{};"src_addr":{}}})",
                       address_of(marker.data[1]), marker.data[1] >> 52, address_of(marker.data[1] >> 26));
  }
  const auto place = read.sub_devices.find(marker.run_id);
  if (place == read.sub_devices.end()) return {};
  return fmt::format(R"({{"sub_device_id":{};"sub_device_manager_id":{}}})", place->second.sub_device,
                     place->second.manager);
}

void write_row(const ProfilerReadout& read, const std::string& start, const ReadMarker& marker, Writer& out) {
  const auto zone = read.zones.find(marker.id);
  const bool is_named = zone != read.zones.end() && marker.kind != MarkerKind::kEvent;
  const MarkerKind kind = marker.kind == MarkerKind::kData16 ? MarkerKind::kData : marker.kind;
  out.write(fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{}\n", start, marker.id, marker.time & kTimerMask, marker.data[0],
      marker.run_id, marker.trace < 0 ? "," : fmt::format("{},{}", marker.trace, marker.replay),
      is_named ? cell(zone->second.name) : "", key_of(kind), is_named ? zone->second.line : 0,
      is_named ? cell(zone->second.file) : "", meta_of(read, marker)));
}

}  // namespace

void write_device_log_header(const ProfilerReadout& first, Writer& out) {
  out.write(fmt::format("ARCH: {}, CHIP_FREQ[MHz]: {}, Max Compute Cores: {}\n", cell(first.arch),
                        first.clock_mhz > 0 ? first.clock_mhz : kUnknownClockMhz, first.compute_cores));
  out.write(kColumns);
}

void write_device_log_rows(const ProfilerReadout& read, Writer& out) {
  for (const auto& [place, lane] : read.lanes) {
    const std::string start = fmt::format("{},{},{},{}", read.device, place.x, place.y, lane.risc);
    for (const ReadMarker& marker : lane.markers) write_row(read, start, marker, out);
  }
}

void write_zone_locations(const std::map<std::uint16_t, RawZone>& zones, Writer& out) {
  for (const auto& [id, zone] : zones) {
    out.write(fmt::format("'#pragma message: {},{},{},KERNEL_PROFILER'\n", cell(zone.name), cell(zone.file),
                          zone.line));
  }
}

namespace {

using Kind = ProgramSpanKind;

/// Which of the figures also have their two cycles, and the columns of those.
struct CycleColumns {
  Kind kind;
  std::string_view columns;
};

constexpr CycleColumns kCycleColumns[] = {
    {Kind::kFirmware, "DEVICE FW START CYCLE,DEVICE FW END CYCLE"},
    {Kind::kKernel, "DEVICE KERNEL START CYCLE,DEVICE KERNEL END CYCLE"},
    {Kind::kKernelDmStart, "DEVICE KERNEL DM START CYCLE,DEVICE KERNEL DM END CYCLE"},
};

const CycleColumns* cycles_of(Kind kind) {
  for (const CycleColumns& one : kCycleColumns) {
    if (one.kind == kind) return &one;
  }
  return nullptr;
}

/// Time from the end of the program before to the start of this one; nothing where they overlap.
std::string latency(const ProfilerReadout& read, const ProgramSpan& before, const ProgramSpan& now) {
  if (!before.cycles.is_whole() || !now.cycles.is_whole() || now.cycles.start < before.cycles.end) return {};
  const double mhz = read.clock_mhz > 0 ? read.clock_mhz : 1000;
  const double cycles = static_cast<double>(now.cycles.start - before.cycles.end);
  return std::to_string(std::llround(cycles * 1000 / mhz));
}

}  // namespace

void write_program_report_header(Writer& out) {
  out.write(
      "GLOBAL CALL COUNT,METAL TRACE ID,METAL TRACE REPLAY SESSION ID,DEVICE ID,DEVICE ARCH,OP NAME,CORE "
      "COUNT,AVAILABLE WORKER CORE COUNT");
  for (std::size_t i = 0; i < kProgramSpanKinds; ++i) {
    out.write(fmt::format(",{}", column_of(static_cast<Kind>(i))));
    if (const CycleColumns* cycles = cycles_of(static_cast<Kind>(i)))
      out.write(fmt::format(",{}", cycles->columns));
  }
  out.write(",OP TO OP LATENCY [ns],OP TO OP LATENCY BR/NRISC START [ns]\n");
}

void write_program_report(const ProfilerReadout& read, const std::vector<ProgramTimes>& programs,
                          ProgramTimes* previous, Writer& out) {
  const auto number = [](std::int64_t value) { return value < 0 ? std::string() : std::to_string(value); };
  for (const ProgramTimes& program : programs) {
    out.write(fmt::format("{},{},{},{},{},,{},{}", program.key.op_id, number(program.key.trace),
                          number(program.key.replay), read.device, read.arch, program.cores,
                          read.compute_cores));
    for (std::size_t i = 0; i < kProgramSpanKinds; ++i) {
      const auto kind = static_cast<Kind>(i);
      const ProgramSpan& span = program.span(kind);
      const bool known = span.cycles.is_whole();
      out.write(known ? fmt::format(",{}", span.ns) : ",");
      if (cycles_of(kind) == nullptr) continue;
      out.write(known ? fmt::format(",{},{}", span.cycles.start & kTimerMask, span.cycles.end & kTimerMask)
                      : ",,");
    }
    const bool first = !previous->span(Kind::kKernel).cycles.is_whole();
    const auto gap = [&](Kind kind) {
      return first ? std::string("0") : latency(read, previous->span(kind), program.span(kind));
    };
    out.write(fmt::format(",{},{}\n", gap(Kind::kKernel), gap(Kind::kKernelDmStart)));
    if (program.span(Kind::kKernel).cycles.is_whole()) *previous = program;
  }
}

namespace {

/// By the first byte of a record, from 1.
constexpr auto kTypes = std::to_array<std::string_view>({
    "READ",
    "READ_SET_STATE",
    "READ_SET_TRID",
    "READ_WITH_STATE",
    "READ_WITH_STATE_AND_TRID",
    "READ_BARRIER_START",
    "READ_BARRIER_END",
    "READ_BARRIER_WITH_TRID",
    "READ_DRAM_SHARDED_SET_STATE",
    "READ_DRAM_SHARDED_WITH_STATE",
    "WRITE_",
    "WRITE_SET_TRID",
    "WRITE_WITH_TRID",
    "WRITE_INLINE",
    "WRITE_MULTICAST",
    "WRITE_SET_STATE",
    "WRITE_WITH_STATE",
    "WRITE_WITH_TRID_SET_STATE",
    "WRITE_WITH_TRID_WITH_STATE",
    "WRITE_BARRIER_START",
    "WRITE_BARRIER_END",
    "WRITE_BARRIER_WITH_TRID",
    "WRITE_FLUSH",
    "WRITE_FLUSH_WITH_TRID",
    "FULL_BARRIER",
    "ATOMIC_BARRIER",
    "SEMAPHORE_INC",
    "SEMAPHORE_WAIT",
    "SEMAPHORE_SET",
    "SEMAPHORE_SET_REMOTE",
    "SEMAPHORE_SET_MULTICAST",
    "SEMAPHORE_INC_MULTICAST",
});

struct NocEvent {
  std::string_view type;
  int x = 0;
  int y = 0;
  int end_x = 0;  ///< of a multicast the other corner
  int end_y = 0;
  unsigned noc = 0;
  int channel = 0;
  unsigned bytes = 0;
  bool posted = false;
};

/// Bytes of the payload from the lowest: type, x, y, x and y of the other corner, network and channel,
/// chunks of 32 bytes, posted.
std::optional<NocEvent> event_of(std::uint64_t payload) {
  const auto byte = [&](unsigned index) { return static_cast<unsigned>(payload >> 8 * index & 0xFF); };
  const auto signed_byte = [&](unsigned index) {
    return static_cast<int>(static_cast<signed char>(byte(index)));
  };
  const unsigned type = byte(0);
  if (type == 0 || type > kTypes.size()) return std::nullopt;
  NocEvent event;
  event.type = kTypes[type - 1];
  event.x = signed_byte(1);
  event.y = signed_byte(2);
  event.end_x = signed_byte(3);
  event.end_y = signed_byte(4);
  event.noc = (byte(5) & 0xF) == 2 ? 1 : 0;
  const int channel = static_cast<int>(byte(5) >> 4);
  event.channel = channel >= 8 ? channel - 16 : channel;
  constexpr unsigned kChunkBytes = 32;
  event.bytes = byte(6) * kChunkBytes;
  event.posted = (byte(7) & 1) != 0;
  return event;
}

bool has_place(std::string_view type) {
  return type.find("WITH_STATE") == std::string_view::npos &&
         type.find("BARRIER") == std::string_view::npos && type.find("FLUSH") == std::string_view::npos &&
         type != "SEMAPHORE_WAIT" && type != "SEMAPHORE_SET";
}

/// One program's events, as JSON text.
class TraceText {
 public:
  TraceText(const ProfilerReadout& read, const NocTraceOptions& options) : read_(read), options_(options) {
    json_.begin_array();
  }

  std::string finish() {
    json_.end_array();
    static_cast<void>(out_.finish());
    return out_.text() + "\n";
  }

  void zone(const LaneId& place, std::string_view risc, const ReadMarker& marker) {
    begin(risc, marker);
    json_.field("src_device_id", read_.device);
    json_.field("zone", read_.name_of(marker));
    json_.field("zone_phase", key_of(marker.kind));
    end(place, marker);
  }

  void transfer(const LaneId& place, std::string_view risc, const ReadMarker& marker, const NocEvent& event) {
    begin(risc, marker);
    json_.field("noc", event.noc == 0 ? "NOC_0" : "NOC_1");
    json_.field("vc", event.channel);
    json_.field("src_device_id", read_.device);
    json_.field("num_bytes", event.bytes);
    json_.field("type", event.type);
    if (event.type == "WRITE_MULTICAST") {
      corner("mcast_start", event.noc, event.x, event.y);
      corner("mcast_end", event.noc, event.end_x, event.end_y);
    } else if (has_place(event.type)) {
      const auto [x, y] = physical(event.noc, event.x, event.y);
      json_.field("dx", x);
      json_.field("dy", y);
    }
    if (marker.id == kNocDebugEventId) json_.field("posted", event.posted);
    end(place, marker);
  }

 private:
  std::pair<int, int> physical(unsigned noc, int x, int y) const {
    return options_.physical ? options_.physical(noc, x, y) : std::pair(x, y);
  }
  void corner(const std::string& name, unsigned noc, int given_x, int given_y) {
    const auto [x, y] = physical(noc, given_x, given_y);
    json_.field(name + "_x", x);
    json_.field(name + "_y", y);
  }
  void begin(std::string_view risc, const ReadMarker& marker) {
    json_.begin_object();
    json_.field("run_host_id", marker.run_id);
    json_.field("op_name", "");
    json_.field("proc", risc);
  }
  void end(const LaneId& place, const ReadMarker& marker) {
    json_.field("sx", place.x);
    json_.field("sy", place.y);
    const double time =
        static_cast<double>(marker.time & kTimerMask) * options_.time_scale + options_.time_shift;
    const bool moved = options_.time_scale != 1 || options_.time_shift != 0;
    json_.field("timestamp", moved ? std::llround(time) : static_cast<long long>(marker.time & kTimerMask));
    json_.end_object();
  }

  const ProfilerReadout& read_;
  const NocTraceOptions& options_;
  StringWriter out_;
  JsonWriter json_{out_};
};

/// Firmware, synchronization and the profiler's own pushes are left out; kernels count where data are moved.
bool is_shown_zone(std::string_view name, std::string_view risc) {
  const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (name.empty() || has("-FW") || has("SYNC-ZONE") || name.starts_with("PROFILER-")) return false;
  return !has("-KERNEL") || risc == "BRISC" || risc == "NCRISC";
}

bool is_noc_record(const ReadMarker& marker) {
  return (marker.kind == MarkerKind::kData || marker.kind == MarkerKind::kData16) &&
         (marker.id == kNocEventId || marker.id == kNocDebugEventId);
}

std::string name_of(std::uint32_t device, const ExecutionKey& key) {
  std::string name = fmt::format("noc_trace_dev{}_ID{}", device, key.op_id);
  if (key.trace >= 0) {
    const auto trace = static_cast<std::uint64_t>(key.trace) << 32 | static_cast<std::uint64_t>(key.replay);
    name += fmt::format("_traceID{}", trace);
  }
  return name + ".json";
}

struct ProgramEvents {
  struct Event {
    const LaneId* place;
    const std::string* risc;
    const ReadMarker* marker;
  };
  bool has_transfers = false;
  std::vector<Event> events;  ///< by core, processor and time
};

std::string text_of(const ProfilerReadout& read, const NocTraceOptions& options,
                    const ProgramEvents& program) {
  TraceText text(read, options);
  for (const ProgramEvents::Event& event : program.events) {
    if (event.marker->is_zone()) {
      text.zone(*event.place, *event.risc, *event.marker);
    } else if (const std::optional<NocEvent> transfer = event_of(event.marker->data[0])) {
      text.transfer(*event.place, *event.risc, *event.marker, *transfer);
    }
  }
  return text.finish();
}

}  // namespace

std::vector<NocTraceFile> noc_trace_files(const ProfilerReadout& read, const NocTraceOptions& options) {
  std::map<ExecutionKey, ProgramEvents> programs;
  for (const auto& [place, lane] : read.lanes) {
    for (const ReadMarker& marker : lane.markers) {
      const bool is_record = is_noc_record(marker);
      if (!is_record && !(marker.is_zone() && is_shown_zone(read.name_of(marker), lane.risc))) continue;
      ProgramEvents& program = programs[{read.device, marker.run_id, marker.trace, marker.replay}];
      program.has_transfers |= is_record;
      program.events.push_back({&place, &lane.risc, &marker});
    }
  }
  std::vector<NocTraceFile> files;
  for (const auto& [key, program] : programs) {
    if (program.has_transfers) files.push_back({name_of(read.device, key), text_of(read, options, program)});
  }
  return files;
}

Result<std::vector<std::string>> write_log_files(const ProfilerReadout& read,
                                                 const std::map<std::uint16_t, RawZone>& zones,
                                                 const std::string& folder) {
  namespace fs = std::filesystem;
  RETURN_IF_ERROR(check_output_path(folder));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failure(write_failed(fmt::format("{}: {}", folder, error.message())));
  const std::string log_path = (fs::path(folder) / profiler_names::kDeviceLog).string();
  const std::string zones_path = (fs::path(folder) / profiler_names::kZones).string();
  for (const std::string& path : {log_path, zones_path}) {
    if (fs::exists(path, error)) {
      return failure(write_failed(fmt::format("{}: lies there already; give another folder with -o", path)));
    }
  }
  Result<void> done = write_file(log_path, [&](Writer& out) {
    write_device_log_header(read, out);
    write_device_log_rows(read, out);
  });
  if (done) done = write_file(zones_path, [&](Writer& out) { write_zone_locations(zones, out); });
  if (!done) return failure(done.error());
  return std::vector<std::string>{log_path, zones_path};
}

void write_sync_header(Writer& out) {
  out.write(
      "device id,core_x, "
      "core_y,device,host_tracy,host_real,write_overhead,host_start,delay,frequency,tracy_ratio,"
      "tracy_base_time,device_frequency_ratio,device_shift\n");
}

void write_sync_rows(const SyncOrigin& place, const HostDeviceSync& sync,
                     const std::vector<std::uint64_t>& write_ticks, Writer& out) {
  for (std::size_t i = 0; i < sync.samples.size(); ++i) {
    const SyncSample& sample = sync.samples[i];
    out.write(fmt::format(
        "{:5},{:5},{:5},{:20},{:20},{:20.2f},{:20},{:20},{:20.2f},{:20.15f},{:20.15f},{:20},1.0,0\n",
        place.device, place.core_x, place.core_y, sample.device_cycles, sample.host_ticks,
        static_cast<double>(sample.host_ticks) * sync.ns_per_tick,
        i < write_ticks.size() ? write_ticks[i] : 0, place.host_start_ticks, sync.delay_cycles,
        sync.cycles_per_ns, sync.ns_per_tick, place.base_time_ticks));
  }
}

void write_sync_shift(std::uint32_t device, const DeviceShift& shift, Writer& out) {
  constexpr double kMax = 9e18;
  const std::int64_t cycles = std::abs(shift.shift) < kMax ? std::llround(shift.shift) : 0;
  out.write(fmt::format("{:5},,,,,,,,,,,,{:20.15f},{:20}\n", device, shift.scale, cycles));
}

}  // namespace ttscope::perf
