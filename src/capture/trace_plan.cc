#include "capture/trace_plan.h"

#include <fmt/format.h>

#include <charconv>

#include "capture/counter_groups.h"
#include "capture/profiler_variables.h"

namespace ttscope::capture {
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
std::string conflict_words(const VariableConflict& conflict, const TraceOptions& options) {
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
  if (const Result<void> set = set_device(options, plan); !set) return failure(set.error());
  if (const Result<void> set = set_values(options, plan); !set) return failure(set.error());
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
    return failure(bad_input(conflict_words(conflict, options)));
  }
  if (has(options, "--lines") && !has(options, "--partial"))
    plan.notes.emplace_back(
        "-l: lines are recorded between Profiler().enable() and disable(), which -p switches on; without -p "
        "every call is recorded instead");
  return plan;
}

}  // namespace ttscope::capture
