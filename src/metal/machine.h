#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <tt_metal/host_api.hpp>

#include "chip/build/compiler.h"
#include "chip/simulator.h"
#include "metal/settings.h"
#include "perf/analyse/sync/clock_sync.h"

namespace ttscope::metal {

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

  std::optional<std::uint64_t> sync_start_ns;  ///< when the first clock synchronisation began
  /// The clock of the device that was synchronised first, to which others are related.
  struct Root {
    std::uint32_t device = 0;
    perf::ClockLine line;
  };
  std::optional<Root> sync_root;

 private:
  explicit HostMachine(HostSettings settings);

  HostSettings settings_;
  std::uint32_t open_devices_ = 0;
  bool has_said_loss_ = false;
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
