#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tt_metal/host_api.hpp>

#include "chip/build/compiler.h"
#include "chip/simulator.h"

namespace ttscope::metal {

/// What the environment asks for; read when the first device is created.
struct HostSettings {
  std::string library;     ///< TT_METAL_SIMULATOR; empty: our own simulator
  std::string home;        ///< TT_METAL_HOME
  std::string cache;       ///< where binaries are kept
  std::string logs;        ///< where the profiler writes
  std::string noc_traces;  ///< where it writes NoC traces
  bool profiler = false;
  bool synchronises = false;    ///< TT_METAL_PROFILER_SYNC
  bool dumps_mid_run = false;   ///< TT_METAL_PROFILER_MID_RUN_DUMP: every read writes what it found
  bool post_processes = false;  ///< TT_METAL_PROFILER_CPP_POST_PROCESS
  bool writes_files = true;     ///< unless TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES
  bool tells_buffers = false;   ///< TT_METAL_MEM_PROFILER: allocations go to the recorder
  bool tells_traces = false;    ///< TT_METAL_PROFILER_TRACE_TRACKING: so do captures and replays
  bool saves_words = false;     ///< TTSCOPE_SAVE_PROFILER_WORDS: every read also keeps the words as they were
  std::uint32_t support_count = 1000;
  /// TT_METAL_OPERATION_TIMEOUT_SECONDS, of simulated time: a program that takes longer hangs.
  std::uint64_t longest_run_ns = 50'000'000;
  chip::ProfilerBuild build;
  std::vector<chip::ChipOptions> chips;
  std::vector<std::string> warnings;
};

/// Throws std::runtime_error for values that make no sense or contradict each other. Without `chips` the
/// environment also says which chips there are.
HostSettings settings_from_environment(const std::vector<SimulatedChip>& chips);

/// Whether it switches the device profiler on.
bool profiler_is_on();

}  // namespace ttscope::metal
