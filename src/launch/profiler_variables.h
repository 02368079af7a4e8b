#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ttscope::launch {

enum class VariableKind {
  kSwitch,    ///< on if its value begins with a 1
  kPresence,  ///< on if it is set at all
  kValue,     ///< a number, a path
};

/// A variable that tt-metal's profiler reads, the real one as well as the simulated.
struct ProfilerVariable {
  std::string_view name;
  std::string_view option;    ///< of `ttscope trace`, which sets it; empty: none
  std::string_view standard;  ///< what holds where it is not set
  std::string_view effect;    ///< what follows when it is on, or what its value is
  VariableKind kind = VariableKind::kSwitch;
  bool needs_profiler = false;  ///< without the device profiler it does nothing
};

/// All of them, in the order in which tt-metal handles them.
const std::vector<ProfilerVariable>& profiler_variables();
/// Null: not one of them.
const ProfilerVariable* find_profiler_variable(std::string_view name);

/// The value that `environment` (`NAME=value`) gives it; none: not set.
std::optional<std::string> value_in(const std::vector<std::string>& environment, std::string_view name);
void set_value(std::vector<std::string>& environment, std::string_view name, std::string_view value);
void remove_value(std::vector<std::string>& environment, std::string_view name);

/// As the profiler understands it.
bool is_on(const std::vector<std::string>& environment, const ProfilerVariable& variable);
bool is_on(const std::vector<std::string>& environment, std::string_view name);
/// Also NoC events, hardware counters and debug dumps switch the device profiler on.
bool profiles_device(const std::vector<std::string>& environment);
/// The variable that switches it on; empty: it is off.
std::string_view profiler_switch(const std::vector<std::string>& environment);

/// Programs whose markers a device keeps between two reads.
struct SupportCount {
  std::uint64_t given = 0;  ///< by TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT, or what holds without it
  std::uint64_t kept = 0;   ///< the runtime raises what would be less than one full buffer of a core
};

SupportCount support_count(const std::vector<std::string>& environment);

/// What follows from its value, or from its not being set.
std::string consequence_of(const ProfilerVariable& variable, const std::vector<std::string>& environment);

/// Variables that exclude each other, each as a sentence with the names and the reason.
struct VariableConflict {
  std::string first;
  std::string second;
  std::string reason;  ///< with both names
  std::string fix;
};

std::vector<VariableConflict> conflicts_in(const std::vector<std::string>& environment);

/// Options of `ttscope trace` by their long names; flags have an empty value.
using TraceOptions = std::map<std::string, std::string, std::less<>>;

/// What a profiled program gets, and what follows for the report.
struct TracePlan {
  std::vector<std::string> environment;  ///< all of it, `NAME=value`
  std::vector<std::string> notes;        ///< what the user should know before the run
  /// Why the runtime's own measurements are left aside; empty: they are used.
  std::vector<std::string> legacy_reasons;
  bool device = true;             ///< devices are profiled
  bool device_in_capture = true;  ///< the .tracy file has the zones of devices
};

/// Sets the variables of the profiler as the options say and keeps those that were set by hand. What excludes
/// each other is an error with the reason.
Result<TracePlan> plan_trace(const TraceOptions& options, const std::vector<std::string>& environment);

}  // namespace ttscope::launch
