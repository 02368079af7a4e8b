#include "chip/machine/tile.h"

#include <fmt/format.h>
#include <ttscope_device/memory_map.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

namespace ttscope::chip::rv32 {
namespace {

constexpr std::uint32_t bits(std::uint32_t word, int high, int low) {
  return word << (31 - high) >> (31 - high + low);
}

constexpr std::uint32_t sign_extended(std::uint32_t value, int width) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value << (32 - width)) >> (32 - width));
}

std::uint32_t branch_offset(std::uint32_t word) {
  return sign_extended(
      bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 | bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1,
      13);
}

std::uint32_t jump_offset(std::uint32_t word) {
  return sign_extended(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 | bits(word, 20, 20) << 11 |
                           bits(word, 30, 21) << 1,
                       21);
}

using ByFunction = std::array<Op, 8>;

constexpr ByFunction kBranches = {Op::kBranchEqual,
                                  Op::kBranchNotEqual,
                                  Op::kIllegal,
                                  Op::kIllegal,
                                  Op::kBranchLess,
                                  Op::kBranchNotLess,
                                  Op::kBranchLessUnsigned,
                                  Op::kBranchNotLessUnsigned};
constexpr ByFunction kLoads = {Op::kLoadByte,         Op::kLoadHalf,         Op::kLoadWord, Op::kIllegal,
                               Op::kLoadByteUnsigned, Op::kLoadHalfUnsigned, Op::kIllegal,  Op::kIllegal};
constexpr ByFunction kStores = {Op::kStoreByte, Op::kStoreHalf, Op::kStoreWord, Op::kIllegal,
                                Op::kIllegal,   Op::kIllegal,   Op::kIllegal,   Op::kIllegal};
constexpr ByFunction kImmediates = {
    Op::kAddImmediate, Op::kIllegal, Op::kSetLessImmediate, Op::kSetLessImmediateUnsigned,
    Op::kXorImmediate, Op::kIllegal, Op::kOrImmediate,      Op::kAndImmediate};
constexpr ByFunction kRegisters = {Op::kAdd, Op::kShiftLeft,  Op::kSetLess, Op::kSetLessUnsigned,
                                   Op::kXor, Op::kShiftRight, Op::kOr,      Op::kAnd};
constexpr ByFunction kMultiplications = {
    Op::kMultiply, Op::kMultiplyHigh,   Op::kMultiplyHighMixed, Op::kMultiplyHighUnsigned,
    Op::kDivide,   Op::kDivideUnsigned, Op::kRemainder,         Op::kRemainderUnsigned};

Op immediate_operation(std::uint32_t function, std::uint32_t top) {
  if (function == 1) return top == 0 ? Op::kShiftLeftImmediate : Op::kIllegal;
  if (function == 5) {
    return top == 0 ? Op::kShiftRightImmediate : top == 32 ? Op::kShiftRightSignedImmediate : Op::kIllegal;
  }
  return kImmediates[function];
}

Op register_operation(std::uint32_t function, std::uint32_t top) {
  if (top == 0) return kRegisters[function];
  if (top == 1) return kMultiplications[function];
  if (top != 32) return Op::kIllegal;
  return function == 0 ? Op::kSubtract : function == 5 ? Op::kShiftRightSigned : Op::kIllegal;
}

}  // namespace

Instruction decode(std::uint32_t word, std::uint32_t pc) {
  const std::uint32_t function = bits(word, 14, 12);
  const std::uint32_t top = bits(word, 31, 25);
  const std::uint32_t upper = word & 0xFFFFF000;
  const std::uint32_t destination = bits(word, 11, 7);
  Instruction out;
  out.rd = destination == 0 ? kDiscardRegister : static_cast<std::uint8_t>(destination);
  out.rs1 = static_cast<std::uint8_t>(bits(word, 19, 15));
  out.rs2 = static_cast<std::uint8_t>(bits(word, 24, 20));
  out.immediate = sign_extended(word >> 20, 12);
  switch (word & 0x7F) {
    case 0x37:
      out.op = Op::kLoadImmediate, out.immediate = upper;
      break;
    case 0x17:
      out.op = Op::kLoadImmediate, out.immediate = pc + upper;
      break;
    case 0x6F:
      out.op = Op::kJump, out.immediate = pc + jump_offset(word);
      break;
    case 0x67:
      out.op = function == 0 ? Op::kJumpRegister : Op::kIllegal;
      break;
    case 0x63:
      out.op = kBranches[function], out.immediate = pc + branch_offset(word);
      break;
    case 0x03:
      out.op = kLoads[function];
      break;
    case 0x23:
      out.op = kStores[function], out.immediate = sign_extended(top << 5 | destination, 12);
      break;
    case 0x13:
      out.op = immediate_operation(function, top);
      break;
    case 0x33:
      out.op = register_operation(function, top);
      break;
    case 0x0F:
      out.op = Op::kFence;
      break;
    default:
      out.op = Op::kIllegal;
  }
  const bool shift = out.op == Op::kShiftLeftImmediate || out.op == Op::kShiftRightImmediate ||
                     out.op == Op::kShiftRightSignedImmediate;
  if (shift) out.immediate &= 31;
  return out;
}

}  // namespace ttscope::chip::rv32

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
      undo_(new Undo[cores_.size() * kMaxQuantum]) {
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
    if (undo->where & kPrivateMemoryTag) {
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

namespace {

using rv32::Instruction;
using rv32::Op;

constexpr std::uint32_t kPageBytes = 4096;

std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }

std::uint32_t as_unsigned(std::int64_t value) { return static_cast<std::uint32_t>(value); }

std::uint32_t divide(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return ~0u;
  if (a == 0x80000000 && b == ~0u) return a;
  return as_unsigned(as_signed(a) / as_signed(b));
}

std::uint32_t remainder(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return a;
  if (a == 0x80000000 && b == ~0u) return 0;
  return as_unsigned(as_signed(a) % as_signed(b));
}

/// A load of T from memory.
template <typename T>
std::uint32_t load_from(const std::uint8_t* at) {
  T value = 0;
  std::memcpy(&value, at, sizeof(T));
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
}

}  // namespace

/// The decoded words around an address; null where no code can be.
Tile::Page* Tile::page_of(std::uint32_t pc) {
  if (pc >= l1_bytes_) return nullptr;
  std::unique_ptr<Page>& page = pages_[pc / kPageBytes];
  if (!page) {
    page = std::make_unique<Page>();
    page->code[kPageWords].op = Op::kNextPage;
  }
  return page.get();
}

/// A turn of a loop is being looked at: remembers what it reads.
void Tile::record_read(Core& core, std::uint32_t address) {
  if (core.watched_count < kWatchedWords) {
    core.watched[core.watched_count++] = address & ~3u;
  } else {
    ++core.effects;  // too much to be watched
  }
}

/// Whether a store to a register starts a NoC command.
bool Tile::issues_command(std::uint32_t index, std::uint32_t address, std::uint32_t value,
                          std::uint64_t time) {
  for (std::uint32_t noc = 0; noc < 2; ++noc) {
    const std::uint32_t offset = address - device::kNocRegisters[noc];
    if (offset >= 4 * map_->noc_command_stride || offset % map_->noc_command_stride != map_->noc_command ||
        (value & 1) == 0)
      continue;
    command_time_ = time;
    command_core_ = index;
    command_noc_ = noc;
    command_buffer_ = offset / map_->noc_command_stride;
    return true;
  }
  return false;
}

void Tile::keep(std::uint32_t index, std::uint32_t pc, std::uint64_t time) {
  Core& core = cores_[index];
  instructions_ += time - core.time;
  core.time = time;
  core.pc = pc;
  note_time(index);
}

Tile::Run Tile::fail_access(std::uint32_t index, const char* what, std::uint32_t address, const char* why) {
  return fail(index, fmt::format("{} {:#x}, {}", what, address, why));
}

// One loop over all operations: calls between them would cost more than the operations.
// NOLINTNEXTLINE(readability-function-size)
Tile::Run Tile::run(std::uint32_t index, std::uint64_t horizon, std::uint64_t end) {
  Core& core = cores_[index];
  std::uint32_t* const r = core.registers.data();
  std::uint8_t* const l1 = l1_.get();
  std::uint8_t* const own = private_[index].data();
  const std::uint32_t l1_bytes = l1_bytes_;
  const std::uint32_t private_bytes = private_bytes_[index];
  const std::uint32_t l1_latency = latency_.l1;
  std::uint64_t time = core.time;
  std::uint32_t page_pc = core.pc & ~(kPageBytes - 1);
  Page* page = page_of(core.pc);
  if (page == nullptr || core.pc % 4 != 0) return fail(index, "no code can be there");
  Instruction* at = &page->code[core.pc / 4 % kPageWords];

  // All of these are inlined or take copies, so that the compiler keeps `at` and `time` in registers.
  const auto pc = [&]() __attribute__((always_inline)) {
    return page_pc + 4 * static_cast<std::uint32_t>(at - page->code.data());
  };
  const auto leave = [&](Run why) __attribute__((always_inline)) {
    keep(index, pc(), time);
    return why;
  };
  const auto broken = [&](const char* what, std::uint32_t address, const char* why)
      __attribute__((always_inline)) {
    keep(index, pc(), time);
    return fail_access(index, what, address, why);
  };

  // What an access came to: done, to be tried again when the others have come as far, or wrong.
  enum class Access : std::uint8_t { kDone, kWait, kMisaligned, kNothing, kCommand, kRegister };
  const auto load = [&]<typename T>(const Instruction& in, T) __attribute__((always_inline)) {
    const std::uint32_t address = r[in.rs1] + in.immediate;
    if (address % sizeof(T) != 0) return Access::kMisaligned;
    if (address < l1_bytes) {
      if (time >= horizon) return Access::kWait;
      if (core.watch == Core::Watch::kRecording) record_read(core, address);
      r[in.rd] = load_from<T>(l1 + address);
      time += l1_latency;
    } else if (address - device::kPrivateMemory < private_bytes) {
      r[in.rd] = load_from<T>(own + (address - device::kPrivateMemory));
    } else if (address < device::kPrivateMemory || sizeof(T) != 4) {
      return Access::kNothing;
    } else {
      const bool clock = address >= device::kClockLow && address <= device::kClockHigh + 4;
      if (!clock && time >= horizon) return Access::kWait;
      r[in.rd] = read_register(address, time);
      ++core.effects;
    }
    return Access::kDone;
  };
  const auto store = [&]<typename T>(const Instruction& in, T) __attribute__((always_inline)) {
    const std::uint32_t address = r[in.rs1] + in.immediate;
    if (address % sizeof(T) != 0) return Access::kMisaligned;
    Undo& undo = undo_[undo_count_];
    if (address < l1_bytes) {
      if (time >= horizon) return Access::kWait;
      if (watchers_ != 0 && watch_for(index, address, time)) return Access::kWait;
      undo.where = address & ~3u;
      undo.old_word = load_from<std::uint32_t>(l1 + undo.where);
      std::memcpy(l1 + address, &r[in.rs2], sizeof(T));
      if (Page* changed = pages_[address / kPageBytes].get())
        changed->code[address / 4 % kPageWords].op = Op::kUndecoded;
    } else if (address - device::kPrivateMemory < private_bytes) {
      const std::uint32_t offset = address - device::kPrivateMemory;
      undo.where = kPrivateMemoryTag | index << 16 | (offset & ~3u);
      undo.old_word = load_from<std::uint32_t>(own + (offset & ~3u));
      std::memcpy(own + offset, &r[in.rs2], sizeof(T));
    } else if (address < device::kPrivateMemory || sizeof(T) != 4) {
      return Access::kNothing;
    } else {
      if (time >= horizon) return Access::kWait;
      if (issues_command(index, address, r[in.rs2], time)) return Access::kCommand;
      write_register(address, r[in.rs2], time + 1);
      ++core.effects;
      return Access::kRegister;
    }
    ++undo_count_;
    ++core.effects;
    return Access::kDone;
  };

  while (time < end) {
    const Instruction& in = *at;
    std::uint32_t target = 0;
    Access access = Access::kDone;
    switch (in.op) {
      case Op::kUndecoded: {
        *at = rv32::decode(load_from<std::uint32_t>(l1 + pc()), pc());
        continue;
      }
      case Op::kNextPage: {
        Page* next = page_of(page_pc + kPageBytes);
        if (next == nullptr) return broken("code at", page_pc + kPageBytes, "outside of L1");
        page = next;
        page_pc += kPageBytes;
        at = page->code.data();
        continue;
      }
      case Op::kIllegal:
        return broken("word", load_from<std::uint32_t>(l1 + pc()), "which is no instruction of RV32IM");
      case Op::kLoadImmediate:
        r[in.rd] = in.immediate;
        break;
      case Op::kAddImmediate:
        r[in.rd] = r[in.rs1] + in.immediate;
        break;
      case Op::kSetLessImmediate:
        r[in.rd] = as_signed(r[in.rs1]) < as_signed(in.immediate);
        break;
      case Op::kSetLessImmediateUnsigned:
        r[in.rd] = r[in.rs1] < in.immediate;
        break;
      case Op::kXorImmediate:
        r[in.rd] = r[in.rs1] ^ in.immediate;
        break;
      case Op::kOrImmediate:
        r[in.rd] = r[in.rs1] | in.immediate;
        break;
      case Op::kAndImmediate:
        r[in.rd] = r[in.rs1] & in.immediate;
        break;
      case Op::kShiftLeftImmediate:
        r[in.rd] = r[in.rs1] << in.immediate;
        break;
      case Op::kShiftRightImmediate:
        r[in.rd] = r[in.rs1] >> in.immediate;
        break;
      case Op::kShiftRightSignedImmediate:
        r[in.rd] = as_unsigned(as_signed(r[in.rs1]) >> in.immediate);
        break;
      case Op::kAdd:
        r[in.rd] = r[in.rs1] + r[in.rs2];
        break;
      case Op::kSubtract:
        r[in.rd] = r[in.rs1] - r[in.rs2];
        break;
      case Op::kShiftLeft:
        r[in.rd] = r[in.rs1] << (r[in.rs2] & 31);
        break;
      case Op::kSetLess:
        r[in.rd] = as_signed(r[in.rs1]) < as_signed(r[in.rs2]);
        break;
      case Op::kSetLessUnsigned:
        r[in.rd] = r[in.rs1] < r[in.rs2];
        break;
      case Op::kXor:
        r[in.rd] = r[in.rs1] ^ r[in.rs2];
        break;
      case Op::kShiftRight:
        r[in.rd] = r[in.rs1] >> (r[in.rs2] & 31);
        break;
      case Op::kShiftRightSigned:
        r[in.rd] = as_unsigned(as_signed(r[in.rs1]) >> (r[in.rs2] & 31));
        break;
      case Op::kOr:
        r[in.rd] = r[in.rs1] | r[in.rs2];
        break;
      case Op::kAnd:
        r[in.rd] = r[in.rs1] & r[in.rs2];
        break;
      case Op::kMultiply:
        r[in.rd] = r[in.rs1] * r[in.rs2];
        break;
      case Op::kMultiplyHigh:
        r[in.rd] = as_unsigned(std::int64_t{as_signed(r[in.rs1])} * as_signed(r[in.rs2]) >> 32);
        break;
      case Op::kMultiplyHighMixed:
        r[in.rd] = as_unsigned(std::int64_t{as_signed(r[in.rs1])} * std::int64_t{r[in.rs2]} >> 32);
        break;
      case Op::kMultiplyHighUnsigned:
        r[in.rd] = static_cast<std::uint32_t>(std::uint64_t{r[in.rs1]} * r[in.rs2] >> 32);
        break;
      case Op::kDivide:
        r[in.rd] = divide(r[in.rs1], r[in.rs2]);
        break;
      case Op::kDivideUnsigned:
        r[in.rd] = r[in.rs2] == 0 ? ~0u : r[in.rs1] / r[in.rs2];
        break;
      case Op::kRemainder:
        r[in.rd] = remainder(r[in.rs1], r[in.rs2]);
        break;
      case Op::kRemainderUnsigned:
        r[in.rd] = r[in.rs2] == 0 ? r[in.rs1] : r[in.rs1] % r[in.rs2];
        break;
      case Op::kFence:
        break;

      case Op::kLoadByte:
        access = load(in, std::int8_t{});
        break;
      case Op::kLoadHalf:
        access = load(in, std::int16_t{});
        break;
      case Op::kLoadWord:
        access = load(in, std::uint32_t{});
        break;
      case Op::kLoadByteUnsigned:
        access = load(in, std::uint8_t{});
        break;
      case Op::kLoadHalfUnsigned:
        access = load(in, std::uint16_t{});
        break;
      case Op::kStoreByte:
        access = store(in, std::uint8_t{});
        break;
      case Op::kStoreHalf:
        access = store(in, std::uint16_t{});
        break;
      case Op::kStoreWord:
        access = store(in, std::uint32_t{});
        break;

      case Op::kBranchEqual:
        if (r[in.rs1] == r[in.rs2]) goto taken;
        break;
      case Op::kBranchNotEqual:
        if (r[in.rs1] != r[in.rs2]) goto taken;
        break;
      case Op::kBranchLess:
        if (as_signed(r[in.rs1]) < as_signed(r[in.rs2])) goto taken;
        break;
      case Op::kBranchNotLess:
        if (as_signed(r[in.rs1]) >= as_signed(r[in.rs2])) goto taken;
        break;
      case Op::kBranchLessUnsigned:
        if (r[in.rs1] < r[in.rs2]) goto taken;
        break;
      case Op::kBranchNotLessUnsigned:
        if (r[in.rs1] >= r[in.rs2]) goto taken;
        break;
      case Op::kJump:
        r[in.rd] = pc() + 4;
        goto taken;
      case Op::kJumpRegister:
        target = (r[in.rs1] + in.immediate) & ~1u;
        r[in.rd] = pc() + 4;
        goto jump;
      taken:
        target = in.immediate;
      jump : {
        if (target % 4 != 0) return broken("jump to", target, "which is not aligned");
        const bool back = target <= pc();
        if (target - page_pc >= kPageBytes) {
          page = page_of(target);
          if (page == nullptr) {
            page = page_of(page_pc);
            return broken("jump to", target, "where no code can be");
          }
          page_pc = target & ~(kPageBytes - 1);
        }
        at = &page->code[target / 4 % kPageWords];
        ++time;
        if (back && loop_sleeps(core, target, time)) return leave(Run::kHorizon);
        continue;
      }
    }
    if (access != Access::kDone) {
      const std::uint32_t address = r[in.rs1] + in.immediate;
      switch (access) {
        case Access::kMisaligned:
          return broken("access to", address, "which is not aligned");
        case Access::kNothing:
          return broken("access to", address, "where nothing of this size is");
        case Access::kCommand:
          return leave(Run::kCommand);
        case Access::kRegister:  // it may have released or stopped cores
          ++at;
          ++time;
          [[fallthrough]];
        default:
          return leave(Run::kHorizon);
      }
    }
    ++at;
    ++time;
  }
  return leave(Run::kHorizon);
}

}  // namespace ttscope::chip
