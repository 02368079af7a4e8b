#include "chip/runtime/device.h"

#include <fmt/format.h>

#include <algorithm>

#include <ttscope_device/memory_map.h>
#include <ttscope_device/profiler_layout.h>

namespace ttscope::chip {

namespace {

namespace device = ttscope_device;

constexpr std::uint64_t kBootLimit = 1'000'000;

/// `jal x0, target` at address 0.
constexpr std::uint32_t jump_from_zero(std::uint32_t target) {
  return 0x6F | (target & 0xFF000) | (target >> 11 & 1) << 20 | (target >> 1 & 0x3FF) << 21 |
         (target >> 20 & 1) << 31;
}

device::BankTable bank_table(Arch arch) {
  const ArchFacts& facts = facts_of(arch);
  device::BankTable table{};
  table.dram_banks = static_cast<std::uint32_t>(facts.dram.size());
  for (std::size_t bank = 0; bank < facts.dram.size(); ++bank) {
    for (std::uint32_t noc = 0; noc < 2; ++noc) {
      const Place place = dram_coordinate(arch, noc, facts.dram[bank]);
      table.dram_coordinate[noc][bank] = place.x | place.y << 6;
    }
    table.dram_offset[bank] = static_cast<std::uint32_t>(facts.dram[bank].offset);
  }
  return table;
}

template <typename T>
std::span<const std::uint8_t> bytes_of(const T& value) {
  return {reinterpret_cast<const std::uint8_t*>(&value), sizeof(T)};
}

void add_new(std::vector<ZoneName>& zones, const std::vector<ZoneName>& more) {
  for (const ZoneName& zone : more) {
    const bool known =
        std::any_of(zones.begin(), zones.end(), [&](const ZoneName& other) { return other.key == zone.key; });
    if (!known) zones.push_back(zone);
  }
}

}  // namespace

Device::Device(Card& card, Compiler& compiler, const ProfilerBuild& profiler,
               std::optional<std::uint32_t> dram_address)
    : card_(&card),
      compiler_(&compiler),
      profiler_(profiler),
      dram_address_(dram_address.value_or(facts_of(card.arch()).map->dram_profiler)) {}

std::uint32_t Device::control_address(const BootedCore& core) const {
  const device::ArchMap& map = *facts_of(arch()).map;
  return core.ethernet ? map.eth_profiler : map.profiler;
}

Device::Region Device::region(const BootedCore& core, std::uint32_t risc) const {
  const std::uint32_t per_bank = cores_per_dram_bank(arch());
  const std::uint64_t number = core.flat_id % per_bank * device::kRiscCount + risc;
  return {core.flat_id / per_bank, dram_address_ + number * profiler_.region_bytes};
}

std::uint64_t Device::profiler_bytes_per_bank() const {
  return std::uint64_t{cores_per_dram_bank(arch())} * device::kRiscCount * profiler_.region_bytes;
}

void Device::load(Place place, const Image& image) {
  for (const Segment& segment : image.segments) card_->write(place, segment.address, segment.bytes);
}

void Device::reset_control(const BootedCore& core) {
  std::array<std::uint32_t, device::kControlWords> words{};
  words[device::kDramAddress] = dram_address_;
  words[device::kFlatId] = core.flat_id;
  words[device::kCoresPerBank] = cores_per_dram_bank(arch());
  for (std::uint32_t i = device::kDumpAddress; i < device::kControlWords; ++i) words[i] = dram_address_;
  card_->write_words(core.place, control_address(core), words);
}

Result<void> Device::load_firmware(const BootedCore& core) {
  const std::uint32_t count = core.ethernet ? 1u : static_cast<std::uint32_t>(device::kRiscCount);
  for (std::uint32_t risc = 0; risc < count; ++risc) {
    const Processor processor = core.ethernet ? Processor::kIdleErisc : static_cast<Processor>(risc);
    auto found = firmware_.find(processor);
    if (found == firmware_.end()) {
      Result<Binary> binary = compiler_->firmware(arch(), processor, profiler_);
      if (!binary) return tl::unexpected(binary.error());
      add_new(zones_, binary->zones);
      found = firmware_.emplace(processor, std::move(*binary)).first;
    }
    load(core.place, found->second.image);
  }
  const std::uint32_t mailbox = facts_of(arch()).map->mailbox;
  const std::vector<std::uint32_t> zeroes(device::kBanks / 4, 0);
  card_->write_words(core.place, mailbox, zeroes);
  card_->write(core.place, mailbox + device::kBanks, bytes_of(bank_table(arch())));
  card_->write_word(core.place, mailbox + device::kGoWord, device::kBooting);
  card_->write_word(core.place, 0, jump_from_zero(device::kFirmware[0]));
  return {};
}

Result<void> Device::boot(const std::vector<Place>& places) {
  const ArchFacts& facts = facts_of(arch());
  for (Place place : places) {
    const bool tensix = std::find(facts.tensix.begin(), facts.tensix.end(), place) != facts.tensix.end();
    const bool ethernet =
        std::find(facts.ethernet.begin(), facts.ethernet.end(), place) != facts.ethernet.end();
    if (!tensix && !ethernet) {
      return failure(bad_input(fmt::format("({},{}) is no core of a {} chip", place.x, place.y, facts.name)));
    }
    const BootedCore core = {place, ethernet, flat_id(arch(), place)};
    if (Result<void> loaded = load_firmware(core); !loaded) return loaded;
    reset_control(core);
    card_->write_word(place, device::kSoftReset,
                      card_->read_word(place, device::kSoftReset) & ~device::kResetAll);
    cores_.push_back(core);
  }
  for (Place place : places) {
    Result<std::uint64_t> ready =
        card_->wait_for_word(place, facts.map->mailbox + device::kGoWord, device::kDone, kBootLimit);
    if (!ready) return failure(bad_input("the firmware did not start: " + ready.error().message));
  }
  return {};
}

void Device::start(const std::vector<Launch>& launches) {
  const std::uint32_t mailbox = facts_of(arch()).map->mailbox;
  for (const Launch& launch : launches) {
    device::LaunchMessage message{};
    message.enables = launch.enables;
    message.host_id = launch.host_id;
    for (std::uint32_t risc = 0; risc < device::kRiscCount; ++risc) {
      if (launch.kernels[risc] == nullptr) continue;
      load(launch.core, launch.kernels[risc]->image);
      message.entry[risc] = launch.kernels[risc]->image.entry;
    }
    card_->write(launch.core, mailbox + device::kLaunch, bytes_of(message));
  }
  for (const Launch& launch : launches)
    card_->write_word(launch.core, mailbox + device::kGoWord, device::kGo);
}

Result<void> Device::wait(const std::vector<Place>& places, std::uint64_t limit) {
  for (Place place : places) {
    Result<std::uint64_t> done =
        card_->wait_for_word(place, facts_of(arch()).map->mailbox + device::kGoWord, device::kDone, limit);
    if (!done) return tl::unexpected(done.error());
  }
  return {};
}

Result<void> Device::replay_trace(const std::vector<Place>& places) {
  for (Place place : places)
    card_->write_word(place, facts_of(arch()).map->mailbox + device::kGoWord, device::kReplayTrace);
  return wait(places);
}

}  // namespace ttscope::chip
