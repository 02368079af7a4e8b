#include "app/trace/log_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>

namespace ttscope::app {
namespace {

std::size_t count_of(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + what.size()))
    ++count;
  return count;
}

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

}  // namespace

std::uint64_t fitting_support_count(std::size_t programs) {
  constexpr std::uint64_t kStep = 1000;
  const std::uint64_t wanted = programs + programs / 10 + 1;
  return (wanted + kStep - 1) / kStep * kStep;
}

std::vector<LogRemedy> remedies_for_log(const std::string& text, const TracedRunFacts& facts) {
  std::vector<LogRemedy> remedies;
  if (const std::size_t dropped = count_of(text, "markers were dropped"); dropped > 0) {
    const std::uint32_t kept = support_count_in(text, facts.support_count);
    const std::uint64_t count =
        facts.programs > kept ? fitting_support_count(facts.programs) : std::uint64_t{kept} * 2;
    remedies.push_back(
        {fmt::format("markers were dropped: {} buffers were full with {} programs", dropped, kept),
         fmt::format("--op-support-count {}, or ttnn.ReadDeviceProfiler(device) at least every {} ops, or "
                     "--dump-device-data-mid-run with such calls",
                     count, std::max(1u, kept / 2))});
  }
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
  constexpr std::streamoff kMostBytes = 16 << 20;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return remedies_for_log({}, facts);
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - kMostBytes));
  return remedies_for_log({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}, facts);
}

}  // namespace ttscope::app
