#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "io/byte_reader.h"
#include "support/compressed.h"

namespace ttscope::io {
namespace {

/// Deflate data by hand: one block with the codes that the format fixes.
class FixedBlock {
 public:
  FixedBlock() { put(0b011, 3); }
  /// Bytes below 144.
  void literals(const std::string& text) {
    for (const char c : text) put_code(0x30u + static_cast<unsigned char>(c), 8);
  }
  /// 258 bytes from 32768 before.
  void longest_match() {
    put_code(0xC5, 8);
    put_code(29, 5);
    put(0x1FFF, 13);
  }
  std::string gzip_member() const { return std::string("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10) + bytes_; }

 private:
  void put(unsigned value, int bits) {
    for (int i = 0; i < bits; ++i) put_bit(value >> i & 1);
  }
  void put_code(unsigned code, int bits) {
    for (int i = bits - 1; i >= 0; --i) put_bit(code >> i & 1);
  }
  void put_bit(unsigned bit) {
    if (used_ % 8 == 0) bytes_ += '\0';
    bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) | bit << used_ % 8);
    ++used_;
  }

  std::string bytes_;
  unsigned used_ = 0;
};

std::string lines(const std::string& line, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line;
  return text;
}

TEST(GzipReader, ReadsFromMemory) {
  const std::string text = lines("a line\n", 1000);
  const std::string packed = testing::gzip(text);
  for (const std::size_t capacity : {16, 100, 4096}) {
    const auto reader = make_gzip_reader(InputBuffer(packed, "log.gz", capacity));
    std::string read(text.size() + 1, '#');
    std::size_t at = 0;
    while (const std::size_t size = *reader->read(read.data() + at, read.size() - at)) at += size;
    EXPECT_EQ(read.substr(0, at), text);
    EXPECT_EQ(reader->warning(), "");
    EXPECT_EQ(reader->consumed_bytes(), packed.size());
  }
}

TEST(GzipReader, AMatchBeforeTheStartGivesNoBytesThatWereNeverWritten) {
  const std::string text = lines("a line that is there\n", 20);
  FixedBlock block;
  block.literals(text);
  block.longest_match();
  block.literals(lines("what follows the damage\n", 8));
  const std::string packed = block.gzip_member();
  const auto reader = make_gzip_reader(InputBuffer(packed, "log.gz"));
  std::string read(4096, '#');
  const std::size_t size = *reader->read(read.data(), read.size());
  EXPECT_LE(size, text.size());
  EXPECT_GT(size, 0u);
  EXPECT_EQ(read.substr(0, size), text.substr(0, size));
  EXPECT_EQ(*reader->read(read.data(), read.size()), 0u);
  EXPECT_THAT(reader->warning(), ::testing::HasSubstr("damaged"));
}

}  // namespace
}  // namespace ttscope::io
