#pragma once

#include <ttscope_device/memory_map.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/chips.h"

namespace ttscope::chip {

enum class Arch : std::uint8_t { kWormhole, kBlackhole };

/// A place on the first network (NOC0), in physical coordinates.
struct Place {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  friend bool operator==(const Place&, const Place&) = default;
  // NOLINTNEXTLINE(modernize-use-nullptr): the tool takes the 0 that is compared with for a pointer
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// One DRAM bank: the place by which it is reached and where it begins there.
struct DramBank {
  Place place;
  std::uint64_t offset = 0;
};

/// What a chip of an architecture consists of; nothing is harvested.
struct ArchFacts {
  Arch arch;
  const Architecture* architecture;  ///< its sizes and alignments
  std::uint32_t pci_id;              ///< device << 16 | vendor
  const ttscope_device::ArchMap* map;
  std::uint32_t columns;
  std::uint32_t rows;
  std::vector<Place> tensix;    ///< row by row, in the order in which they are stepped
  std::vector<Place> ethernet;  ///< the same
  std::vector<DramBank> dram;
  std::uint32_t eth_l1_bytes;
  std::uint64_t dram_view_bytes;  ///< memory behind one DRAM place
};

const ArchFacts& facts_of(Arch arch);

/// The place that a coordinate of a command or a window means: physical or translated, on either network. On
/// Wormhole physical coordinates of the second network count from the opposite corner; on Blackhole they are
/// the same on both.
std::optional<Place> resolve(Arch arch, std::uint32_t noc, Place given);

/// The coordinate that a tile has by the translation tables.
Place translated(Arch arch, Place physical);

/// What a table of banks holds for a network.
Place dram_coordinate(Arch arch, std::uint32_t noc, const DramBank& bank);

/// The profiler numbers Tensix and ethernet cores together, by column and then by row.
std::uint32_t flat_id(Arch arch, Place place);
std::uint32_t cores_per_dram_bank(Arch arch);

}  // namespace ttscope::chip
