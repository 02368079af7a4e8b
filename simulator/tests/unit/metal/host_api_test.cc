// The host API: two chips of different kinds, programs, traces, buffers, the profiler's dumps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include <tt_metal/host_api.hpp>

#include "base/json_reader.h"
#include "support/chip_case.h"
#include "support/temp_folder.h"

namespace ttscope::testing {
namespace {

using namespace tt::tt_metal;
using ::testing::HasSubstr;

/// The machine of this process: a Wormhole and a Blackhole with another clock, both profiled.
class HostApi : public ::testing::Test {
 protected:
  static TempFolder& folder() {
    static TempFolder one;
    return one;
  }
  static void SetUpTestSuite() {
    ::setenv("TTSCOPE_CHIP_CACHE", chip_cache().c_str(), 1);
    ::setenv("TT_METAL_DEVICE_PROFILER", "1", 1);
    ::setenv("TTSCOPE_SAVE_PROFILER_WORDS", "1", 1);
    ::setenv("TT_METAL_PROFILER_DIR", folder().path().c_str(), 1);
    use_simulated_chips({{},
                         {.arch = tt::ARCH::BLACKHOLE,
                          .frequency_mhz = 1350,
                          .clock_offset_cycles = 77,
                          .drift_ppm_per_second = 0}});
  }
  void SetUp() override { SKIP_WITHOUT_CROSS_COMPILER(); }

  std::string kernel(const std::string& name, const std::string& text) { return folder().file(name, text); }
  static JsonTree dump(const std::string& name) {
    const std::string path = folder().path(".logs/" + name);
    return value_of(parse_json_tree(file_content(path), path));
  }
};

constexpr const char* kAdder = R"(
void kernel_main() {
  const uint32_t turns = get_arg_val<uint32_t>(0);
  volatile uint32_t* sum = reinterpret_cast<volatile uint32_t*>(get_semaphore(0));
  const uint64_t there = get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_semaphore(1));
  for (uint32_t i = 0; i < turns; i++) {
    DeviceZoneScopedN("add");
    *sum = *sum + i + get_common_arg_val<uint32_t>(0) + get_compile_time_arg_val(0) + BONUS;
    noc_semaphore_inc(there, 1);
  }
  noc_async_atomic_barrier();
  noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(1)), turns);
}
)";

TEST_F(HostApi, ProgramsRunOnBothChipsAndTalkToEachOther) {
  const auto mesh = distributed::MeshDevice::create({1, 2});
  ASSERT_EQ(mesh->get_devices().size(), 2u);
  const std::string file = kernel("adder.cpp", kAdder);
  for (IDevice* device : mesh->get_devices()) {
    const CoreCoord grid = device->compute_with_storage_grid_size();
    EXPECT_EQ(grid, (device->arch() == tt::ARCH::BLACKHOLE ? CoreCoord{14, 10} : CoreCoord{8, 10}));
    Program program = CreateProgram();
    const CoreRange cores({0, 0}, {1, 0});
    const KernelHandle handle = CreateKernel(program, file, cores,
                                             DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                                                .compile_args = {100},
                                                                .defines = {{"BONUS", "1000"}}});
    CreateSemaphore(program, cores, 5);
    CreateSemaphore(program, cores, 0);
    // Each core counts at the other; coordinates are those of its network, translated ones on Wormhole.
    for (std::size_t x : {0u, 1u}) {
      const CoreCoord other = device->worker_core_from_logical_core({1 - x, 0});
      const chip::Place place = chip::translated(
          device->arch() == tt::ARCH::BLACKHOLE ? chip::Arch::kBlackhole : chip::Arch::kWormhole,
          {static_cast<std::uint32_t>(other.x), static_cast<std::uint32_t>(other.y)});
      SetRuntimeArgs(program, handle, CoreCoord{x, 0}, {10, place.x, place.y});
    }
    SetCommonRuntimeArgs(program, handle, {10000});
    EnqueueProgram(device->command_queue(), program, false);
    Finish(device->command_queue());
    EnqueueProgram(device->command_queue(), program, true);
  }
  ReadMeshDeviceProfilerResults(*mesh);
  for (const char* name : {"device_0_read_0.json", "device_1_read_0.json"}) {
    const JsonTree read = dump(name);
    EXPECT_EQ(read.find("cores")->items().size(), 2u);
    ASSERT_EQ(read.find("programs")->items().size(), 2u);
    EXPECT_EQ(read.find("programs")->items()[1].find("host_id")->whole_number(), 2);
  }
  mesh->close();
  EXPECT_TRUE(dump("device_0_read_1.json").find("cores")->items().empty());  // nothing new since
}

TEST_F(HostApi, TracesRunAgainWithTheIdsOfTheirCapture) {
  IDevice* device = CreateDevice(0);
  Program program = CreateProgram();
  CreateKernel(program, kernel("empty.cpp", "void kernel_main() { DeviceZoneScopedN(\"in trace\"); }"),
               CoreCoord{0, 0}, ComputeConfig{});
  const std::uint32_t trace = BeginTraceCapture(device, 0);
  EnqueueProgram(device->command_queue(), program, false);
  EnqueueProgram(device->command_queue(), program, false);
  EndTraceCapture(device, 0, trace);
  for (int i = 0; i < 3; ++i) ReplayTrace(device, 0, trace, true);
  ReadDeviceProfiler(device);
  const JsonTree read = dump("device_0_read_0.json");
  EXPECT_EQ(read.find("programs")->items().size(), 6u);
  // 6 runs of 12 words and a zone.
  EXPECT_EQ(read.find("cores")->items().at(0).find("dram")->items().at(2).items().at(1).whole_number(),
            6 * 16 * 4 + 128);
  ReleaseTrace(device, trace);
  EXPECT_THROW(ReplayTrace(device, 0, trace, true), std::runtime_error);
  EXPECT_TRUE(CloseDevice(device));
  EXPECT_FALSE(CloseDevice(device));
}

TEST_F(HostApi, BuffersComeBackAsTheyWereWritten) {
  IDevice* device = CreateDevice(1);
  const auto first = CreateBuffer({device, 100 * 64, 64});
  auto second = CreateBuffer({device, 30 * 128, 128});
  const std::uint32_t freed = second->address();
  EXPECT_GE(freed, first->address() + (100 + 7) / 8 * 64);
  second.reset();
  EXPECT_EQ(CreateBuffer({device, 64, 64})->address(), freed);
  std::vector<std::uint32_t> sent(100 * 16);
  std::iota(sent.begin(), sent.end(), 1u);
  EnqueueWriteBuffer(device->command_queue(), first, sent, true);
  std::vector<std::uint32_t> received;
  EnqueueReadBuffer(device->command_queue(), first, received, true);
  EXPECT_EQ(received, sent);
  CloseDevice(device);
}

TEST_F(HostApi, WhatCannotBeIsSaid) {
  const auto message_of = [](const auto& action) {
    try {
      action();
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  IDevice* device = CreateDevice(0);
  EXPECT_THAT(message_of([] { CreateDevice(0); }), HasSubstr("device 0 is open already"));
  EXPECT_THAT(message_of([] { CreateDevice(2); }), HasSubstr("no card 2"));
  Program program = CreateProgram();
  EXPECT_THAT(message_of([&] { EnqueueProgram(device->command_queue(), program, true); }),
              HasSubstr("no kernels"));
  const KernelHandle handle = CreateKernel(program, "nowhere.cpp", CoreCoord{0, 0}, DataMovementConfig{});
  EXPECT_THAT(message_of([&] {
                CreateKernel(program, "other.cpp", CoreCoord{0, 0}, DataMovementConfig{});
              }),
              HasSubstr("already has the kernel nowhere.cpp"));
  EXPECT_THAT(message_of([&] {
                SetRuntimeArgs(program, handle, CoreCoord{1, 0}, {1});
              }),
              HasSubstr("core (1,0), on which it does not run"));
  EXPECT_THAT(message_of([&] { EnqueueProgram(device->command_queue(), program, true); }),
              HasSubstr("nowhere.cpp: no such kernel"));
  Program outside = CreateProgram();
  CreateKernel(outside, kernel("nothing.cpp", "void kernel_main() {}"), CoreCoord{8, 0},
               DataMovementConfig{});
  EXPECT_THAT(message_of([&] { EnqueueProgram(device->command_queue(), outside, true); }),
              HasSubstr("core (8,0) is outside of the grid of 8 x 10"));
  EXPECT_THAT(message_of([] { use_simulated_chips({{}}); }), HasSubstr("a device is there already"));
  CloseDevice(device);
}

}  // namespace
}  // namespace ttscope::testing
