// Tiles that run ahead, sleep and come back against five cores stepped one by one.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "chip/driver/card.h"
#include "chip/simulator.h"
#include "support/reference_tile.h"

namespace ttscope::testing {
namespace {

constexpr std::uint32_t kShared = 0x30000;  // a few words that all cores read and write
constexpr std::array<std::uint32_t, 5> kStarts = {0x4000, 0x6000, 0xA000, 0xE000, 0x12000};

using Words = std::vector<std::uint32_t>;

std::uint32_t register_number() { return *rc::gen::inRange<std::uint32_t>(6, 16); }

/// x5 holds the address of the shared words.
std::uint32_t load_shared() {
  return *rc::gen::inRange<std::uint32_t>(0, 6) << 22 | 5u << 15 | 2u << 12 | register_number() << 7 | 0x03;
}
std::uint32_t store_shared() {
  const std::uint32_t offset = 4 * *rc::gen::inRange<std::uint32_t>(0, 6);
  return register_number() << 20 | 5u << 15 | 2u << 12 | offset << 7 | 0x23;
}

std::uint32_t branch(std::uint32_t function, std::uint32_t a, std::uint32_t b, int offset) {
  const std::uint32_t bits = static_cast<std::uint32_t>(offset);
  return (bits >> 12 & 1) << 31 | (bits >> 5 & 63) << 25 | b << 20 | a << 15 | function << 12 |
         (bits >> 1 & 15) << 8 | (bits >> 11 & 1) << 7 | 0x63;
}

/// A few instructions; some of them wait for a shared word, as polling cores do.
void append_part(Words& program) {
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      program.push_back(load_shared());
      break;
    case 1:
      program.push_back(store_shared());
      break;
    case 2:
      program.push_back(*rc::gen::inRange<std::uint32_t>(0, 64) << 20 | register_number() << 15 |
                        register_number() << 7 | 0x13);
      break;
    case 3:
      program.push_back(register_number() << 20 | register_number() << 15 | *rc::gen::element(0u, 4u) << 12 |
                        register_number() << 7 | 0x33);
      break;
    case 4:  // lw x20, k(x5); andi x20, x20, mask; beq x20, x0, -8
      program.push_back(*rc::gen::inRange<std::uint32_t>(0, 6) << 22 | 5u << 15 | 2u << 12 | 20u << 7 | 0x03);
      program.push_back(*rc::gen::element(1u, 3u, 7u) << 20 | 20u << 15 | 7u << 12 | 20u << 7 | 0x13);
      program.push_back(branch(0, 20, 0, -8));
      break;
    default:  // the clock, stored
      program.push_back(0xFFB12000 | 21u << 7 | 0x37);
      program.push_back(0x1F0u << 20 | 21u << 15 | 2u << 12 | 21u << 7 | 0x03);
      program.push_back(21u << 20 | 5u << 15 | 2u << 12 | 20u << 7 | 0x23);
  }
}

Words random_program() {
  Words program = {kShared | 5u << 7 | 0x37};
  const int parts = *rc::gen::inRange(1, 12);
  for (int i = 0; i < parts; ++i) append_part(program);
  program.push_back(branch(0, 0, 0, -4 * static_cast<int>(program.size() - 1)));
  return program;
}

RC_GTEST_PROP(ChipTileProperty, AnyProgramsLeaveTheWordsOfSteppedCores, ()) {
  const chip::Arch arch = *rc::gen::element(chip::Arch::kWormhole, chip::Arch::kBlackhole);
  const auto simulator = chip::embedded_simulator({{.arch = arch, .clock = {}, .latency = {}}});
  chip::Card card = *chip::Card::open(*simulator, 0);
  const chip::Place place = chip::facts_of(arch).tensix.front();
  ReferenceTile reference;
  const auto write = [&](std::uint32_t address, const Words& words) {
    card.write_words(place, address, words);
    std::copy(words.begin(), words.end(), reference.l1.begin() + address / 4);
  };
  for (std::uint32_t start : kStarts) write(start, random_program());
  // The first core starts at 0; branches lead it to its program.
  for (std::uint32_t at = 0; at < kStarts[0]; at += 0x800) write(at, {branch(0, 0, 0, 0x800)});
  reference.start({0, kStarts[1], kStarts[2], kStarts[3], kStarts[4]});
  card.write_word(place, ttscope_device::kSoftReset, 0);
  const auto chunks =
      *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(1, 400));
  for (std::uint32_t ticks : chunks) {
    simulator->clock(ticks);
    reference.clock(ticks);
    const Words ours = card.read_words(place, kShared, 8);
    const Words theirs(reference.l1.begin() + kShared / 4, reference.l1.begin() + kShared / 4 + 8);
    RC_ASSERT(ours == theirs);
    // The host writes a word too: it wakes who waits for it.
    write(kShared + 4 * *rc::gen::inRange<std::uint32_t>(0, 6), {*rc::gen::inRange<std::uint32_t>(0, 9)});
  }
  RC_ASSERT(simulator->error().empty());
}

/// The writer wakes a polling core that is ahead of it, and must not go on writing before that core has read:
/// it ran on as if the core still slept.
TEST(ChipTile, AWriterWaitsForWhomItWoke) {
  const Words poller = {0x000302b7, 0x0002a303, 0x0002a303, 0x0002a303, 0xffb12ab7, 0x1f0aaa83,
                        0x0152aa23, 0x00630333, 0x0002a303, 0x0102aa03, 0x007a7a13, 0xfe0a0ce3,
                        0x00c2aa03, 0x003a7a13, 0xfe0a0ce3, 0x0002a303, 0x00030313, 0xfc0000e3};
  const Words writer = {0x000302b7, 0x00030313, 0x0063c633, 0x0042a303, 0x00030313, 0x00c2a623, 0xfe0006e3};
  const Words idle = {0x000302b7, 0x0002a303, 0xfe000ee3};
  const auto simulator =
      chip::embedded_simulator({{.arch = chip::Arch::kWormhole, .clock = {}, .latency = {}}});
  chip::Card card = *chip::Card::open(*simulator, 0);
  const chip::Place place = chip::facts_of(chip::Arch::kWormhole).tensix.front();
  ReferenceTile reference;
  const auto write = [&](std::uint32_t address, const Words& words) {
    card.write_words(place, address, words);
    std::copy(words.begin(), words.end(), reference.l1.begin() + address / 4);
  };
  for (const std::uint32_t start : kStarts) write(start, idle);
  write(kStarts[2], poller);
  write(kStarts[4], writer);
  for (std::uint32_t at = 0; at < kStarts[0]; at += 0x800) write(at, {branch(0, 0, 0, 0x800)});
  reference.start({0, kStarts[1], kStarts[2], kStarts[3], kStarts[4]});
  card.write_word(place, ttscope_device::kSoftReset, 0);
  write(kShared + 16, {1});  // the first of the two words that the poller waits for
  for (std::uint32_t turn = 0; turn < 64; ++turn) {
    const std::uint32_t ticks = 30 + turn;
    simulator->clock(ticks);
    reference.clock(ticks);
    EXPECT_EQ(card.read_words(place, kShared, 8),
              Words(reference.l1.begin() + kShared / 4, reference.l1.begin() + kShared / 4 + 8))
        << turn;
    write(kShared + 4, {turn & 1});  // what the writer hands on
  }
}

}  // namespace
}  // namespace ttscope::testing
