// noc_trace_dev*.json; declared in capture_files.h.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "base/json_writer.h"
#include "perf/write/capture/capture_files.h"

namespace ttscope::perf {
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
  TraceText(const ReadOut& read, const NocTraceOptions& options) : read_(read), options_(options) {
    json_.begin_array();
  }

  std::string finish() {
    json_.end_array();
    static_cast<void>(out_.finish());
    return out_.text() + "\n";
  }

  void zone(const LanePlace& place, std::string_view risc, const ReadMarker& marker) {
    begin(risc, marker);
    json_.field("src_device_id", read_.device);
    json_.field("zone", read_.name_of(marker));
    json_.field("zone_phase", key_of(marker.kind));
    end(place, marker);
  }

  void transfer(const LanePlace& place, std::string_view risc, const ReadMarker& marker,
                const NocEvent& event) {
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
  void end(const LanePlace& place, const ReadMarker& marker) {
    json_.field("sx", place.x);
    json_.field("sy", place.y);
    const double time =
        static_cast<double>(marker.time & kTimerMask) * options_.time_scale + options_.time_shift;
    const bool moved = options_.time_scale != 1 || options_.time_shift != 0;
    json_.field("timestamp", moved ? std::llround(time) : static_cast<long long>(marker.time & kTimerMask));
    json_.end_object();
  }

  const ReadOut& read_;
  const NocTraceOptions& options_;
  StringWriter out_;
  JsonWriter json_{out_};
};

/// Firmware, synchronisation and the profiler's own pushes are left out; kernels count where data are moved.
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
    const LanePlace* place;
    const std::string* risc;
    const ReadMarker* marker;
  };
  bool has_transfers = false;
  std::vector<Event> events;  ///< by core, processor and time
};

std::string text_of(const ReadOut& read, const NocTraceOptions& options, const ProgramEvents& program) {
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

std::vector<NocTraceFile> noc_trace_files(const ReadOut& read, const NocTraceOptions& options) {
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

}  // namespace ttscope::perf
