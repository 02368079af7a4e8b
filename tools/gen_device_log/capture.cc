#include "capture.h"

#include <algorithm>

namespace ttscope::gen_device_log {
namespace {

constexpr std::uint64_t kIdShift = 10;

std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ull;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

}  // namespace

Capture::Capture(const Options& options) : options_(options) {
  const std::uint64_t rows_per_execution = static_cast<std::uint64_t>(options.cores) * kRiscs * kRowsPerRisc *
                                           static_cast<std::uint64_t>(options.devices);
  const std::uint64_t executions = std::max<std::uint64_t>(1, options.rows / rows_per_execution);
  const auto replays = static_cast<std::uint64_t>(options.replays);
  ops_ = replays == 0 ? executions : std::max<std::uint64_t>(2, 2 * executions / (1 + replays));
  traced_from_ = replays == 0 ? ops_ : ops_ / 2;
  for (int device = 0; device < options.devices; ++device) {
    std::uint64_t now = options.start_cycle;
    const auto run = [&](std::uint64_t op, int trace, int replay) {
      const std::uint64_t id = ((op + 1) << kIdShift) | static_cast<std::uint64_t>(device);
      const std::uint64_t random =
          mixed(options.seed * 1000003 + op * 31 + static_cast<std::uint64_t>(replay + 1));
      const std::uint64_t length = 20000 + random % 200000;
      executions_.push_back({device, id, trace, replay, now % kTimerSpan, length});
      now += length + 2000 + (random >> 32) % 50000;
    };
    for (std::uint64_t op = 0; op < traced_from_; ++op) run(op, -1, -1);
    for (int replay = 1; replay <= options.replays; ++replay) {
      for (std::uint64_t op = traced_from_; op < ops_; ++op) run(op, 7, replay);
    }
  }
}

Times Capture::times(const Execution& execution, int core, int risc) const {
  const std::uint64_t random =
      mixed(execution.op_id * 1315423911u + static_cast<std::uint64_t>(core * kRiscs + risc) +
            static_cast<std::uint64_t>(execution.replay + 1) * 7919);
  Times times;
  times.fw_start = execution.start + random % 600;
  times.kernel_start = times.fw_start + 300 + (random >> 16) % 400;
  times.kernel_end = execution.start + execution.length - 400 - (random >> 32) % 2000;
  times.fw_end = times.kernel_end + 100 + (random >> 48) % 200;
  for (std::uint64_t* time : {&times.fw_start, &times.kernel_start, &times.kernel_end, &times.fw_end}) {
    *time %= kTimerSpan;
  }
  return times;
}

}  // namespace ttscope::gen_device_log
