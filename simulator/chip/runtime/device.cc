#include "chip/runtime/device.h"

#include <fmt/format.h>
#include <ttscope_device/memory_map.h>
#include <ttscope_device/profiler_layout.h>

#include <algorithm>

#include "base/encoding.h"
#include "base/writer.h"

namespace ttscope::chip {
namespace {

constexpr std::uint32_t kSumMarkers = 2;

}  // namespace

ProfilerRegion profiler_region(std::uint32_t programs, bool sums) {
  // A program without markers of its own sends ids and slots; with sums also those.
  const std::uint32_t program_bytes = 4 * ttscope_device::kGuaranteedWords + (sums ? 8 * kSumMarkers : 0);
  const std::uint32_t buffer_bytes = 4 * ttscope_device::kBufferWords;
  ProfilerRegion region;
  region.programs = programs;
  if (programs <= buffer_bytes / program_bytes) {
    region.programs = (buffer_bytes + program_bytes - 1) / program_bytes;
    region.warning = fmt::format(
        "Profiler program support count must be >= {}. Increasing program support count from {} to {}.",
        region.programs, programs, region.programs);
  }
  region.bytes = program_bytes * region.programs;
  return region;
}

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
      return failure(bad_input(fmt::format("({},{}) is no core of a {} chip", place.x, place.y,
                                           facts.architecture->runtime_name)));
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

namespace {

/// What follows the buffers and the words in DRAM: shows that nothing was written there.
constexpr std::uint32_t kAfterBytes = 64;
constexpr std::uint32_t kSpareBytes = 128;

JsonTree number(std::uint64_t value) { return JsonTree::integer(static_cast<std::int64_t>(value)); }

template <typename... Items>
JsonTree list(Items... items) {
  JsonTree out = JsonTree::array();
  (out.items().push_back(std::move(items)), ...);
  return out;
}

JsonTree place_of(Place place) { return list(number(place.x), number(place.y)); }

JsonTree defines_of(const ProfilerBuild& profiler) {
  JsonTree out = JsonTree::array();
  const auto add = [&](std::string text) { out.items().push_back(JsonTree::text(std::move(text))); };
  add(fmt::format("PROFILE_KERNEL={}", profiler.flags));
  if (profiler.noc_events) add("PROFILE_NOC_EVENTS=1");
  if (profiler.debug_dump) add("DEVICE_DEBUG_DUMP=1");
  add(fmt::format("PROFILER_FULL_HOST_BUFFER_SIZE_PER_RISC={}", profiler.region_bytes));
  return out;
}

JsonTree zones_of(const std::vector<ZoneName>& zones) {
  JsonTree out = JsonTree::array();
  for (const ZoneName& zone : zones) {
    JsonTree one = JsonTree::object();
    one.set("id", number(zone.id));
    one.set("name", JsonTree::text(zone.name));
    one.set("file", JsonTree::text(zone.file));
    one.set("line", number(zone.line));
    one.set("key", JsonTree::text(zone.key));
    out.items().push_back(std::move(one));
  }
  return out;
}

/// The files of all programs, each once.
JsonTree kernels_of(const JsonTree& programs) {
  JsonTree out = JsonTree::array();
  for (const JsonTree& program : programs.items()) {
    const JsonTree* kernels = program.find("kernels");
    if (kernels == nullptr) continue;
    for (const JsonTree& file : kernels->items()) {
      const auto known = [&](const JsonTree& other) { return other.content() == file.content(); };
      if (std::none_of(out.items().begin(), out.items().end(), known)) out.items().push_back(file);
    }
  }
  return out;
}

std::uint32_t buffers_of(const BootedCore& core) {
  return core.ethernet ? 1u : static_cast<std::uint32_t>(device::kRiscCount);
}

}  // namespace

RawDump::RawDump(Device& device, std::string_view run, std::string_view title) : device_(&device), run_(run) {
  const ArchFacts& facts = facts_of(device.arch());
  root_.set("run", JsonTree::text(std::string(run)));
  root_.set("title", JsonTree::text(std::string(title)));
  root_.set("arch", JsonTree::text(std::string(facts.architecture->runtime_name)));
  root_.set("defines", defines_of(device.profiler()));
}

JsonTree RawDump::kept(std::span<const std::uint8_t> bytes) {
  JsonTree span = list(number(raw_.size()), number(bytes.size()));
  raw_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return span;
}

JsonTree RawDump::l1(const BootedCore& core, std::uint32_t address, std::uint32_t bytes) {
  std::vector<std::uint8_t> data(bytes);
  device_->card().read(core.place, address, data);
  return kept(data);
}

JsonTree RawDump::dram(const BootedCore& core, std::uint32_t risc_count) {
  JsonTree out = JsonTree::array();
  const std::vector<std::uint32_t> ends =
      device_->card().read_words(core.place, device_->control_address(core), risc_count);
  for (std::uint32_t risc = 0; risc < risc_count; ++risc) {
    const Device::Region region = device_->region(core, risc);
    const std::uint64_t used = std::uint64_t{4} * ends[risc] + kSpareBytes;
    std::vector<std::uint8_t> data(std::min<std::uint64_t>(used, device_->profiler().region_bytes));
    if (device_->dram_address() != 0) device_->card().read_dram(region.bank, region.address, data);
    out.items().push_back(kept(data));
  }
  return out;
}

void RawDump::device(std::uint32_t number_of_device, double clock_mhz) {
  root_.set("device", number(number_of_device));
  root_.set("clock_mhz", number(static_cast<std::uint64_t>(clock_mhz)));
}

void RawDump::program(JsonTree program) {
  timeline_.items().push_back(list(JsonTree::text("program"), number(programs_.items().size())));
  programs_.items().push_back(std::move(program));
}

void RawDump::event(std::string_view name) {
  timeline_.items().push_back(list(JsonTree::text(std::string(name))));
}

void RawDump::snapshot(const BootedCore& core, std::string_view label) {
  const std::uint32_t control = device_->control_address(core);
  const std::uint32_t count = buffers_of(core);
  const std::uint32_t buffers = control + 4 * device::kControlWords;
  if (snapshots_.items().empty()) {
    const Device::Region first = device_->region(core, 0);
    const DramBank& bank = facts_of(device_->arch()).dram[first.bank];
    JsonTree where = JsonTree::object();
    where.set("noc0", place_of(core.place));
    where.set("flat_id", number(core.flat_id));
    root_.set("core", std::move(where));
    if (core.ethernet) root_.set("core_type", JsonTree::text("idle_eth"));
    root_.set("riscs", JsonTree::array());
    for (const char* name : {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2"}) {
      if (!core.ethernet) root_.find("riscs")->items().push_back(JsonTree::text(name));
    }
    if (core.ethernet) root_.find("riscs")->items().push_back(JsonTree::text("erisc"));
    root_.set("control_base", number(control));
    root_.set("buffer_base", number(buffers));
    JsonTree dram_facts = JsonTree::object();
    dram_facts.set("base", number(facts_of(device_->arch()).map->dram_profiler));
    dram_facts.set("bytes_per_risc", number(device_->profiler().region_bytes));
    dram_facts.set("cores_per_bank", number(cores_per_dram_bank(device_->arch())));
    dram_facts.set("bank", number(first.bank));
    dram_facts.set("bank_noc0", place_of(dram_coordinate(device_->arch(), 0, bank)));
    dram_facts.set("bank_offset", number(bank.offset));
    dram_facts.set("region0_offset_in_bank", number(first.address - device_->dram_address()));
    root_.set("dram", std::move(dram_facts));
    root_.set("dram_address_word", number(device_->dram_address()));
  }
  timeline_.items().push_back(list(JsonTree::text("snapshot"), number(snapshots_.items().size())));
  JsonTree one = JsonTree::object();
  one.set("label", JsonTree::text(std::string(label)));
  const std::uint64_t high = device_->card().read_word(core.place, device::kClockHigh);
  one.set("clock", number(high << 32 | device_->card().read_word(core.place, device::kClockLow)));
  one.set("control", l1(core, control, 4 * device::kControlWords));
  one.set("buffers", l1(core, buffers, 4 * count * device::kBufferWords));
  if (!core.ethernet)
    one.set("after_buffers", l1(core, buffers + 4 * count * device::kBufferWords, kAfterBytes));
  one.set("dram", dram(core, count));
  snapshots_.items().push_back(std::move(one));
}

void RawDump::cores(const std::vector<BootedCore>& cores) {
  JsonTree dram_facts = JsonTree::object();
  dram_facts.set("base", number(facts_of(device_->arch()).map->dram_profiler));
  dram_facts.set("bytes_per_risc", number(device_->profiler().region_bytes));
  dram_facts.set("cores_per_bank", number(cores_per_dram_bank(device_->arch())));
  root_.set("riscs", list(JsonTree::text("brisc"), JsonTree::text("ncrisc"), JsonTree::text("trisc0"),
                          JsonTree::text("trisc1"), JsonTree::text("trisc2")));
  root_.set("dram", std::move(dram_facts));
  JsonTree list_of_cores = JsonTree::array();
  for (const BootedCore& core : cores) {
    JsonTree one = JsonTree::object();
    one.set("noc0", place_of(core.place));
    one.set("flat_id", number(core.flat_id));
    one.set("bank", number(device_->region(core, 0).bank));
    one.set("control", l1(core, device_->control_address(core), 4 * device::kControlWords));
    one.set("buffers", l1(core, device_->control_address(core) + 4 * device::kControlWords,
                          4 * buffers_of(core) * device::kBufferWords));
    one.set("dram", dram(core, buffers_of(core)));
    list_of_cores.items().push_back(std::move(one));
  }
  root_.set("cores", std::move(list_of_cores));
}

Result<void> RawDump::write(const std::string& folder, const std::vector<ZoneName>& zones) {
  const std::string raw_name = run_ + ".bin.gz";
  root_.set("zones", zones_of(zones));
  root_.set("kernels", kernels_of(programs_));
  root_.set("programs", programs_);
  if (root_.find("cores") == nullptr) root_.set("timeline", timeline_);
  root_.set("raw", JsonTree::text(raw_name));
  if (root_.find("cores") == nullptr) root_.set("snapshots", snapshots_);
  if (Result<void> written =
          write_file(folder + "/" + raw_name, [&](Writer& out) { out.write(gzip_of(raw_)); });
      !written)
    return written;
  return write_file(folder + "/" + run_ + ".json", [&](Writer& out) {
    out.write(root_.dump());
    out.write('\n');
  });
}

}  // namespace ttscope::chip
