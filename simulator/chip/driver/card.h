#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "chip/arch.h"
#include "chip/simulator.h"

namespace ttscope::chip {

/// The host's side of one card: reaches tiles through an address window, whatever simulates them. `simulator`
/// must outlive it.
class Card {
 public:
  /// Fails if there is no card of that number or it is of no known kind.
  static Result<Card> open(Simulator& simulator, std::uint32_t number);

  Arch arch() const { return arch_; }
  Simulator& simulator() { return *simulator_; }

  void write(Place tile, std::uint64_t address, std::span<const std::uint8_t> bytes);
  void read(Place tile, std::uint64_t address, std::span<std::uint8_t> bytes);
  void write_word(Place tile, std::uint64_t address, std::uint32_t value);
  std::uint32_t read_word(Place tile, std::uint64_t address);
  void write_words(Place tile, std::uint64_t address, std::span<const std::uint32_t> words);
  std::vector<std::uint32_t> read_words(Place tile, std::uint64_t address, std::size_t count);

  void write_dram(std::uint32_t bank, std::uint64_t address, std::span<const std::uint8_t> bytes);
  void read_dram(std::uint32_t bank, std::uint64_t address, std::span<std::uint8_t> bytes);

  /// Clocks until the word has the value. Error: the simulator's, or that it did not happen within `limit`
  /// ticks. Otherwise the ticks it took, to within the 64 after which the host looks again.
  Result<std::uint64_t> wait_for_word(Place tile, std::uint64_t address, std::uint32_t value,
                                      std::uint64_t limit);

 private:
  Card(Simulator& simulator, Arch arch, std::uint64_t bar) : simulator_(&simulator), arch_(arch), bar_(bar) {}
  /// Points the window at an address; how many bytes can be reached from there.
  std::uint64_t map(Place tile, std::uint64_t address, std::uint64_t& offset);

  Simulator* simulator_;
  Arch arch_;
  std::uint64_t bar_;
  bool mapped_ = false;
  Place mapped_tile_;
  std::uint64_t mapped_page_ = 0;
};

}  // namespace ttscope::chip
