// Inputs packed with xz and bzip2: whole, cut, damaged, several streams.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "io/byte_reader.h"
#include "io/chunk_source.h"
#include "io/open_input.h"
#include "support/compressed.h"
#include "support/temp_folder.h"

namespace ttscope::io {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::TempFolder;

struct Content {
  std::string text;
  std::string warning;
};

Content content_of(const std::string& path) {
  const auto source = open_source(path);
  if (!source) return {"cannot open", source.error().message};
  Content content;
  for (;;) {
    const auto chunk = (*source)->next();
    if (!chunk) return {"cannot read", chunk.error().message};
    if (chunk->bytes.empty()) break;
    content.text += chunk->bytes;
  }
  content.warning = (*source)->warning();
  return content;
}

/// Lines that do not pack well, so that the packed data have many bytes to cut at.
std::string random_lines(std::size_t lines) {
  std::mt19937 random(7);
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) text += "line " + std::to_string(random()) + "\n";
  return text;
}

struct Packer {
  const char* name;
  std::string (*pack)(const std::string&);
  Compression kind;
};
std::string pack_xz(const std::string& text) { return testing::xz(text); }
std::string pack_bzip2(const std::string& text) { return testing::bzip2(text); }

class Packed : public ::testing::TestWithParam<Packer> {
 protected:
  std::string pack(const std::string& text) const { return GetParam().pack(text); }
  TempFolder folder_;
};

TEST_P(Packed, IsReadLikeThePlainText) {
  for (const std::size_t lines : {0u, 1u, 100u, 60000u}) {
    const std::string text = random_lines(lines);
    const std::string packed = pack(text);
    EXPECT_EQ(compression_of(packed), GetParam().kind);
    const Content content = content_of(folder_.file("log", packed));
    EXPECT_EQ(content.text == text, true) << lines << " lines";
    EXPECT_EQ(content.warning, "");
  }
}

TEST_P(Packed, IsOneTextForReadersThatNeedTheWhole) {
  const std::string text = random_lines(1000);
  const Result<WholeText> whole = open_whole_text(folder_.file("log", pack(text)));
  ASSERT_TRUE(whole.has_value());
  EXPECT_TRUE(whole->unpacked);
  EXPECT_EQ(whole->bytes(), text);
}

TEST_P(Packed, StreamsFollowEachOther) {
  const std::string first = random_lines(300);
  const Content content = content_of(folder_.file("log", pack(first) + pack("second\n") + pack("")));
  EXPECT_EQ(content.text, first + "second\n");
  EXPECT_EQ(content.warning, "");
}

TEST_P(Packed, EveryCutGivesABeginningAndAWarning) {
  const std::string text = random_lines(400);
  const std::string packed = pack(text);
  for (std::size_t size = kMagicBytes; size < packed.size(); size += 7) {
    const Content content = content_of(folder_.file("log", packed.substr(0, size)));
    ASSERT_THAT(content.warning,
                HasSubstr(std::string("log: the ") + GetParam().name + " data end too early"));
    ASSERT_TRUE(text.starts_with(content.text)) << size;
  }
}

TEST_P(Packed, ABeginningOfALongCutTextIsThere) {
  const std::string text = random_lines(200000);
  const std::string packed = pack(text);
  const Content content = content_of(folder_.file("log", packed.substr(0, packed.size() - 100)));
  EXPECT_GT(content.text.size(), text.size() / 2);
  EXPECT_TRUE(text.starts_with(content.text));
  EXPECT_THAT(content.warning, HasSubstr("what could be read up to there was used"));
}

TEST_P(Packed, EveryDamagedByteIsToldOrHarmless) {
  const std::string text = random_lines(300);
  const std::string packed = pack(text);
  for (std::size_t at = kMagicBytes; at < packed.size(); at += 3) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const Content content = content_of(folder_.file("log", damaged));
    ASSERT_TRUE(content.text == text || !content.warning.empty()) << at;
    if (!content.warning.empty()) {
      ASSERT_THAT(content.warning,
                  AnyOf(HasSubstr("damaged"), HasSubstr("end too early"), HasSubstr("128 MiB")));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Packed,
                         ::testing::Values(Packer{"xz", pack_xz, Compression::kXz},
                                           Packer{"bzip2", pack_bzip2, Compression::kBzip2}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Bzip2, BytesBehindItAreIgnoredAndTold) {
  const TempFolder folder;
  const Content content = content_of(folder.file("log", testing::bzip2("text\n") + "something else"));
  EXPECT_EQ(content.text, "text\n");
  EXPECT_THAT(content.warning, HasSubstr("the bytes after the bzip2 data"));
}

TEST(Bzip2, ATextMayBeginWithItsLetters) {
  const TempFolder folder;
  EXPECT_EQ(content_of(folder.file("log", "BZh9 is how bzip2 files begin\n")).text,
            "BZh9 is how bzip2 files begin\n");
}

/// No encoder is asked for a dictionary of 1.5 GiB: the header of a small stream is made to say so.
TEST(Xz, DataThatAskForTooMuchMemoryAreNotBelieved) {
  std::string packed = testing::xz("line\n");
  constexpr std::size_t kHeader = 12;  // behind the stream's own
  const std::size_t header_bytes = (static_cast<unsigned char>(packed[kHeader]) + 1U) * 4U;
  const std::size_t filter = packed.find("\x21\x01", kHeader);  // LZMA2, one byte of properties
  ASSERT_LT(filter, kHeader + header_bytes);
  packed[filter + 2] = 37;  // 1.5 GiB
  const std::uint32_t checksum =
      lzma_crc32(reinterpret_cast<const std::uint8_t*>(packed.data() + kHeader), header_bytes - 4, 0);
  for (std::size_t i = 0; i < 4; ++i)
    packed[kHeader + header_bytes - 4 + i] = static_cast<char>(checksum >> (8 * i) & 0xFF);
  const TempFolder folder;
  const Content content = content_of(folder.file("log", packed));
  EXPECT_EQ(content.text, "");
  EXPECT_THAT(content.warning, HasSubstr("more than 128 MiB"));
}

}  // namespace
}  // namespace ttscope::io
