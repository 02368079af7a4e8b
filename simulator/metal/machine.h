#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tt_metal/host_api.hpp>
#include <vector>

#include "chip/build/compiler.h"
#include "chip/simulator.h"
#include "perf/analyze/clock_sync.h"

namespace ttscope::metal {

/// What the environment asks for; read when the first device is created.
struct HostSettings {
  std::string library;     ///< TT_METAL_SIMULATOR; empty: our own simulator
  std::string home;        ///< TT_METAL_HOME
  std::string cache;       ///< where binaries are kept
  std::string logs;        ///< where the profiler writes
  std::string noc_traces;  ///< where it writes NoC traces
  bool profiler = false;
  bool synchronizes = false;     ///< TT_METAL_PROFILER_SYNC
  bool dumps_mid_run = false;    ///< TT_METAL_PROFILER_MID_RUN_DUMP: every read writes what it found
  bool post_processes = false;   ///< TT_METAL_PROFILER_CPP_POST_PROCESS
  bool writes_files = true;      ///< unless TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES
  bool records_buffers = false;  ///< TT_METAL_MEM_PROFILER: allocations go to the recorder
  bool records_traces = false;   ///< TT_METAL_PROFILER_TRACE_TRACKING: so do captures and replays
  bool saves_words = false;  ///< TTSCOPE_SAVE_PROFILER_WORDS: every read also keeps the words as they were
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

/// What the processes of one run of `ttscope trace` share, so that each goes on where those before it ended:
/// numbers of ops, the time of the simulation, and who has the devices. It is a file beside the logs.
class SharedTraceState {
 public:
  /// That of this process; null where `ttscope trace` did not begin it, or its logs go elsewhere.
  static SharedTraceState* current();

  SharedTraceState(const SharedTraceState&) = delete;
  SharedTraceState& operator=(const SharedTraceState&) = delete;

  /// The number of the next op; those on devices and on the host are counted apart.
  std::uint32_t next_device_call();
  std::uint32_t next_host_call();

  /// As on a board, one process at a time has the devices; false where another one does. Held until given
  /// back, or to the end of the process.
  bool take_devices();
  void release_devices();
  /// A process that was forked from the one that took them has a copy of its simulation.
  bool has_devices() const;
  /// The process that had them when they were last asked for.
  pid_t owner() const { return owner_; }

  /// How far the time of the simulation has come, of the processes that wrote.
  std::uint64_t nanoseconds() const;
  void advance_to(std::uint64_t nanoseconds);
  /// When the first clock synchronization of the run began; `own` becomes that of a run without one.
  std::uint64_t sync_start(std::uint64_t own);

 private:
  struct Shared;
  static SharedTraceState* open(const std::string& logs);
  SharedTraceState(int file, Shared* shared) : file_(file), shared_(shared) {}

  int file_;
  Shared* shared_;
  pid_t owner_ = 0;
};

/// The simulator of this process and what its devices share.
class HostMachine {
 public:
  static HostMachine& get();
  static bool exists();
  /// For the next machine; throws while devices are open. A machine without devices is given up.
  static void use_chips(const std::vector<SimulatedChip>& chips);

  chip::Simulator& simulator() { return *simulator_; }
  chip::Compiler& compiler() { return compiler_; }
  const HostSettings& settings() const { return settings_; }
  /// The machine for the first device, or for one more. That of a traced run goes on where the process before
  /// it ended.
  static HostMachine& to_open();
  void opened() { ++open_devices_; }
  void closed(std::uint32_t devices);
  /// What devices do goes to the logs. Not so where another process of the traced run has them; that is said
  /// once.
  bool records();
  /// In a traced run, where what devices did is in the logs now.
  void note_written();

  /// What a chip's clock is said to run at.
  double clock_mhz(std::size_t device) const;

  std::optional<std::uint64_t> sync_start_ns;  ///< when the first clock synchronization began
  /// The clock of the device that was synchronized first, to which others are related.
  struct Root {
    std::uint32_t device = 0;
    perf::ClockLine line;
  };
  std::optional<Root> sync_root;

 private:
  explicit HostMachine(HostSettings settings);

  HostSettings settings_;
  std::uint32_t open_devices_ = 0;
  bool has_reported_loss_ = false;
  std::unique_ptr<chip::Simulator> simulator_;
  chip::Compiler compiler_;
};

/// As tt-metal's logger, on standard error.
void warn(const std::string& text);

/// The value, or the error as an exception: the border between our results and an API that throws.
template <typename T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

void throw_if_failed(const Result<void>& result);

}  // namespace ttscope::metal
