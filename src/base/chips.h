#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ttscope {

/// What the runtimes of today set aside, whatever the chip.
inline constexpr std::int64_t kDefaultL1SmallBytes = 65536;  ///< of each core, since November 2025
inline constexpr std::int64_t kDevicePrintBytes = std::int64_t{1} << 20;  ///< of each DRAM bank
inline constexpr std::uint32_t kProfilerBytesPerRisc = 48000;             ///< of DRAM
inline constexpr std::uint32_t kRiscsPerCore = 5;
inline constexpr std::uint32_t kTracePageBytes = 8192;  ///< the trace region takes whole ones of each bank

/// The matrix engine of all chips: LoFi takes one pass over it, HiFi4 four.
inline constexpr double kFlopsPerCyclePerCore = 4096;

/// What all chips of an architecture have alike. A figure of 0 is not known, or nobody asks for it.
struct Architecture {
  std::string_view name;          ///< `wormhole`: how we print it
  std::string_view runtime_name;  ///< `wormhole_b0`: how the runtime and the profiler write it

  // DRAM
  std::uint32_t dram_banks = 0;      ///< of a chip that has all; see Product
  std::int64_t dram_bank_bytes = 0;  ///< the whole bank as the runtime describes it (`dram_channel_size`)
  std::uint32_t dram_alignment_bytes = 0;          ///< of pages in DRAM, and of blocks in every memory
  std::uint32_t profiler_cores_per_dram_bank = 0;  ///< whose profiler buffers share a bank, ethernet included
  /// Sizes of a bank that runtimes of other ages leave to the allocator: without the area for prints of
  /// kernels, without that of the profiler. Today's is dram_bytes_for_buffers().
  std::array<std::int64_t, 2> other_dram_bytes_for_buffers{};

  // L1
  std::int64_t l1_bytes = 0;             ///< of a core, all of it
  std::uint32_t l1_alignment_bytes = 0;  ///< of pages in L1
  std::int64_t l1_base_address = 0;      ///< where buffers begin by the logs of TT-XLA: below it is firmware
  std::int64_t l1_base_address_of_captures = 0;  ///< the same by ttnn's captures, which are of other versions
  /// Sizes of an L1 bank that runtimes of other ages and settings leave to the allocator.
  std::array<std::int64_t, 2> other_l1_bytes_for_buffers{};

  // Cores
  std::uint32_t tensix_columns = 0;  ///< the full grid: nothing is harvested, nothing kept for dispatch
  std::uint32_t tensix_rows = 0;
  std::uint32_t worker_columns = 0;  ///< what programs get of most cards: see Product
  std::uint32_t worker_rows = 0;

  // Speed
  double clock_mhz = 0;        ///< nominal
  double least_clock_mhz = 0;  ///< a clock from here to most_clock_mhz tells the architecture
  double most_clock_mhz = 0;
  double dram_gb_s = 0;            ///< published, of a chip with all banks; 0: there are no peaks
  double dram_gib_s_of_model = 0;  ///< what tt-metal's performance model counts with
  double noc_bytes_per_cycle = 0;  ///< into one core
  double link_gb_s = 0;            ///< one Ethernet link, one direction

  constexpr std::uint32_t tensix_cores() const { return tensix_columns * tensix_rows; }
  constexpr std::uint32_t worker_cores() const { return worker_columns * worker_rows; }
  /// DRAM of each bank that the profiler takes in builds for Tracy.
  constexpr std::int64_t profiler_bytes_per_dram_bank() const {
    return std::int64_t{kProfilerBytesPerRisc} * kRiscsPerCore * profiler_cores_per_dram_bank;
  }
  /// What today's runtime leaves to the allocator: a word for barriers, the profiler and prints come first.
  constexpr std::int64_t dram_bytes_for_buffers() const {
    return dram_bank_bytes - 2 * std::int64_t{dram_alignment_bytes} - profiler_bytes_per_dram_bank() -
           kDevicePrintBytes;
  }
  /// The same of an L1 bank, beside an L1_SMALL of kDefaultL1SmallBytes.
  constexpr std::int64_t l1_bytes_for_buffers() const {
    return l1_bytes - l1_base_address - kDefaultL1SmallBytes;
  }
};

inline constexpr Architecture kGrayskull = {
    .name = "grayskull",
    .runtime_name = "grayskull",
    .dram_banks = 8,
    .dram_bank_bytes = std::int64_t{1} << 30,
    .dram_alignment_bytes = 32,
    .l1_bytes = 1'048'576,
    .l1_alignment_bytes = 16,
    .clock_mhz = 1200,
};

inline constexpr Architecture kWormhole = {
    .name = "wormhole",
    .runtime_name = "wormhole_b0",
    .dram_banks = 12,
    .dram_bank_bytes = std::int64_t{1} << 30,
    .dram_alignment_bytes = 32,
    .profiler_cores_per_dram_bank = 8,
    .other_dram_bytes_for_buffers = {1'073'741'792, 1'071'821'792},
    .l1_bytes = 1'499'136,
    .l1_alignment_bytes = 16,
    .l1_base_address = 103'712,
    .l1_base_address_of_captures = 103'712,
    .other_l1_bytes_for_buffers = {1'395'424, 1'364'928},  // no L1_SMALL; 32 KiB of it (before November 2025)
    .tensix_columns = 8,
    .tensix_rows = 10,
    .worker_columns = 8,
    .worker_rows = 8,
    .clock_mhz = 1000,
    .least_clock_mhz = 900,
    .most_clock_mhz = 1050,
    .dram_gb_s = 288,
    .dram_gib_s_of_model = 258,
    .noc_bytes_per_cycle = 32,
    .link_gb_s = 12.5,
};

inline constexpr Architecture kBlackhole = {
    .name = "blackhole",
    .runtime_name = "blackhole",
    .dram_banks = 8,
    .dram_bank_bytes = 4'278'190'080,  // 16 MiB less than lie behind a DRAM core
    .dram_alignment_bytes = 64,
    .profiler_cores_per_dram_bank = 20,
    .other_dram_bytes_for_buffers = {4'273'390'016, 4'278'190'016},
    .l1_bytes = 1'572'864,
    .l1_alignment_bytes = 16,
    .l1_base_address = 111'104,
    .l1_base_address_of_captures = 111'616,
    .other_l1_bytes_for_buffers = {1'461'248, 0},  // no L1_SMALL
    .tensix_columns = 14,
    .tensix_rows = 10,
    .worker_columns = 11,
    .worker_rows = 10,
    .clock_mhz = 1350,
    .least_clock_mhz = 1200,
    .most_clock_mhz = 1450,
    .dram_gb_s = 512,
    .dram_gib_s_of_model = 512,
    .noc_bytes_per_cycle = 64,
    .link_gb_s = 50,
};

/// Two names of reports that tt-perf-report knows; nothing but peaks is known of them.
inline constexpr Architecture kBh20 = {
    .name = "bh20",
    .runtime_name = "bh20",
    .dram_banks = 8,
    .worker_columns = 20,
    .worker_rows = 1,
    .clock_mhz = 1350,
    .dram_gb_s = 512,
    .noc_bytes_per_cycle = 64,
    .link_gb_s = 50,
};

inline constexpr Architecture kN1 = {
    .name = "n1",
    .runtime_name = "n1",
    .worker_columns = 20,
    .worker_rows = 1,
    .clock_mhz = 650,
    .dram_gb_s = 120,
    .noc_bytes_per_cycle = 64,
    .link_gb_s = 50,
};

inline constexpr std::array<const Architecture*, 5> kArchitectures = {&kGrayskull, &kWormhole, &kBlackhole,
                                                                      &kBh20, &kN1};

/// A card or a box, by its name: how many chips it has and what each of them has.
struct Product {
  std::string_view name;  ///< `n300`
  const Architecture* architecture = nullptr;
  std::uint32_t chips = 1;
  std::uint32_t dram_banks = 0;
  /// Cores whose L1 holds buffers, by the logs of TT-XLA and what the runtime documents.
  std::uint32_t l1_banks = 0;
  /// The same of the simulated device, by ttnn's captures: how much is harvested and kept for dispatch
  /// differs among cards and settings, so that both figures are true of some.
  std::uint32_t simulated_columns = 0;
  std::uint32_t simulated_rows = 0;

  constexpr double dram_gb_s() const {
    return architecture->dram_gb_s * dram_banks / architecture->dram_banks;
  }
};

inline constexpr std::array<Product, 8> kProducts = {{
    // name, architecture, chips, DRAM banks, L1 banks, simulated grid
    {"n150", &kWormhole, 1, 12, 64, 8, 8},
    {"n300", &kWormhole, 2, 12, 64, 8, 7},
    {"t3000", &kWormhole, 8, 12, 64, 8, 7},
    {"galaxy", &kWormhole, 32, 12, 72, 8, 8},
    {"p100", &kBlackhole, 1, 7, 110, 11, 10},
    {"p150", &kBlackhole, 1, 8, 130, 11, 10},
    {"p300", &kBlackhole, 2, 8, 110, 11, 10},
    {"bh-galaxy", &kBlackhole, 32, 8, 130, 11, 10},
}};

/// Null for a name that is none.
constexpr const Product* find_product(std::string_view name) {
  for (const Product& product : kProducts) {
    if (product.name == name) return &product;
  }
  return nullptr;
}

/// By our name or the runtime's. Null for a name that is none.
constexpr const Architecture* find_architecture(std::string_view name) {
  for (const Architecture* architecture : kArchitectures) {
    if (architecture->name == name || architecture->runtime_name == name) return architecture;
  }
  return nullptr;
}

/// Blackhole by its name, else Wormhole: for the two that are simulated and replayed.
constexpr const Architecture& wormhole_or_blackhole(std::string_view name) {
  return find_architecture(name) == &kBlackhole ? kBlackhole : kWormhole;
}

std::vector<std::string_view> product_names();

/// The product that takes over where an input tells nothing but the architecture, or not even that.
constexpr const Product& usual_product(const Architecture& architecture) {
  return *find_product(&architecture == &kBlackhole ? "p150" : "n150");
}

/// What the DRAM tells of the chip: banks of Blackhole are four times as large as those of all others. Sizes
/// that are reserved, or that a test sets aside, do not matter.
constexpr bool is_bank_of_blackhole(std::int64_t dram_bank_bytes) {
  return dram_bank_bytes > 2 * kWormhole.dram_bank_bytes;
}

/// Whether a Blackhole product has so many DRAM banks: 7 or 8. A Grayskull has 8 too.
constexpr bool may_be_blackhole(std::uint32_t dram_banks) {
  for (const Product& product : kProducts) {
    if (product.architecture == &kBlackhole && product.dram_banks == dram_banks) return true;
  }
  return false;
}

/// Whether only a Blackhole has so many L1 banks. 120 are not among them: a Grayskull has as many cores.
constexpr bool only_blackhole_has_l1_banks(std::uint32_t l1_banks) {
  for (const Product& product : kProducts) {
    if (product.architecture == &kBlackhole && product.l1_banks == l1_banks) return true;
  }
  return l1_banks == kBlackhole.tensix_cores();
}

/// Of any chip so far.
constexpr std::int64_t largest_l1_bytes() {
  std::int64_t largest = 0;
  for (const Architecture* architecture : kArchitectures) {
    if (architecture->l1_bytes > largest) largest = architecture->l1_bytes;
  }
  return largest;
}

}  // namespace ttscope
