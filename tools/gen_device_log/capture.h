#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ttscope::gen_device_log {

inline constexpr std::uint64_t kTimerSpan = std::uint64_t{1} << 44;  ///< device timers have 44 bits

/// What to make up.
struct Options {
  std::string folder;
  std::uint64_t rows = 100000;  ///< of the device log, about
  int cores = 64;
  int devices = 1;
  int replays = 0;  ///< of one trace that holds half of the ops; 0: no trace
  double clock_mhz = 1000;
  std::uint64_t start_cycle = 11017522886706;
  std::uint64_t seed = 1;
  bool op_major = false;     ///< op after op instead of core after core
  bool sub_devices = false;  ///< meta data in every row
  bool host = true;          ///< the host's files as well
};

inline constexpr int kRiscs = 5;
inline constexpr int kRowsPerRisc = 4;

/// One execution of an op on a device.
struct Execution {
  int device = 0;
  std::uint64_t op_id = 0;
  int trace = -1;
  int replay = -1;
  std::uint64_t start = 0;
  std::uint64_t length = 0;
};

/// The times of one processor in an execution.
struct Times {
  std::uint64_t fw_start = 0;
  std::uint64_t kernel_start = 0;
  std::uint64_t kernel_end = 0;
  std::uint64_t fw_end = 0;
};

/// The capture: executions device by device in order of time. Times follow from the seed, so no row is kept.
class Capture {
 public:
  explicit Capture(const Options& options);

  const Options& options() const { return options_; }
  const std::vector<Execution>& executions() const { return executions_; }
  std::uint64_t ops() const { return ops_; }
  std::uint64_t traced_from() const { return traced_from_; }
  Times times(const Execution& execution, int core, int risc) const;

 private:
  Options options_;
  std::uint64_t ops_ = 0;
  std::uint64_t traced_from_ = 0;  ///< ops from here on are in the trace
  std::vector<Execution> executions_;
};

/// Writes profile_log_device.csv, cpp_device_perf_report.csv and the host's two files; false if one cannot be
/// written.
bool write_capture(const Capture& capture);

}  // namespace ttscope::gen_device_log
