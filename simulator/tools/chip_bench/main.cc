// How many clocks a second a simulator makes: `ttscope-chip-bench [--library LIBTTSIM] [--arch blackhole]
// [--tiles N] [--clocks N]`. The cores count in L1 and work in registers between; with --poll four of five
// wait for a word that never changes, as idle cores do.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ttscope_device/memory_map.h>

#include "chip/driver/card.h"
#include "chip/simulator.h"

namespace {

using namespace ttscope;
using namespace ttscope::chip;

/// Adds 1 to the word at the address in a0 and does six instructions of arithmetic, for ever.
std::vector<std::uint32_t> counting(std::uint32_t risc) {
  return {
      0x00030537 | risc << 12,  // lui  a0, 0x30 + risc
      0x00052583,               // lw   a1, 0(a0)
      0x00158593,               // addi a1, a1, 1
      0x00b52023,               // sw   a1, 0(a0)
      0x00159613,               // slli a2, a1, 1
      0x00c686b3,               // add  a3, a3, a2
      0x00d747b3,               // xor  a5, a4, a3
      0x40f70733,               // sub  a4, a4, a5
      0xfe5ff06f,               // j    -28
  };
}

/// Waits for a word that nobody writes.
std::vector<std::uint32_t> polling() {
  return {
      0x00030537,  // lui a0, 0x30
      0xffc52583,  // lw  a1, -4(a0)
      0xfe058ee3,  // beq a1, x0, -4
      0x0000006f,  // j   0
  };
}

constexpr std::uint32_t kStart[ttscope_device::kRiscCount] = {0, 0x12000, 0x6000, 0xA000, 0xE000};

struct Options {
  std::string library;
  Arch arch = Arch::kWormhole;
  std::uint32_t tiles = 64;
  std::uint32_t clocks = 200'000;
  bool poll = false;
};

int usage() {
  std::fputs(
      "usage: ttscope-chip-bench [--library LIBTTSIM] [--arch wormhole|blackhole] [--tiles N] [--clocks N] "
      "[--poll]\n",
      stderr);
  return 2;
}

bool read_number(std::string_view text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

int run(const Options& options) {
  std::unique_ptr<Simulator> simulator;
  if (options.library.empty()) {
    simulator = embedded_simulator({{.arch = options.arch, .clock = {}, .latency = {}}});
  } else {
    Result<std::unique_ptr<Simulator>> loaded = library_simulator(options.library);
    if (!loaded) return fmt::print(stderr, "{}\n", loaded.error().message), 1;
    simulator = std::move(*loaded);
  }
  Result<Card> card = Card::open(*simulator, 0);
  if (!card) return fmt::print(stderr, "{}\n", card.error().message), 1;
  const std::vector<Place>& places = facts_of(card->arch()).tensix;
  const std::size_t count = std::min<std::size_t>(options.tiles, places.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint32_t risc = 0; risc < ttscope_device::kRiscCount; ++risc) {
      card->write_words(places[i], kStart[risc], options.poll && risc != 0 ? polling() : counting(risc));
    }
    card->write_word(places[i], ttscope_device::kSoftReset, 0);
  }
  simulator->clock(1000);
  const auto begin = std::chrono::steady_clock::now();
  simulator->clock(options.clocks);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::uint32_t counted = card->read_word(places[0], 0x30000);
  if (const std::string error = simulator->error(); !error.empty())
    return fmt::print(stderr, "{}\n", error), 1;
  fmt::print(
      "{} tiles, {} clocks: {:.3f} s, {:.0f} thousand clocks a second, {:.1f} million instructions a second "
      "(counted to {})\n",
      count, options.clocks, seconds, options.clocks / seconds / 1e3,
      options.clocks / seconds * static_cast<double>(count) * 5 / 1e6, counted);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const bool more = i + 1 < argc;
    if (option == "--poll") {
      options.poll = true;
    } else if (option == "--library" && more) {
      options.library = argv[++i];
    } else if (option == "--arch" && more) {
      options.arch = std::string_view(argv[++i]) == "blackhole" ? Arch::kBlackhole : Arch::kWormhole;
    } else if (!(option == "--tiles" && more && read_number(argv[++i], options.tiles)) &&
               !(option == "--clocks" && more && read_number(argv[++i], options.clocks))) {
      return usage();
    }
  }
  return run(options);
}
