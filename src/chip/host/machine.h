#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tt_metal/host_api.hpp>

#include "chip/build/compiler.h"
#include "chip/driver/card.h"
#include "chip/runtime/device.h"
#include "chip/simulator.h"

namespace ttscope::chip {

/// What the environment asks for; read once, when the first device is created.
struct HostSettings {
  std::string library;  ///< TT_METAL_SIMULATOR; empty: our own simulator
  std::string home;     ///< TT_METAL_HOME
  std::string cache;    ///< where binaries are kept
  std::string logs;     ///< where the profiler writes
  bool profiler = false;
  std::uint32_t support_count = 1000;
  ProfilerBuild build;
  std::vector<ChipOptions> chips;
};

/// Throws std::runtime_error for values that make no sense or contradict each other.
HostSettings settings_from_environment();

/// The simulator of this process and what its devices share.
class HostMachine {
 public:
  static HostMachine& get();
  /// Takes effect if no machine is there yet; throws otherwise.
  static void use_chips(const std::vector<SimulatedChip>& chips);
  static bool exists();

  Simulator& simulator() { return *simulator_; }
  Compiler& compiler() { return compiler_; }
  const HostSettings& settings() const { return settings_; }

 private:
  explicit HostMachine(HostSettings settings);

  HostSettings settings_;
  std::unique_ptr<Simulator> simulator_;
  Compiler compiler_;
};

/// The value, or the error as an exception: the border between our results and an API that throws.
template <typename T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}
void throw_if_failed(const Result<void>& result);

}  // namespace ttscope::chip
