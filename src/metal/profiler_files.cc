#include "metal/profiler_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "base/profiler_names.h"
#include "metal/machine.h"
#include "metal/traced_run.h"
#include "perf/model/capture_files.h"
#include "perf/write/capture/capture_files.h"
#include "perf/write/sync/sync_csv.h"

namespace ttscope::metal {

namespace {

using profiler_names::kDeviceLog;
using profiler_names::kNewZones;
using profiler_names::kProgramReport;
using profiler_names::kSyncInfo;
using profiler_names::kZones;

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(fmt::format("{}: {}", folder, error.message()));
}

/// Those of an earlier process would be taken for transfers of the programs that this one runs.
void remove_noc_traces(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("noc_trace_dev") && name.ends_with(".json")) old.push_back(entry.path());
  }
  for (const std::filesystem::path& path : old) std::filesystem::remove(path, ignored);
}

template <typename Write>
std::string text_of(Write write) {
  StringWriter out;
  write(out);
  throw_if_failed(out.finish());
  return out.text();
}

void write_simulated_word(const std::string& folder) {
  throw_if_failed(write_file(fmt::format("{}/{}", folder, perf::kSimulatedChips), [](Writer& out) {
    out.write(
        "The chips of this run were simulated by ttscope, and the host that they exchange clocks with: "
        "times of devices are modelled.\n");
  }));
}

std::string line_of(const std::string& key) { return fmt::format("'#pragma message: {}'\n", key); }

/// The keys of a file of zones; lines of compilers have more before them.
std::set<std::string> keys_of(const std::string& path) {
  constexpr std::string_view kMark = "#pragma message: ";
  std::set<std::string> keys;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t mark = line.find(kMark);
    if (mark == std::string::npos || line.empty()) continue;
    const std::size_t start = mark + kMark.size();
    keys.insert(line.substr(start, line.rfind('\'') - start));
  }
  return keys;
}

}  // namespace

ProfilerFiles& ProfilerFiles::of(const std::string& folder) {
  static std::map<std::string, std::unique_ptr<ProfilerFiles>> known;
  std::unique_ptr<ProfilerFiles>& files = known[folder];
  if (!files) files.reset(new ProfilerFiles(folder));
  make_folder(folder);
  return *files;
}

ProfilerFiles::ProfilerFiles(std::string folder) : folder_(std::move(folder)) {
  make_folder(folder_);
  if (TracedRun::current() == nullptr) {
    remove_earlier();
  } else {
    new_zones_ = keys_of(path(kNewZones));
  }
  write_simulated_word(folder_);
  zones_ = keys_of(path(kZones));
}

void ProfilerFiles::remove_earlier() {
  std::error_code ignored;
  for (const char* old : {kDeviceLog, kProgramReport, kSyncInfo, kNewZones, perf::kSimulatedChips})
    std::filesystem::remove(path(old), ignored);
  remove_noc_traces(folder_);
}

void ProfilerFiles::append(const char* name, const std::string& header, const std::string& text) {
  const std::string file = path(name);
  std::error_code ignored;
  const bool first = !std::filesystem::exists(file, ignored);
  struct Close {
    void operator()(std::FILE* open) const { std::fclose(open); }
  };
  const std::unique_ptr<std::FILE, Close> out(std::fopen(file.c_str(), "ab"));
  const std::string all = first ? header + text : text;
  // In one piece, so that a process that is killed leaves whole rows.
  if (!out || std::fwrite(all.data(), 1, all.size(), out.get()) != all.size() || std::fflush(out.get()) != 0)
    throw std::runtime_error(fmt::format("{}: {}", file, std::strerror(errno)));
}

void ProfilerFiles::add_markers(const perf::ReadOut& read) {
  append(kDeviceLog, text_of([&](Writer& out) { perf::write_device_log_header(read, out); }),
         text_of([&](Writer& out) { perf::write_device_log_rows(read, out); }));
}

void ProfilerFiles::add_zones(const std::vector<chip::ZoneName>& zones) {
  std::string kept;
  std::string found;
  for (const chip::ZoneName& zone : zones) {
    if (zones_.insert(zone.key).second) kept += line_of(zone.key);
    if (new_zones_.insert(zone.key).second) found += line_of(zone.key);
  }
  append(kZones, "", kept);
  append(kNewZones, "", found);
}

void ProfilerFiles::add_programs(const perf::ReadOut& read, const std::vector<perf::ProgramTimes>& programs,
                                 perf::ProgramTimes& previous) {
  append(kProgramReport, text_of([](Writer& out) { perf::write_program_report_header(out); }),
         text_of([&](Writer& out) { perf::write_program_report(read, programs, &previous, out); }));
}

void ProfilerFiles::write_noc_traces(const perf::ReadOut& read, chip::Arch arch,
                                     const perf::DeviceShift& to_root, const std::string& folder) {
  perf::NocTraceOptions options;
  options.time_scale = to_root.scale;
  options.time_shift = to_root.shift;
  options.physical = [arch](unsigned noc, int x, int y) {
    const auto place =
        chip::resolve(arch, noc, {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)});
    return place ? std::pair(static_cast<int>(place->x), static_cast<int>(place->y)) : std::pair(x, y);
  };
  make_folder(folder);
  write_simulated_word(folder);
  for (const perf::NocTraceFile& file : perf::noc_trace_files(read, options))
    throw_if_failed(write_file(folder + "/" + file.name, [&](Writer& out) { out.write(file.text); }));
}

void ProfilerFiles::add_sync(const std::string& rows) {
  append(kSyncInfo, text_of([](Writer& out) { perf::write_sync_header(out); }), rows);
}

}  // namespace ttscope::metal
