// The profiler's header on the embedded chip: limits, modes, and what is better than in the original.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chip/runtime/device.h"
#include "support/chip_case.h"

namespace ttscope::testing {
namespace {

using namespace ttscope_device;
using chip::Arch;
using chip::ProfilerBuild;

constexpr const char* kBusy = R"(
static inline __attribute__((always_inline)) void busy(unsigned n) { while (n--) asm volatile("nop"); }
)";

std::string zones_in_loop(int count, const char* before = "") {
  return std::string(kBusy) + "void kernel_main() {\n" + before + "\nfor (int i = 0; i < " +
         std::to_string(count) + "; i++) {\nDeviceZoneScopedN(\"loop\");\nbusy(3);\n}\n}\n";
}

std::size_t count_of(const std::vector<std::uint32_t>& words, std::uint32_t type, std::size_t from) {
  std::size_t found = 0;
  for (std::size_t i = from; i + 1 < words.size(); i += 2) {
    if (words[i] >> 28 == (8 | type) && (words[i] & 0x0FFFF000) != 0) ++found;
  }
  return found;
}

TEST(KernelProfiler, KeepsAsManyZonesAsFitAndSaysWhenDramIsFull) {
  SKIP_WITHOUT_CROSS_COMPILER();
  ChipCase chip(Arch::kWormhole,
                {.on = true, .flags = 1, .region_bytes = chip::profiler_region(1000, false).bytes});
  const chip::KernelSet kernels = chip.on(zones_in_loop(150), {0, 1, 2, 3, 4});
  for (std::uint32_t launch = 1; launch <= 23; ++launch) chip.run(launch, kernels);
  EXPECT_EQ(chip.control()[kDropped], 0u);
  for (std::uint32_t risc = 0; risc < 5; ++risc) {
    const std::vector<std::uint32_t> words = chip.sent(risc);
    ASSERT_EQ(words.size(), 23u * 512);
    for (std::size_t launch = 0; launch < 23; ++launch) {
      const std::vector<std::uint32_t> one(words.begin() + static_cast<std::ptrdiff_t>(launch * 512),
                                           words.begin() + static_cast<std::ptrdiff_t>(launch * 512 + 512));
      EXPECT_EQ(count_of(one, kZoneStart, 12), 125u);
      EXPECT_EQ(count_of(one, kZoneEnd, 12), 125u);
      EXPECT_EQ(one[kHostId], launch + 1);
    }
  }
  chip.run(24, kernels);
  EXPECT_EQ(chip.control()[kDropped], 31u);
  EXPECT_THAT(chip.sent(0), ::testing::SizeIs(23 * 512 + 12));
}

TEST(KernelProfiler, ASupportCountThatIsTooSmallIsRaised) {
  SKIP_WITHOUT_CROSS_COMPILER();
  const chip::ProfilerRegion region = chip::profiler_region(10, false);
  EXPECT_EQ(region.warning,
            "Profiler program support count must be >= 43. Increasing program support count from 10 to 43.");
  ChipCase chip(Arch::kWormhole, {.on = true, .flags = 1, .region_bytes = region.bytes});
  const chip::KernelSet kernels = chip.on("void kernel_main() {}", {0});
  for (std::uint32_t launch = 1; launch <= 50; ++launch) chip.run(launch, kernels);
  EXPECT_EQ(chip.sent(0).size() / 12, 43u);
  EXPECT_EQ(chip.control()[kDropped], 1u);
}

TEST(KernelProfiler, SumsTakeTheirShareOfDram) {
  SKIP_WITHOUT_CROSS_COMPILER();
  ChipCase chip(Arch::kWormhole,
                {.on = true, .flags = 9, .region_bytes = chip::profiler_region(200, true).bytes});
  chip::KernelSet kernels = chip.on("void kernel_main() {}", {0});
  kernels[1] = chip.kernel(
      "void kernel_main() { { DeviceZoneScopedSumN1(\"a\"); asm volatile(\"nop\"); }\n{ "
      "DeviceZoneScopedSumN2(\"b\"); asm volatile(\"nop\"); } }",
      chip::Processor::kNcrisc);
  for (std::uint32_t launch = 1; launch <= 300; ++launch) chip.run(launch, kernels);
  EXPECT_EQ(chip.sent(0).size() / 12, 266u);
  const std::vector<std::uint32_t> words = chip.sent(1);
  EXPECT_EQ(words.size() / 16, 200u);
  EXPECT_EQ(count_of(words, kZoneTotal, 12), 400u);
}

// The defects of the original, one by one
// ---------------------------------------------------------------------------

TEST(KernelProfiler, NocEventsBehindAnOddMarkerAreKept) {
  SKIP_WITHOUT_CROSS_COMPILER();
  ChipCase chip(Arch::kBlackhole, {.on = true, .flags = 1, .region_bytes = 48000, .noc_events = true});
  chip.run(1, chip.on(R"(void kernel_main() {
    uint64_t remote = get_noc_addr_from_bank_id<true>(2, 0x100000);
    DeviceRecordEvent(9);
    for (int i = 0; i < 200; i++) noc_async_write(0x40000, remote, 32);
    noc_async_write_barrier();
  })",
                      {0, 1}));
  EXPECT_EQ(count_of(chip.sent(0), kTimestampedData, 12), 200u);
  EXPECT_EQ(count_of(chip.sent(1), kTimestampedData, 12), 200u);
  EXPECT_EQ(chip.control()[kDropped], 0u);
}

TEST(KernelProfiler, AZoneThatStartsHasRoomForItsEnd) {
  SKIP_WITHOUT_CROSS_COMPILER();
  ChipCase chip;
  chip.run(1, chip.on(zones_in_loop(200, "DeviceRecordEvent(1);"), {0, 1, 2, 3, 4}));
  for (std::uint32_t risc = 0; risc < 5; ++risc) {
    const std::vector<std::uint32_t> words = chip.sent(risc);
    ASSERT_EQ(words.size(), 512u);
    EXPECT_EQ(words[kIdHigh], 0u);
    EXPECT_EQ(count_of(words, kZoneStart, 12), 124u);
    EXPECT_EQ(count_of(words, kZoneEnd, 12), 124u);
  }
  const std::uint32_t behind =
      chip.device.control_address(chip.device.cores().front()) + 4 * (kControlWords + 5 * kBufferWords);
  EXPECT_THAT(chip.card.read_words(chip.place(), behind, 4), ::testing::Each(0u));
}

TEST(KernelProfiler, AllRiscsHavePublishedBeforeBriscEnds) {
  SKIP_WITHOUT_CROSS_COMPILER();
  for (const Arch arch : {Arch::kWormhole, Arch::kBlackhole}) {
    ChipCase chip(arch);
    // NCRISC ends last, however long the kernel of BRISC takes.
    const std::string text = std::string(kBusy) + "void kernel_main() { busy(get_arg_val<uint32_t>(0)); }";
    const chip::KernelSet kernels = chip.on(text, {0, 1});
    chip.card.write_word(chip.place(), kArguments + kArgumentBytes, 120);
    for (std::uint32_t turns = 0; turns < 40; ++turns) {
      chip.card.write_word(chip.place(), kArguments, 100 + turns);
      chip.run(1, kernels);
      ASSERT_LT(marker_time(chip.buffer(1), kZoneEndSlot[0]), marker_time(chip.buffer(0), kZoneEndSlot[0]));
    }
  }
}

TEST(KernelProfiler, WithoutDramNoWordIsSaidToBeThere) {
  SKIP_WITHOUT_CROSS_COMPILER();
  ChipCase chip(Arch::kWormhole, {}, 0);
  chip.run(1, chip.on(zones_in_loop(3), {0, 1, 2, 3, 4}));
  const std::vector<std::uint32_t> control = chip.control();
  for (std::uint32_t risc = 0; risc < 5; ++risc) {
    EXPECT_EQ(control[kHostEnd + risc], 0u);
    EXPECT_EQ(control[kDeviceEnd + risc], 24u);
  }
  EXPECT_EQ(control[kProfilerDone], 1u);
}

TEST(KernelProfiler, Trisc2IsSentInADebugDump) {
  SKIP_WITHOUT_CROSS_COMPILER();
  ChipCase chip(Arch::kWormhole,
                {.on = true, .flags = 1, .region_bytes = 48000, .noc_events = false, .debug_dump = true});
  chip.run(7, chip.on(zones_in_loop(2), {2, 3, 4}));
  const std::vector<std::uint32_t> words = chip.sent(4);
  ASSERT_EQ(words.size(), 20u);
  EXPECT_EQ(words[kIdLow] & 31, 4u);
  EXPECT_EQ(words[kHostId], 7u);
  EXPECT_EQ(count_of(words, kZoneEnd, 12), 2u);
}

TEST(KernelProfiler, TimesRiseWhileTheClockPassesTwoToThe32) {
  SKIP_WITHOUT_CROSS_COMPILER();
  // The wrap falls on another instruction of the marker each time.
  for (std::uint64_t shift = 0; shift < 40; ++shift) {
    ChipCase chip(Arch::kWormhole, {}, {},
                  {.frequency_mhz = 1000,
                   .offset_cycles = (std::uint64_t{1} << 32) - 1500 + shift,
                   .drift_ppm_per_second = 0});
    chip.run(1, chip.on(zones_in_loop(100), {0}));
    const std::vector<std::uint32_t> words = chip.sent(0);
    std::uint64_t last = 0;
    for (std::size_t i = 12; i < words.size(); i += 2) {
      ASSERT_GT(marker_time(words, i), last);
      last = marker_time(words, i);
    }
    ASSERT_GT(last, std::uint64_t{1} << 32);
    ASSERT_LT(marker_time(words, 12), std::uint64_t{1} << 32);
  }
}

// Costs
// ---------------------------------------------------------------------------------------------------------------

TEST(KernelProfiler, CostsNoMoreThanTheOriginal) {
  SKIP_WITHOUT_CROSS_COMPILER();
  // Clocks between two starts as tt-metal's header was measured with the same kernels, where each instruction
  // takes one clock: a zone around three instructions; a zone with a value and an event in it.
  constexpr std::uint64_t kZoneTurn[2] = {38, 40};  // BRISC, TRISC
  constexpr std::uint64_t kFullTurn[2] = {70, 74};
  ChipCase chip;
  chip.run(1, chip.on(zones_in_loop(20), {0, 1, 2, 3, 4}));
  for (std::uint32_t risc = 0; risc < 5; ++risc) {
    const std::vector<std::uint32_t> words = chip.sent(risc);
    EXPECT_LE(marker_time(words, 20) - marker_time(words, 16), kZoneTurn[risc >= 2]) << risc;
  }
  chip.run(2, chip.on(R"(void kernel_main() {
    for (int i = 0; i < 20; i++) {
      DeviceZoneScopedN("zone");
      DeviceTimestampedData("value", (uint64_t(i) << 32) | (i * 3u));
      DeviceRecordEvent(i);
    }
  })",
                      {0, 1, 2, 3, 4}));
  for (std::uint32_t risc = 0; risc < 5; ++risc) {
    const std::vector<std::uint32_t> words = chip.buffer(risc);
    EXPECT_LE(marker_time(words, 32) - marker_time(words, 22), kFullTurn[risc >= 2]) << risc;
  }
}

TEST(KernelProfiler, CompiledOutNothingIsLeft) {
  SKIP_WITHOUT_CROSS_COMPILER();
  const std::string with = std::string(kBusy) + R"(void kernel_main() {
    DeviceZoneScopedMainN("main"); DeviceValidateProfiler(true);
    for (int i = 0; i < 10; i++) {
      DeviceZoneScopedN("zone"); DeviceZoneScopedSumN1("sum"); DeviceTimestampedData("value", i); DeviceRecordEvent(i);
      DevicePerfCounter(1, 2, 3); busy(3);
    }
    noc_async_write(0x40000, get_noc_addr_from_bank_id<true>(2, 0x100000), 64);
  })";
  const std::string without = std::string(kBusy) + R"(void kernel_main() {
    for (int i = 0; i < 10; i++) { busy(3); }
    noc_async_write(0x40000, get_noc_addr_from_bank_id<true>(2, 0x100000), 64);
  })";
  const auto code = [](ChipCase& chip, const std::string& text, const std::vector<std::string>& defines) {
    std::vector<std::uint8_t> bytes;
    for (const chip::Segment& segment : chip.kernel(text, chip::Processor::kBrisc, defines)->image.segments) {
      bytes.insert(bytes.end(), segment.bytes.begin(), segment.bytes.end());
    }
    return bytes;
  };
  ChipCase off(Arch::kWormhole, {.on = false});
  EXPECT_EQ(code(off, with, {}), code(off, without, {}));
  // The same for a dispatch kernel while dispatch is not profiled: firmware zones are all that is recorded.
  ChipCase on;
  EXPECT_EQ(code(on, with, {"DISPATCH_KERNEL=1"}), code(on, without, {"DISPATCH_KERNEL=1"}));
  EXPECT_NE(code(on, with, {}), code(on, without, {}));
}

TEST(KernelProfiler, AnInvalidLaunchIsNotRecorded) {
  SKIP_WITHOUT_CROSS_COMPILER();
  ChipCase chip;
  chip.run(1, chip.on("void kernel_main() { DeviceValidateProfiler(get_arg_val<uint32_t>(0) == 1); }", {0}));
  EXPECT_EQ(chip.control()[kHostEnd], 0u);
  chip.card.write_word(chip.place(), kArguments, 1);
  chip.run(2, chip.on("void kernel_main() { DeviceValidateProfiler(get_arg_val<uint32_t>(0) == 1); }", {0}));
  EXPECT_EQ(chip.control()[kHostEnd], 12u);
}

/// All counters of a core take more words than a buffer has: it is sent in between.
TEST(KernelProfiler, PacketsOfCountersHaveTheWordsOfTheOriginal) {
  SKIP_WITHOUT_CROSS_COMPILER();
  constexpr std::uint32_t kCounters = 114;
  for (const Arch arch : {Arch::kWormhole, Arch::kBlackhole}) {
    ChipCase chip(arch, {.on = true, .flags = 1, .region_bytes = 48000});
    chip.run(3, chip.on("void kernel_main() { for (uint32_t i = 1; i <= 114; i++) "
                        "DevicePerfCounter(i, 1000 + i, 0x80000000 + i); }",
                        {0}));
    EXPECT_EQ(chip.control()[kDropped], 0u);
    const std::vector<std::uint32_t> words = chip.sent(0);
    EXPECT_GT(words.size(), 6u * kCounters);
    std::uint32_t number = 0;
    for (std::size_t i = 0; i + 5 < words.size(); i += 2) {
      if (words[i] >> 12 != marker_word(kTimestampedData16, kPerfCounterId) >> 12) continue;
      ++number;  // pairs of a high and a low word: reference and value, then the type alone
      EXPECT_THAT(std::vector(words.begin() + static_cast<std::ptrdiff_t>(i) + 2,
                              words.begin() + static_cast<std::ptrdiff_t>(i) + 6),
                  ::testing::ElementsAre(0x80000000 + number, 1000 + number, 0u, number));
      i += 4;
    }
    EXPECT_EQ(number, kCounters);
  }
}

TEST(KernelProfiler, SetCounterGivesTheLaunchItsNumberOnEveryRisc) {
  SKIP_WITHOUT_CROSS_COMPILER();
  const std::string text = "void kernel_main() { DeviceZoneSetCounter(get_arg_val<uint32_t>(0)); }";
  for (const std::uint32_t flags : {kProfileOn, kProfileOn | kProfileAccumulate}) {
    ChipCase chip(Arch::kWormhole, {.on = true, .flags = flags, .region_bytes = 48000});
    const chip::KernelSet kernels = chip.on(text, {0});
    chip.card.write_word(chip.place(), kArguments, 77);
    chip.run(5, kernels);
    for (std::uint32_t risc = 0; risc < 5; ++risc) {
      // No programs are told apart while markers of many launches are gathered.
      EXPECT_EQ(chip.buffer(risc)[kHostId], flags == kProfileOn ? 77u : 0u) << risc;
    }
  }
}

TEST(KernelProfiler, AResetInMidRunLosesOnlyThatRun) {
  SKIP_WITHOUT_CROSS_COMPILER();
  ChipCase chip;
  const chip::KernelSet kernels = chip.on(zones_in_loop(10), {0, 1, 2, 3, 4});
  chip.run(1, kernels);
  const std::vector<std::uint32_t> first = chip.sent(0);
  chip.start(2, kernels);
  chip.simulator->clock(300);
  chip.card.write_word(chip.place(), kSoftReset, kResetAll);
  chip.simulator->clock(1000);
  EXPECT_EQ(chip.sent(0), first);  // what was sent is there still
  ASSERT_TRUE(chip.device.boot({chip.place()}));
  chip.run(3, kernels);
  EXPECT_EQ(chip.sent(0)[kHostId], 3u);
  EXPECT_EQ(count_of(chip.sent(4), kZoneEnd, 12), 10u);
}

}  // namespace
}  // namespace ttscope::testing
