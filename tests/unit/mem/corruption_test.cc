// Cut, flipped and repeated bytes: nothing may crash, hang or break an invariant. All seeds are fixed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/writer.h"
#include "mem/analyze/memory_profile.h"
#include "mem/write/json.h"
#include "mem/write/markdown.h"
#include "mem/write/terminal.h"
#include "support/invariants.h"
#include "support/random_log.h"
#include "support/read_text.h"
#include "support/sanitized.h"
#include "support/temp_folder.h"

namespace ttscope::testing {
using namespace mem;

namespace {

std::string sample_log(const std::string& name) {
  const char* source = std::getenv("TTSCOPE_SOURCE_DIR");
  return source == nullptr ? "" : file_content(std::string(source) + "/examples/" + name);
}

/// The sample, or a generated log where there is none.
std::string long_log() {
  const std::string sample = sample_log("sample.log");
  return sample.empty() ? make_random_log({.seed = 5, .ranks = 2, .runs = 4, .steps = 30}) : sample;
}

/// About `size` bytes of whole lines from the middle, with programs, ops and blocks.
std::string excerpt(const std::string& log, std::size_t size) {
  const std::size_t start = log.find("Starting execution of program");
  const std::size_t begin = start == std::string::npos ? 0 : log.rfind('\n', start) + 1;
  return log.substr(begin, size);
}

void expect_sound(std::string_view text) {
  const RuntimeLog log = read_text(text);
  const MemoryProfile profile = profile_memory(log, {.live_totals = true});
  ASSERT_EQ(broken_invariant(log, profile), "");
}

/// All outputs of a profile, for what only they can trip over.
void expect_writable(std::string_view text) {
  const RuntimeLog log = read_text(text);
  const MemoryProfile profile = profile_memory(log, {.live_totals = true});
  if (log.ranks.empty()) return;  // then the program stops before it writes
  StringWriter out;
  write_mem_json(log, profile, out);
  write_mem_markdown(log, profile, "log", out);
  ASSERT_TRUE(out.finish());
  ASSERT_FALSE(mem_summary_text(log, profile, {}).empty());
}

TEST(Corruption, EveryBytePrefixOfAnExcerptIsRead) {
  const std::string log = excerpt(long_log(), 20000);
  for (std::size_t length = 0; length <= log.size(); length += kEveryByte) {
    expect_sound(std::string_view(log).substr(0, length));
    ASSERT_FALSE(HasFatalFailure()) << "prefix of " << length;
  }
}

TEST(Corruption, PrefixesOfTheWholeSampleAreRead) {
  const std::string log = long_log();
  for (std::size_t length = 0; length < log.size(); length += 97 * kEveryByte) {
    expect_sound(std::string_view(log).substr(0, length));
    ASSERT_FALSE(HasFatalFailure()) << "prefix of " << length;
  }
}

TEST(Corruption, SuffixesAndPiecesOfTheSampleAreRead) {
  const std::string log = long_log();
  Dice dice(17);
  for (int i = 0; i < 300; ++i) {
    const auto begin = static_cast<std::size_t>(dice.below(static_cast<int>(log.size())));
    const auto length = static_cast<std::size_t>(dice.below(20000));
    expect_sound(std::string_view(log).substr(begin, length));
    ASSERT_FALSE(HasFatalFailure()) << begin << " + " << length;
  }
}

TEST(Corruption, FlippedBytesAreRead) {
  const std::string log = excerpt(long_log(), 16000);
  Dice dice(23);
  for (int i = 0; i < 400; ++i) {
    std::string damaged = log;
    for (int flips = 1 + dice.below(40); flips > 0; --flips) {
      damaged[static_cast<std::size_t>(dice.below(static_cast<int>(log.size())))] =
          static_cast<char>(dice.below(256));
    }
    expect_sound(damaged);
    ASSERT_FALSE(HasFatalFailure()) << "round " << i;
  }
}

/// Moves, repeats or drops a piece of the text.
void shuffle_piece(std::string& text, Dice& dice) {
  const auto size = static_cast<int>(text.size());
  const auto from = static_cast<std::size_t>(dice.below(size));
  const std::string piece = text.substr(from, static_cast<std::size_t>(dice.below(3000)));
  if (dice.one_in(3)) text.erase(from, piece.size());
  if (dice.one_in(3)) return;
  text.insert(static_cast<std::size_t>(dice.below(static_cast<int>(text.size()) + 1)), piece);
}

TEST(Corruption, MovedAndRepeatedPiecesAreRead) {
  const std::string log = excerpt(long_log(), 30000);
  Dice dice(31);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = log;
    for (int pieces = 1 + dice.below(8); pieces > 0; --pieces) shuffle_piece(damaged, dice);
    expect_sound(damaged);
    ASSERT_FALSE(HasFatalFailure()) << "round " << i;
  }
}

TEST(Corruption, OutputsOfDamagedLogsAreWritten) {
  const std::string log = excerpt(long_log(), 30000);
  Dice dice(37);
  for (int i = 0; i < 60; ++i) {
    std::string damaged = log.substr(0, static_cast<std::size_t>(dice.below(static_cast<int>(log.size()))));
    for (int flips = dice.below(30); flips > 0 && !damaged.empty(); --flips) {
      damaged[static_cast<std::size_t>(dice.below(static_cast<int>(damaged.size())))] =
          static_cast<char>(dice.below(256));
    }
    expect_writable(damaged);
    ASSERT_FALSE(HasFatalFailure()) << "round " << i;
  }
}

TEST(Corruption, TheOutOfMemorySampleCutAnywhereIsRead) {
  const std::string log = sample_log("sample_oom.log");
  if (log.empty()) GTEST_SKIP() << "skipped: no sample log here";
  const std::size_t last = log.rfind("Out of Memory");
  for (std::size_t length = log.size(); length > last - 200; length -= kEveryByte) {
    expect_sound(std::string_view(log).substr(0, length));
    ASSERT_FALSE(HasFatalFailure()) << "prefix of " << length;
  }
}

TEST(Corruption, RandomBytesAreNoLog) {
  Dice dice(41);
  for (int i = 0; i < 50; ++i) {
    std::string noise(20000, '\0');
    for (char& c : noise) c = static_cast<char>(dice.below(256));
    const RuntimeLog log = read_text(noise);
    EXPECT_TRUE(log.ranks.empty());
  }
}

}  // namespace
}  // namespace ttscope::testing
