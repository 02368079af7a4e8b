#include "mem/model/log_lines.h"

#include <gtest/gtest.h>

#include "support/profile_text.h"

namespace ttscope::mem {
namespace {

std::string text_of(std::string_view line, bool ends_line = true) {
  std::string text;
  EXPECT_EQ(append_docker_text(line, text), ends_line) << line;
  return text;
}

TEST(DockerLine, TheTextHasNoEscapes) {
  EXPECT_TRUE(is_docker_line(R"({"log":"a\n","stream":"stdout","time":"2025-10-14T04:33:23Z"})"));
  EXPECT_FALSE(is_docker_line(R"({"message":"a"})"));
  EXPECT_EQ(text_of(R"({"log":"\u001b[32m\u003ca\u003e \"b\" \\ c\n","stream":"stdout","time":"t"})"),
            "\x1b[32m<a> \"b\" \\ c");
  EXPECT_EQ(text_of("no record of docker"), "no record of docker");
}

TEST(DockerLine, APieceOfALineDoesNotEndIt) {
  EXPECT_EQ(text_of(R"({"log":"first half, ","stream":"stdout","time":"t"})", false), "first half, ");
}

TEST(DockerLine, DamagedRecordsAreKeptAsTheyAre) {
  EXPECT_EQ(text_of(R"({"log":"cut inside)", false), "cut inside");
  EXPECT_EQ(text_of(R"({"log":"bad \x escape","stream":"stdout"})", false), "bad \\x escape");
  EXPECT_EQ(text_of(R"({"log":"two\nlines\n"})"), "two lines");
}

TEST(DockerLine, ALogThatIsSplitKeepsItsLines) {
  const testing::LogText log = testing::LogText().start("main").op(testing::ones("%0", 1)).finish("main");
  std::string records;
  std::string_view rest = log.text();
  const std::string text(rest);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at) + 1, at + 60);  // pieces of 60 bytes
    std::string part;
    for (const char c : text.substr(at, end - at))
      part += c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(1, c);
    for (std::size_t i = 0; (i = part.find('\x1b', i)) != std::string::npos;) part.replace(i, 1, "\\u001b");
    records += "{\"log\":\"" + part + "\",\"stream\":\"stdout\",\"time\":\"t\"}\n";
    at = end;
  }
  const testing::Profiled plain(text);
  const testing::Profiled split(records);
  ASSERT_EQ(split.ops_of_rank().ops.size(), 1u);
  EXPECT_EQ(split.peak().bytes_per_bank, plain.peak().bytes_per_bank);
  EXPECT_GT(split.ops_of_rank().ops[0].line, plain.ops_of_rank().ops[0].line);
}

TEST(DockerLine, PiecesOfTwoStreamsAreJoinedApart) {
  const auto record = [](const std::string& text, const char* stream) {
    return "{\"log\":\"" + text + "\",\"stream\":\"" + stream + "\",\"time\":\"2026-01-01T00:00:00Z\"}\n";
  };
  const std::string failure =
      "Out of Memory: Not enough space to allocate 96 B DRAM buffer across 12 banks, where each bank needs "
      "to store 8 "
      "B\\n";
  const std::string head = "            RuntimeTTNN |    DEBUG | Starting execution of program: ";
  const std::string text = record(head, "stdout") + record(failure, "stderr") + record("main\\n", "stdout") +
                           record("Segmentation fault\\n", "stderr");
  const RuntimeLog log = testing::read_text(text);
  ASSERT_EQ(log.ranks.size(), 1u);
  ASSERT_EQ(log.ranks[0].programs.size(), 1u);
  EXPECT_EQ(log.names[log.ranks[0].programs[0].name], "main");
  EXPECT_EQ(log.ranks[0].programs[0].start_line, 3u);
  ASSERT_EQ(log.ranks[0].failures.size(), 1u);
  EXPECT_EQ(log.ranks[0].failures[0].line, 2u);
  ASSERT_EQ(log.ranks[0].crashes.size(), 1u);
  EXPECT_EQ(log.ranks[0].crashes[0].line, 4u);
}

}  // namespace
}  // namespace ttscope::mem
