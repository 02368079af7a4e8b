#include "mem/write/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

using testing::HasSubstr;
using testing::Not;

class MemJsonTest : public testing::Test {
 protected:
  void SetUp() override {
    made.add_program("main");
    made.add_op({.results = {"%1"}, .loc = "\"dot.7\"", .dram = 1000});
    made.add_op({.name = "ttnn.deallocate", .operands = {"%1"}, .role = OpRole::kDeallocate, .dram = 5000});
    made.set_growth(0, bytes_of(4000));
    Peak& peak = made.rank_profile().peaks[0];
    peak = {bytes_of(5000), 0, false, 1, after_op(0), Confidence::kMeasured};
  }
  std::string document(const MemJsonOptions& options = {}) {
    StringWriter out;
    write_mem_json(made.log, made.profile, out, options);
    EXPECT_TRUE(out.finish().has_value());
    return out.text();
  }
  HandMadeLog made;
};

TEST_F(MemJsonTest, CountsOpsWithAndWithoutDeallocates) {
  EXPECT_THAT(document(), HasSubstr("\"ops\": 1,\n  \"executed_ops\": 2,"));
}

TEST_F(MemJsonTest, ThePeakNamesTheOpThatMadeItAndTheLineThatShowsIt) {
  const std::string view_line = std::to_string(made.rank().blocks[1].view_line[0]);
  const std::string text = document();
  EXPECT_THAT(text, HasSubstr("\"bytes_per_bank\": 5242880,\n        \"bytes_total\": 62914560,"));
  EXPECT_THAT(text,
              HasSubstr("\"op\": \"ttnn.add\",\n        \"loc\": \"dot.7\",\n        \"event\": \"op\","));
  EXPECT_THAT(text, HasSubstr("\"seen_at_line\": " + view_line + ",\n        \"confidence\": \"measured\""));
}

TEST_F(MemJsonTest, APeakMadeBetweenProgramsNamesTheOpThatFoundItAndSaysSo) {
  made.rank_profile().peaks[0].at_program_start = true;
  EXPECT_THAT(document(), HasSubstr("\"loc\": \"dot.7\",\n        \"event\": \"program start\","));
}

TEST_F(MemJsonTest, AMemoryNeverUsedHasNoOp) {
  EXPECT_THAT(document(),
              HasSubstr("\"TRACE\": {\n      \"banks\": 12,\n      \"capacity_bytes_per_bank\": 0,\n"
                        "      \"peak\": {\n        \"bytes_per_bank\": 0,\n        \"bytes_total\": 0,\n"
                        "        \"percent_of_capacity\": null,\n        \"op_index\": null,"));
}

TEST_F(MemJsonTest, APeakThatNothingTellsIsNullAndNotZero) {
  made = HandMadeLog();
  made.rank().ops.clear();
  made.rank().blocks.clear();
  made.rank_profile().peaks = {};
  EXPECT_THAT(document(),
              HasSubstr("\"peak\": {\n        \"bytes_per_bank\": null,\n        \"bytes_total\": null,\n"
                        "        \"percent_of_capacity\": null,"));
}

TEST_F(MemJsonTest, GrowthHasOneCompactRecordALine) {
  const std::string line = std::to_string(made.rank().ops[0].line);
  EXPECT_THAT(document(), HasSubstr("\"growth\": [\n{\"rank\":0,\"op_index\":0,\"line\":" + line +
                                    ",\"op\":\"ttnn.add\",\"loc\":\"dot.7\",\"memory\":\"DRAM\","
                                    "\"bytes_per_bank\":4194304,\"confidence\":\"measured\"}\n]\n}\n"));
}

TEST_F(MemJsonTest, LinesComeWithTheirFileWhenThereAreSeveral) {
  EXPECT_THAT(document(), Not(HasSubstr("{\"rank\":0,\"file\":0,")));
  made.log.files.push_back("second.log");
  made.log.file_lines.push_back(5);
  EXPECT_THAT(document(), HasSubstr("{\"rank\":0,\"file\":0,\"op_index\":0,"));
}

TEST_F(MemJsonTest, TheLiveSetIsListedWithItsSources) {
  Buffer buffer;
  buffer.type = made.add_type({33, 1});
  buffer.name = made.log.names.intern("%1");
  buffer.instance = 0;
  buffer.producer_op = 0;
  buffer.born = after_op(0);
  buffer.died = after_op(1);
  buffer.bytes_per_bank = 2048;
  buffer.kind = TensorKind::kActivation;
  made.rank_profile().buffers.push_back(buffer);
  LiveSet& live = made.rank_profile().live_at_peak[0];
  live.buffers = {0};
  live.accounted_bytes_per_bank = 2048;
  live.unaccounted_bytes_per_bank = bytes_of(5000) - 2048;
  const std::string first = std::to_string(made.rank().ops[0].line);
  const std::string second = std::to_string(made.rank().ops[1].line);
  EXPECT_THAT(
      document(),
      HasSubstr(
          "{\"name\":\"%1\",\"kind\":\"activation\",\"shape\":[33,1],\"dtype\":\"bf16\",\"logical_bytes\":66,"
          "\"padded_bytes\":4096,\"bytes_per_bank\":2048,\"producer_line\":" +
          first +
          ",\"producer_op\":\"ttnn.add\",\"model_name\":null,\"program\":\"main\",\"program_instance\":0,"
          "\"memory_layout\":\"interleaved\",\"born_line\":" +
          first + ",\"freed_line\":" + second + "}"));
}

TEST_F(MemJsonTest, HostileTextCannotLeaveItsString) {
  made.add_op({.name = "ttnn.</script>", .loc = "\"a\x1b[31m\xff\""});
  made.set_growth(2, 10);
  const std::string text = document();
  EXPECT_THAT(text, HasSubstr("\"op\":\"ttnn.\\u003c/script>\",\"loc\":\"a\\u001b[31m\xEF\xBF\xBD\""));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST_F(MemJsonTest, ProblemsAreSortedIntoSkippedAndRepaired) {
  made.log.problems.add(LogProblem::kBlockMissing, {0, 77});
  made.log.problems.add(LogProblem::kBadMemoryNumber, {0, 78});
  const std::string text = document();
  const std::size_t skipped = text.find("\"skipped\"");
  const std::size_t repaired = text.find("\"repaired\"");
  EXPECT_LT(skipped, text.find("\"bad_memory_number\""));
  EXPECT_LT(text.find("\"bad_memory_number\""), repaired);
  EXPECT_LT(repaired, text.find("\"block_missing\""));
  EXPECT_THAT(text, HasSubstr("\"line\": 77"));
}

TEST_F(MemJsonTest, TheVersionIsNullWhenNotGiven) {
  EXPECT_THAT(document(), HasSubstr("\"version\": null"));
  EXPECT_THAT(document({.tool_version = "1.2.3"}), HasSubstr("\"version\": \"1.2.3\""));
}

struct Diagnosis {
  OutOfMemory failure;
  std::string_view expected;
};

OutOfMemory failed(std::int64_t per_bank, std::int64_t bank, std::int64_t free, std::int64_t largest) {
  OutOfMemory failure;
  failure.line = 99;
  failure.last_op = 0;
  failure.per_bank_bytes = per_bank;
  failure.bank_size_bytes = bank;
  failure.free_bytes = free;
  failure.largest_free_bytes = largest;
  return failure;
}

TEST_F(MemJsonTest, FailuresAreDiagnosed) {
  const std::vector<Diagnosis> cases = {
      {failed(200, 100, 50, 50), "never_fits"},
      {failed(80, 100, 50, 50), "exhausted"},
      {failed(40, 100, 50, 30), "fragmented"},
      {failed(40, 0, -1, -1), "region_absent"},
      {failed(10, 100, 50, 30), "unknown"},
      {failed(std::int64_t{2} << 30, -1, -1, -1), "never_fits"},  // the bank is known from the memory lines
      {failed(bytes_of(999500), -1, -1, -1), "exhausted"},        // and so is what was free
      {failed(bytes_of(600000), -1, -1, -1), "fragmented"},
  };
  for (const Diagnosis& one : cases) {
    made.rank().failures = {one.failure};
    EXPECT_THAT(document(), HasSubstr("\"diagnosis\": \"" + std::string(one.expected) + "\""));
  }
}

}  // namespace
}  // namespace ttscope::mem
