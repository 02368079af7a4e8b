// cpp_device_perf_report.csv; declared in capture_files.h.
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "perf/write/capture/capture_files.h"

namespace ttscope::perf {
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
std::string latency(const ReadOut& read, const ProgramSpan& before, const ProgramSpan& now) {
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

void write_program_report(const ReadOut& read, const std::vector<ProgramTimes>& programs,
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

}  // namespace ttscope::perf
