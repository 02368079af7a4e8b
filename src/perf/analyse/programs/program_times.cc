#include "perf/analyse/programs/program_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ttscope::perf {
namespace {

using Kind = ProgramSpanKind;

struct KindInfo {
  std::string_view column;
  std::string_view risc;  ///< the only one that counts; empty: all
};
constexpr std::array<KindInfo, kProgramSpanKinds> kKinds = {{
    {"DEVICE TRACE FIRMWARE DURATION [ns]", "TENSIX_RISC_AGG"},
    {"DEVICE TRACE KERNEL DURATION [ns]", "TENSIX_RISC_AGG"},
    {"DEVICE KERNEL FIRST TO LAST START [ns]", ""},
    {"DEVICE FW DURATION [ns]", ""},
    {"DEVICE KERNEL DURATION [ns]", ""},
    {"DEVICE KERNEL DURATION DM START [ns]", ""},
    {"DEVICE BRISC KERNEL DURATION [ns]", "BRISC"},
    {"DEVICE NCRISC KERNEL DURATION [ns]", "NCRISC"},
    {"DEVICE TRISC0 KERNEL DURATION [ns]", "TRISC_0"},
    {"DEVICE TRISC1 KERNEL DURATION [ns]", "TRISC_1"},
    {"DEVICE TRISC2 KERNEL DURATION [ns]", "TRISC_2"},
    {"DEVICE ERISC KERNEL DURATION [ns]", "ERISC"},
}};

bool has(std::string_view name, std::string_view word) { return name.find(word) != std::string_view::npos; }

/// Programs while they are being collected.
class ProgramCollector {
 public:
  explicit ProgramCollector(const ReadOut& read) : read_(read) {}

  std::vector<ProgramTimes> collect() {
    for (const auto& [place, lane] : read_.lanes) {
      for (const ReadMarker& marker : lane.markers) take(place, lane.risc, marker);
    }
    std::vector<ProgramTimes> programs;
    for (auto& [key, program] : programs_) {
      program.times.key = key;
      program.times.cores = static_cast<std::uint32_t>(program.cores.size());
      for (ProgramSpan& span : program.times.spans) finish(span);
      programs.push_back(program.times);
    }
    std::stable_sort(programs.begin(), programs.end(), [](const ProgramTimes& a, const ProgramTimes& b) {
      return a.span(Kind::kFirmware).cycles.start < b.span(Kind::kFirmware).cycles.start;
    });
    return programs;
  }

 private:
  struct Program {
    ProgramTimes times;
    std::set<std::pair<std::int32_t, std::int32_t>> cores;
  };

  static void begin(Program& program, Kind kind, std::uint64_t time) {
    CycleSpan& span = program.times.spans[static_cast<std::size_t>(kind)].cycles;
    span.start = std::min(span.start, time);  // unknown is the largest number
  }
  static void end(Program& program, Kind kind, std::uint64_t time) {
    CycleSpan& span = program.times.spans[static_cast<std::size_t>(kind)].cycles;
    span.end = span.end == kNoCycle ? time : std::max(span.end, time);
  }
  static void widen(Program& program, Kind kind, const ReadMarker& marker) {
    if (marker.kind == MarkerKind::kZoneStart) {
      begin(program, kind, marker.time);
    } else {
      end(program, kind, marker.time);
    }
  }

  void take(const LanePlace& place, std::string_view risc, const ReadMarker& marker) {
    if (!marker.is_zone()) return;
    const std::string_view name = read_.name_of(marker);
    const bool firmware = has(name, "-FW");
    if (!firmware && !has(name, "-KERNEL")) return;
    Program& program = programs_[{read_.device, marker.run_id, marker.trace, marker.replay}];
    if (firmware) program.cores.insert({place.x, place.y});
    widen(program, firmware ? Kind::kFirmware : Kind::kKernel, marker);
    if (read_.modes.trace_only) widen(program, firmware ? Kind::kTraceFirmware : Kind::kTraceKernel, marker);
    if (!firmware) take_kernel(program, risc, marker);
  }

  static void take_kernel(Program& program, std::string_view risc, const ReadMarker& marker) {
    const bool starts = marker.kind == MarkerKind::kZoneStart;
    if (starts) {
      begin(program, Kind::kFirstToLastStart, marker.time);
      end(program, Kind::kFirstToLastStart, marker.time);
    }
    const bool moves_data = risc == "BRISC" || risc == "NCRISC" || risc == "ERISC";
    if (!starts || moves_data) widen(program, Kind::kKernelDmStart, marker);
    for (std::size_t kind = static_cast<std::size_t>(Kind::kBriscKernel); kind < kProgramSpanKinds; ++kind) {
      if (kKinds[kind].risc == risc) widen(program, static_cast<Kind>(kind), marker);
    }
  }

  void finish(ProgramSpan& span) const {
    if (!span.cycles.is_whole() || span.cycles.end < span.cycles.start) {
      span.cycles = {};
      return;
    }
    constexpr double kMhzPerGhz = 1000;
    const double mhz = read_.clock_mhz > 0 ? read_.clock_mhz : kMhzPerGhz;
    span.ns = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(span.cycles.end - span.cycles.start) * kMhzPerGhz / mhz));
  }

  const ReadOut& read_;
  std::map<ExecutionKey, Program> programs_;
};

}  // namespace

std::string_view column_of(ProgramSpanKind kind) { return kKinds[static_cast<std::size_t>(kind)].column; }

std::vector<ProgramTimes> program_times(const ReadOut& read) { return ProgramCollector(read).collect(); }

}  // namespace ttscope::perf
