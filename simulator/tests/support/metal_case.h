#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tt_metal/host_api.hpp>

#include "base/csv.h"
#include "support/chip_case.h"
#include "support/temp_folder.h"

namespace ttscope::testing {

/// Variables of the environment that the host API reads.
inline const std::vector<const char*>& profiler_variables() {
  static const std::vector<const char*> kNames = {"TT_METAL_DEVICE_PROFILER",
                                                  "TT_METAL_DEVICE_PROFILER_DISPATCH",
                                                  "TT_METAL_PROFILER_SYNC",
                                                  "TT_METAL_DEVICE_PROFILER_NOC_EVENTS",
                                                  "TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH",
                                                  "TT_METAL_PROFILE_PERF_COUNTERS",
                                                  "TT_METAL_TRACE_PROFILER",
                                                  "TT_METAL_PROFILER_MID_RUN_DUMP",
                                                  "TT_METAL_PROFILER_CPP_POST_PROCESS",
                                                  "TT_METAL_PROFILER_SUM",
                                                  "TT_METAL_PROFILER_ACCUMULATE",
                                                  "TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT",
                                                  "TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES",
                                                  "TT_METAL_NOC_DEBUG_DUMP",
                                                  "TT_METAL_DPRINT_CORES",
                                                  "TT_METAL_HOME",
                                                  "TT_METAL_OPERATION_TIMEOUT_SECONDS",
                                                  "TT_METAL_SIMULATOR",
                                                  "ARCH_NAME",
                                                  "TTSCOPE_CHIPS",
                                                  "TTSCOPE_SAVE_PROFILER_WORDS"};
  return kNames;
}

/// A row of profile_log_device.csv.
struct LogRow {
  std::uint32_t device = 0;
  std::string core;  ///< `x,y`
  std::string risc;
  std::uint64_t time = 0;
  std::uint64_t data = 0;
  std::uint64_t run_id = 0;
  std::string trace, replay, zone, type, meta;
};

/// A process that profiles: its own folder, its own environment, simulated chips.
class MetalCase : public ::testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_CROSS_COMPILER();
    for (const char* name : profiler_variables()) ::unsetenv(name);
    ::setenv("TTSCOPE_CHIP_CACHE", chip_cache().c_str(), 1);
    ::setenv("TT_METAL_PROFILER_DIR", folder.path().c_str(), 1);
  }

  using Environment = std::vector<std::pair<std::string, std::string>>;
  static void use(const Environment& environment, const std::vector<SimulatedChip>& chips = {{}}) {
    ::setenv("TT_METAL_DEVICE_PROFILER", "1", 1);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    use_simulated_chips(chips);
  }

  std::string log_path(const std::string& name) const { return folder.path(".logs/" + name); }
  bool has_file(const std::string& name) const { return std::filesystem::exists(log_path(name)); }

  /// A kernel file of this text, the same for all tests that have it.
  static std::string kernel(std::string_view text) {
    const std::string sources = chip_cache() + "/sources";
    const std::string file = sources + "/" + std::to_string(std::hash<std::string_view>{}(text)) + ".cpp";
    std::filesystem::create_directories(sources);
    if (!std::filesystem::exists(file))
      static_cast<void>(write_file(file, [&](Writer& out) { out.write(text); }));
    return file;
  }

  /// A program with this kernel on the two movers, and on the compute cores if `compute`.
  static tt::tt_metal::Program program(std::string_view text, const tt::tt_metal::CoreSpec& cores,
                                       bool movers = true, bool compute = true) {
    using namespace tt::tt_metal;
    Program made = CreateProgram();
    const std::string file = kernel(text);
    if (movers) {
      for (const auto processor : {DataMovementProcessor::RISCV_0, DataMovementProcessor::RISCV_1})
        CreateKernel(made, file, cores,
                     DataMovementConfig{.processor = processor, .compile_args = {}, .defines = {}});
    }
    if (compute) CreateKernel(made, file, cores, ComputeConfig{});
    return made;
  }

  std::vector<LogRow> log_rows() const {
    std::vector<LogRow> rows;
    const std::string text = file_content(log_path("profile_log_device.csv"));
    CsvScanner scanner(text);
    for (int i = 0; i < 2; ++i) scanner.next();
    const auto number = [](std::string_view cell) { return std::stoull(std::string(cell)); };
    while (scanner.next()) {
      LogRow& row = rows.emplace_back();
      row.device = static_cast<std::uint32_t>(number(scanner.cell(0)));
      row.core = std::string(scanner.cell(1)) + "," + std::string(scanner.cell(2));
      row.risc = scanner.cell(3);
      row.time = number(scanner.cell(5));
      row.data = number(scanner.cell(6));
      row.run_id = number(scanner.cell(7));
      row.trace = scanner.cell(8);
      row.replay = scanner.cell(9);
      row.zone = scanner.cell(10);
      row.type = scanner.cell(11);
      row.meta = scanner.cell(14);
    }
    return rows;
  }

  /// How many rows fit.
  template <typename Fits>
  static std::size_t count(const std::vector<LogRow>& rows, Fits fits) {
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), fits));
  }
  static std::size_t starts_of(const std::vector<LogRow>& rows, const std::string& zone,
                               const std::string& risc = "") {
    return count(rows, [&](const LogRow& row) {
      return row.zone == zone && row.type == "ZONE_START" && (risc.empty() || row.risc == risc);
    });
  }

  TempFolder folder;
};

}  // namespace ttscope::testing
