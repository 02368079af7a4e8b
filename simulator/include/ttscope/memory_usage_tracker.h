#pragma once

// Memory of the phases of a program: begin a capture, take a snapshot at the end of each phase, print. The
// names and semantics are those of tt-train's tracker; docs/tracker.md says what differs.
//
// Threads: there is one session in a process. All functions may be called from any thread, but a capture sees
// the work of the thread that began it, and only that thread may take snapshots of it and end it.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <ttscope/run_mode.h>
#include <ttscope/scope_guard.h>

namespace ttscope {

/// Bytes of one device over one segment, of whole buffers. The peak is relative to the segment's start.
struct DRAMUsage {
  std::int64_t peak = 0;
  std::int64_t total_allocations = 0;
  std::int64_t total_deallocations = 0;
  bool operator==(const DRAMUsage&) const = default;
};

/// Bytes of each core over one segment. `peak_total` is the peak of the sum at one moment.
struct PeakMemoryUsagePerCore {
  std::uint64_t peak_cb = 0;
  std::uint64_t peak_l1 = 0;
  std::uint64_t peak_dataflow_buffer = 0;
  std::uint64_t peak_scratchpad = 0;
  std::uint64_t peak_total = 0;
  bool operator==(const PeakMemoryUsagePerCore&) const = default;
};

/// kOriginal: exactly what the original tracker says, also where that misleads: L1 that wraps at 2^64,
/// circular buffers counted once for each chip.
enum class Figures { kCorrected, kOriginal };

// The original tracker's name, which programs are written against.
namespace MemoryUsageTracker {  // NOLINT(readability-identifier-naming)

inline constexpr const char* kDefaultName = "END_TRACE";

/// Starts a capture. The guard's end is end_capture() and clear(). Segments of an earlier session that were
/// not cleared stay in front. Throws std::runtime_error if a capture is active.
[[nodiscard]] ScopeGuard begin_capture(RunMode mode = RunMode::NORMAL);
/// Ends it; what happened since the last snapshot becomes a segment. Nothing happens if no capture is active.
void end_capture(const std::string& name = kDefaultName);
/// What happened since the last snapshot becomes a segment; the capture goes on. Throws std::runtime_error if
/// no capture is active.
void snapshot(const std::string& name);

/// Figures of one segment; std::runtime_error if there is none of that name, or more than one.
DRAMUsage get_dram_usage(const std::string& name = kDefaultName);
PeakMemoryUsagePerCore get_l1_usage(const std::string& name = kDefaultName,
                                    Figures figures = Figures::kCorrected);
/// All segments in order.
std::vector<std::pair<std::string, DRAMUsage>> get_dram_usage_all();
std::vector<std::pair<std::string, PeakMemoryUsagePerCore>> get_l1_usage_all(
    Figures figures = Figures::kCorrected);
std::vector<std::string> get_trace_names();

/// The summary, to standard output. Where corrected figures differ from the original's, a note follows for
/// each.
void print_memory_usage(Figures figures = Figures::kCorrected);
/// What print_memory_usage prints.
std::string memory_usage_text(Figures figures = Figures::kCorrected);
/// What the corrected figures differ in from the original's, and what a guard has cleared before it was read.
std::vector<std::string> notes();

/// Drops all segments, and a capture that is active.
void clear();

/// Writes the segments as JSON, for `ttscope graph`. Throws std::runtime_error if it cannot.
void save(const std::string& path);

}  // namespace MemoryUsageTracker
}  // namespace ttscope
