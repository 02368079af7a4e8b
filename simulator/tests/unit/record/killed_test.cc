// Programs that end without a word: every mark that was made is in the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <random>
#include <string>

#include "support/sanitized.h"
#include "timeline/tables/tables.h"
#include "unit/record/record_case.h"

namespace ttscope::record {
namespace {

using timeline::Timeline;

/// Memory that outlives the child: how many marks it has made.
class SharedCount {
 public:
  SharedCount()
      : count_(static_cast<volatile std::uint64_t*>(
            mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SharedCount() { munmap(const_cast<std::uint64_t*>(count_), 4096); }
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;

  void set(std::uint64_t count) { *count_ = count; }
  std::uint64_t get() const { return *count_; }

 private:
  volatile std::uint64_t* count_;
};

/// Zones in zones, with a text and a message now and then, as fast as it can: a mark is counted when its call
/// came back.
void mark(const std::string& folder, SharedCount& made, std::uint64_t rounds = UINT64_MAX) {
  ttscope_record_start(folder.c_str());
  static ttscope_record_site outer{{"outer", "f", "a.cc", 1, 0}, 0};
  static ttscope_record_site inner{{"inner", "f", "a.cc", 2, 0}, 0};
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    ttscope_record_zone_begin(&outer);
    ttscope_record_zone_begin(&inner);
    ttscope_record_zone_end();
    const std::string text = std::to_string(round);
    if (round % 7 == 0) ttscope_record_zone_text(TTSCOPE_RECORD_INNERMOST, text.data(), text.size());
    ttscope_record_zone_end();
    ttscope_record_message(text.data(), text.size(), 0);
    made.set(round);
  }
}

void expect_all(const Timeline& read, std::uint64_t made) {
  EXPECT_THAT(timeline::warning_texts(read), ::testing::IsEmpty());
  const std::size_t messages = read.messages.size();
  // The last message may have been written when its call had not come back.
  EXPECT_GE(messages, made);
  EXPECT_LE(messages, made + 1);
  for (std::size_t i = 0; i < messages; ++i) {
    ASSERT_EQ(read.text(read.messages[i].text), std::to_string(i + 1));
  }
  ASSERT_GE(read.zones.size(), 2 * messages);
  ASSERT_LE(read.zones.size(), 2 * messages + 2);
  for (std::size_t i = 0; i < read.zones.size(); ++i) {
    ASSERT_EQ(read.name_of_zone(i), i % 2 == 0 ? "outer" : "inner");
    ASSERT_EQ(read.zones.depth[i], i % 2);
    if (i / 2 == messages) continue;  // the round that it was killed in
    const bool has_text = i % 2 == 0 && (i / 2 + 1) % 7 == 0;
    ASSERT_EQ(read.text(read.details[read.zones.detail[i]].text), has_text ? std::to_string(i / 2 + 1) : "");
  }
}

TEST(KilledRecorder, LeavesAReadableFileAtAHundredRandomMoments) {
  std::mt19937 random(20);
  int with_file = 0;
  for (int i = 0; i < 100; ++i) {
    const testing::TempFolder folder;
    SharedCount made;
    const pid_t child = forked([&] { mark(folder.path(), made); });
    usleep(std::uniform_int_distribution<useconds_t>(0, 6000 * (testing::kSanitized ? 4 : 1))(random));
    kill(child, SIGKILL);
    waited(child);
    if (folder.names().empty()) {  // killed before the first mark
      ASSERT_EQ(made.get(), 0u);
      continue;
    }
    ++with_file;
    const Result<Timeline> read = timeline::load_timeline({folder.path()});
    ASSERT_TRUE(read) << read.error().message;
    expect_all(*read, made.get());
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(with_file, 30);
}

TEST(KilledRecorder, AFileThatIsStillWrittenIsRead) {
  const testing::TempFolder folder;
  SharedCount made;
  const std::uint64_t rounds = testing::kSanitized ? 20'000 : 100'000;
  const pid_t child = forked([&] { mark(folder.path(), made, rounds); });
  while (made.get() < 1000) usleep(100);
  std::size_t before = 0;
  while (made.get() < rounds) {
    const Result<Timeline> read = timeline::load_timeline({folder.path()});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_THAT(timeline::warning_texts(*read), ::testing::IsEmpty());
    EXPECT_GE(read->messages.size(), before);
    before = read->messages.size();
  }
  EXPECT_EQ(waited(child), 0);
  const Result<Timeline> read = timeline::load_timeline({folder.path()});
  ASSERT_TRUE(read);
  expect_all(*read, rounds);
}

/// Only files that ended told of it, and of one thread where all lost marks.
TEST(KilledRecorder, ACutFileOfAKilledProgramLookedWhole) {
  for (const bool is_killed : {true, false}) {
    const testing::TempFolder folder;
    SharedCount made;
    waited(forked([&] {
      mark(folder.path(), made, 20'000);
      if (is_killed) raise(SIGKILL);
      ttscope_record_stop();
    }));
    const std::string path = folder.path() + "/" + folder.names().front();
    const Result<Timeline> whole = timeline::load_timeline({path});
    ASSERT_TRUE(whole);
    EXPECT_THAT(timeline::warning_texts(*whole), ::testing::IsEmpty());
    for (const int percent : {60, 30}) {
      struct stat facts {};
      ASSERT_EQ(stat(path.c_str(), &facts), 0);
      ASSERT_EQ(truncate(path.c_str(), facts.st_size * percent / 100), 0);
      const Result<Timeline> cut = timeline::load_timeline({path});
      ASSERT_TRUE(cut);
      EXPECT_LT(cut->messages.size(), whole->messages.size());
      ASSERT_THAT(cut->findings, ::testing::SizeIs(1));
      EXPECT_EQ(cut->findings[0].kind, timeline::FindingKind::kRecordingCut);
      EXPECT_LT(cut->findings[0].bytes, cut->findings[0].whole_bytes);
    }
  }
}

TEST(KilledRecorder, ACrashLeavesAllMarks) {
  const testing::TempFolder folder;
  const pid_t child = forked([&] {
    signal(SIGSEGV, SIG_DFL);
    ttscope_record_start(folder.path().c_str());
    ttscope_record_message("before", 6, 0);
    raise(SIGSEGV);
  });
  EXPECT_TRUE(WIFSIGNALED(waited(child)));
  const Result<Timeline> read = timeline::load_timeline({folder.path()});
  ASSERT_TRUE(read);
  ASSERT_EQ(read->messages.size(), 1u);
}

}  // namespace
}  // namespace ttscope::record
