#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/encoding.h"
#include "base/resources.h"

namespace ttscope {
namespace {

TEST(Base64, FollowsTheStandard) {
  EXPECT_EQ(base64_of(""), "");
  EXPECT_EQ(base64_of("f"), "Zg==");
  EXPECT_EQ(base64_of("fo"), "Zm8=");
  EXPECT_EQ(base64_of("foo"), "Zm9v");
  EXPECT_EQ(base64_of("foob"), "Zm9vYg==");
  EXPECT_EQ(base64_of("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64_of(std::string_view("\xFF\xFE\xFD\0", 4)), "//79AA==");
}

TEST(Gzip, IsOneMemberWithItsHeaderAndLength) {
  const std::string packed = gzip_of("hello");
  ASSERT_GT(packed.size(), 18U);
  EXPECT_EQ(packed.substr(0, 3), "\x1F\x8B\x08");
  EXPECT_EQ(packed.substr(packed.size() - 4), std::string("\x05\0\0\0", 4));
}

TEST(Gzip, MakesRepeatedBytesSmall) { EXPECT_LT(gzip_of(std::string(1 << 20, 'a')).size(), 10000U); }

TEST(Gzip, TheSameBytesGiveTheSamePackedBytes) {
  // Short columns of mostly zeros once came out differently from thread to thread.
  std::vector<std::string> texts = {std::string(5000, 'x')};
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    std::string& text = texts.emplace_back(1 + random() % 3000, '\0');
    for (char& byte : text) byte = random() % 6 == 0 ? static_cast<char>(random() % 4) : '\0';
  }
  std::vector<std::string> expected;
  for (const std::string& text : texts) expected.push_back(gzip_of(text));
  run_parallel(50, 5, [&](std::size_t) {
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(gzip_of(texts[i]), expected[i]);
  });
}

TEST(RunParallel, DoesEachJobOnce) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    std::mutex mutex;
    std::multiset<std::size_t> done;
    run_parallel(100, threads, [&](std::size_t job) {
      const std::lock_guard lock(mutex);
      done.insert(job);
    });
    EXPECT_EQ(done.size(), 100U);
    EXPECT_EQ(std::set<std::size_t>(done.begin(), done.end()).size(), 100U);
  }
}

TEST(RunParallel, StartsNoMoreThreadsThanJobs) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  run_parallel(1, 8, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
  run_parallel(0, 8, [](std::size_t) { FAIL() << "there is no job"; });
}

TEST(RunParallel, AnExceptionReachesTheCaller) {
  std::atomic<int> done = 0;
  const auto job = [&](std::size_t i) {
    if (i == 3) throw std::runtime_error("no more room");
    ++done;
  };
  EXPECT_THROW(run_parallel(1000, 2, job), std::runtime_error);
  EXPECT_LT(done, 1000);
}

}  // namespace
}  // namespace ttscope
