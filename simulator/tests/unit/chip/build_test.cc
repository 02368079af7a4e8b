// Device code: instructions, executables, the compiler and its cache.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chip/build/compiler.h"
#include "chip/machine/tile.h"
#include "support/chip_case.h"
#include "support/temp_folder.h"

namespace ttscope::testing {
namespace {

using namespace ttscope::chip;
using rv32::Op;
using ::testing::HasSubstr;

TEST(Instruction, IsDecodedForItsAddress) {
  const auto check = [](std::uint32_t word, Op op, std::uint32_t immediate) {
    const rv32::Instruction in = rv32::decode(word, 0x1000);
    EXPECT_EQ(in.op, op) << std::hex << word;
    EXPECT_EQ(in.immediate, immediate) << std::hex << word;
  };
  check(0x12345537, Op::kLoadImmediate, 0x12345000);
  check(0x00001517, Op::kLoadImmediate, 0x2000);
  check(0xFFDFF06F, Op::kJump, 0xFFC);
  check(0xFE0594E3, Op::kBranchNotEqual, 0xFE8);
  check(0xFFC52583, Op::kLoadWord, 0xFFFFFFFC);
  check(0xFEB52E23, Op::kStoreWord, 0xFFFFFFFC);
  check(0x40F75713, Op::kShiftRightSignedImmediate, 15);
  check(0x02B50533, Op::kMultiply, 43);
  EXPECT_EQ(rv32::decode(0x00000000, 0).op, Op::kIllegal);
  EXPECT_EQ(rv32::decode(0x00000073, 0).op, Op::kIllegal);  // ecall
  EXPECT_EQ(rv32::decode(0x0000100F, 0).op, Op::kFence);
  EXPECT_EQ(rv32::decode(0x00000013, 0).rd, rv32::kDiscardRegister);
}

/// One segment of four bytes at 0x1000.
std::vector<std::uint8_t> small_elf() {
  std::vector<std::uint8_t> file(52 + 32 + 4, 0);
  const auto put = [&](std::size_t at, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      file[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> 8 * i);
  };
  put(0, 0x464C457F, 4), put(4, 1, 1), put(5, 1, 1), put(16, 2, 2), put(18, 243, 2), put(24, 0x1000, 4),
      put(28, 52, 4), put(42, 32, 2), put(44, 1, 2);
  put(52, 1, 4), put(56, 84, 4), put(60, 0x1000, 4), put(64, 0x1000, 4), put(68, 4, 4),
      put(84, 0x12345678, 4);
  return file;
}

TEST(Elf, SegmentsAreReadAtTheirLoadAddresses) {
  const Result<Image> image = read_elf(small_elf(), 0x2000);
  ASSERT_TRUE(image.has_value()) << image.error().message;
  EXPECT_EQ(image->entry, 0x1000u);
  ASSERT_EQ(image->segments.size(), 1u);
  EXPECT_EQ(image->segments[0].address, 0x1000u);
  EXPECT_EQ(image->segments[0].bytes, (std::vector<std::uint8_t>{0x78, 0x56, 0x34, 0x12}));
}

TEST(Elf, WhatIsNotInTheFileOrNotInL1IsRefused) {
  std::vector<std::uint8_t> file = small_elf();
  EXPECT_THAT(read_elf(file, 0x1002).error().message, HasSubstr("outside of L1"));
  file.pop_back();
  EXPECT_THAT(read_elf(file, 0x2000).error().message, HasSubstr("is cut"));
  file.resize(60);
  EXPECT_THAT(read_elf(file, 0x2000).error().message, HasSubstr("ends before its program headers"));
  file[4] = 2;
  EXPECT_THAT(read_elf(file, 0x2000).error().message, HasSubstr("not a 32-bit little-endian ELF file"));
}

TEST(Compiler, ZonesAreAnnouncedEachOnce) {
  const std::vector<ZoneName> zones = announced_zones(
      "x.cpp:3:5: note: '#pragma message: MyZone,a.cpp,1,KERNEL_PROFILER'\nx.cpp:3:5: note: '#pragma "
      "message: MyZone,a.cpp,1,KERNEL_PROFILER'\n"
      "y: note: '#pragma message: with, comma,b.cpp,20,KERNEL_PROFILER'\nz: note: '#pragma message: "
      "something else'\n");
  ASSERT_EQ(zones.size(), 2u);
  EXPECT_EQ(zones[0].id, 338u);
  EXPECT_EQ(zones[0].name, "MyZone");
  EXPECT_EQ(zones[0].line, 1u);
  EXPECT_EQ(zones[1].name, "with, comma");
  EXPECT_EQ(zones[1].file, "b.cpp");
  EXPECT_EQ(ttscope_device::zone_id("TEST-FULL,./kernel.cpp,10,KERNEL_PROFILER"), 36986u);
  EXPECT_EQ(ttscope_device::zone_id(""), 7385u);
}

TEST(Compiler, KernelsAreKeptByTheirContent) {
  SKIP_WITHOUT_CROSS_COMPILER();
  const TempFolder folder;
  const auto build = [&](const std::string& header) {
    folder.file("part.h", header);
    const KernelSource source = {
        folder.file("kernel.cpp", "#include \"part.h\"\nvoid kernel_main() { part(); }\n"),
        folder.path(),
        {},
        {}};
    Compiler compiler(Compiler::kProgram, folder.path("cache"));
    const Binary binary = value_of(compiler.kernel(Arch::kWormhole, Processor::kBrisc, {}, source));
    return std::make_pair(compiler.compiled(), binary);
  };
  const auto first = build("inline void part() { DeviceRecordEvent(1); }");
  const auto again = build("inline void part() { DeviceRecordEvent(1); }");
  const auto other = build("inline void part() { DeviceRecordEvent(2); }");
  EXPECT_EQ(first.first, 1u);
  EXPECT_EQ(again.first, 0u);
  EXPECT_EQ(other.first, 1u);
  EXPECT_EQ(again.second.image.segments[0].bytes, first.second.image.segments[0].bytes);
  EXPECT_EQ(again.second.zones.size(), first.second.zones.size());
  EXPECT_NE(other.second.image.segments[0].bytes, first.second.image.segments[0].bytes);
}

TEST(Compiler, AnErrorIsShownWithItsPlace) {
  SKIP_WITHOUT_CROSS_COMPILER();
  const TempFolder folder;
  Compiler compiler(Compiler::kProgram, folder.path("cache"));
  const Result<Binary> binary = compiler.kernel(
      Arch::kWormhole, Processor::kBrisc, {},
      {folder.file("kernel.cpp", "void kernel_main() {\n  nonsense();\n}\n"), folder.path(), {}, {}});
  ASSERT_FALSE(binary.has_value());
  EXPECT_THAT(binary.error().message,
              HasSubstr("kernel.cpp:2:3: error: 'nonsense' was not declared in this scope"));
  EXPECT_THAT(binary.error().message, ::testing::Not(HasSubstr("KERNEL_PROFILER")));
  EXPECT_THAT(binary.error().message, ::testing::Not(HasSubstr("profiler_push.hpp")))
      << "where zones are announced that nobody complains of";
  const Result<Binary> large =
      compiler.kernel(Arch::kWormhole, Processor::kTrisc0, {},
                      {folder.file("large.cpp",
                                   "int table[600];\nvoid kernel_main() { table[get_arg_val<uint32_t>(0)] = "
                                   "1; asm volatile(\"\" ::: \"memory\"); }\n"),
                       folder.path(),
                       {},
                       {}});
  ASSERT_FALSE(large.has_value());
  EXPECT_THAT(large.error().message,
              HasSubstr("the kernel's variables leave too little private memory for the stack"));
}

TEST(Compiler, WithoutItTheMessageSaysWhatToInstall) {
  const TempFolder folder;
  Compiler compiler("no-such-compiler-g++", folder.path("cache"));
  const Result<Binary> binary = compiler.firmware(Arch::kWormhole, Processor::kBrisc, {});
  ASSERT_FALSE(binary.has_value());
  EXPECT_EQ(binary.error().message,
            "firmware brisc.cc: the RISC-V compiler no-such-compiler-g++ was not found; on Debian, install "
            "it with: apt-get install gcc-riscv64-unknown-elf");
}

}  // namespace
}  // namespace ttscope::testing
