// The interpreter. A core runs on its own as long as nothing it does can be seen by others or depends on
// them; loads and stores of L1 and registers wait until all other cores of the tile have come as far
// (`horizon`).
#include <fmt/format.h>

#include <cstring>

#include <ttscope_device/memory_map.h>

#include "chip/machine/tile.h"

namespace ttscope::chip {

namespace {

namespace device = ttscope_device;
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
bool Tile::gives_command(std::uint32_t index, std::uint32_t address, std::uint32_t value,
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
      undo.where = kPrivateMark | index << 16 | (offset & ~3u);
      undo.old_word = load_from<std::uint32_t>(own + (offset & ~3u));
      std::memcpy(own + offset, &r[in.rs2], sizeof(T));
    } else if (address < device::kPrivateMemory || sizeof(T) != 4) {
      return Access::kNothing;
    } else {
      if (time >= horizon) return Access::kWait;
      if (gives_command(index, address, r[in.rs2], time)) return Access::kCommand;
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
