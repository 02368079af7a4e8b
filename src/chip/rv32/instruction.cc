#include "chip/rv32/instruction.h"

#include <array>

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
  out.rd = destination == 0 ? kNowhere : static_cast<std::uint8_t>(destination);
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
