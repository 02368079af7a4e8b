// Chips without firmware: memory, coordinates, clocks, faults, and a simulator in a process of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <ttscope_device/memory_map.h>

#include "chip/driver/card.h"
#include "chip/simulator.h"
#include "support/temp_folder.h"

namespace ttscope::testing {
namespace {

using namespace ttscope::chip;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<Simulator> one_chip(Arch arch, ClockModel clock = {}, Latency latency = {}) {
  return embedded_simulator({{.arch = arch, .clock = clock, .latency = latency}});
}

/// Reads the clock twice and stores both and a mark at 0x2000.
const std::vector<std::uint32_t> kReadClock = {0xFFB12537, 0x00002637, 0x1F052683, 0x1F052703,
                                               0x1F452783, 0x00D62023, 0x00E62223, 0x00F62423,
                                               0x123458B7, 0x01162623, 0x0000006F};

TEST(Simulator, ACoreRunsFromZeroAndReadsTheClock) {
  for (const Arch arch : {Arch::kWormhole, Arch::kBlackhole}) {
    const auto simulator = one_chip(arch);
    Card card = *Card::open(*simulator, 0);
    EXPECT_EQ(card.arch(), arch);
    const Place place = facts_of(arch).tensix.front();
    card.write_words(place, 0, kReadClock);
    EXPECT_EQ(card.read_word(place, ttscope_device::kSoftReset), ttscope_device::kResetAll);
    card.write_word(place, ttscope_device::kSoftReset,
                    ttscope_device::kResetAll & ~ttscope_device::kResetBit[0]);
    simulator->clock(100);
    EXPECT_THAT(card.read_words(place, 0x2000, 4), ElementsAre(2, 3, 0, 0x12345000));
    EXPECT_EQ(card.read_word(place, ttscope_device::kClockLow), 100u);
  }
}

TEST(Simulator, TilesAreReachedByPhysicalAndTranslatedCoordinates) {
  const auto simulator = one_chip(Arch::kWormhole);
  Card card = *Card::open(*simulator, 0);
  card.write_word({1, 1}, 0x100, 7);
  EXPECT_EQ(card.read_word({18, 18}, 0x100), 7u);
  EXPECT_EQ(resolve(Arch::kWormhole, 1, {8, 10}), (Place{1, 1}));
  EXPECT_EQ(resolve(Arch::kWormhole, 1, {18, 18}), (Place{1, 1}));
  EXPECT_EQ(resolve(Arch::kBlackhole, 1, {3, 4}), (Place{3, 4}));
  EXPECT_EQ(resolve(Arch::kBlackhole, 0, {18, 15}), (Place{0, 2}));
  EXPECT_EQ(resolve(Arch::kWormhole, 0, {30, 1}), std::nullopt);
  EXPECT_EQ(translated(Arch::kWormhole, {1, 0}), (Place{18, 16}));
  EXPECT_EQ(flat_id(Arch::kWormhole, {1, 1}), 1u);
  EXPECT_EQ(flat_id(Arch::kBlackhole, {12, 7}), 105u);
  EXPECT_EQ(cores_per_dram_bank(Arch::kWormhole), 8u);
  EXPECT_EQ(cores_per_dram_bank(Arch::kBlackhole), 20u);
}

TEST(Simulator, DramBanksAreApart) {
  for (const Arch arch : {Arch::kWormhole, Arch::kBlackhole}) {
    const auto simulator = one_chip(arch);
    Card card = *Card::open(*simulator, 0);
    const auto banks = static_cast<std::uint32_t>(facts_of(arch).dram.size());
    for (std::uint32_t bank = 0; bank < banks; ++bank) {
      const std::vector<std::uint8_t> bytes(100, static_cast<std::uint8_t>(bank + 1));
      card.write_dram(bank, 0x3FFFFFC0 - 50, bytes);
    }
    for (std::uint32_t bank = 0; bank < banks; ++bank) {
      std::vector<std::uint8_t> bytes(100);
      card.read_dram(bank, 0x3FFFFFC0 - 50, bytes);
      EXPECT_THAT(bytes, ::testing::Each(bank + 1));
    }
    EXPECT_EQ(simulator->error(), "");
  }
}

TEST(Simulator, EachChipHasItsClock) {
  const auto simulator =
      embedded_simulator({{.arch = Arch::kWormhole,
                           .clock = {.frequency_mhz = 1000, .offset_cycles = 0, .drift_ppm_per_second = 0},
                           .latency = {}},
                          {.arch = Arch::kBlackhole,
                           .clock = {.frequency_mhz = 1350, .offset_cycles = 5000, .drift_ppm_per_second = 0},
                           .latency = {}},
                          {.arch = Arch::kWormhole,
                           .clock = {.frequency_mhz = 1000, .offset_cycles = 0, .drift_ppm_per_second = 100},
                           .latency = {}}});
  Card first = *Card::open(*simulator, 0);
  Card second = *Card::open(*simulator, 1);
  Card third = *Card::open(*simulator, 2);
  EXPECT_FALSE(Card::open(*simulator, 3).has_value());
  simulator->clock(1'000'000'000);
  EXPECT_EQ(simulator->nanoseconds(), 1'000'000'000u);
  EXPECT_EQ(first.read_word({1, 1}, ttscope_device::kClockLow), 1'000'000'000u);
  EXPECT_EQ(second.read_word({1, 2}, ttscope_device::kClockLow), 1'350'005'000u);
  EXPECT_EQ(third.read_word({1, 1}, ttscope_device::kClockLow),
            1'000'050'000u);  // half the drift of a second
}

TEST(Simulator, LoadsOfL1TakeTheTimeThatTheModelSays) {
  const auto simulator =
      one_chip(Arch::kWormhole, {}, {.l1 = 7, .noc_base = 0, .noc_per_hop = 0, .noc_bytes_per_tick = 0});
  Card card = *Card::open(*simulator, 0);
  // lui a0,0xFFB12; lui a2,2; lw a3,clock; lw a4,0(a2); lw a4,clock; sw a3,0(a2); sw a4,4(a2); j .
  card.write_words({1, 1}, 0,
                   std::vector<std::uint32_t>{0xFFB12537, 0x00002637, 0x1F052683, 0x00062703, 0x1F052703,
                                              0x00D62023, 0x00E62223, 0x0000006F});
  card.write_word({1, 1}, ttscope_device::kSoftReset,
                  ttscope_device::kResetAll & ~ttscope_device::kResetBit[0]);
  simulator->clock(100);
  const std::vector<std::uint32_t> times = card.read_words({1, 1}, 0x2000, 2);
  EXPECT_EQ(times[1] - times[0], 1u + 1 + 7);
}

TEST(Simulator, WhatACoreMustNotDoIsSaidWithItsPlace) {
  const auto fault_of = [](std::vector<std::uint32_t> program) {
    const auto simulator = one_chip(Arch::kWormhole);
    Card card = *Card::open(*simulator, 0);
    card.write_words({1, 1}, 0, program);
    card.write_word({1, 1}, ttscope_device::kSoftReset,
                    ttscope_device::kResetAll & ~ttscope_device::kResetBit[0]);
    simulator->clock(100);
    return simulator->error();
  };
  EXPECT_EQ(
      fault_of({0xFFFFFFFF}),
      "chip 0: BRISC of tile (1,1) at pc 0x0, clock 0: word 0xffffffff, which is no instruction of RV32IM");
  EXPECT_THAT(fault_of({0x00000013, 0x00102583}),
              HasSubstr("at pc 0x4, clock 1: access to 0x1, which is not aligned"));
  EXPECT_THAT(fault_of({0x40000537, 0x00052583}),
              HasSubstr("access to 0x40000000, where nothing of this size is"));
  EXPECT_THAT(fault_of({0x40000537, 0x00050067}), HasSubstr("jump to 0x40000000, where no code can be"));
  EXPECT_EQ(fault_of({0x0000006F}), "");
}

TEST(Simulator, TheHostIsToldWhatItReachesInVain) {
  const auto simulator = one_chip(Arch::kWormhole);
  Card card = *Card::open(*simulator, 0);
  EXPECT_EQ(card.read_word({1, 1}, 0x200000), 0u);
  EXPECT_THAT(simulator->error(), HasSubstr("the host read 4 bytes at 0x200000 of (1,1), where nothing is"));
}

TEST(LibrarySimulator, GivesTheSameWordsAndTimesAsItsLibrary) {
  Result<std::unique_ptr<Simulator>> simulator = library_simulator(FAKE_TTSIM);
  ASSERT_TRUE(simulator.has_value()) << simulator.error().message;
  Card card = *Card::open(**simulator, 0);
  card.write_words({1, 1}, 0, kReadClock);
  card.write_word({1, 1}, ttscope_device::kSoftReset,
                  ttscope_device::kResetAll & ~ttscope_device::kResetBit[0]);
  (*simulator)->clock(100);
  EXPECT_THAT(card.read_words({1, 1}, 0x2000, 4), ElementsAre(2, 3, 0, 0x12345000));
}

TEST(LibrarySimulator, ItsEndIsAnErrorAndNotOurs) {
  Result<std::unique_ptr<Simulator>> simulator = library_simulator(FAKE_TTSIM);
  ASSERT_TRUE(simulator.has_value()) << simulator.error().message;
  Card card = *Card::open(**simulator, 0);
  card.write_word({1, 1}, 0x7F000, 0xDEAD);
  EXPECT_EQ(card.read_word({1, 1}, 0x7F000), 0u);
  EXPECT_EQ((*simulator)->error(),
            std::string(FAKE_TTSIM) + " ended: ERROR: UndefinedBehavior: the fatal word (exit code 3)");
  const Result<std::uint64_t> waited = card.wait_for_word({1, 1}, 0, 5, 1000);
  ASSERT_FALSE(waited.has_value());
  EXPECT_THAT(waited.error().message, HasSubstr("the fatal word"));
}

/// Its memory ended with its process: of what a kernel had recorded before a fault, nothing was left.
TEST(LibrarySimulator, ItsMemoryCanBeReadAfterItsEnd) {
  Result<std::unique_ptr<Simulator>> simulator = library_simulator(FAKE_TTSIM);
  ASSERT_TRUE(simulator.has_value()) << simulator.error().message;
  Card card = *Card::open(**simulator, 0);
  card.write_word({1, 1}, 0x3000, 11);
  card.write_word({2, 1}, 0x3000, 13);
  card.write_word({1, 1}, 0, 0x000021A3);  // sw x0, 3(x0)
  card.write_word({1, 1}, ttscope_device::kSoftReset,
                  ttscope_device::kResetAll & ~ttscope_device::kResetBit[0]);
  (*simulator)->clock(100);
  EXPECT_THAT((*simulator)->error(), HasSubstr("which is not aligned (exit code 1)"));
  EXPECT_TRUE((*simulator)->has_memory());
  EXPECT_EQ(card.read_word({1, 1}, 0x3000), 11u);
  EXPECT_EQ(card.read_word({2, 1}, 0x3000), 13u);
}

/// -1 had been taken for a process that goes on: whoever waited for a program waited for ever.
TEST(LibrarySimulator, AnEndWithMinusOneIsAnEnd) {
  Result<std::unique_ptr<Simulator>> simulator = library_simulator(FAKE_TTSIM);
  ASSERT_TRUE(simulator.has_value()) << simulator.error().message;
  Card card = *Card::open(**simulator, 0);
  card.write_word({1, 1}, 0x7F000, 0xDEAE);
  (*simulator)->clock(1);
  EXPECT_THAT((*simulator)->error(), HasSubstr("the fatal word (exit code 255)"));
}

/// What it had said last lay in a buffer and was lost.
TEST(LibrarySimulator, ALibraryThatDoesNotBeginSaysWhy) {
  ::setenv("FAKE_TTSIM_FAILS", "1", 1);
  Result<std::unique_ptr<Simulator>> simulator = library_simulator(FAKE_TTSIM);
  ::unsetenv("FAKE_TTSIM_FAILS");
  ASSERT_FALSE(simulator.has_value());
  EXPECT_THAT(simulator.error().message, HasSubstr("ERROR: no description of the chip (exit code 1)"));
}

TEST(LibrarySimulator, AKilledProcessHasNoMemory) {
  const TempFolder folder;
  ::setenv("FAKE_TTSIM_PID", folder.path("pid").c_str(), 1);
  Result<std::unique_ptr<Simulator>> simulator = library_simulator(FAKE_TTSIM);
  ::unsetenv("FAKE_TTSIM_PID");
  int process = 0;
  ASSERT_TRUE(std::ifstream(folder.path("pid")) >> process);
  Card card = *Card::open(**simulator, 0);
  ::kill(process, SIGKILL);
  EXPECT_EQ(card.read_word({1, 1}, 0x3000), 0u);
  EXPECT_THAT((*simulator)->error(), HasSubstr(" ended: signal 9"));
  EXPECT_FALSE((*simulator)->has_memory());
}

TEST(LibrarySimulator, WhatIsNoLibraryIsRefused) {
  EXPECT_THAT(library_simulator("/nowhere/libttsim.so").error().message,
              HasSubstr("no such file (expected the path of libttsim.so)"));
  EXPECT_THAT(library_simulator("/proc/self/exe").error().message, HasSubstr("ended: "));
}

TEST(LibrarySimulator, AKilledHostLeavesNoProcessBehind) {
  const TempFolder folder;
  const std::string file = folder.path("pid");
  ::setenv("FAKE_TTSIM_PID", file.c_str(), 1);
  const pid_t host = ::fork();
  ASSERT_GE(host, 0);
  if (host == 0) {
    const auto simulator = library_simulator(FAKE_TTSIM);
    while (true) ::pause();
  }
  ::unsetenv("FAKE_TTSIM_PID");
  int simulator = 0;
  const auto wait_until = [](const auto& condition) {
    for (int i = 0; i < 1000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
  };
  ASSERT_TRUE(wait_until([&] { return static_cast<bool>(std::ifstream(file) >> simulator); }));
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  const auto gone = [&] {
    std::ifstream status("/proc/" + std::to_string(simulator) + "/stat");
    std::string number, name, state;
    return !(status >> number >> name >> state) || state == "Z" || state == "X";
  };
  EXPECT_TRUE(wait_until(gone));
}

}  // namespace
}  // namespace ttscope::testing
