// UTF-16 inputs are read as UTF-8.
#include "io/open_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "io/chunk_source.h"
#include "io/input_files.h"
#include "support/compressed.h"
#include "support/temp_folder.h"

namespace ttscope::io {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;

std::string utf16(std::u16string_view text, bool big_endian, bool mark) {
  std::string bytes;
  const auto add = [&](char16_t unit) {
    const auto high = static_cast<char>(unit >> 8);
    const auto low = static_cast<char>(unit & 0xFF);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  };
  if (mark) add(0xFEFF);
  for (const char16_t unit : text) add(unit);
  return bytes;
}

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

constexpr std::u16string_view kText = u"=== Memory Usage Summary ===\r\nα, ℓ, 𝄞\n";
constexpr std::string_view kSame = "=== Memory Usage Summary ===\r\nα, ℓ, 𝄞\n";

TEST(TextEncoding, BothOrdersWithAndWithoutMark) {
  const TempFolder folder;
  for (const bool big_endian : {false, true}) {
    for (const bool mark : {false, true}) {
      const std::string bytes = utf16(kText, big_endian, mark);
      EXPECT_EQ(encoding_of(bytes), big_endian ? Encoding::kUtf16BigEndian : Encoding::kUtf16LittleEndian);
      const Content content = content_of(folder.file("log", bytes));
      EXPECT_EQ(content.text, kSame) << big_endian << mark;
      EXPECT_EQ(content.warning, "");
      EXPECT_EQ(open_whole_text(folder.path("log"))->bytes(), kSame);
    }
  }
}

TEST(TextEncoding, PackedTextsToo) {
  const TempFolder folder;
  const std::string bytes = utf16(kText, false, true);
  for (const std::string& packed :
       {testing::gzip(bytes), testing::zstd(bytes), testing::xz(bytes), testing::bzip2(bytes)}) {
    EXPECT_EQ(content_of(folder.file("log", packed)).text, kSame);
  }
}

TEST(TextEncoding, OtherBytesStayAsTheyAre) {
  const TempFolder folder;
  const std::string zeros(100, '\0');
  for (const std::string& bytes :
       {std::string("plain text\n"), std::string("a\0", 2), std::string("SQLite format 3\0", 16), zeros,
        std::string("\x01\0\x02\0\x03\0\x04\0", 8), std::string("ab\0cd\n", 6),
        std::string("\xFF\xFB\0\0", 4), std::string("\xEF\xBBtext\n"), std::string("a\xEF\xBB\xBF\n"),
        std::string("\xC3\xA9t\xC3\xA9\n")}) {
    EXPECT_EQ(encoding_of(bytes), Encoding::kBytes);
    EXPECT_EQ(content_of(folder.file("log", bytes)).text, bytes);
  }
}

TEST(TextEncoding, AMarkBeforeUtf8IsNoPartOfTheText) {
  const TempFolder folder;
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::string& text : {std::string("text\n"), std::string(), std::string(100, 'x') + "\ny"}) {
    for (const std::string& bytes : {mark + text, testing::gzip(mark + text), testing::bzip2(mark + text)}) {
      const std::string path = folder.file("log", bytes);
      EXPECT_EQ(content_of(path).text, text);
      EXPECT_EQ(open_whole_text(path)->bytes(), text);
      EXPECT_EQ(read_beginning(path)->bytes, text);
    }
    // Only one, and only in front.
    EXPECT_EQ(content_of(folder.file("log", mark + mark + text)).text, mark + text);
  }
}

TEST(TextEncoding, AMarkedFileIsMappedAsItIs) {
  const TempFolder folder;
  const auto text = open_whole_text(folder.file("log", "\xEF\xBB\xBFtext\n"));
  ASSERT_TRUE(text);
  EXPECT_FALSE(text->unpacked);
  EXPECT_EQ(text->start, 3u);
  const auto source = open_source(folder.path("log"));
  ASSERT_TRUE(source);
  EXPECT_TRUE((*source)->next()->stable);
  EXPECT_EQ((*source)->consumed_bytes(), (*source)->total_bytes());
}

TEST(TextEncoding, BytesThatOnlyBeginLikeAMarkStayAsTheyAre) {
  EXPECT_EQ(encoding_of("\xff\xfe caf\xe9 and the lines of a log\r\n"), Encoding::kBytes);
  EXPECT_EQ(encoding_of("\xfe\xff and the lines of a log\r\n"), Encoding::kBytes);
  EXPECT_EQ(encoding_of("\xff\xfe"), Encoding::kUtf16LittleEndian);
}

TEST(TextEncoding, HalvesOfCharactersAreReplacedAndCounted) {
  const TempFolder folder;
  // A high half before a letter, a low half alone, a high half at the end.
  const std::u16string text = {u'a', 0xD834, u'b', 0xDD1E, u'c', u'\n', 0xD834};
  const Content content = content_of(folder.file("log", utf16(text, false, true)));
  EXPECT_EQ(content.text, "a\uFFFDb\uFFFDc\n\uFFFD");
  EXPECT_THAT(content.warning, HasSubstr("log: 3 halves of UTF-16 characters"));
  const Content odd = content_of(folder.file("log", utf16(u"abc\n", true, true) + "x"));
  EXPECT_EQ(odd.text, "abc\n\uFFFD");
  EXPECT_THAT(odd.warning, HasSubstr("1 halves"));
}

TEST(TextEncoding, AMarkAloneIsAnEmptyText) {
  const TempFolder folder;
  EXPECT_EQ(content_of(folder.file("log", "\xFF\xFE")).text, "");
  EXPECT_EQ(content_of(folder.file("log", "")).text, "");
}

/// Gives its bytes in small pieces, so that characters are cut everywhere.
class PieceReader final : public ByteReader {
 public:
  PieceReader(std::string bytes, std::size_t piece) : bytes_(std::move(bytes)), piece_(piece) {}
  Result<std::size_t> read(char* to, std::size_t room_bytes) override {
    const std::size_t size = std::min({room_bytes, piece_, bytes_.size() - at_});
    bytes_.copy(to, size, at_);
    at_ += size;
    return size;
  }
  std::uint64_t consumed_bytes() const override { return at_; }

 private:
  std::string bytes_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

TEST(TextEncoding, TheResultDoesNotDependOnHowTheInputIsCut) {
  std::u16string text;
  std::string same;
  for (int i = 0; i < 40; ++i) {
    text += kText;
    same += kSame;
  }
  for (const std::size_t piece : {1u, 2u, 3u, 5u, 31u, 32u, 33u, 1000u}) {
    for (const std::size_t room : {1u, 7u, 4096u}) {
      const auto reader =
          make_text_reader(std::make_unique<PieceReader>(utf16(text, true, true), piece), "log");
      std::string read;
      std::string block(room, '\0');
      while (const std::size_t size = *reader->read(block.data(), room)) read.append(block, 0, size);
      ASSERT_EQ(read, same) << piece << " " << room;
    }
  }
}

}  // namespace
}  // namespace ttscope::io
