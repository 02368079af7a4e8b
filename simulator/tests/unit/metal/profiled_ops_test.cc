// Ops on simulated chips: how long they read, and when their kernels are compiled.
#include <gtest/gtest.h>
#include <ttscope_host/profiled_ops.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/metal_case.h"

namespace ttscope::testing {
namespace {

using namespace tt::tt_metal;

class ProfiledOpsLength : public MetalCase {
 protected:
  /// An op that reads so many pages, which are on no device.
  static ProfiledOp analysis(std::uint32_t pages, std::uint32_t turns) {
    ProfiledOp op;
    op.code = "CopyDeviceOperation";
    op.hash = pages;
    op.reading_turns = turns;
    op.inputs.emplace_back().bytes = std::uint64_t{pages} * ProfiledOps::kPageBytes;
    return op;
  }

  /// Cycles of the zone on the first core, run by run.
  std::vector<std::uint64_t> cycles_of(const std::string& zone) const {
    std::vector<std::uint64_t> cycles;
    std::string core;
    for (const LogRow& row : log_rows()) {
      if (row.zone != zone || (!core.empty() && row.core != core)) continue;
      core = row.core;
      if (row.type == "ZONE_START") cycles.push_back(row.time);
      if (row.type == "ZONE_END") cycles.back() = row.time - cycles.back();
    }
    return cycles;
  }
};

TEST_F(ProfiledOpsLength, PagesThatAreNotMovedTookTheTurnsOfThoseThatAre) {
  use({});
  IDevice* device = CreateDevice(0);
  {
    ProfiledOps ops({device});
    for (const std::uint32_t pages : {1U, ProfiledOps::kMovedPages}) ops.run(analysis(pages, 400));
  }
  CloseDevice(device);
  const std::vector<std::uint64_t> cycles = cycles_of("READ-TILES");
  ASSERT_EQ(cycles.size(), 2U);
  const auto asked = static_cast<double>(400 * ProfiledOps::kCyclesOfTurn);
  EXPECT_NEAR(static_cast<double>(cycles[0]), asked, asked / 4);
  EXPECT_NEAR(static_cast<double>(cycles[1]), static_cast<double>(cycles[0]), asked / 10);
}

TEST_F(ProfiledOpsLength, ACompiledProgramNeedsItsSourcesNoMore) {
  use({});
  IDevice* device = CreateDevice(0);
  const std::string file = folder.file("once.cpp", "void kernel_main() { DeviceZoneScopedN(\"once\"); }\n");
  Program program = CreateProgram();
  CreateKernel(program, file, CoreCoord{0, 0}, DataMovementConfig{});
  detail::CompileProgram(device, program);
  std::filesystem::remove(file);
  EnqueueProgram(device->command_queue(), program, true);
  CloseDevice(device);
  EXPECT_EQ(starts_of(log_rows(), "once"), 1U);
}

}  // namespace
}  // namespace ttscope::testing
