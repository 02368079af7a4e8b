#include "app/trace/log_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ttscope::app {
namespace {

constexpr std::string_view kOutOfSync = "zones will be out of sync";

/// A warning whose remedy needs no figure.
struct KnownWarning {
  std::string_view text;
  std::string_view what;
  std::string_view remedy;
};
constexpr KnownWarning kWarnings[] = {
    {"Cannot enable both debug printing and profiling", "kernel prints and the profiler exclude each other",
     "unset TT_METAL_DPRINT_CORES"},
    {"Debug print server is running", "kernel prints and the profiler exclude each other",
     "unset TT_METAL_DPRINT_CORES"},
    {"Source location hashes are colliding", "two zones have the same 16-bit number",
     "rename one of the zones of your kernels"},
    {kDevicesOfOneProcess, "several processes used devices at a time, and a run records those of one",
     "let one process at a time have its devices open, or trace each by itself (-o)"},
    {kOutOfSync, "host and devices are not on one clock", "add --sync-host-device"},
    {"Device profiling never finished", "a core had not finished when it was read",
     "call ttnn.synchronize_device() before ttnn.ReadDeviceProfiler()"},
    {"start markers detected without", "zones without an end", "close devices before the program ends"},
    {"Too many source locations", "the capture tool gave up: more than 32767 distinct places",
     "use -p, and Profiler().enable() around what is of interest"},
};

/// The runtime raises a count that is too small for a full buffer of L1, and says so.
std::uint32_t support_count_in(std::string_view log, std::uint32_t asked) {
  constexpr std::string_view kRaised = "Increasing program support count from ";
  constexpr std::string_view kTo = " to ";
  const std::size_t at = log.rfind(kRaised);
  const std::size_t to = at == std::string_view::npos ? at : log.find(kTo, at + kRaised.size());
  if (to == std::string_view::npos) return asked;
  std::uint32_t count = asked;
  const std::string_view number = log.substr(to + kTo.size());
  std::from_chars(number.data(), number.data() + number.size(), count);
  return count;
}

LogRemedy remedy_of_drops(const DropWarnings& warnings, const std::string& text,
                          const TracedRunFacts& facts) {
  const std::uint32_t kept = support_count_in(text, facts.support_count);
  const DroppedPrograms dropped =
      facts.logs.empty() ? DroppedPrograms{} : dropped_programs(facts.logs, warnings);
  const AdvisedCount advised = advised_support_count(dropped, warnings);
  // Large programs fill a buffer sooner than the count says.
  std::uint64_t between = kept / 2;
  if (dropped.kept > 0) between = std::min(between, dropped.kept * 3 / 4);
  return {fmt::format("markers were dropped: {} buffers were full with {} programs", warnings.count, kept),
          fmt::format("--op-support-count {}{}, or ttnn.ReadDeviceProfiler(device) at least every {} ops, or "
                      "--dump-device-data-mid-run with such calls",
                      advised.count, advised.doubt.empty() ? "" : fmt::format(" or more ({})", advised.doubt),
                      std::max<std::uint64_t>(1, between))};
}

}  // namespace

AdvisedCount advised_support_count(const DroppedPrograms& dropped, const DropWarnings& warnings) {
  if (dropped.fitting_count > 0)
    return {dropped.fitting_count, dropped.is_guessed ? "of some programs nothing was kept" : ""};
  constexpr std::uint64_t kStandard = 1000;
  const std::uint64_t held = (warnings.full_words + dropped.share_words - 1) / dropped.share_words;
  return {2 * (held == 0 ? kStandard : held),
          dropped.ops == 0 ? "with -r it is known how many" : "the logs do not tell how many"};
}

std::vector<LogRemedy> remedies_for_log(const std::string& text, const TracedRunFacts& facts) {
  std::vector<LogRemedy> remedies;
  if (const DropWarnings warnings = drop_warnings_in(text); warnings.count > 0)
    remedies.push_back(remedy_of_drops(warnings, text, facts));
  for (const KnownWarning& warning : kWarnings) {
    if (text.find(warning.text) == std::string::npos) continue;
    if (facts.simulated && warning.text == kOutOfSync) continue;
    LogRemedy remedy{std::string(warning.what), std::string(warning.remedy)};
    const auto is_same = [&](const LogRemedy& other) { return other.what == remedy.what; };
    if (std::none_of(remedies.begin(), remedies.end(), is_same)) remedies.push_back(std::move(remedy));
  }
  if (facts.has_host && facts.has_device && !facts.synchronised && !facts.simulated)
    remedies.push_back(
        {"host and devices have clocks of their own", "add --sync-host-device to see them on one axis"});
  return remedies;
}

std::vector<LogRemedy> remedies_for_log_file(const std::string& path, const TracedRunFacts& facts) {
  return remedies_for_log(end_of_output(path), facts);
}

}  // namespace ttscope::app
