#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace ttscope::metal {

/// What the processes of one run of `ttscope trace` share, so that each goes on where those before it ended:
/// numbers of ops, the time of the simulation, and who has the devices. It is a file beside the logs.
class TracedRun {
 public:
  /// That of this process; null where `ttscope trace` did not begin it, or its logs go elsewhere.
  static TracedRun* current();

  TracedRun(const TracedRun&) = delete;
  TracedRun& operator=(const TracedRun&) = delete;

  /// The number of the next op; those on devices and on the host are counted apart.
  std::uint32_t next_device_call();
  std::uint32_t next_host_call();

  /// As on a board, one process at a time has the devices; false where another one does. Held until given
  /// back, or to the end of the process.
  bool take_devices();
  void give_devices_back();
  /// A process that was forked from the one that took them has a copy of its simulation.
  bool has_devices() const;
  /// The process that had them when they were last asked for.
  pid_t owner() const { return owner_; }

  /// How far the time of the simulation has come, of the processes that wrote.
  std::uint64_t nanoseconds() const;
  void came_to(std::uint64_t nanoseconds);
  /// When the first clock synchronisation of the run began; `own` becomes that of a run without one.
  std::uint64_t sync_start(std::uint64_t own);

 private:
  struct Shared;
  static TracedRun* open(const std::string& logs);
  TracedRun(int file, Shared* shared) : file_(file), shared_(shared) {}

  int file_;
  Shared* shared_;
  pid_t owner_ = 0;
};

}  // namespace ttscope::metal
