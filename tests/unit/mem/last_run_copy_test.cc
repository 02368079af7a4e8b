#include "mem/write/last_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/load.h"
#include "support/compressed.h"
#include "support/log_text.h"
#include "support/temp_folder.h"
#include "ui/json_text.h"

namespace ttscope::mem {
namespace {

using testing::LogText;
using testing::TempFolder;

std::string one_pass(const std::string& before = {}) {
  LogText log({.before = before});
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", testing::dram_tensor(32, 32)));
  return log.finish("main").text();
}

struct Copied {
  std::string text;
  CopiedLines lines;
};

Copied copy_of(const std::string& path) {
  const Result<RuntimeLog> log = load_runtime_logs({path}, {});
  EXPECT_TRUE(log.has_value()) << log.error().message;
  if (!log) return {};
  ui::TextCatcher out;
  const Result<CopiedLines> lines = copy_last_run(*log, find_last_run(*log), out);
  EXPECT_TRUE(lines.has_value()) << lines.error().message;
  return lines ? Copied{std::string(out.text()), *lines} : Copied{};
}

TEST(LastRunCopy, KeepsTheLastPassAndWhatIsOutsideOfPrograms) {
  const TempFolder folder;
  const std::string pass = one_pass();
  const Copied copied = copy_of(folder.file("run.log", "hello\n" + pass + pass + "bye\n" + pass + "end"));
  EXPECT_EQ(copied.text, "hello\nbye\n" + pass + "end");
  EXPECT_EQ(copied.lines.read, 3U + 3 * 3);
  EXPECT_EQ(copied.lines.kept, 3U + 3);
}

TEST(LastRunCopy, OnePassIsCopiedByteForByte) {
  const TempFolder folder;
  const std::string text = "a\r\n\n" + one_pass() + "\x1b[0mend";
  EXPECT_EQ(copy_of(folder.file("run.log", text)).text, text);
}

TEST(LastRunCopy, RanksAreCutEachForItself) {
  const TempFolder folder;
  const std::string twice = one_pass("[1,0]<stdout>: ");
  const std::string once = one_pass("[1,1]<stdout>: ");
  EXPECT_EQ(copy_of(folder.file("run.log", twice + once + twice)).text, once + twice);
}

TEST(LastRunCopy, CompressedInputGivesPlainLines) {
  const TempFolder folder;
  const std::string pass = one_pass();
  const std::string path = folder.file("run.log.gz", testing::gzip(pass + pass));
  EXPECT_TRUE(is_packed_or_utf16(path));
  EXPECT_EQ(copy_of(path).text, pass);
}

TEST(LastRunCopy, OnlyTheFirstBytesTellWhatIsCompressed) {
  const TempFolder folder;
  EXPECT_FALSE(is_packed_or_utf16(folder.file("plain.gz", "plain text")));
  EXPECT_FALSE(is_packed_or_utf16(folder.file("empty", "")));
  EXPECT_TRUE(is_packed_or_utf16(folder.file("utf16.log", std::string("l\0o\0g\0 \0", 8))));
  EXPECT_FALSE(is_packed_or_utf16(folder.path("nowhere")));
  EXPECT_TRUE(is_packed_or_utf16(folder.file("packed.log", "\x28\xb5\x2f\xfd rest")));
}

}  // namespace
}  // namespace ttscope::mem
