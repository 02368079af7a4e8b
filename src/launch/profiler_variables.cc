#include "launch/profiler_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "base/result.h"

namespace ttscope::launch {
namespace {

/// Bits of TT_METAL_PROFILE_PERF_COUNTERS that are banks of L1; a run counts one of them.
constexpr std::uint32_t kL1CounterGroups = 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 8;

/// What `--profiler-capture-perf-counters` asks for.
struct CounterGroups {
  std::uint32_t mask = 0;
  std::vector<std::string> notes;  ///< how words were understood
};

/// `fpu, l1_0` of a mask.
std::string counter_group_names(std::uint32_t mask);

struct CounterGroup {
  std::string_view name;
  std::uint32_t bit;
};

constexpr std::array<CounterGroup, 9> kGroups = {{{"fpu", 0},
                                                  {"pack", 1},
                                                  {"unpack", 2},
                                                  {"l1_0", 3},
                                                  {"l1_1", 4},
                                                  {"instrn", 5},
                                                  {"l1_2", 6},
                                                  {"l1_3", 7},
                                                  {"l1_4", 8}}};
constexpr std::uint32_t kAllGroups = 0b101111;
constexpr std::uint32_t kBlackholeGroups = 1u << 6 | 1u << 7 | 1u << 8;

std::uint32_t bit_of(std::string_view word) {
  for (const CounterGroup& group : kGroups) {
    if (group.name == word) return 1u << group.bit;
  }
  return 0;
}

/// Reads `fpu,pack,l1_0`. `l1` is l1_0, as older guides call it; `all` are those that one run can count.
/// Unknown words and banks that the chip (`arch`, as in ARCH_NAME; empty: not known) does not have are
/// errors.
Result<CounterGroups> read_counter_groups(std::string_view words, std::string_view arch) {
  CounterGroups groups;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    at = end + 1;
    if (word == "l1") {
      groups.mask |= bit_of("l1_0");
      groups.notes.emplace_back(
          "counter group l1 is called l1_0; l1_1 and, on Blackhole, l1_2 to l1_4 are its other banks");
    } else if (word == "all") {
      groups.mask |= kAllGroups;
      groups.notes.emplace_back(
          "all: fpu, pack, unpack, l1_0, instrn; a further bank of L1 needs a run of its own");
    } else if (const std::uint32_t bit = bit_of(word); bit != 0) {
      groups.mask |= bit;
    } else {
      return failure(
          bad_input(fmt::format("counter group `{}`: expected fpu, pack, unpack, l1_0 (or l1), l1_1, instrn, "
                                "l1_2, l1_3, l1_4 or all",
                                word)));
    }
  }
  if ((groups.mask & kBlackholeGroups) != 0 && arch != "blackhole") {
    return failure(bad_input(
        arch.empty()
            ? std::string(
                  "counter groups l1_2 to l1_4 are those of Blackhole; say so with ARCH_NAME=blackhole")
            : fmt::format("counter groups l1_2 to l1_4 are those of Blackhole; this is {}", arch)));
  }
  if (std::popcount(groups.mask & kL1CounterGroups) > 1) {
    return failure(bad_input(fmt::format("{}: at most one bank of L1 can be counted in a run",
                                         counter_group_names(groups.mask & kL1CounterGroups))));
  }
  return groups;
}

/// All bits that stand for a group.
std::uint32_t known_counter_groups() {
  std::uint32_t mask = 0;
  for (const CounterGroup& group : kGroups) mask |= 1u << group.bit;
  return mask;
}

std::string counter_group_names(std::uint32_t mask) {
  std::string names;
  for (const CounterGroup& group : kGroups) {
    if ((mask >> group.bit & 1) == 0) continue;
    if (!names.empty()) names += ", ";
    names += group.name;
  }
  return names;
}

constexpr VariableKind kSwitch = VariableKind::kSwitch;
constexpr VariableKind kValue = VariableKind::kValue;

auto place_of(const std::vector<std::string>& environment, std::string_view name) {
  return std::find_if(environment.begin(), environment.end(), [&](const std::string& entry) {
    return entry.size() > name.size() && entry[name.size()] == '=' &&
           entry.compare(0, name.size(), name) == 0;
  });
}

/// Two switches that cannot both be on.
struct ExcludedPair {
  std::string_view first;
  std::string_view second;
  std::string_view why;
};

constexpr ExcludedPair kExcluded[] = {
    {"TT_METAL_PROFILER_MID_RUN_DUMP", "TT_METAL_TRACE_PROFILER",
     "data of trace runs alone cannot be dumped mid-run"},
    {"TT_METAL_PROFILER_MID_RUN_DUMP", "TT_METAL_DEVICE_PROFILER_DISPATCH",
     "data of dispatch cores cannot be dumped mid-run"},
    {"TT_METAL_PROFILER_ACCUMULATE", "TTNN_OP_PROFILER",
     "accumulated markers have no op ids, so that no ops report can be made of them"},
};

/// A value that has to be a whole number; empty: it is one.
struct NumberRange {
  std::string_view variable;
  std::string_view expected;
  unsigned long long least;
  unsigned long long most;
};

/// The buffers of a processor are at most 4 GB, with 48 bytes a program.
constexpr NumberRange kNumbers[] = {
    {"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "expected a whole number above 0", 1, UINT32_MAX / 48},
    {"TT_METAL_PROFILE_PERF_COUNTERS", "expected a whole number", 0, UINT32_MAX},
    {"TRACY_PORT", "expected a port, 1 to 65535", 1, 65535},
    {"TRACY_WASM_HTTP_PORT", "expected a port, 1 to 65534", 1, 65534},
};

std::string number_problem(const ProfilerVariable& variable, const std::string& value) {
  const auto* const range =
      std::find_if(std::begin(kNumbers), std::end(kNumbers),
                   [&](const NumberRange& one) { return one.variable == variable.name; });
  if (range == std::end(kNumbers)) return {};
  const bool is_port = range->expected.find("port") != std::string_view::npos;
  if (is_port && value.empty()) return {};  // as if it were not set
  unsigned long long number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_whole = end == value.data() + value.size() && error != std::errc::invalid_argument;
  const bool is_too_large = error == std::errc::result_out_of_range || number > range->most;
  if (is_whole && is_too_large && !is_port) return fmt::format("too large: at most {}", range->most);
  return is_whole && !is_too_large && number >= range->least ? std::string() : std::string(range->expected);
}

/// What is counted by a mask, with the bits that stand for nothing.
std::string counters_text(std::uint32_t mask) {
  const std::uint32_t unknown = mask & ~known_counter_groups();
  const std::string names = counter_group_names(mask);
  std::string text = names.empty() ? std::string("no hardware counters are read")
                                   : fmt::format("hardware counters of {} are read", names);
  if (unknown != 0)
    text +=
        fmt::format("; {} of it stands for no group (bits 0 to {} are {})", unknown,
                    std::bit_width(known_counter_groups()) - 1, counter_group_names(known_counter_groups()));
  return text + "; the profiler is on";
}

void add_counter_conflict(const std::vector<std::string>& environment,
                          std::vector<VariableConflict>& conflicts) {
  const std::string name = "TT_METAL_PROFILE_PERF_COUNTERS";
  const auto value = value_in(environment, name);
  std::uint32_t mask = 0;
  if (value) std::from_chars(value->data(), value->data() + value->size(), mask);
  if (std::popcount(mask & kL1CounterGroups) <= 1) return;
  conflicts.push_back({name, name,
                       fmt::format("{}={}: at most one bank of L1 can be counted in a run", name, mask),
                       "count the other bank in a second run"});
}

}  // namespace

const std::vector<ProfilerVariable>& profiler_variables() {
  static const std::vector<ProfilerVariable> kVariables = {
      {"TT_METAL_DEVICE_PROFILER", "--no-device", "ttscope trace sets 1",
       "zones of kernels and firmware are recorded"},
      {"TT_METAL_DEVICE_PROFILER_DISPATCH", "--profile-dispatch-cores", "off",
       "dispatch cores are profiled too", kSwitch, true},
      {"TT_METAL_PROFILER_SYNC", "--sync-host-device", "off: host and devices have clocks of their own",
       "the clocks of host and devices are brought to one axis (249 samples; simulated chips only among each "
       "other)",
       kSwitch, true},
      {"TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "--collect-noc-traces", "off",
       "transfers over the NoC are recorded, kernels run 1 to 15 % longer; the profiler is on"},
      {"TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH", "", "the folder of the other logs",
       "where NoC traces go", kValue},
      {"TT_METAL_PROFILE_PERF_COUNTERS", "--profiler-capture-perf-counters", "none",
       "groups of hardware counters that are read; the profiler is on", kValue},
      {"TT_METAL_MEM_PROFILER", "--device-memory-profiler", "off", "buffers in L1 and DRAM are recorded"},
      {"TT_METAL_TRACE_PROFILER", "--device-trace-profiler", "off",
       "replays of traces alone are recorded, as a whole", kSwitch, true},
      {"TT_METAL_PROFILER_TRACE_TRACKING", "-r", "off",
       "traces and their replays are told to the host's capture", kSwitch, true},
      {"TT_METAL_PROFILER_MID_RUN_DUMP", "--dump-device-data-mid-run",
       "off: all is written when devices are closed",
       "every read of the profiler writes its files: a killed run keeps what was read", kSwitch, true},
      {"TT_METAL_PROFILER_CPP_POST_PROCESS", "--no-runtime-analysis", "ttscope trace sets 1",
       "the runtime measures each op itself (cpp_device_perf_report.csv)", kSwitch, true},
      {"TT_METAL_PROFILER_SUM", "--enable-sum-profiling", "off",
       "sums of zones are recorded (DeviceZoneScopedSumN1, N2)", kSwitch, true},
      {"TT_METAL_PROFILER_ACCUMULATE", "--enable-accumulate-profiling", "off",
       "buffers are sent when they are full, without op ids", kSwitch, true},
      {"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "--op-support-count", "1000",
       "programs that the device keeps between two reads; markers of further ones are dropped", kValue},
      {"TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES", "--disable-device-data-dump-to-files", "off",
       "no files of the device: a report has the host's columns alone"},
      {"TT_METAL_PROFILER_DISABLE_PUSH_TO_TRACY", "--disable-device-data-push-to-tracy", "off",
       "the .tracy file has no device zones", kSwitch, true},
      {"TT_METAL_NOC_DEBUG_DUMP", "", "off",
       "transfers with their barriers and addresses are recorded; the profiler is on"},
      {"TT_METAL_PROFILER_NO_CACHE_OP_INFO", "--no-op-info-cache", "not set: repeated ops are told in short",
       "every op tells all of itself, kernel paths too", VariableKind::kPresence},
      {"TTNN_OP_PROFILER", "-r", "off", "ops tell what they are, which the ops report needs"},
      {"TT_METAL_PROFILER_DIR", "-o", "generated/profiler, below TT_METAL_HOME where that is set",
       "where .logs and reports go", kValue},
      {"TT_METAL_HOME", "", "the current folder, and no tools of Tracy",
       "generated/profiler and Tracy's tools are below it", kValue},
      {"TRACY_PORT", "-t", "the first free port from 8086 on", "where Tracy's client and capture tool meet",
       kValue},
      {"TRACY_WASM_HTTP_PORT", "--web-app-port", "the next free port from 8080 on",
       "where the page of ttscope trace --live is served", kValue},
  };
  return kVariables;
}

const ProfilerVariable* find_profiler_variable(std::string_view name) {
  for (const ProfilerVariable& variable : profiler_variables()) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

std::optional<std::string> value_in(const std::vector<std::string>& environment, std::string_view name) {
  const auto found = place_of(environment, name);
  if (found == environment.end()) return std::nullopt;
  return found->substr(name.size() + 1);
}

void set_value(std::vector<std::string>& environment, std::string_view name, std::string_view value) {
  remove_value(environment, name);
  environment.push_back(fmt::format("{}={}", name, value));
}

void remove_value(std::vector<std::string>& environment, std::string_view name) {
  while (true) {
    const auto found = place_of(environment, name);
    if (found == environment.end()) return;
    environment.erase(found);
  }
}

bool is_on(const std::vector<std::string>& environment, const ProfilerVariable& variable) {
  const auto value = value_in(environment, variable.name);
  switch (variable.kind) {
    case VariableKind::kSwitch:
      return value && value->starts_with('1');
    case VariableKind::kPresence:
      return value.has_value();
    case VariableKind::kValue:
      return value && !value->empty() && *value != "0";
  }
  return false;
}

bool is_on(const std::vector<std::string>& environment, std::string_view name) {
  const ProfilerVariable* variable = find_profiler_variable(name);
  return variable != nullptr && is_on(environment, *variable);
}

std::string_view profiler_switch(const std::vector<std::string>& environment) {
  constexpr std::string_view kMasters[] = {"TT_METAL_DEVICE_PROFILER", "TT_METAL_DEVICE_PROFILER_NOC_EVENTS",
                                           "TT_METAL_PROFILE_PERF_COUNTERS", "TT_METAL_NOC_DEBUG_DUMP"};
  const auto* const found = std::find_if(std::begin(kMasters), std::end(kMasters),
                                         [&](std::string_view name) { return is_on(environment, name); });
  return found == std::end(kMasters) ? std::string_view() : *found;
}

bool profiles_device(const std::vector<std::string>& environment) {
  return !profiler_switch(environment).empty();
}

SupportCount support_count(const std::vector<std::string>& environment) {
  // A debug dump has two regions for each processor.
  const std::uint64_t standard = is_on(environment, "TT_METAL_NOC_DEBUG_DUMP") ? 500 : 1000;
  constexpr std::uint64_t kBufferBytes = 2048;  // of a processor, in L1
  // What one program without zones of its own takes in DRAM: ids, guaranteed markers, sums.
  const std::uint64_t program_bytes = is_on(environment, "TT_METAL_PROFILER_SUM") ? 64 : 48;
  const std::uint64_t least = (kBufferBytes + program_bytes - 1) / program_bytes;
  const auto value = value_in(environment, "TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT");
  const std::uint64_t given = value ? parse_unsigned(*value).value_or(standard) : standard;
  return {given, std::max(given, least)};
}

std::string consequence_of(const ProfilerVariable& variable, const std::vector<std::string>& environment) {
  const auto value = value_in(environment, variable.name);
  if (!value) return fmt::format("{}", variable.standard);
  if (std::string problem = number_problem(variable, *value); !problem.empty()) return problem;
  if (!is_on(environment, variable)) {
    if (variable.name == "TT_METAL_PROFILER_CPP_POST_PROCESS")
      return "off, which ttscope trace keeps: ops are measured by the device log";
    if (variable.name != "TT_METAL_DEVICE_PROFILER") return fmt::format("off ({})", variable.standard);
    const std::string_view master = profiler_switch(environment);
    return master.empty() ? "off: a run has no device data"
                          : fmt::format("nothing: {} switches the profiler on", master);
  }
  if (variable.needs_profiler &&
      !value_in(environment, "TT_METAL_DEVICE_PROFILER").value_or("1").starts_with('1'))
    return "nothing: it needs TT_METAL_DEVICE_PROFILER=1";
  if (variable.name == "TT_METAL_PROFILE_PERF_COUNTERS") {
    std::uint32_t mask = 0;
    std::from_chars(value->data(), value->data() + value->size(), mask);
    return counters_text(mask);
  }
  if (variable.name == "TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT") {
    const SupportCount count = support_count(environment);
    if (count.kept > count.given)
      return fmt::format("raised to {} by the runtime: less would not hold what one core keeps; {}",
                         count.kept, variable.effect);
  }
  return std::string(variable.effect);
}

std::vector<VariableConflict> conflicts_in(const std::vector<std::string>& environment) {
  std::vector<VariableConflict> conflicts;
  for (const ExcludedPair& pair : kExcluded) {
    if (!is_on(environment, pair.first) || !is_on(environment, pair.second)) continue;
    conflicts.push_back({std::string(pair.first), std::string(pair.second),
                         fmt::format("{} and {} exclude each other: {}", pair.first, pair.second, pair.why),
                         fmt::format("unset {}", pair.first)});
  }
  const auto prints = value_in(environment, "TT_METAL_DPRINT_CORES");
  if (prints && !prints->empty() && profiles_device(environment)) {
    conflicts.push_back(
        {"TT_METAL_DPRINT_CORES", "TT_METAL_DEVICE_PROFILER",
         "TT_METAL_DPRINT_CORES and TT_METAL_DEVICE_PROFILER exclude each other: kernel prints and the "
         "profiler use the same memory of a core",
         "unset TT_METAL_DPRINT_CORES"});
  }
  add_counter_conflict(environment, conflicts);
  for (const ProfilerVariable& variable : profiler_variables()) {
    const auto value = value_in(environment, variable.name);
    const std::string problem = value ? number_problem(variable, *value) : std::string();
    if (problem.empty()) continue;
    conflicts.push_back({std::string(variable.name), "",
                         fmt::format("{}={}: {}", variable.name, *value, problem),
                         fmt::format("unset {}", variable.name)});
  }
  return conflicts;
}

namespace {

bool has(const TraceOptions& options, std::string_view name) { return options.find(name) != options.end(); }

std::string arch_of(const std::vector<std::string>& environment) {
  for (const char* name : {"TT_METAL_DEVICE_ARCH", "TT_ARCH_NAME", "ARCH_NAME"}) {
    if (const auto value = value_in(environment, name); value && !value->empty()) return *value;
  }
  return {};
}

/// Options that only make sense where devices are profiled.
constexpr std::string_view kDeviceOptions[] = {"--profile-dispatch-cores",
                                               "--sync-host-device",
                                               "--collect-noc-traces",
                                               "--profiler-capture-perf-counters",
                                               "--device-trace-profiler",
                                               "--dump-device-data-mid-run",
                                               "--enable-sum-profiling",
                                               "--enable-accumulate-profiling",
                                               "--op-support-count",
                                               "--no-runtime-analysis",
                                               "--device-analysis-types",
                                               "--disable-device-data-dump-to-files",
                                               "--disable-device-data-push-to-tracy"};

Result<void> set_device(const TraceOptions& options, TracePlan& plan) {
  constexpr std::string_view kName = "TT_METAL_DEVICE_PROFILER";
  auto& environment = plan.environment;
  const auto by_hand = value_in(environment, kName);
  if (has(options, "--no-device")) {
    for (const std::string_view option : kDeviceOptions) {
      if (has(options, option))
        return failure(bad_input(
            fmt::format("{} and --no-device exclude each other: there would be no device data", option)));
    }
    if (by_hand && by_hand->starts_with('1'))
      plan.notes.push_back(fmt::format("--no-device: {} is removed", kName));
    remove_value(environment, kName);
    for (const char* name : {"TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "TT_METAL_PROFILE_PERF_COUNTERS",
                             "TT_METAL_NOC_DEBUG_DUMP"}) {
      if (is_on(environment, name))
        return failure(bad_input(
            fmt::format("{} switches the device profiler on, --no-device off; unset {}", name, name)));
    }
    return {};
  }
  if (!by_hand) set_value(environment, kName, "1");
  return {};
}

/// What follows from a profiler that was switched off by hand: options may switch it on all the same.
void note_device_off(TracePlan& plan) {
  constexpr std::string_view kName = "TT_METAL_DEVICE_PROFILER";
  const auto by_hand = value_in(plan.environment, kName);
  if (!by_hand || by_hand->starts_with('1')) return;
  const std::string_view master = profiler_switch(plan.environment);
  plan.notes.push_back(
      master.empty()
          ? fmt::format("{}={} is kept: devices are not profiled", kName, *by_hand)
          : fmt::format("{}={} has no effect: {} switches the device profiler on", kName, *by_hand, master));
}

Result<void> set_counters(const TraceOptions& options, TracePlan& plan) {
  const auto given = options.find("--profiler-capture-perf-counters");
  if (given == options.end()) return {};
  Result<CounterGroups> groups = read_counter_groups(given->second, arch_of(plan.environment));
  if (!groups) return failure(bad_input("--profiler-capture-perf-counters: " + groups.error().message));
  set_value(plan.environment, "TT_METAL_PROFILE_PERF_COUNTERS", std::to_string(groups->mask));
  for (std::string& note : groups->notes) plan.notes.push_back(std::move(note));
  return {};
}

Result<void> set_values(const TraceOptions& options, TracePlan& plan) {
  if (const auto count = options.find("--op-support-count"); count != options.end())
    set_value(plan.environment, "TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", count->second);
  if (const auto port = options.find("--port"); port != options.end()) {
    unsigned number = 0;
    const std::string& text = port->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > 65535)
      return failure(bad_input(fmt::format("--port {}: expected a port, 1 to 65535", text)));
    set_value(plan.environment, "TRACY_PORT", text);
  }
  for (const ProfilerVariable& variable : profiler_variables()) {
    if (variable.kind == VariableKind::kValue || variable.option.empty() ||
        !variable.option.starts_with("--") || variable.option == "--no-device" ||
        variable.option == "--no-runtime-analysis")
      continue;
    if (has(options, variable.option)) set_value(plan.environment, variable.name, "1");
  }
  return set_counters(options, plan);
}

void set_report(const TraceOptions& options, TracePlan& plan) {
  if (!has(options, "--report")) return;
  set_value(plan.environment, "TTNN_OP_PROFILER", "1");
  if (plan.device) set_value(plan.environment, "TT_METAL_PROFILER_TRACE_TRACKING", "1");
  if (is_on(plan.environment, "TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES"))
    plan.notes.emplace_back(
        "TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES: the report will have no device columns, and the .tracy "
        "file "
        "of our recorder, which is made of the same files, no zones of devices");
}

/// Who computes the device's columns.
void set_analysis(const TraceOptions& options, TracePlan& plan) {
  struct Reason {
    const char* variable;
    const char* word;
  };
  if (has(options, "--no-runtime-analysis")) plan.legacy_reasons.emplace_back("--no-runtime-analysis");
  if (has(options, "--device-analysis-types")) plan.legacy_reasons.emplace_back("chosen analyses");
  for (const auto& [variable, word] : {Reason{"TT_METAL_PROFILER_SUM", "sums of zones"},
                                       Reason{"TT_METAL_DEVICE_PROFILER_DISPATCH", "dispatch cores"},
                                       Reason{"TT_METAL_PROFILE_PERF_COUNTERS", "hardware counters"}}) {
    if (is_on(plan.environment, variable)) plan.legacy_reasons.emplace_back(word);
  }
  if (!plan.device) return;
  if (has(options, "--no-runtime-analysis")) {
    remove_value(plan.environment, "TT_METAL_PROFILER_CPP_POST_PROCESS");
  } else if (plan.legacy_reasons.empty() &&
             !value_in(plan.environment, "TT_METAL_PROFILER_CPP_POST_PROCESS")) {
    set_value(plan.environment, "TT_METAL_PROFILER_CPP_POST_PROCESS", "1");
  }
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// In the words of who typed an option: that it is kept in a variable helps nobody.
std::string conflict_text(const VariableConflict& conflict, const TraceOptions& options) {
  std::string text = fmt::format("{}; {}", conflict.reason, conflict.fix);
  for (const ProfilerVariable& variable : profiler_variables()) {
    const std::string option(variable.option == "-r" ? "--report" : variable.option);
    if (option.empty() || option == "--no-device" || !has(options, option)) continue;
    replace_all(text, fmt::format("unset {}", variable.name), fmt::format("leave out {}", option));
    replace_all(text, fmt::format("{}=", variable.name), option + " ");
    replace_all(text, variable.name, option);
  }
  return text;
}

}  // namespace

Result<TracePlan> plan_trace(const TraceOptions& options, const std::vector<std::string>& environment) {
  TracePlan plan;
  plan.environment = environment;
  RETURN_IF_ERROR(set_device(options, plan));
  RETURN_IF_ERROR(set_values(options, plan));
  plan.device = profiles_device(plan.environment);
  note_device_off(plan);
  set_report(options, plan);
  set_analysis(options, plan);
  plan.device_in_capture = !is_on(plan.environment, "TT_METAL_PROFILER_DISABLE_PUSH_TO_TRACY");
  for (const VariableConflict& conflict : conflicts_in(plan.environment)) {
    // Without a page nobody reads its port; with the option that of the variable is not taken.
    if (conflict.first == "TRACY_WASM_HTTP_PORT" &&
        (!has(options, "--live") || has(options, "--web-app-port")))
      continue;
    return failure(bad_input(conflict_text(conflict, options)));
  }
  if (has(options, "--lines") && !has(options, "--partial"))
    plan.notes.emplace_back(
        "-l: lines are recorded between Profiler().enable() and disable(), which -p switches on; without -p "
        "every call is recorded instead");
  return plan;
}

}  // namespace ttscope::launch
