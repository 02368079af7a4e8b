// The interpreter. A core runs on its own as long as nothing it does can be seen by others or depends on them; loads and stores of L1 and
// registers wait until all other cores of the tile have come as far (`horizon`).
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

struct Width {
  std::uint32_t bytes;
  bool is_signed;
};
Width width_of(Op op) {
  switch (op) {
    case Op::kLoadByte: return {1, true};
    case Op::kLoadByteUnsigned:
    case Op::kStoreByte: return {1, false};
    case Op::kLoadHalf: return {2, true};
    case Op::kLoadHalfUnsigned:
    case Op::kStoreHalf: return {2, false};
    default: return {4, false};
  }
}

std::uint32_t load_from(const std::uint8_t* at, Width width) {
  if (width.bytes == 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, 4);
    return word;
  }
  if (width.bytes == 1) return width.is_signed ? as_unsigned(static_cast<std::int8_t>(*at)) : *at;
  std::uint16_t half = 0;
  std::memcpy(&half, at, 2);
  return width.is_signed ? as_unsigned(static_cast<std::int16_t>(half)) : half;
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

Tile::Run Tile::run(std::uint32_t index, std::uint64_t horizon, std::uint64_t end) {
  Core& core = cores_[index];
  std::uint32_t* const r = core.registers.data();
  std::uint8_t* const l1 = l1_.get();
  std::uint8_t* const own = private_[index].data();
  const std::uint32_t l1_bytes = l1_bytes_;
  const std::uint32_t private_bytes = private_bytes_[index];
  std::uint64_t time = core.time;
  std::uint32_t page_pc = core.pc & ~(kPageBytes - 1);
  Page* page = page_of(core.pc);
  if (page == nullptr || core.pc % 4 != 0) return fail(index, "no code can be at this address");
  Instruction* at = &page->code[core.pc / 4 % kPageWords];

  const auto pc = [&] { return page_pc + 4 * static_cast<std::uint32_t>(at - page->code.data()); };
  const auto leave = [&](Run why) {
    instructions_ += time - core.time;
    core.time = time;
    core.pc = pc();
    return why;
  };
  const auto broken = [&](const std::string& why) {
    leave(Run::kFault);
    return fail(index, why);
  };

  while (time < end) {
    const Instruction& in = *at;
    std::uint32_t target = 0;
    switch (in.op) {
      case Op::kUndecoded: {
        std::uint32_t word = 0;
        std::memcpy(&word, l1 + pc(), 4);
        *at = rv32::decode(word, pc());
        continue;
      }
      case Op::kNextPage: {
        Page* next = page_of(page_pc + kPageBytes);
        if (next == nullptr) return broken("no code can be at this address");
        page = next;
        page_pc += kPageBytes;
        at = page->code.data();
        continue;
      }
      case Op::kIllegal: {
        std::uint32_t word = 0;
        std::memcpy(&word, l1 + pc(), 4);
        return broken(fmt::format("{:#010x} is not an instruction of RV32IM", word));
      }
      case Op::kLoadImmediate: r[in.rd] = in.immediate; break;
      case Op::kAddImmediate: r[in.rd] = r[in.rs1] + in.immediate; break;
      case Op::kSetLessImmediate: r[in.rd] = as_signed(r[in.rs1]) < as_signed(in.immediate); break;
      case Op::kSetLessImmediateUnsigned: r[in.rd] = r[in.rs1] < in.immediate; break;
      case Op::kXorImmediate: r[in.rd] = r[in.rs1] ^ in.immediate; break;
      case Op::kOrImmediate: r[in.rd] = r[in.rs1] | in.immediate; break;
      case Op::kAndImmediate: r[in.rd] = r[in.rs1] & in.immediate; break;
      case Op::kShiftLeftImmediate: r[in.rd] = r[in.rs1] << in.immediate; break;
      case Op::kShiftRightImmediate: r[in.rd] = r[in.rs1] >> in.immediate; break;
      case Op::kShiftRightSignedImmediate: r[in.rd] = as_unsigned(as_signed(r[in.rs1]) >> in.immediate); break;
      case Op::kAdd: r[in.rd] = r[in.rs1] + r[in.rs2]; break;
      case Op::kSubtract: r[in.rd] = r[in.rs1] - r[in.rs2]; break;
      case Op::kShiftLeft: r[in.rd] = r[in.rs1] << (r[in.rs2] & 31); break;
      case Op::kSetLess: r[in.rd] = as_signed(r[in.rs1]) < as_signed(r[in.rs2]); break;
      case Op::kSetLessUnsigned: r[in.rd] = r[in.rs1] < r[in.rs2]; break;
      case Op::kXor: r[in.rd] = r[in.rs1] ^ r[in.rs2]; break;
      case Op::kShiftRight: r[in.rd] = r[in.rs1] >> (r[in.rs2] & 31); break;
      case Op::kShiftRightSigned: r[in.rd] = as_unsigned(as_signed(r[in.rs1]) >> (r[in.rs2] & 31)); break;
      case Op::kOr: r[in.rd] = r[in.rs1] | r[in.rs2]; break;
      case Op::kAnd: r[in.rd] = r[in.rs1] & r[in.rs2]; break;
      case Op::kMultiply: r[in.rd] = r[in.rs1] * r[in.rs2]; break;
      case Op::kMultiplyHigh:
        r[in.rd] = as_unsigned(std::int64_t{as_signed(r[in.rs1])} * as_signed(r[in.rs2]) >> 32);
        break;
      case Op::kMultiplyHighMixed:
        r[in.rd] = as_unsigned(std::int64_t{as_signed(r[in.rs1])} * std::int64_t{r[in.rs2]} >> 32);
        break;
      case Op::kMultiplyHighUnsigned:
        r[in.rd] = static_cast<std::uint32_t>(std::uint64_t{r[in.rs1]} * r[in.rs2] >> 32);
        break;
      case Op::kDivide: r[in.rd] = divide(r[in.rs1], r[in.rs2]); break;
      case Op::kDivideUnsigned: r[in.rd] = r[in.rs2] == 0 ? ~0u : r[in.rs1] / r[in.rs2]; break;
      case Op::kRemainder: r[in.rd] = remainder(r[in.rs1], r[in.rs2]); break;
      case Op::kRemainderUnsigned: r[in.rd] = r[in.rs2] == 0 ? r[in.rs1] : r[in.rs1] % r[in.rs2]; break;
      case Op::kFence: break;

      case Op::kLoadByte:
      case Op::kLoadHalf:
      case Op::kLoadWord:
      case Op::kLoadByteUnsigned:
      case Op::kLoadHalfUnsigned: {
        const std::uint32_t address = r[in.rs1] + in.immediate;
        const Width width = width_of(in.op);
        if (address % width.bytes != 0) return broken(fmt::format("load of {} bytes from {:#x}, which is not aligned", width.bytes, address));
        if (address < l1_bytes) {
          if (time >= horizon) return leave(Run::kHorizon);
          if (core.watch == Core::Watch::kRecording) {
            if (core.watched_count < kWatchedWords) {
              core.watched[core.watched_count++] = address & ~3u;
            } else {
              ++core.effects;
            }
          }
          r[in.rd] = load_from(l1 + address, width);
          time += latency_.l1;
        } else if (address - device::kPrivateMemory < private_bytes) {
          r[in.rd] = load_from(own + (address - device::kPrivateMemory), width);
        } else if (address < device::kPrivateMemory || width.bytes != 4) {
          return broken(fmt::format("load of {} bytes from {:#x}, where nothing is", width.bytes, address));
        } else {
          const bool clock = address >= device::kClockLow && address <= device::kClockHigh + 4;
          if (!clock && time >= horizon) return leave(Run::kHorizon);
          r[in.rd] = read_register(address, time);
          ++core.effects;
        }
        break;
      }

      case Op::kStoreByte:
      case Op::kStoreHalf:
      case Op::kStoreWord: {
        const std::uint32_t address = r[in.rs1] + in.immediate;
        const std::uint32_t bytes = width_of(in.op).bytes;
        if (address % bytes != 0) return broken(fmt::format("store of {} bytes to {:#x}, which is not aligned", bytes, address));
        if (address < l1_bytes) {
          if (time >= horizon) return leave(Run::kHorizon);
          if (watchers_ != 0 && watch_for(index, address, time)) return leave(Run::kHorizon);
          log_l1(address);
          std::memcpy(l1 + address, &r[in.rs2], bytes);
          if (Page* changed = pages_[address / kPageBytes].get()) changed->code[address / 4 % kPageWords].op = Op::kUndecoded;
        } else if (address - device::kPrivateMemory < private_bytes) {
          const std::uint32_t offset = address - device::kPrivateMemory;
          std::uint32_t old_word = 0;
          std::memcpy(&old_word, own + (offset & ~3u), 4);
          undo_.push_back({kPrivateMark | index << 16 | (offset & ~3u), old_word});
          std::memcpy(own + offset, &r[in.rs2], bytes);
        } else if (address < device::kPrivateMemory || bytes != 4) {
          return broken(fmt::format("store of {} bytes to {:#x}, where nothing is", bytes, address));
        } else {
          if (time >= horizon) return leave(Run::kHorizon);
          for (std::uint32_t noc = 0; noc < 2; ++noc) {
            const std::uint32_t offset = address - device::kNocRegisters[noc];
            if (offset >= 4 * map_->noc_command_stride || offset % map_->noc_command_stride != map_->noc_command) continue;
            if ((r[in.rs2] & 1) == 0) continue;
            command_time_ = time;
            command_core_ = index;
            command_noc_ = noc;
            command_buffer_ = offset / map_->noc_command_stride;
            return leave(Run::kCommand);
          }
          write_register(address, r[in.rs2], time + 1);
          ++core.effects;
          ++at;
          ++time;
          return leave(Run::kHorizon);  // it may have released or stopped cores
        }
        ++core.effects;
        break;
      }

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
      jump: {
        const bool back = target <= pc();
        if (target - page_pc >= kPageBytes) {
          page = page_of(target);
          if (page == nullptr) {
            page = page_of(page_pc);
            return broken(fmt::format("jump to {:#x}, where no code can be", target));
          }
          page_pc = target & ~(kPageBytes - 1);
        }
        if (target % 4 != 0) return broken(fmt::format("jump to {:#x}, which is not aligned", target));
        at = &page->code[target / 4 % kPageWords];
        ++time;
        if (back && loop_sleeps(core, target, time)) return leave(Run::kAsleep);
        continue;
      }
    }
    ++at;
    ++time;
  }
  return leave(Run::kHorizon);
}

}  // namespace ttscope::chip
