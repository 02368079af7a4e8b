#include "base/writer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "support/temp_folder.h"

namespace ttscope {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::file_content;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempFolder;

std::string write_all(const std::string& path, std::string_view text) {
  auto writer = open_writer(path);
  if (!writer) return writer.error().message;
  (*writer)->write(text);
  const auto outcome = (*writer)->finish();
  return outcome ? "" : outcome.error().message;
}

mode_t mode_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

/// Sends a descriptor elsewhere for the life of the object.
class Redirected {
 public:
  Redirected(int descriptor, const std::string& path) : descriptor_(descriptor), saved_(::dup(descriptor)) {
    const int target = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    ::dup2(target, descriptor_);
    ::close(target);
  }
  Redirected(int descriptor, int target) : descriptor_(descriptor), saved_(::dup(descriptor)) {
    ::dup2(target, descriptor_);
  }
  ~Redirected() {
    ::dup2(saved_, descriptor_);
    ::close(saved_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int descriptor_;
  int saved_;
};

/// Writes past this size fail with "File too large" while the object lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t size_bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    struct rlimit limit = old_;
    limit.rlim_cur = size_bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  struct rlimit old_ {};
  void (*old_handler_)(int);
};

TEST(StringWriter, KeepsTheOrderOfSmallAndLargePieces) {
  StringWriter writer;
  const std::string large(Writer::kBufferBytes + 1, 'x');
  const std::string full(Writer::kBufferBytes, 'y');
  writer.write("a");
  writer.write(large);
  writer.write('b');
  writer.write(full);
  writer.write(std::string_view());
  char* place = writer.reserve(3);
  place[0] = 'c';
  place[1] = 'd';
  writer.commit(place + 2);
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(writer.text(), "a" + large + "b" + full + "cd");
}

TEST(StringWriter, ManyPiecesOfEverySize) {
  StringWriter writer;
  std::string expected;
  for (std::size_t size = 0; size < 2000; ++size) {
    const std::string piece(size, static_cast<char>('a' + size % 26));
    writer.write(piece);
    writer.write('\n');
    expected += piece + "\n";
  }
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(writer.text(), expected);
}

TEST(OpenWriter, MakesANewFileWithTheModeOfTheUmask) {
  const TempFolder folder;
  const mode_t old_mask = ::umask(027);
  EXPECT_EQ(write_all(folder.path("out.json"), "text"), "");
  ::umask(old_mask);
  EXPECT_EQ(file_content(folder.path("out.json")), "text");
  EXPECT_EQ(mode_of(folder.path("out.json")), 0640u);
  EXPECT_THAT(folder.names(), ElementsAre("out.json"));
}

TEST(OpenWriter, MakesAnEmptyFile) {
  const TempFolder folder;
  EXPECT_EQ(write_all(folder.path("empty"), ""), "");
  EXPECT_THAT(folder.names(), ElementsAre("empty"));
}

TEST(OpenWriter, ReplacesAFileAndKeepsItsMode) {
  const TempFolder folder;
  const std::string path = folder.file("out", "a much longer old text");
  ::chmod(path.c_str(), 0604);
  EXPECT_EQ(write_all(path, "new"), "");
  EXPECT_EQ(file_content(path), "new");
  EXPECT_EQ(mode_of(path), 0604u);
}

TEST(OpenWriter, TheOldFileStaysUntilFinish) {
  const TempFolder folder;
  const std::string path = folder.file("out", "old");
  auto writer = open_writer(path);
  ASSERT_TRUE(writer);
  (*writer)->write(std::string(Writer::kBufferBytes * 3, 'n'));
  EXPECT_EQ(file_content(path), "old");
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ(file_content(path).size(), Writer::kBufferBytes * 3);
  EXPECT_TRUE((*writer)->finish()) << "a second finish() changes nothing";
}

TEST(OpenWriter, NotFinishedLeavesTheOldFileAndNoOther) {
  const TempFolder folder;
  const std::string path = folder.file("out", "old");
  {
    auto writer = open_writer(path);
    ASSERT_TRUE(writer);
    (*writer)->write(std::string(Writer::kBufferBytes * 2, 'n'));
    EXPECT_EQ(folder.names().size(), 2u);
  }
  EXPECT_EQ(file_content(path), "old");
  EXPECT_THAT(folder.names(), ElementsAre("out"));
}

TEST(OpenWriter, AFailedWriteLeavesTheOldFileAndNoOther) {
  const TempFolder folder;
  const std::string path = folder.file("out", "old");
  auto writer = open_writer(path);
  ASSERT_TRUE(writer);
  {
    const FileSizeLimit limit(1000);
    (*writer)->write(std::string(Writer::kBufferBytes * 2, 'n'));
  }
  (*writer)->write("later writes do nothing");
  const auto outcome = (*writer)->finish();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kWriteFailed);
  EXPECT_EQ(outcome.error().message, path + ": cannot write: File too large");
  EXPECT_FALSE((*writer)->finish()) << "the error stays";
  EXPECT_EQ(file_content(path), "old");
  EXPECT_THAT(folder.names(), ElementsAre("out"));
}

TEST(OpenWriter, FollowsSymbolicLinks) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.path("there"));
  const std::string target = folder.file("there/target", "old");
  std::filesystem::create_symlink("there/target", folder.path("middle"));
  std::filesystem::create_symlink(folder.path("middle"), folder.path("link"));
  EXPECT_EQ(write_all(folder.path("link"), "new"), "");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("middle")));
  EXPECT_EQ(file_content(target), "new");
}

TEST(OpenWriter, FollowsALinkToAFileThatDoesNotExist) {
  const TempFolder folder;
  std::filesystem::create_symlink("target", folder.path("link"));
  EXPECT_EQ(write_all(folder.path("link"), "new"), "");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(file_content(folder.path("target")), "new");
}

TEST(OpenWriter, LinksInACircleAreAnError) {
  const TempFolder folder;
  std::filesystem::create_symlink("b", folder.path("a"));
  std::filesystem::create_symlink("a", folder.path("b"));
  EXPECT_THAT(write_all(folder.path("a"), "x"), HasSubstr("symbolic links"));
}

TEST(OpenWriter, AMissingFolderIsNamed) {
  const TempFolder folder;
  const std::string path = folder.path("none/out.json");
  EXPECT_EQ(write_all(path, "x"),
            path + ": cannot write: the folder " + folder.path("none") + " does not exist");
}

TEST(OpenWriter, AFileWhereAFolderIsNeededIsNamed) {
  const TempFolder folder;
  folder.file("file", "");
  EXPECT_THAT(write_all(folder.path("file/out"), "x"), EndsWith("/file is not a folder"));
}

TEST(OpenWriter, AFolderIsNoFile) {
  const TempFolder folder;
  EXPECT_THAT(write_all(folder.path(), "x"), EndsWith("cannot write: it is a folder, a file name is needed"));
  EXPECT_THAT(write_all(folder.path("new/"), "x"),
              EndsWith("cannot write: it is a folder, a file name is needed"));
  EXPECT_THAT(write_all("", "x"), HasSubstr("empty"));
}

TEST(OpenWriter, AWriteProtectedFileIsNotReplaced) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  const TempFolder folder;
  const std::string path = folder.file("out", "old");
  ::chmod(path.c_str(), 0444);
  EXPECT_THAT(write_all(path, "new"), HasSubstr("Permission denied"));
  EXPECT_EQ(file_content(path), "old");
}

TEST(OpenWriter, DevicesAreWrittenDirectly) {
  EXPECT_EQ(write_all("/dev/null", std::string(Writer::kBufferBytes * 2, 'x')), "");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OpenWriter, AFullDeviceIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(write_all("/dev/full", "x"), "/dev/full: cannot write: No space left on device");
}

TEST(OpenWriter, AFifoIsWrittenDirectly) {
  const TempFolder folder;
  const std::string path = folder.path("fifo");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = file_content(path); });
  EXPECT_EQ(write_all(path, "through the pipe"), "");
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
}

TEST(OpenWriter, DashIsStandardOutput) {
  const TempFolder folder;
  {
    const Redirected redirected(STDOUT_FILENO, folder.path("out"));
    EXPECT_EQ(write_all("-", "one "), "");
    EXPECT_EQ(write_all("-", "two"), "");
  }
  EXPECT_EQ(file_content(folder.path("out")), "one two");
}

TEST(OpenWriter, DescriptorsByNameKeepWhatIsInTheFile) {
  const TempFolder folder;
  {
    const Redirected redirected(STDOUT_FILENO, folder.path("out"));
    EXPECT_EQ(write_all("-", "one "), "");
    EXPECT_EQ(write_all("/dev/stdout", "two "), "");
    EXPECT_EQ(write_all("/dev/fd/1", "three"), "");
  }
  EXPECT_EQ(file_content(folder.path("out")), "one two three");
  EXPECT_THAT(write_all("/dev/fd/987", "x"), HasSubstr("/dev/fd/987: cannot write: "));
}

TEST(OpenWriter, AClosedPipeIsReportedByFinish) {
  auto* const old_handler = std::signal(SIGPIPE, SIG_IGN);
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  {
    const Redirected redirected(STDOUT_FILENO, ends[1]);
    EXPECT_EQ(write_all("-", "x"), "standard output: cannot write: Broken pipe");
  }
  ::close(ends[1]);
  std::signal(SIGPIPE, old_handler);
}

TEST(OpenWriter, WaitsForAPipeThatDoesNotBlock) {
  int ends[2] = {};
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  const std::string text(Writer::kBufferBytes * 4, 'x');
  std::size_t received = 0;
  std::thread reader([&] {
    char bytes[4096];
    for (;;) {
      const ssize_t size = ::read(ends[0], bytes, sizeof bytes);
      if (size == 0) break;
      if (size > 0) received += static_cast<std::size_t>(size);
      if (size < 0) std::this_thread::yield();
    }
  });
  EXPECT_EQ(write_all("/dev/fd/" + std::to_string(ends[1]), text), "");
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  EXPECT_EQ(received, text.size());
}

TEST(RemoveUnfinishedFiles, DeletesTheTemporaryFilesOnly) {
  const TempFolder folder;
  const std::string path = folder.file("done", "old");
  EXPECT_EQ(write_all(path, "new"), "");
  auto unfinished = open_writer(folder.path("unfinished"));
  ASSERT_TRUE(unfinished);
  EXPECT_EQ(folder.names().size(), 2u);
  remove_unfinished_files();
  EXPECT_THAT(folder.names(), ElementsAre("done"));
  EXPECT_FALSE((*unfinished)->finish());
  EXPECT_THAT(folder.names(), ElementsAre("done"));
  EXPECT_EQ(file_content(path), "new");
}

TEST(RemoveUnfinishedFiles, WorksInASignalHandler) {
  const TempFolder folder;
  const std::string path = folder.file("out", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGTERM, [](int) {
      remove_unfinished_files();
      ::_exit(3);
    });
    auto writer = open_writer(path);
    (*writer)->write("new");
    ::raise(SIGTERM);
    ::_exit(4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(file_content(path), "old");
  EXPECT_THAT(folder.names(), ElementsAre("out"));
}

TEST(OpenWriter, ManyAtOnce) {
  const TempFolder folder;
  {
    std::vector<std::unique_ptr<Writer>> writers;
    for (int at = 0; at < 100; ++at) {
      auto writer = open_writer(folder.path(std::to_string(at)));
      ASSERT_TRUE(writer);
      writers.push_back(std::move(*writer));
    }
    EXPECT_EQ(folder.names().size(), 100u);
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

}  // namespace
}  // namespace ttscope
