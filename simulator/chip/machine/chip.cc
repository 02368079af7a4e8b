#include "chip/machine/chip.h"

#include <fmt/format.h>
#include <ttscope_device/memory_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace ttscope::chip {
namespace {

namespace device = ttscope_device;

constexpr std::uint64_t kMinQuantum = 64;

// Bits of a command's control word.
constexpr std::uint32_t kAtomic = 1u << 0;
constexpr std::uint32_t kWrite = 1u << 1;
constexpr std::uint32_t kInline = 1u << 3;
constexpr std::uint32_t kAnswer = 1u << 4;
constexpr std::uint32_t kMulticast = 1u << 5;
constexpr std::uint32_t kWithSource = 1u << 17;
constexpr std::uint32_t kIncrement = 0x107C;

struct Address {
  Place coordinate;
  std::uint64_t local = 0;
};

Address address_of(Arch arch, std::uint32_t low, std::uint32_t mid, std::uint32_t high) {
  const std::uint64_t whole = std::uint64_t{mid} << 32 | low;
  const std::uint32_t coordinate = arch == Arch::kWormhole ? static_cast<std::uint32_t>(whole >> 36) : high;
  const std::uint64_t local = arch == Arch::kWormhole ? whole & ((std::uint64_t{1} << 36) - 1) : whole;
  return {{coordinate & 63, coordinate >> 6 & 63}, local};
}

bool is_in_range(std::uint64_t address, std::uint64_t bytes, std::uint64_t room) {
  return address <= room && bytes <= room - address;
}

std::span<const std::uint8_t> bytes_of_word(const std::uint32_t& word) {
  return {reinterpret_cast<const std::uint8_t*>(&word), 4};
}

/// Nanoseconds to ticks of a clock whose frequency changes evenly.
std::uint64_t ticks_at(const ClockModel& clock, std::uint64_t nanoseconds) {
  if (clock.frequency_mhz == 1000 && clock.drift_ppm_per_second == 0) return nanoseconds;
  const long double time = static_cast<long double>(nanoseconds);
  const long double drift = static_cast<long double>(clock.drift_ppm_per_second) * 1e-6L * time * 1e-9L / 2;
  return static_cast<std::uint64_t>(
      std::floor(time * static_cast<long double>(clock.frequency_mhz) / 1000 * (1 + drift)));
}

}  // namespace

Chip::Chip(Arch arch, const ClockModel& clock, const Latency& latency)
    : arch_(arch), facts_(&facts_of(arch)), clock_(clock), latency_(latency) {
  const auto add = [&](Place place) {
    tiles_.push_back(std::make_unique<Tile>(arch, place, static_cast<std::uint32_t>(tiles_.size()), latency));
    tiles_.back()->set_clock_offset(clock.offset_cycles);
    tile_at_.emplace(place, tiles_.back().get());
  };
  for (Place place : facts_->tensix) add(place);
  for (Place place : facts_->ethernet) add(place);
  for (const DramBank& bank : facts_->dram) dram_at_.try_emplace(bank.place, facts_->dram_view_bytes);
}

Chip::Endpoint Chip::endpoint_at(Place physical) {
  if (const auto tile = tile_at_.find(physical); tile != tile_at_.end()) return {tile->second, nullptr};
  if (const auto dram = dram_at_.find(physical); dram != dram_at_.end()) return {nullptr, &dram->second};
  return {};
}

std::uint64_t Chip::instructions() const {
  std::uint64_t sum = 0;
  for (const auto& tile : tiles_) sum += tile->instructions();
  return sum;
}

std::uint64_t Chip::rewinds() const {
  std::uint64_t sum = 0;
  for (const auto& tile : tiles_) sum += tile->rewinds();
  return sum;
}

// Time
// --------------------------------------------------------------------------------------------------------------

void Chip::run_to(std::uint64_t nanoseconds) { run_until(ticks_at(clock_, nanoseconds)); }

void Chip::run_until(std::uint64_t end) {
  while (now_ < end && fault_.empty()) {
    const bool busy =
        std::any_of(tiles_.begin(), tiles_.end(), [](const auto& tile) { return tile->busy(); });
    if (!busy) {
      now_ = end;
      return;
    }
    const std::uint64_t before = rewinds();
    const std::uint64_t until = std::min(end, now_ + quantum_);
    run_quantum(until);
    now_ = until;
    // Tiles that talk to each other would run ahead in vain.
    quantum_ = rewinds() - before > 8 ? std::max(kMinQuantum, quantum_ / 2)
                                      : std::min(Tile::kMaxQuantum, quantum_ * 2);
  }
}

/// Every tile runs to the end of the quantum or to its next NoC command; commands are carried out in the
/// order of time, and a tile that they touch is brought back to that moment first.
void Chip::run_quantum(std::uint64_t end) {
  ++stamp_;
  std::vector<Tile*> waiting;
  const auto go_on = [&](Tile& tile) {
    if (tile.run_until(end) == Tile::Stop::kCommand) waiting.push_back(&tile);
  };
  for (const auto& tile : tiles_) {
    if (!tile->busy()) continue;
    tile->checkpoint(stamp_);
    go_on(*tile);
  }
  while (!waiting.empty()) {
    const auto first = std::min_element(waiting.begin(), waiting.end(), [](const Tile* a, const Tile* b) {
      return a->command_time() != b->command_time() ? a->command_time() < b->command_time()
                                                    : a->order() < b->order();
    });
    Tile& tile = **first;
    waiting.erase(first);
    rewound_tiles_.clear();
    if (const std::string wrong = execute(tile); !wrong.empty()) {
      tile.command_failed(wrong);
    } else {
      tile.command_done();
    }
    tile.checkpoint(stamp_);
    go_on(tile);
    for (Tile* other : rewound_tiles_) {
      std::erase(waiting, other);
      go_on(*other);
    }
  }
  // Only now: what a tile did ahead of others may have been undone.
  for (const auto& tile : tiles_) {
    if (fault_.empty()) fault_ = tile->fault();
  }
}

std::uint64_t Chip::synchronize_tile(Tile& tile, const Tile& from, std::uint64_t time) {
  const std::uint64_t visible = time + (tile.order() < from.order() ? 1 : 0);
  if (tile.stamp() == stamp_) {  // otherwise it has done nothing in this quantum
    tile.rewind();
    tile.run_until(visible);
  }
  if (std::find(rewound_tiles_.begin(), rewound_tiles_.end(), &tile) == rewound_tiles_.end())
    rewound_tiles_.push_back(&tile);
  return visible;
}

void Chip::store(Tile& tile, Tile& from, std::uint32_t address, std::span<const std::uint8_t> data) {
  const auto bytes = static_cast<std::uint32_t>(data.size());
  if (&tile == &from) {
    tile.wake_for_command(address, bytes);
    tile.write_l1(address, data.data(), bytes);
    return;
  }
  const std::uint64_t visible = synchronize_tile(tile, from, from.command_time());
  tile.wake(address, bytes, visible);
  tile.run_until(visible);
  tile.write_l1(address, data.data(), bytes);
  tile.checkpoint(stamp_);
}

std::uint64_t Chip::arrival(const Tile& from, Place to, std::uint32_t bytes, std::uint64_t time) const {
  const auto distance = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
  const std::uint64_t hops = distance(from.place().x, to.x) + distance(from.place().y, to.y);
  const std::uint64_t transfer = latency_.noc_bytes_per_tick == 0 ? 0 : bytes / latency_.noc_bytes_per_tick;
  return time + latency_.noc_base + 2 * hops * latency_.noc_per_hop + transfer;
}

// Commands
// ----------------------------------------------------------------------------------------------------------

/// What is wrong with a transfer; empty: nothing.
std::string Chip::transfer_error(const Tile& from, const Transfer& job) const {
  const std::uint32_t bytes = from.command().length;
  if (bytes == 0 || bytes > facts_->map->noc_packet_bytes) {
    return fmt::format("a NoC transfer of {} bytes (1 to {} are possible)", bytes,
                       facts_->map->noc_packet_bytes);
  }
  const bool from_dram = !job.is_write && job.spot.dram != nullptr;
  const std::uint32_t alignment =
      from_dram ? facts_->architecture->dram_alignment_bytes : facts_->architecture->l1_alignment_bytes;
  if (job.remote % alignment != job.local % alignment) {
    return fmt::format("a NoC transfer between {:#x} and {:#x}: the addresses must agree modulo {}",
                       job.remote, job.local, alignment);
  }
  const std::uint64_t room =
      job.spot.tile != nullptr ? job.spot.tile->l1_bytes() : job.spot.dram->size_bytes();
  if (!is_in_range(job.remote, bytes, room) || !is_in_range(job.local, bytes, from.l1_bytes())) {
    return fmt::format("a NoC transfer of {} bytes between {:#x} and {:#x} outside of memory", bytes,
                       job.remote, job.local);
  }
  return {};
}

void Chip::write_remote(Tile& from, const Transfer& job) {
  const NocCommand& command = from.command();
  const std::uint64_t now = from.command_time();
  std::vector<std::uint8_t> data(command.length);
  from.read_l1(static_cast<std::uint32_t>(job.local), data.data(), command.length);
  if (job.spot.dram != nullptr) {
    job.spot.dram->write(job.remote, data.data(), command.length);
  } else {
    store(*job.spot.tile, from, static_cast<std::uint32_t>(job.remote), data);
  }
  NocPort& port = from.port(from.command_noc());
  if (command.control & kAnswer) {
    ++port.writes_sent;
    port.answer(NocAnswer::kWriteAck, now, arrival(from, job.to, command.length, now));
  } else {
    ++port.posted_writes_sent;
  }
}

void Chip::read_remote(Tile& from, const Transfer& job) {
  const std::uint32_t bytes = from.command().length;
  const std::uint64_t now = from.command_time();
  std::vector<std::uint8_t> data(bytes);
  if (job.spot.dram != nullptr) {
    job.spot.dram->read(job.remote, data.data(), bytes);
  } else {
    if (job.spot.tile != &from) synchronize_tile(*job.spot.tile, from, now);
    job.spot.tile->read_l1(static_cast<std::uint32_t>(job.remote), data.data(), bytes);
  }
  store(from, from, static_cast<std::uint32_t>(job.local), data);
  from.port(from.command_noc()).answer(NocAnswer::kRead, now, arrival(from, job.to, bytes, now));
}

std::string Chip::write_multicast(Tile& from, std::uint32_t coordinates, std::uint64_t remote,
                                  std::uint64_t local) {
  const std::uint32_t noc = from.command_noc();
  const std::uint32_t control = from.command().control;
  const auto corner = [&](std::uint32_t packed) {
    return resolve(arch_, noc, {packed & 63, packed >> 6 & 63});
  };
  const std::optional<Place> end = corner(coordinates);
  const std::optional<Place> start = corner(coordinates >> 12);
  if (!start || !end) return "a NoC multicast to a place where no tile is";
  const auto [x0, x1] = std::minmax(start->x, end->x);
  const auto [y0, y1] = std::minmax(start->y, end->y);
  std::vector<Transfer> jobs;
  for (std::uint32_t y = y0; y <= y1; ++y) {
    for (std::uint32_t x = x0; x <= x1; ++x) {
      const Endpoint spot = endpoint_at({x, y});
      if (spot.tile == nullptr || spot.tile->ethernet()) continue;  // columns and rows without workers
      if (spot.tile == &from && !(control & kWithSource)) continue;
      jobs.push_back({spot, {x, y}, remote, local, true});
      if (std::string wrong = transfer_error(from, jobs.back()); !wrong.empty()) return wrong;
    }
  }
  const std::uint32_t bytes = from.command().length;
  const std::uint64_t now = from.command_time();
  std::vector<std::uint8_t> data(bytes);
  from.read_l1(static_cast<std::uint32_t>(local), data.data(), bytes);
  NocPort& port = from.port(noc);
  for (const Transfer& job : jobs) {
    store(*job.spot.tile, from, static_cast<std::uint32_t>(remote), data);
    if (control & kAnswer) port.answer(NocAnswer::kWriteAck, now, arrival(from, job.to, bytes, now));
  }
  ++(control & kAnswer ? port.writes_sent : port.posted_writes_sent);  // one request, an answer from each
  return {};
}

std::string Chip::increment(Tile& from, const Endpoint& spot, std::uint64_t address, std::uint32_t back) {
  const NocCommand& command = from.command();
  if (command.length != kIncrement || spot.tile == nullptr || address % 4 != 0 || back % 4 != 0 ||
      !is_in_range(address, 4, spot.tile->l1_bytes()) || !is_in_range(back, 4, from.l1_bytes())) {
    return fmt::format("an atomic command {:#x} on {:#x}: only increments of words in L1 are possible",
                       command.length, address);
  }
  const std::uint64_t now = from.command_time();
  const std::uint32_t far = static_cast<std::uint32_t>(address);
  if (spot.tile != &from) synchronize_tile(*spot.tile, from, now);
  std::uint32_t old_value = 0;
  spot.tile->read_l1(far, &old_value, 4);
  const std::uint32_t value = old_value + command.data;
  store(*spot.tile, from, far, bytes_of_word(value));
  store(from, from, back, bytes_of_word(old_value));
  NocPort& port = from.port(from.command_noc());
  if (command.control & kAnswer) {
    port.answer(NocAnswer::kAtomic, now, arrival(from, spot.tile->place(), 4, now));
  } else {
    ++port.posted_atomics_sent;
  }
  return {};
}

/// Carries out the command at which a tile waits. Empty: it was right.
std::string Chip::execute(Tile& from) {
  const NocCommand& command = from.command();
  const std::uint32_t noc = from.command_noc();
  if (command.control & kInline) return "inline NoC commands are not simulated";
  const Address target = address_of(arch_, command.target_low, command.target_mid, command.target_high);
  const Address back = address_of(arch_, command.back_low, command.back_mid, command.back_high);
  const bool is_write = (command.control & (kAtomic | kWrite)) == kWrite;
  if (command.control & kMulticast) {
    if (!is_write) return "multicast NoC commands other than writes are not simulated";
    const std::uint32_t coordinates =
        arch_ == Arch::kWormhole ? command.back_mid >> 4 : command.back_high;  // both corners
    return write_multicast(from, coordinates, back.local, target.local);
  }
  const Address& remote = is_write ? back : target;
  const std::optional<Place> place = resolve(arch_, noc, remote.coordinate);
  const Endpoint spot = place ? endpoint_at(*place) : Endpoint{};
  if (spot.tile == nullptr && spot.dram == nullptr) {
    return fmt::format("a NoC command to ({},{}), where no tile is", remote.coordinate.x,
                       remote.coordinate.y);
  }
  if (command.control & kAtomic)
    return increment(from, spot, target.local, static_cast<std::uint32_t>(back.local));
  const Transfer job = {spot, *place, remote.local, is_write ? target.local : back.local, is_write};
  if (std::string wrong = transfer_error(from, job); !wrong.empty()) return wrong;
  if (is_write) {
    write_remote(from, job);
  } else {
    read_remote(from, job);
  }
  return {};
}

// The host
// ----------------------------------------------------------------------------------------------------------

bool Chip::read(Place given, std::uint64_t address, void* to, std::uint32_t bytes) {
  const std::optional<Place> place = resolve(arch_, 0, given);
  const Endpoint spot = place ? endpoint_at(*place) : Endpoint{};
  if (spot.dram != nullptr && spot.dram->holds(address, bytes)) {
    spot.dram->read(address, to, bytes);
  } else if (spot.tile != nullptr && is_in_range(address, bytes, spot.tile->l1_bytes())) {
    spot.tile->read_l1(static_cast<std::uint32_t>(address), to, bytes);
  } else if (spot.tile != nullptr && address >= device::kPrivateMemory && address <= 0xFFFFFFFC &&
             bytes == 4) {
    const std::uint32_t value = spot.tile->read_register(static_cast<std::uint32_t>(address), now_);
    std::memcpy(to, &value, 4);
  } else {
    if (fault_.empty())
      fault_ = fmt::format("the host read {} bytes at {:#x} of ({},{}), where nothing is", bytes, address,
                           given.x, given.y);
    return false;
  }
  return true;
}

bool Chip::write(Place given, std::uint64_t address, const void* from, std::uint32_t bytes) {
  const std::optional<Place> place = resolve(arch_, 0, given);
  const Endpoint spot = place ? endpoint_at(*place) : Endpoint{};
  if (spot.dram != nullptr && spot.dram->holds(address, bytes)) {
    spot.dram->write(address, from, bytes);
  } else if (spot.tile != nullptr && is_in_range(address, bytes, spot.tile->l1_bytes())) {
    const std::uint32_t at = static_cast<std::uint32_t>(address);
    spot.tile->wake(at, bytes, now_);
    spot.tile->run_until(now_);
    spot.tile->write_l1(at, from, bytes);
  } else if (spot.tile != nullptr && address >= device::kPrivateMemory && address <= 0xFFFFFFFC &&
             bytes == 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, from, 4);
    spot.tile->write_register(static_cast<std::uint32_t>(address), value, now_);
  } else {
    if (fault_.empty())
      fault_ = fmt::format("the host wrote {} bytes at {:#x} of ({},{}), where nothing is", bytes, address,
                           given.x, given.y);
    return false;
  }
  return true;
}

}  // namespace ttscope::chip
