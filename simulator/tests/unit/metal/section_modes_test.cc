// What tt-metal's own tests of the profiler expect, on simulated chips: traces, NoC events, sub-devices,
// clock synchronization, perf data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include <tt_metal/experimental/profiler.hpp>

#include "base/json_reader.h"
#include "perf/analyze/clock_sync.h"
#include "perf/read/side_files.h"
#include "support/metal_case.h"

namespace ttscope::testing {
namespace {

using namespace tt::tt_metal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kEmpty = "void kernel_main() {}";
const CoreRange kGrid({0, 0}, {1, 0});

class ProfilerModes : public MetalCase {
 protected:
  /// Records one trace of so many ops and gives its number.
  static std::uint32_t record(IDevice* device, std::vector<Program>& programs, std::size_t ops) {
    const std::uint32_t trace = BeginTraceCapture(device, 0);
    for (std::size_t i = 0; i < ops; ++i) {
      programs.push_back(program(kEmpty, kGrid));
      EnqueueProgram(device->command_queue(), programs.back(), false);
    }
    EndTraceCapture(device, 0, trace);
    return trace;
  }
  static void run_once(IDevice* device, std::size_t ops) {
    for (std::size_t i = 0; i < ops; ++i) {
      Program one = program(kEmpty, kGrid);
      EnqueueProgram(device->command_queue(), one, true);
    }
  }
  /// Programs with and without a trace, and the replays that were seen.
  struct TraceCounts {
    std::set<std::uint64_t> untraced, traced;
    std::set<std::string> replays;
  };
  TraceCounts trace_counts() const {
    TraceCounts counts;
    for (const LogRow& row : log_rows()) {
      (row.trace.empty() ? counts.untraced : counts.traced).insert(row.run_id);
      if (!row.trace.empty()) counts.replays.insert(row.replay);
    }
    return counts;
  }
  JsonTree json_file(const std::string& name) const {
    return value_of(parse_json_tree(file_content(log_path(name)), name));
  }
};

TEST_F(ProfilerModes, TwoTracesReplayedThreeTimesWithReadsBetween) {
  use({});
  IDevice* device = CreateDevice(0);
  run_once(device, 4);
  std::vector<Program> programs;
  const std::uint32_t first = record(device, programs, 3);
  const std::uint32_t second = record(device, programs, 2);
  for (int i = 0; i < 3; ++i) {
    ReplayTrace(device, 0, first, true);
    ReplayTrace(device, 0, second, false);
    ReadDeviceProfiler(device);
  }
  CloseDevice(device);
  const TraceCounts counts = trace_counts();
  EXPECT_LE(counts.untraced.size(), 4u);
  EXPECT_EQ(counts.traced.size(), 5u);
  EXPECT_THAT(counts.replays, ElementsAre("1", "2", "3"));
  // Every replay of every program, on every core and processor: three zones of the trace's own ops.
  const std::vector<LogRow> rows = log_rows();
  EXPECT_EQ(count(rows, [](const LogRow& row) { return row.zone == "BRISC-FW" && row.type == "ZONE_START"; }),
            (4u + 3 * 5) * 2);
}

TEST_F(ProfilerModes, OneTraceOfTenOpsReplayedTwice) {
  use({});
  IDevice* device = CreateDevice(0);
  run_once(device, 5);
  std::vector<Program> programs;
  const std::uint32_t trace = record(device, programs, 10);
  ReplayTrace(device, 0, trace, false);
  run_once(device, 5);
  ReplayTrace(device, 0, trace, false);
  CloseDevice(device);
  const TraceCounts counts = trace_counts();
  EXPECT_LE(counts.untraced.size(), 12u);
  EXPECT_EQ(counts.traced.size(), 10u);
  EXPECT_THAT(counts.replays, ElementsAre("1", "2"));
}

TEST_F(ProfilerModes, TraceOnlyHasAZoneOfEachReplay) {
  use({{"TT_METAL_TRACE_PROFILER", "1"}, {"TT_METAL_PROFILER_CPP_POST_PROCESS", "1"}});
  IDevice* device = CreateDevice(0);
  std::vector<Program> programs;
  const std::uint32_t trace = record(device, programs, 3);
  for (int i = 0; i < 5; ++i) ReplayTrace(device, 0, trace, true);
  CloseDevice(device);
  const std::vector<LogRow> rows = log_rows();
  EXPECT_EQ(starts_of(rows, "TRACE-FW", "TENSIX_RISC_AGG"), 5u * 2);
  EXPECT_EQ(starts_of(rows, "TRACE-KERNEL", "TENSIX_RISC_AGG"), 5u * 2);
  const std::string report = file_content(log_path("cpp_device_perf_report.csv"));
  CsvScanner scanner(report);
  ASSERT_TRUE(scanner.next());
  const CsvHeader header(scanner.cells());
  std::size_t durations = 0;
  while (scanner.next()) {
    EXPECT_FALSE(scanner.cell(header.find("DEVICE TRACE FIRMWARE DURATION [ns]")).empty());
    EXPECT_FALSE(scanner.cell(header.find("DEVICE TRACE KERNEL DURATION [ns]")).empty());
    ++durations;
  }
  EXPECT_EQ(durations, 5u);
}

constexpr const char* kCopy = R"(
void kernel_main() {
  const uint32_t buffer = 0x40000;
  noc_async_read(get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(0)), buffer, 128);
  noc_async_read_barrier();
  noc_async_write(buffer, get_noc_addr_from_bank_id<true>(1, get_arg_val<uint32_t>(0)), 128);
  noc_async_write_barrier();
}
)";

TEST_F(ProfilerModes, NocEventsOfACopy) {
  use({{"TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "1"}});
  IDevice* device = CreateDevice(0);
  const auto buffer = CreateBuffer({device, 128, 128});
  Program copy = CreateProgram();
  copy.set_runtime_id(0);
  const KernelHandle handle = CreateKernel(copy, kernel(kCopy), CoreCoord{0, 0}, DataMovementConfig{});
  SetRuntimeArgs(copy, handle, CoreCoord{0, 0}, {buffer->address()});
  EnqueueProgram(device->command_queue(), copy, true);
  CloseDevice(device);
  const JsonTree events = json_file("noc_trace_dev0_ID0.json");
  ASSERT_EQ(events.items().size(), 4u);
  EXPECT_EQ(events.items()[0].find("zone")->content(), "BRISC-KERNEL");
  EXPECT_EQ(events.items()[0].find("zone_phase")->content(), "ZONE_START");
  EXPECT_EQ(events.items()[1].find("type")->content(), "READ");
  EXPECT_EQ(events.items()[1].find("dx")->whole_number(), 0);  // DRAM bank 0 is at (0,11)
  EXPECT_EQ(events.items()[1].find("dy")->whole_number(), 11);
  EXPECT_EQ(events.items()[1].find("num_bytes")->whole_number(), 128);
  EXPECT_EQ(events.items()[2].find("type")->content(), "WRITE_");
  EXPECT_EQ(events.items()[2].find("dy")->whole_number(), 1);
  EXPECT_EQ(events.items()[3].find("zone_phase")->content(), "ZONE_END");
}

/// Sizes have 8 bits, of pieces of 32 bytes: what does not fit is the most that one can say, and no other
/// bit of the event changes.
TEST_F(ProfilerModes, SizesOfLargeTransfersRanOver) {
  use({{"TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "1"}});
  IDevice* device = CreateDevice(0);
  const auto buffer = CreateBuffer({device, 16384, 16384});
  Program large = CreateProgram();
  const KernelHandle handle = CreateKernel(large, kernel(R"(
void kernel_main() {
  noc_async_read(get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(0)), 0x40000, 16384);
  noc_async_read_barrier();
})"),
                                           CoreCoord{0, 0}, DataMovementConfig{});
  SetRuntimeArgs(large, handle, CoreCoord{0, 0}, {buffer->address()});
  EnqueueProgram(device->command_queue(), large, true);
  CloseDevice(device);
  const std::string name = "noc_trace_dev0_ID1024.json";
  EXPECT_EQ(json_file(name).items()[1].find("num_bytes")->whole_number(), 8160);
  const auto summary = perf::read_noc_trace(name, file_content(log_path(name)));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->saturated, 1u) << "told as a lower bound";
}

/// Replays fill the buffers in mid-kernel: processors must agree on which replay they are in.
TEST_F(ProfilerModes, QuickPushesKeepTheIdsOfReplays) {
  use({{"TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "1"}, {"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "10000"}});
  IDevice* device = CreateDevice(0);
  const auto buffer = CreateBuffer({device, 128, 128});
  std::vector<Program> programs;
  const std::uint32_t trace = BeginTraceCapture(device, 0);
  for (int i = 0; i < 5; ++i) {
    programs.push_back(CreateProgram());
    for (const auto processor : {DataMovementProcessor::RISCV_0, DataMovementProcessor::RISCV_1}) {
      const KernelHandle handle = CreateKernel(
          programs.back(), kernel(R"(
void kernel_main() {
  for (int i = 0; i < 130; i++) {
    noc_async_read(get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(0)), 0x40000 + 0x1000 * noc_index, 64);
  }
  noc_async_read_barrier();
})"),
          CoreCoord{0, 0}, DataMovementConfig{.processor = processor, .compile_args = {}, .defines = {}});
      SetRuntimeArgs(programs.back(), handle, CoreCoord{0, 0}, {buffer->address()});
    }
    EnqueueProgram(device->command_queue(), programs.back(), false);
  }
  EndTraceCapture(device, 0, trace);
  constexpr int kReplays = 25;  // tt-metal's test has 600
  for (int i = 0; i < kReplays; ++i) ReplayTrace(device, 0, trace, false);
  CloseDevice(device);
  std::map<std::string, std::set<std::pair<std::uint64_t, std::string>>> seen;
  std::size_t events = 0;
  for (const LogRow& row : log_rows()) {
    EXPECT_FALSE(row.trace.empty());
    seen[row.risc].insert({row.run_id, row.replay});
    events += row.type == "TS_DATA";
  }
  EXPECT_EQ(seen["BRISC"].size(), 5u * kReplays);
  EXPECT_EQ(seen["NCRISC"], seen["BRISC"]);
  EXPECT_EQ(events, 5u * kReplays * 2 * 130);
  EXPECT_TRUE(has_file("noc_trace_dev0_ID1024_traceID1.json"));
  EXPECT_TRUE(has_file("noc_trace_dev0_ID1024_traceID25.json"));
  // The zones of these pushes are the profiler's own; the filter of tt-metal looks for another name.
  const JsonTree transfers = json_file("noc_trace_dev0_ID1024_traceID1.json");
  EXPECT_GE(transfers.items().size(), 2u * 130);
  for (const JsonTree& entry : transfers.items()) {
    const JsonTree* zone = entry.find("zone");
    EXPECT_THAT(zone == nullptr ? "" : zone->content(), Not(HasSubstr("PUSH")));
  }
}

/// A series that no push may interrupt, longer than a buffer holds.
TEST_F(ProfilerModes, LinkedMulticastsEndAndAreTold) {
  for (const bool blackhole : {false, true}) {
    use({{"TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "1"},
         {"TT_METAL_PROFILER_DIR", folder.path(blackhole ? "bh" : "wh")}},
        {{.arch = blackhole ? tt::ARCH::BLACKHOLE : tt::ARCH::WORMHOLE_B0}});
    IDevice* device = CreateDevice(0);
    Program series = CreateProgram();
    const KernelHandle handle = CreateKernel(series, kernel(R"(
void kernel_main() {
  const uint64_t to = get_noc_multicast_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2),
                                             get_arg_val<uint32_t>(3), 0x48000);
  volatile uint32_t* word = reinterpret_cast<volatile uint32_t*>(0x48000);
  for (uint32_t i = 0; i < 300; i++) {
    word[0] = i;
    noc_async_write_multicast(0x48000, to, 64, 5, i + 1 < 300);
  }
  noc_async_write_barrier();
  DeviceTimestampedData("all arrived", word[0]);
})"),
                                             CoreCoord{0, 0}, DataMovementConfig{});
    const auto coordinate = [&](const CoreCoord& logical) {
      const CoreCoord physical = device->worker_core_from_logical_core(logical);
      return chip::translated(
          blackhole ? chip::Arch::kBlackhole : chip::Arch::kWormhole,
          {static_cast<std::uint32_t>(physical.x), static_cast<std::uint32_t>(physical.y)});
    };
    const chip::Place start = coordinate({0, 0});
    const chip::Place end = coordinate({2, 1});
    SetRuntimeArgs(series, handle, CoreCoord{0, 0}, {start.x, start.y, end.x, end.y});
    // The receivers read what came last.
    CreateKernel(series, kernel(R"(
void kernel_main() {
  while (*reinterpret_cast<volatile uint32_t*>(0x48000) != 299) {}
})"),
                 CoreRange({1, 0}, {2, 1}), DataMovementConfig{});
    EnqueueProgram(device->command_queue(), series, true);
    CloseDevice(device);
    const std::string name = folder.path(blackhole ? "bh" : "wh") + "/.logs/noc_trace_dev0_ID1024.json";
    const JsonTree events = value_of(parse_json_tree(file_content(name), name));
    std::size_t multicasts = 0;
    for (const JsonTree& event : events.items()) {
      if (event.find("type") == nullptr || event.find("type")->content() != "WRITE_MULTICAST") continue;
      ++multicasts;
      const CoreCoord last = {3, blackhole ? 3u : 2u};
      EXPECT_EQ(event.find("mcast_end_x")->whole_number(), static_cast<std::int64_t>(last.x));
      EXPECT_EQ(event.find("mcast_end_y")->whole_number(), static_cast<std::int64_t>(last.y));
    }
    EXPECT_GT(multicasts, 100u);
    EXPECT_LE(multicasts, 300u);
  }
}

TEST_F(ProfilerModes, SubDevicesAreInTheMetaData) {
  use({});
  IDevice* device = CreateDevice(0);
  const SubDevice left({CoreRangeSet({CoreRange({0, 0}, {0, 0})})});
  const SubDevice right({CoreRangeSet({CoreRange({1, 0}, {1, 0})})});
  const SubDeviceManagerId manager = device->create_sub_device_manager({left, right});
  device->load_sub_device_manager(manager);
  for (const std::size_t x : {1u, 0u, 0u}) {
    Program one = program(kEmpty, CoreCoord{x, 0});
    EnqueueProgram(device->command_queue(), one, true);
  }
  Program both = program(kEmpty, kGrid);
  EXPECT_THROW(EnqueueProgram(device->command_queue(), both, true), std::runtime_error);
  EXPECT_THROW(device->remove_sub_device_manager(manager), std::runtime_error);
  CloseDevice(device);
  const std::vector<LogRow> rows = log_rows();
  ASSERT_FALSE(rows.empty());
  for (const LogRow& row : rows) {
    EXPECT_EQ(row.meta, row.run_id == 1024 ? R"({"sub_device_id":1;"sub_device_manager_id":1})"
                                           : R"({"sub_device_id":0;"sub_device_manager_id":1})");
  }
}

TEST_F(ProfilerModes, HostAndDeviceClocksAreSynchronized) {
  use({{"TT_METAL_PROFILER_SYNC", "1"}}, {{}, {.arch = tt::ARCH::BLACKHOLE, .frequency_mhz = 1350}});
  const auto mesh = distributed::MeshDevice::create({1, 2});
  mesh->close();
  const std::string text = file_content(log_path("sync_device_info.csv"));
  perf::PerfProblems problems;
  const perf::DeviceClockLines clocks = perf::clock_lines(perf::read_sync_info(text, problems));
  ASSERT_EQ(clocks.size(), 2u);
  EXPECT_NEAR(clocks.at(0).cycles_per_ns, 1, 0.1);
  EXPECT_NEAR(clocks.at(1).cycles_per_ns, 1.35, 0.135);
  CsvScanner scanner(text);
  ASSERT_TRUE(scanner.next());
  const CsvHeader header(scanner.cells());
  std::size_t rows = 0;
  std::size_t relations = 0;
  while (scanner.next()) {
    const double ratio = std::stod(std::string(scanner.cell(header.find("device_frequency_ratio"))));
    const bool is_relation = scanner.cell(header.find("frequency")).empty();
    EXPECT_NEAR(ratio, is_relation ? 1000 / 1350. : 1, 0.1);
    ++(is_relation ? relations : rows);
  }
  EXPECT_EQ(rows, 2u * 2 * 249);
  EXPECT_EQ(relations, 2u) << "of the second device, in each round";
}

/// A processor whose region is full waits for the host, which reads it and gives it the other: nothing is
/// lost.
TEST_F(ProfilerModes, ADebugDumpLosesNothing) {
  use({{"TT_METAL_NOC_DEBUG_DUMP", "1"}, {"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "50"}});
  IDevice* device = CreateDevice(0);
  const auto buffer = CreateBuffer({device, 128, 128});
  Program copy = CreateProgram();
  const KernelHandle handle = CreateKernel(copy, kernel(kCopy), CoreCoord{0, 0}, DataMovementConfig{});
  SetRuntimeArgs(copy, handle, CoreCoord{0, 0}, {buffer->address()});
  CreateKernel(copy, kernel(kEmpty), CoreCoord{0, 0}, ComputeConfig{});
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 150; ++i) EnqueueProgram(device->command_queue(), copy, false);
  CloseDevice(device);
  EXPECT_EQ(::testing::internal::GetCapturedStderr().find("full"), std::string::npos);
  const std::vector<LogRow> rows = log_rows();
  EXPECT_EQ(starts_of(rows, "BRISC-KERNEL"), 150u);
  EXPECT_EQ(starts_of(rows, "TRISC-KERNEL", "TRISC_2"), 150u);
  EXPECT_EQ(count(rows, [](const LogRow& row) { return row.meta.find("dst_addr") != std::string::npos; }),
            2u * 150);
  const JsonTree events = json_file("noc_trace_dev0_ID1024.json");
  std::set<std::string> types;
  for (const JsonTree& event : events.items()) {
    if (event.find("type") != nullptr) types.insert(event.find("type")->content());
  }
  EXPECT_TRUE(types.contains("READ") && types.contains("WRITE_") && types.contains("READ_BARRIER_START"));
}

// Perf data
// -------------------------------------------------------------------------------------------------------

class PerfData : public ProfilerModes {
 protected:
  void SetUp() override {
    MetalCase::SetUp();
    if (IsSkipped()) return;
    use({{"TT_METAL_PROFILER_MID_RUN_DUMP", "1"}, {"TT_METAL_PROFILER_CPP_POST_PROCESS", "1"}});
    mesh = distributed::MeshDevice::create({1, 1});
  }
  void TearDown() override {
    if (mesh) mesh->close();
  }
  void run(std::uint64_t programs) {
    for (std::uint64_t i = 0; i < programs; ++i) {
      Program one = program(kEmpty, kGrid);
      one.set_runtime_id(next_id++);
      EnqueueProgram(mesh->get_devices().front()->command_queue(), one, false);
    }
  }
  static std::vector<std::uint32_t> ids(
      const std::map<tt::ChipId, std::set<experimental::ProgramAnalysisData>>& data) {
    std::vector<std::uint32_t> found;
    EXPECT_EQ(data.size(), 1u);
    for (const auto& program : data.at(0)) {
      found.push_back(
          detail::DecodePerDeviceProgramID(program.program_execution_uid.runtime_id).base_program_id);
      EXPECT_EQ(program.program_execution_uid.trace_id, experimental::INVALID_NUM_PROGRAM_EXECUTION_UID);
      EXPECT_EQ(program.core_count, 2u);
    }
    return found;
  }

  std::shared_ptr<distributed::MeshDevice> mesh;
  std::uint64_t next_id = 1;
};

TEST_F(PerfData, WithoutAReadThereIsNothing) {
  run(3);
  for (const auto& data :
       {experimental::GetLatestProgramsPerfData(), experimental::GetAllProgramsPerfData()}) {
    EXPECT_TRUE(ids(data).empty());
  }
  for (const auto& summaries :
       {experimental::GetLatestKernelDurationSummary(), experimental::GetAllKernelDurationSummary()}) {
    ASSERT_EQ(summaries.size(), 1u);
    EXPECT_EQ(summaries.at(0).count, 0u);
    EXPECT_EQ(summaries.at(0).histogram.num_buckets, 10u);
    EXPECT_EQ(summaries.at(0).histogram.bucket_edges_ns.size(), 11u);
    EXPECT_EQ(summaries.at(0).histogram.bucket_counts.size(), 10u);
  }
}

TEST_F(PerfData, OneRead) {
  run(3);
  ReadMeshDeviceProfilerResults(*mesh);
  EXPECT_THAT(ids(experimental::GetLatestProgramsPerfData()), ElementsAre(1, 2, 3));
  EXPECT_EQ(experimental::GetLatestProgramsPerfData(), experimental::GetAllProgramsPerfData());
  const auto summary = experimental::GetAllKernelDurationSummary().at(0);
  EXPECT_EQ(summary.count, 3u);
  EXPECT_GE(summary.max_ns, summary.min_ns);
  EXPECT_GT(summary.min_ns, 0u);
  std::uint64_t counted = 0;
  for (const std::uint64_t bucket : summary.histogram.bucket_counts) counted += bucket;
  EXPECT_EQ(counted, 3u);
  const auto limited = experimental::GetAllKernelDurationSummary(1, 2, 4).at(0);
  EXPECT_EQ(limited.histogram.overflow, 3u);
}

TEST_F(PerfData, SeveralReads) {
  run(2);
  ReadMeshDeviceProfilerResults(*mesh);
  EXPECT_THAT(ids(experimental::GetLatestProgramsPerfData()), ElementsAre(1, 2));
  EXPECT_THAT(ids(experimental::GetAllProgramsPerfData()), ElementsAre(1, 2));
  run(3);
  ReadMeshDeviceProfilerResults(*mesh);
  EXPECT_THAT(ids(experimental::GetLatestProgramsPerfData()), ElementsAre(3, 4, 5));
  EXPECT_THAT(ids(experimental::GetAllProgramsPerfData()), ElementsAre(1, 2, 3, 4, 5));
  run(1);
  ReadMeshDeviceProfilerResults(*mesh);
  ReadMeshDeviceProfilerResults(*mesh);
  EXPECT_TRUE(ids(experimental::GetLatestProgramsPerfData()).empty());
  EXPECT_THAT(ids(experimental::GetAllProgramsPerfData()), ElementsAre(1, 2, 3, 4, 5, 6));
  // A mid-run dump writes each program once.
  const std::string report = file_content(log_path("cpp_device_perf_report.csv"));
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 1 + 6);
  EXPECT_EQ(starts_of(log_rows(), "BRISC-FW"), 6u * 2);
}

}  // namespace
}  // namespace ttscope::testing
