// The log that is being captured.
#include "launch/log_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>

#include "io/chunk_source.h"
#include "support/temp_folder.h"

namespace ttscope::launch {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;

std::string unpacked(const std::string& path) {
  auto source = io::open_source(path);
  std::string text;
  while (source) {
    const auto chunk = (*source)->next();
    if (!chunk || chunk->bytes.empty()) break;
    text += chunk->bytes;
  }
  return text;
}

TEST(LogSink, WritesANewFileOnly) {
  const TempFolder folder;
  const std::string path = folder.path() + "/a.log";
  auto sink = LogSink::create(path, {});
  ASSERT_TRUE(sink.has_value());
  (*sink)->write("one\n");
  EXPECT_EQ(testing::file_content(path), "one\n") << "others see it at once";
  (*sink)->write("two");
  EXPECT_TRUE((*sink)->finish().has_value());
  EXPECT_EQ(testing::file_content(path), "one\ntwo");
  EXPECT_FALSE(LogSink::create(path, {}).has_value());
  EXPECT_FALSE(LogSink::create(folder.path() + "/no/a.log", {}).has_value());
}

TEST(LogSink, CompressedLogsAreReadableBeforeTheirEnd) {
  const TempFolder folder;
  const std::string path = folder.path() + "/a.log.zst";
  LogSink::Options options;
  options.compress = true;
  auto sink = LogSink::create(path, options);
  ASSERT_TRUE(sink.has_value());
  (*sink)->write("line one\n");
  (*sink)->flush();
  EXPECT_EQ(unpacked(path), "line one\n");
  std::string long_text;
  for (int i = 0; i < 100000; ++i) long_text += std::to_string(i) + " and more\n";
  (*sink)->write(long_text);
  EXPECT_TRUE((*sink)->finish().has_value());
  EXPECT_EQ(unpacked(path), "line one\n" + long_text);
  EXPECT_LT(std::filesystem::file_size(path), long_text.size() / 3);
}

TEST(LogSink, AnotherProblemThanAFullDiskEndsTheLogButNotTheProgram) {
  const TempFolder folder;
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const struct rlimit low { 1000, before.rlim_max };
  auto sink = LogSink::create(folder.path() + "/a.log", {});
  ASSERT_TRUE(sink.has_value());
  setrlimit(RLIMIT_FSIZE, &low);
  (*sink)->write(std::string(1500, 'x'));
  (*sink)->write("more");
  const Result<void> finished = (*sink)->finish();
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE((*sink)->has_write_problem());
  EXPECT_EQ((*sink)->lost_bytes(), 504u);
  ASSERT_FALSE(finished.has_value());
  EXPECT_THAT(finished.error().message, HasSubstr("504 bytes of the output are missing"));
  EXPECT_EQ(testing::file_content(folder.path() + "/a.log"), std::string(1000, 'x'));
}

std::string converted(const std::vector<std::string>& pieces) {
  LineEnds ends;
  std::string text;
  for (const std::string& piece : pieces) text += ends.convert(piece);
  text += ends.finish();
  return text;
}

TEST(LineEnds, OnlyTheTerminalsReturnsAreTakenOut) {
  EXPECT_EQ(converted({"a\r\nb\r\n"}), "a\nb\n");
  EXPECT_EQ(converted({"a\r", "\nb"}), "a\nb");
  EXPECT_EQ(converted({"a\r", "b\r"}), "a\rb\r");
  EXPECT_EQ(converted({"10%\r20%\r\r\n", "", "\n"}), "10%\r20%\r\n\n");
}

}  // namespace
}  // namespace ttscope::launch
