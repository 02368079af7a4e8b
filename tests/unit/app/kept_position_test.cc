// Standard input that is read twice.
#include "app/formats.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "base/files.h"
#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

/// Puts a file in the place of standard input for one test.
class StandardInput {
 public:
  explicit StandardInput(int from) : before_(::dup(STDIN_FILENO)) { ::dup2(from, STDIN_FILENO); }
  ~StandardInput() { ::dup2(before_.number(), STDIN_FILENO); }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

  static std::string read(std::size_t bytes) {
    std::string text(bytes, '\0');
    const ssize_t got = ::read(STDIN_FILENO, text.data(), bytes);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }

 private:
  FileDescriptor before_;
};

TEST(SavedPosition, AFileIsReadAgainFromWhereItStood) {
  const testing::TempFolder folder;
  const FileDescriptor file(::open(folder.file("a", "0123456789").c_str(), O_RDONLY | O_CLOEXEC));
  const StandardInput input(file.number());
  ASSERT_EQ(StandardInput::read(2), "01");
  const SavedPosition kept("-");
  EXPECT_TRUE(kept.is_kept());
  EXPECT_EQ(StandardInput::read(5), "23456");
  kept.restore();
  EXPECT_EQ(StandardInput::read(100), "23456789");
  kept.restore();
  EXPECT_EQ(StandardInput::read(1), "2");
}

TEST(SavedPosition, APipeHasNone) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const FileDescriptor from(ends[0]);
  const FileDescriptor to(ends[1]);
  const StandardInput input(from.number());
  ASSERT_EQ(::write(to.number(), "abc", 3), 3);
  const SavedPosition kept("-");
  EXPECT_FALSE(kept.is_kept());
  EXPECT_EQ(StandardInput::read(2), "ab");
  kept.restore();
  EXPECT_EQ(StandardInput::read(1), "c");
}

TEST(SavedPosition, OtherPathsLeaveStandardInputAlone) {
  const testing::TempFolder folder;
  const std::string path = folder.file("a", "0123456789");
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const StandardInput input(file.number());
  const SavedPosition kept(path);
  EXPECT_FALSE(kept.is_kept());
  EXPECT_EQ(StandardInput::read(3), "012");
  kept.restore();
  EXPECT_EQ(StandardInput::read(1), "3");
}

}  // namespace
}  // namespace ttscope::app
