#include "mem/read/chunk_scan.h"

#include <gtest/gtest.h>

#include <string>

namespace ttscope::mem {
namespace {

std::string view_text(const std::string& banks, const std::string& total, const std::string& allocated,
                      const std::string& free, const std::string& largest) {
  return "MemoryView{numBanks: " + banks + ", totalBytesPerBank: " + total +
         " MB, totalBytesAllocatedPerBank: " + allocated + " MB, totalBytesFreePerBank: " + free +
         " MB, largestContiguousBytesFreePerBank: " + largest + " MB}";
}

const std::string kReal = view_text("12", "1021.169", "0.008", "1021.161", "1020.5");

TEST(MemoryView, NumbersAreThousandthsOfAMib) {
  MemoryView view;
  ASSERT_TRUE(parse_memory_view(kReal, view));
  EXPECT_EQ(view.banks, 12u);
  EXPECT_EQ(view.total, 1021169u);
  EXPECT_EQ(view.allocated, 8u);
  EXPECT_EQ(view.free, 1021161u);
  EXPECT_EQ(view.largest_free, 1020500u);
}

TEST(MemoryView, DecimalsMayBeMoreOrFewerThanThree) {
  MemoryView view;
  ASSERT_TRUE(parse_memory_view(view_text("8", "4075", "1.", "0.25", "12.34567"), view));
  EXPECT_EQ(view.total, 4075000u);
  EXPECT_EQ(view.allocated, 1000u);
  EXPECT_EQ(view.free, 250u);
  EXPECT_EQ(view.largest_free, 12345u);
}

TEST(MemoryView, TextBehindTheViewIsIgnored) {
  MemoryView view;
  EXPECT_TRUE(parse_memory_view(kReal + "\x1b[0m", view));
}

TEST(MemoryView, TheLargestNumbersThatFitAreRead) {
  MemoryView view;
  ASSERT_TRUE(parse_memory_view(view_text("4294967295", "4294967.294", "0.000", "0.000", "0.000"), view));
  EXPECT_EQ(view.banks, 4294967295u);
  EXPECT_EQ(view.total, 4294967294u);
}

TEST(MemoryView, NumbersThatOverflowAreRefused) {
  MemoryView view;
  EXPECT_FALSE(parse_memory_view(view_text("4294967296", "1.0", "0.0", "1.0", "1.0"), view));
  EXPECT_FALSE(parse_memory_view(view_text("12", "4294967.296", "0.0", "1.0", "1.0"), view));
  EXPECT_FALSE(parse_memory_view(view_text("12", "99999999999999999999999999", "0.0", "1.0", "1.0"), view));
  EXPECT_FALSE(parse_memory_view(view_text("12", "1.0", "4294967295.999", "1.0", "1.0"), view));
}

TEST(MemoryView, WhatIsNoNumberIsRefused) {
  MemoryView view;
  for (const std::string bad : {"", "-1.0", "nan", "inf", ".5", "x", "1,024.0", "0x10"}) {
    EXPECT_FALSE(parse_memory_view(view_text("12", bad, "0.0", "1.0", "1.0"), view)) << bad;
  }
  EXPECT_FALSE(parse_memory_view(view_text("-12", "1.0", "0.0", "1.0", "1.0"), view));
  EXPECT_FALSE(parse_memory_view(view_text("", "1.0", "0.0", "1.0", "1.0"), view));
}

TEST(MemoryView, EveryCutViewIsRefused) {
  for (std::size_t length = 0; length < kReal.size(); ++length) {
    MemoryView view;
    const std::string cut = kReal.substr(0, length);
    EXPECT_FALSE(parse_memory_view(cut, view)) << cut;
  }
}

TEST(MemoryView, BytesAreRoundedToTheNearest) {
  EXPECT_EQ(bytes_of(0), 0);
  EXPECT_EQ(bytes_of(1), 1049);
  EXPECT_EQ(bytes_of(1000), 1048576);
  EXPECT_EQ(bytes_of(4294967295u), 4503599626322);
}

}  // namespace
}  // namespace ttscope::mem
