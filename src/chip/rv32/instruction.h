#pragma once

#include <cstdint>

namespace ttscope::chip::rv32 {

/// Operations of RV32IM as they are executed. The first three are not instructions.
enum class Op : std::uint8_t {
  kUndecoded,  ///< decoded when it is first reached
  kNextPage,   ///< stands behind the last word of a page
  kIllegal,
  kLoadImmediate,  ///< lui and auipc: the value is known
  kJump,           ///< jal: the target is known
  kJumpRegister,
  kBranchEqual,
  kBranchNotEqual,
  kBranchLess,
  kBranchNotLess,
  kBranchLessUnsigned,
  kBranchNotLessUnsigned,
  kLoadByte,
  kLoadHalf,
  kLoadWord,
  kLoadByteUnsigned,
  kLoadHalfUnsigned,
  kStoreByte,
  kStoreHalf,
  kStoreWord,
  kAddImmediate,
  kSetLessImmediate,
  kSetLessImmediateUnsigned,
  kXorImmediate,
  kOrImmediate,
  kAndImmediate,
  kShiftLeftImmediate,
  kShiftRightImmediate,
  kShiftRightSignedImmediate,
  kAdd,
  kSubtract,
  kShiftLeft,
  kSetLess,
  kSetLessUnsigned,
  kXor,
  kShiftRight,
  kShiftRightSigned,
  kOr,
  kAnd,
  kMultiply,
  kMultiplyHigh,
  kMultiplyHighMixed,
  kMultiplyHighUnsigned,
  kDivide,
  kDivideUnsigned,
  kRemainder,
  kRemainderUnsigned,
  kFence,
};

/// The register that takes what is written to x0.
constexpr std::uint8_t kNowhere = 32;

/// A decoded word. It belongs to its address: jumps and branches hold where they lead.
struct Instruction {
  Op op = Op::kUndecoded;
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;
  std::uint8_t rs2 = 0;
  std::uint32_t immediate = 0;
};
static_assert(sizeof(Instruction) == 8);

/// Decodes the word at `pc`. Anything that is not RV32IM is kIllegal.
Instruction decode(std::uint32_t word, std::uint32_t pc);

}  // namespace ttscope::chip::rv32
