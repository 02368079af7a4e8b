// Any words as a program of the five cores of a tile: they run or stop with a reason, the same way each time.
#include <algorithm>
#include <vector>

#include <ttscope_device/memory_map.h>

#include "chip/arch.h"
#include "chip/machine/tile.h"
#include "fuzz/fuzz_target.h"

namespace ttscope {
namespace {

using chip::Tile;

/// Runs a program in steps of some ticks; NoC commands are refused. What the tile says in the end.
std::string run(std::string_view text, std::uint64_t step) {
  Tile tile(chip::Arch::kWormhole, {1, 1}, 0, {});
  for (std::uint32_t start : {0u, 0x6000u, 0xA000u, 0xE000u, 0x12000u}) {
    tile.write_l1(start, text.data(), static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), 0x1000)));
  }
  tile.write_register(ttscope_device::kSoftReset, 0, 0);
  for (std::uint64_t time = step; time <= 512 && tile.fault().empty(); time += step) {
    tile.checkpoint(time);
    while (tile.run_until(time) == Tile::Stop::kCommand) tile.command_done();
  }
  return tile.fault();
}

TTSCOPE_FUZZ_TARGET(chip_code) {
  for (std::size_t i = 0; i + 4 <= text.size(); i += 4) {
    std::uint32_t word = 0;
    std::copy_n(text.data() + i, 4, reinterpret_cast<char*>(&word));
    const chip::rv32::Instruction in = chip::rv32::decode(word, 4096);
    fuzz::require(in.rd <= chip::rv32::kDiscardRegister && in.rs1 < 32 && in.rs2 < 32, "registers are there");
  }
  fuzz::require(run(text, 256) == run(text, 256), "the same program does the same");
}

}  // namespace
}  // namespace ttscope
