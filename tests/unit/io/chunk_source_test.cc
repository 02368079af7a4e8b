#include "io/chunk_source.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/compressed.h"
#include "support/temp_folder.h"

namespace ttscope::io {
namespace {

using ::testing::EndsWith;
using testing::gzip;
using ::testing::HasSubstr;
using testing::TempFolder;
using testing::zstd;

/// Everything an input gives.
struct Content {
  std::string text;  ///< with a newline after each cut line
  std::vector<std::string> chunks;
  int cut_lines = 0;
  int stable_chunks = 0;
  std::string warning;
  std::string error;
};

Content content_of(ChunkSource& source) {
  Content content;
  for (;;) {
    const auto chunk = source.next();
    if (!chunk) {
      content.error = chunk.error().message;
      return content;
    }
    if (chunk->bytes.empty()) break;
    content.chunks.emplace_back(chunk->bytes);
    content.text += chunk->bytes;
    if (chunk->cut_line) content.text += '\n';
    content.cut_lines += chunk->cut_line ? 1 : 0;
    content.stable_chunks += chunk->stable ? 1 : 0;
    EXPECT_NE(chunk->owner, nullptr);
  }
  EXPECT_TRUE(source.next()->bytes.empty()) << "the end stays the end";
  content.warning = source.warning();
  return content;
}

Content content_of(const std::string& path, const SourceOptions& options = {}) {
  const auto source = open_source(path, options);
  if (source) return content_of(**source);
  Content content;
  content.error = source.error().message;
  return content;
}

/// Reads a FIFO that is fed `piece_bytes` at a time.
Content content_of_fifo(const TempFolder& folder, const std::string& text, const SourceOptions& options,
                        std::size_t piece_bytes) {
  const std::string path = folder.path("fifo");
  ::unlink(path.c_str());
  ::mkfifo(path.c_str(), 0600);
  std::thread feeder([&] {
    std::ofstream fifo(path, std::ios::binary);
    for (std::size_t at = 0; at < text.size(); at += piece_bytes) {
      const std::string piece = text.substr(at, piece_bytes);
      fifo.write(piece.data(), static_cast<std::streamsize>(piece.size())).flush();
    }
  });
  Content content = content_of(path, options);
  feeder.join();
  return content;
}

std::string sample_text() {
  std::mt19937 random(11);
  std::string text = "first\r\n\n\r\n";
  for (int line = 0; line < 300; ++line) {
    text += "line " + std::to_string(line) + " " + std::string(random() % (line % 50 == 0 ? 900 : 40), 'x');
    text += line % 3 == 0 ? "\r\n" : "\n";
  }
  text += std::string("nul \0 and \xFF bytes\n", 19);
  return text + "no newline at the end";
}

void expect_whole_lines(const Content& content) {
  for (std::size_t at = 0; at + 1 < content.chunks.size(); ++at) ASSERT_EQ(content.chunks[at].back(), '\n');
}

TEST(ChunkSource, AnEmptyFileHasNoChunks) {
  const TempFolder folder;
  const Content content = content_of(folder.file("empty", ""));
  EXPECT_EQ(content.error, "");
  EXPECT_TRUE(content.chunks.empty());
}

TEST(ChunkSource, ASmallFileIsOneStableChunk) {
  const TempFolder folder;
  for (const std::string text : {"a", "a\n", "\n", "\r\n", "a\nb", "\n\n\n"}) {
    const Content content = content_of(folder.file("log", text));
    EXPECT_EQ(content.text, text);
    EXPECT_EQ(content.chunks.size(), 1u);
    EXPECT_EQ(content.stable_chunks, 1);
  }
}

TEST(ChunkSource, AMappedFileIsNotCopied) {
  const TempFolder folder;
  const auto source = open_source(folder.file("log", "a\nb\nc\n"), {.chunk_bytes = 2});
  ASSERT_TRUE(source);
  const Chunk first = *(*source)->next();
  const Chunk second = *(*source)->next();
  EXPECT_EQ(first.bytes.data() + 2, second.bytes.data());
  EXPECT_EQ(first.owner, (*source)->backing());
  EXPECT_EQ((*source)->total_bytes(), 6u);
  EXPECT_EQ((*source)->consumed_bytes(), 4u);
}

TEST(ChunkSource, EveryChunkSizeGivesTheSameLines) {
  const TempFolder folder;
  const std::string text = sample_text();
  const std::string mapped = folder.file("log", text);
  const std::string packed = folder.file("log.gz", gzip(text));
  const std::string framed = folder.file("log.zst", zstd(text));
  for (std::size_t chunk_bytes = 1; chunk_bytes < 3000; chunk_bytes += chunk_bytes < 70 ? 1 : 97) {
    for (const std::string& path : {mapped, packed, framed}) {
      const Content content = content_of(path, {.chunk_bytes = chunk_bytes});
      ASSERT_EQ(content.text, text) << path << " " << chunk_bytes;
      ASSERT_EQ(content.warning, "");
      expect_whole_lines(content);
    }
  }
}

TEST(ChunkSource, AFifoGivesTheSameLinesHoweverItIsFed) {
  const TempFolder folder;
  const std::string text = sample_text();
  for (const std::size_t piece_bytes : {1u, 7u, 4096u, 100000u}) {
    for (const std::size_t chunk_bytes : {1u, 64u, 5000u, 1000000u}) {
      const Content content = content_of_fifo(folder, text, {.chunk_bytes = chunk_bytes}, piece_bytes);
      ASSERT_EQ(content.text, text);
      ASSERT_EQ(content.stable_chunks, 0);
      expect_whole_lines(content);
    }
  }
}

TEST(ChunkSource, CompressedFifosAreRecognized) {
  const TempFolder folder;
  const std::string text = sample_text();
  for (const std::size_t piece_bytes : {1u, 3u, 1000u}) {
    EXPECT_EQ(content_of_fifo(folder, gzip(text), {}, piece_bytes).text, text);
    EXPECT_EQ(content_of_fifo(folder, zstd(text), {}, piece_bytes).text, text);
  }
  EXPECT_EQ(content_of_fifo(folder, "", {}, 1).text, "");
  EXPECT_EQ(content_of_fifo(folder, "ab", {}, 1).text, "ab");
}

TEST(ChunkSource, LinesOverTheLimitAreCutTheSameWayEverywhere) {
  const TempFolder folder;
  for (std::size_t length = 15; length < 70; ++length) {
    for (const bool newline : {true, false}) {
      const std::string text = "a\n" + std::string(length, 'x') + (newline ? "\nb\nc" : "");
      const std::string kept = "a\n" + std::string(std::min<std::size_t>(length, 32), 'x');
      const bool cut = length > 32;
      const std::string expected = kept + (newline ? "\nb\nc" : cut ? "\n" : "");
      for (const std::size_t chunk_bytes : {1u, 5u, 16u, 32u, 1000u}) {
        const SourceOptions options{.chunk_bytes = chunk_bytes, .line_limit_bytes = 32};
        for (const std::string& path :
             {folder.file("log", text), folder.file("gz", gzip(text)), folder.file("zst", zstd(text))}) {
          const Content content = content_of(path, options);
          ASSERT_EQ(content.text, expected) << path << " " << length << " " << chunk_bytes;
          ASSERT_EQ(content.cut_lines, cut ? 1 : 0);
        }
      }
    }
  }
}

TEST(ChunkSource, SeveralCutLinesInARow) {
  const TempFolder folder;
  std::string text;
  std::string expected;
  for (int line = 0; line < 50; ++line) {
    text += std::string(static_cast<std::size_t>(line * 7), 'y') + "\n";
    expected += std::string(static_cast<std::size_t>(std::min(line * 7, 40)), 'y') + "\n";
  }
  const SourceOptions options{.chunk_bytes = 16, .line_limit_bytes = 40};
  EXPECT_EQ(content_of(folder.file("log", text), options).text, expected);
  EXPECT_EQ(content_of(folder.file("log.gz", gzip(text)), options).text, expected);
}

TEST(ChunkSource, ALineOf70MegabytesIsCutAtTheLimit) {
  const TempFolder folder;
  const std::string line(std::size_t{70} << 20, 'x');
  const std::string text = "before\n" + line + "\nafter\n";
  for (const std::string& path : {folder.file("log", text), folder.file("zst", zstd(text))}) {
    const Content content = content_of(path);
    EXPECT_EQ(content.cut_lines, 1);
    ASSERT_EQ(content.chunks.size(), 3u);
    EXPECT_EQ(content.chunks[0], "before\n");
    EXPECT_EQ(content.chunks[1].size(), ChunkSource::kLineLimitBytes);
    EXPECT_EQ(content.chunks[2], "after\n");
  }
}

TEST(ChunkSource, ALineLongerThanAChunkIsWhole) {
  const TempFolder folder;
  const std::string text = std::string(ChunkSource::kChunkBytes * 3, 'x') + "\nafter";
  EXPECT_EQ(content_of(folder.file("log", text)).text, text);
  EXPECT_EQ(content_of(folder.file("gz", gzip(text))).text, text);
}

TEST(ChunkSource, MembersAndFramesOneAfterAnother) {
  const TempFolder folder;
  const std::string text = sample_text();
  std::string packed;
  std::string framed;
  std::string expected;
  for (int part = 0; part < 20; ++part) {
    const std::string piece = text.substr(0, static_cast<std::size_t>(part * 97));
    packed += gzip(piece);
    framed += zstd(piece);
    expected += piece;
  }
  const Content members = content_of(folder.file("gz", packed), {.chunk_bytes = 100});
  EXPECT_EQ(members.text, expected);
  EXPECT_EQ(members.warning, "");
  const Content frames = content_of(folder.file("zst", framed), {.chunk_bytes = 100});
  EXPECT_EQ(frames.text, expected);
  EXPECT_EQ(frames.warning, "");
}

TEST(ChunkSource, ASkippableFrameMayComeFirst) {
  const TempFolder folder;
  const std::string skippable("\x50\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);
  EXPECT_EQ(content_of(folder.file("zst", skippable + zstd("text\n"))).text, "text\n");
}

TEST(ChunkSource, AllFieldsOfAGzipHeaderAreSkipped) {
  const TempFolder folder;
  std::string packed = gzip("text\n");
  const std::string body = packed.substr(10);
  const std::string header = packed.substr(0, 10);
  for (int flags = 0; flags < 32; ++flags) {
    std::string wrapped = header;
    wrapped[3] = static_cast<char>(flags);
    if ((flags & 4) != 0)
      wrapped += std::string(
          "\x05\x00"
          "extra",
          7);
    if ((flags & 8) != 0) wrapped += std::string("name\0", 5);
    if ((flags & 16) != 0) wrapped += std::string("comment\0", 8);
    if ((flags & 2) != 0) wrapped += "hc";
    const Content content = content_of(folder.file("gz", wrapped + body));
    EXPECT_EQ(content.text, "text\n") << flags;
    EXPECT_EQ(content.warning, "");
  }
}

TEST(ChunkSource, ACutGzipFileGivesTheLinesBeforeTheCut) {
  const TempFolder folder;
  const std::string text = sample_text();
  const std::string packed = gzip(text);
  std::size_t most = 0;
  for (std::size_t size = 3; size < packed.size(); ++size) {
    const Content content = content_of(folder.file("log.gz", packed.substr(0, size)));
    ASSERT_EQ(content.error, "");
    ASSERT_EQ(content.text, text.substr(0, content.text.size())) << size;
    ASSERT_GE(content.text.size() + 300, most) << "a longer start gives no less";
    most = std::max(most, content.text.size());
    ASSERT_THAT(content.warning,
                HasSubstr("log.gz: the gzip data end too early, after " + std::to_string(size) + " bytes"));
  }
  EXPECT_EQ(most, text.size());
}

TEST(ChunkSource, ACutZstdFileGivesTheBlocksBeforeTheCut) {
  const TempFolder folder;
  std::string text;
  std::mt19937 random(5);
  while (text.size() < 600000) text += std::to_string(random()) + "\n";
  const std::string framed = zstd(text);
  std::size_t most = 0;
  for (std::size_t size = 5; size < framed.size(); size += 5003) {
    const Content content = content_of(folder.file("log.zst", framed.substr(0, size)));
    ASSERT_EQ(content.text, text.substr(0, content.text.size()));
    ASSERT_THAT(content.warning, HasSubstr("log.zst: the zstd data end too early, after "));
    most = std::max(most, content.text.size());
  }
  EXPECT_GT(most, text.size() / 2);
}

TEST(ChunkSource, DamagedDataNeverEndInACrashOrAnError) {
  const TempFolder folder;
  const std::string text = sample_text();
  std::mt19937 random(23);
  for (const std::string& packed : {gzip(text), zstd(text), gzip(text) + gzip(text)}) {
    for (int round = 0; round < 400; ++round) {
      std::string damaged = packed;
      const auto flips = 1 + random() % 4;
      for (unsigned flip = 0; flip < flips; ++flip)
        damaged[4 + random() % (damaged.size() - 4)] ^= static_cast<char>(1 << random() % 8);
      if (round % 5 == 0) damaged.insert(random() % damaged.size(), "junk");
      const Content content = content_of(folder.file("damaged", damaged), {.chunk_bytes = 512});
      ASSERT_EQ(content.error, "");
    }
  }
}

TEST(ChunkSource, AWrongChecksumIsToldAndTheNextMemberRead) {
  const TempFolder folder;
  std::string packed = gzip("one\n");
  packed[packed.size() - 6] ^= 1;
  const Content content = content_of(folder.file("log.gz", packed + gzip("two\n")));
  EXPECT_EQ(content.text, "one\ntwo\n");
  EXPECT_THAT(content.warning, HasSubstr("damaged (wrong checksum)"));
}

TEST(ChunkSource, WhatFollowsTheGzipDataIsIgnored) {
  const TempFolder folder;
  const std::string packed = gzip("one\n");
  const Content zeros = content_of(folder.file("log.gz", packed + std::string(1000, '\0')));
  EXPECT_EQ(zeros.text, "one\n");
  EXPECT_EQ(zeros.warning, "") << "padding is no reason to warn";
  for (const std::string junk : {"x", "junk", "\x1F"}) {
    const Content content = content_of(folder.file("log.gz", packed + junk));
    EXPECT_EQ(content.text, "one\n");
    EXPECT_THAT(content.warning,
                HasSubstr("bytes after the gzip data, from byte " + std::to_string(packed.size())));
  }
}

TEST(ChunkSource, ABombOfOneLineIsCapped) {
  const TempFolder folder;
  const std::string packed = gzip(std::string(std::size_t{20} << 20, '\0'));
  const SourceOptions options{.chunk_bytes = 4096, .line_limit_bytes = 65536};
  const Content content = content_of(folder.file("bomb.gz", packed + packed + gzip("\nafter")), options);
  EXPECT_EQ(content.cut_lines, 1);
  EXPECT_EQ(content.text, std::string(65536, '\0') + "\nafter");
}

TEST(ChunkSource, WhatCannotBeOpenedIsAnError) {
  const TempFolder folder;
  EXPECT_EQ(content_of(folder.path("none")).error,
            folder.path("none") + ": cannot open: No such file or directory");
  EXPECT_EQ(content_of(folder.path()).error, folder.path() + ": is a folder, not a file");
  EXPECT_EQ(content_of("").error, ": cannot open: No such file or directory");
}

TEST(ChunkSource, FilesOfTheKernelAreRead) {
  if (::access("/proc/self/status", R_OK) != 0) GTEST_SKIP() << "no /proc";
  EXPECT_THAT(content_of("/proc/self/status").text, HasSubstr("Name:"));
}

TEST(ChunkSource, StandardInputFromAFileStartsAtItsPosition) {
  const TempFolder folder;
  const int saved = ::dup(STDIN_FILENO);
  for (const bool compressed : {false, true}) {
    const std::string skipped = "skipped\n";
    const int file =
        ::open(folder.file("in", skipped + (compressed ? gzip("rest\n") : "rest\n")).c_str(), O_RDONLY);
    ::lseek(file, static_cast<off_t>(skipped.size()), SEEK_SET);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
    const Content content = content_of("-");
    EXPECT_EQ(content.text, "rest\n");
    EXPECT_EQ(content.stable_chunks, compressed ? 0 : 1);
  }
  const int here = ::open(folder.path().c_str(), O_RDONLY);
  ::dup2(here, STDIN_FILENO);
  ::close(here);
  EXPECT_EQ(content_of("-").error, "standard input: is a folder, not a file");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

TEST(ChunkSource, ProgressReachesTheSizeAsStored) {
  const TempFolder folder;
  const std::string packed = gzip(sample_text());
  const auto source = open_source(folder.file("gz", packed));
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->total_bytes(), packed.size());
  content_of(**source);
  EXPECT_EQ((*source)->consumed_bytes(), packed.size());
  EXPECT_EQ((*source)->backing(), nullptr);
}

}  // namespace
}  // namespace ttscope::io
