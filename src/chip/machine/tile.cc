#include "chip/machine/tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

#include <ttscope_device/memory_map.h>

namespace ttscope::chip {

namespace {

namespace device = ttscope_device;

/// RISCs in the order in which they are stepped.
constexpr std::array<std::uint32_t, 5> kStepOrder = {device::kBrisc, device::kTrisc0, device::kTrisc1,
                                                     device::kTrisc2, device::kNcrisc};
constexpr std::array<const char*, 5> kStepNames = {"BRISC", "TRISC0", "TRISC1", "TRISC2", "NCRISC"};
constexpr std::array<std::uint32_t, 5> kDefaultStart = {0, 0x6000, 0xA000, 0xE000, 0x12000};

constexpr std::uint32_t kWormholeConfig = 0xFFEF0000 + 4 * 158;
constexpr std::uint32_t kBlackholeStarts = 0xFFB12228;
constexpr std::uint32_t kNocBlockBytes = 0x10000;
constexpr std::uint64_t kNever = ~std::uint64_t{0} - 1;

bool is_ethernet(Arch arch, Place place) {
  const std::vector<Place>& ethernet = facts_of(arch).ethernet;
  return std::find(ethernet.begin(), ethernet.end(), place) != ethernet.end();
}

}  // namespace

void Tile::FreeMemory::operator()(std::uint8_t* memory) const { std::free(memory); }

Tile::Tile(Arch arch, Place place, std::uint32_t order, const Latency& latency)
    : arch_(arch),
      map_(facts_of(arch).map),
      place_(place),
      order_(order),
      ethernet_(is_ethernet(arch, place)),
      latency_(latency),
      core_count_(ethernet_ ? 1 : 5),
      l1_bytes_(ethernet_ ? facts_of(arch).eth_l1_bytes : map_->l1_bytes),
      // calloc takes memory that is not there until it is touched: a grid of 140 tiles costs nothing at
      // first.
      l1_(static_cast<std::uint8_t*>(std::calloc(l1_bytes_, 1))),
      pages_((l1_bytes_ + 4 * kPageWords - 1) / (4 * kPageWords)),
      resets_(device::kResetAll),
      undo_(new Undo[cores_.size() * kLongestQuantum]) {
  if (!l1_) throw std::bad_alloc();
  next_times_.fill(kNever);
  for (std::uint32_t i = 0; i < core_count_; ++i) {
    private_bytes_[i] = i == 0 || i == 4 ? map_->private_bytes_data_mover : map_->private_bytes_compute;
  }
}

bool Tile::busy() const {
  return std::any_of(next_times_.begin(), next_times_.end(),
                     [](std::uint64_t time) { return time != kNever; });
}

void Tile::note_time(std::uint32_t index) {
  const Core& core = cores_[index];
  next_times_[index] = core.running && core.watch != Core::Watch::kAsleep ? core.time : kNever;
}

Tile::Stop Tile::run_until(std::uint64_t end) {
  while (true) {
    std::uint32_t first = 0;
    for (std::uint32_t i = 1; i < next_times_.size(); ++i) {
      if (next_times_[i] < next_times_[first]) first = i;
    }
    if (next_times_[first] >= end) return Stop::kTime;
    // What others could see or change waits for those that come before it.
    std::uint64_t horizon = kNever;
    for (std::uint32_t i = 0; i < first; ++i) horizon = std::min(horizon, next_times_[i]);
    for (std::uint32_t i = first + 1; i < next_times_.size(); ++i)
      horizon = std::min(horizon, next_times_[i] + 1);
    switch (run(first, horizon, end)) {
      case Run::kCommand:
        return Stop::kCommand;
      case Run::kFault:
        return Stop::kFault;
      case Run::kHorizon:
        break;
    }
  }
}

Tile::Run Tile::fail(std::uint32_t index, const std::string& why) {
  Core& core = cores_[index];
  core.running = false;
  note_time(index);
  if (fault_.empty()) {
    fault_ =
        fmt::format("{} of tile ({},{}) at pc {:#x}, clock {}: {}", ethernet_ ? "ERISC" : kStepNames[index],
                    place_.x, place_.y, core.pc, core.time, why);
  }
  return Run::kFault;
}

void Tile::command_done() {
  cores_[command_core_].pc += 4;
  ++cores_[command_core_].time;
  ++cores_[command_core_].effects;
  note_time(command_core_);
}

void Tile::command_failed(const std::string& why) { fail(command_core_, why); }

// Coming back
// -------------------------------------------------------------------------------------------------------

void Tile::checkpoint(std::uint64_t stamp) {
  stamp_ = stamp;
  kept_ = {cores_, ports_, resets_, start_registers_, watchers_, instructions_};
  undo_count_ = 0;
}

void Tile::rewind() {
  for (const Undo* undo = undo_.get() + undo_count_; undo-- != undo_.get();) {
    if (undo->where & kPrivateMark) {
      std::memcpy(&private_[undo->where >> 16 & 7][undo->where & 0xFFFF], &undo->old_word, 4);
    } else {
      std::memcpy(l1_.get() + undo->where, &undo->old_word, 4);
      if (Page* page = pages_[undo->where / (4 * kPageWords)].get())
        page->code[undo->where / 4 % kPageWords].op = rv32::Op::kUndecoded;
    }
  }
  undo_count_ = 0;
  cores_ = kept_.cores;
  for (std::uint32_t i = 0; i < cores_.size(); ++i) note_time(i);
  ports_ = kept_.ports;
  resets_ = kept_.resets;
  start_registers_ = kept_.start_registers;
  watchers_ = kept_.watchers;
  instructions_ = kept_.instructions;
  fault_.clear();
  ++rewinds_;
}

// Memory
// ------------------------------------------------------------------------------------------------------------

void Tile::read_l1(std::uint32_t address, void* to, std::uint32_t bytes) const {
  std::memcpy(to, l1_.get() + address, bytes);
}

void Tile::write_l1(std::uint32_t address, const void* from, std::uint32_t bytes) {
  if (bytes == 0) return;
  std::memcpy(l1_.get() + address, from, bytes);
  const std::uint32_t last = (address + bytes - 1) / 4;
  for (std::uint32_t word = address / 4; word <= last; ++word) {
    Page* page = pages_[word / kPageWords].get();
    if (page == nullptr) {
      word |= kPageWords - 1;
    } else {
      page->code[word % kPageWords].op = rv32::Op::kUndecoded;
    }
  }
}

void Tile::set_watch(Core& core, Core::Watch watch) {
  watchers_ = watchers_ - (core.watch != Core::Watch::kNone ? 1 : 0) + (watch != Core::Watch::kNone ? 1 : 0);
  core.watch = watch;
  note_time(static_cast<std::uint32_t>(&core - cores_.data()));
}

/// What a core reads is about to change: it sleeps no longer, or the turn that is looked at proves nothing.
void Tile::wake_core(Core& core, std::uint64_t visible) {
  if (core.watch == Core::Watch::kAsleep && visible > core.time)
    core.time += (visible - core.time) / core.period * core.period;
  set_watch(core, Core::Watch::kNone);
  core.loop_head = 1;  // no address of an instruction
}

bool Tile::watches(const Core& core, std::uint32_t address, std::uint32_t bytes) {
  return core.watch != Core::Watch::kNone &&
         std::any_of(core.watched.begin(), core.watched.begin() + core.watched_count,
                     [&](std::uint32_t word) { return word + 4 > address && word < address + bytes; });
}

void Tile::wake(std::uint32_t address, std::uint32_t bytes, std::uint64_t visible) {
  if (watchers_ == 0) return;
  for (Core& core : cores_) {
    if (watches(core, address, bytes)) wake_core(core, visible);
  }
}

void Tile::wake_for_command(std::uint32_t address, std::uint32_t bytes) {
  if (watchers_ == 0) return;
  for (std::uint32_t i = 0; i < core_count_; ++i) {
    if (watches(cores_[i], address, bytes)) wake_core(cores_[i], command_time_ + (i < command_core_ ? 1 : 0));
  }
  run_until(command_time_ + 1);  // up to the command, at which it stops again
}

/// Wakes who waits for the word that is about to be written. True if one of them slept: the writer's horizon
/// did not count it, so the writer waits for a new one, whether that core acts before the write or soon
/// after.
bool Tile::watch_for(std::uint32_t index, std::uint32_t address, std::uint64_t time) {
  bool woken = false;
  for (std::uint32_t other = 0; other < core_count_; ++other) {
    Core& core = cores_[other];
    if (other == index || !watches(core, address, 1)) continue;
    woken |= core.watch == Core::Watch::kAsleep;
    wake_core(core, time + (other < index ? 1 : 0));
  }
  return woken;
}

/// A jump back to `head`. True if the loop only polls.
bool Tile::loop_sleeps(Core& core, std::uint32_t head, std::uint64_t time) {
  if (core.loop_head != head) {
    core.loop_head = head;
    core.loop_turns = 0;
    set_watch(core, Core::Watch::kNone);
    return false;
  }
  if (core.watch == Core::Watch::kRecording) {
    if (core.effects == core.loop_effects &&
        std::equal(core.loop_registers.begin(), core.loop_registers.end(), core.registers.begin())) {
      core.period = time - core.loop_time;
      set_watch(core, Core::Watch::kAsleep);
      return true;
    }
    set_watch(core, Core::Watch::kNone);
  }
  const std::uint32_t turns = ++core.loop_turns;
  if (turns >= 4 && (turns & (turns - 1)) == 0) {
    std::copy_n(core.registers.begin(), core.loop_registers.size(), core.loop_registers.begin());
    set_watch(core, Core::Watch::kRecording);
    core.watched_count = 0;
    core.loop_time = time;
    core.loop_effects = core.effects;
  }
  return false;
}

// Registers
// ---------------------------------------------------------------------------------------------------------

std::uint32_t Tile::start_address(std::uint32_t index) const {
  if (index >= 1 && index <= 3 && (start_registers_[3] >> (index - 1) & 1) != 0)
    return start_registers_[index - 1];
  if (index == 4 && (start_registers_[5] & 1) != 0) return start_registers_[4];
  return kDefaultStart[index];
}

void Tile::set_resets(std::uint32_t value, std::uint64_t start_time) {
  resets_ = value;
  for (std::uint32_t i = 0; i < core_count_; ++i) {
    Core& core = cores_[i];
    const bool held =
        ethernet_ ? (value & device::kResetBit[0]) != 0 : (value & device::kResetBit[kStepOrder[i]]) != 0;
    if (held) {
      set_watch(core, Core::Watch::kNone);
      core.running = false;
    } else if (!core.running) {
      core = Core{};
      core.pc = start_address(i);
      core.time = start_time;
      core.running = true;
    }
    note_time(i);
  }
}

std::uint32_t Tile::read_register(std::uint32_t address, std::uint64_t now) {
  switch (address) {
    case device::kClockLow:
      return static_cast<std::uint32_t>(now + clock_offset_);
    case device::kClockHigh:
    case device::kClockHigh + 4:
      return static_cast<std::uint32_t>((now + clock_offset_) >> 32);
    case device::kSoftReset:
      return resets_;
    default:
      break;
  }
  for (std::uint32_t noc = 0; noc < 2; ++noc) {
    const std::uint32_t offset = address - device::kNocRegisters[noc];
    if (offset < kNocBlockBytes) return noc_register(noc, offset, now);
  }
  const std::uint32_t starts = address - (arch_ == Arch::kWormhole ? kWormholeConfig : kBlackholeStarts);
  return starts < 4 * start_registers_.size() ? start_registers_[starts / 4] : 0;
}

void Tile::write_register(std::uint32_t address, std::uint32_t value, std::uint64_t start_time) {
  if (address == device::kSoftReset) return set_resets(value, start_time);
  for (std::uint32_t noc = 0; noc < 2; ++noc) {
    const std::uint32_t offset = address - device::kNocRegisters[noc];
    if (offset >= kNocBlockBytes) continue;
    if (std::uint32_t* word = noc_command_word(noc, offset)) *word = value;
    return;
  }
  const std::uint32_t starts = address - (arch_ == Arch::kWormhole ? kWormholeConfig : kBlackholeStarts);
  if (starts < 4 * start_registers_.size()) start_registers_[starts / 4] = value;
}

std::uint32_t* Tile::noc_command_word(std::uint32_t noc, std::uint32_t offset) {
  const std::uint32_t buffer = offset / map_->noc_command_stride;
  if (buffer >= 4) return nullptr;
  NocCommand& command = ports_[noc].commands[buffer];
  const std::uint32_t at = offset % map_->noc_command_stride;
  if (at == map_->noc_at_data) return &command.data;
  switch (at) {
    case 0x00:
      return &command.target_low;
    case 0x04:
      return &command.target_mid;
    case 0x08:
      return &command.target_high;
    case 0x0C:
      return &command.back_low;
    case 0x10:
      return &command.back_mid;
    case 0x14:
      return &command.back_high;
    case 0x18:
      return &command.tag;
    case 0x1C:
      return &command.control;
    case 0x20:
      return &command.length;
    default:
      return nullptr;
  }
}

std::uint32_t Tile::noc_register(std::uint32_t noc, std::uint32_t offset, std::uint64_t now) {
  NocPort& port = ports_[noc];
  port.settle(now);
  const Place own = translated(arch_, place_);
  if (offset == map_->noc_translated_id) return own.x | own.y << 6;
  if (offset == map_->noc_node_id) {
    const ArchFacts& facts = facts_of(arch_);
    const Place here = noc == 0 ? place_ : Place{facts.columns - 1 - place_.x, facts.rows - 1 - place_.y};
    return here.x | here.y << 6 | facts.columns << 12 | facts.rows << 19 | (noc == 0 ? 1u : 0u) << 28;
  }
  switch (offset) {
    case 0x200:
      return port.answers[static_cast<std::size_t>(NocAnswer::kAtomic)];
    case 0x204:
      return port.answers[static_cast<std::size_t>(NocAnswer::kWriteAck)];
    case 0x208:
      return port.answers[static_cast<std::size_t>(NocAnswer::kRead)];
    case 0x21C:
      return port.posted_atomics_sent;
    case 0x228:
      return port.writes_sent;
    case 0x22C:
      return port.posted_writes_sent;
    default:
      break;
  }
  const std::uint32_t* word = noc_command_word(noc, offset);
  return word == nullptr ? 0 : *word;
}

}  // namespace ttscope::chip
