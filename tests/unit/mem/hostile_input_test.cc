// Inputs made to hurt: huge lines, endless nesting, numbers that overflow, strings that want to leave their
// place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "base/writer.h"
#include "mem/read/log_reader.h"
#include "mem/write/json.h"
#include "mem/write/markdown.h"
#include "mem/write/terminal.h"
#include "support/invariants.h"
#include "support/profile_text.h"
#include "support/sanitized.h"

namespace ttscope::testing {
using namespace mem;

namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kPrefix = "            RuntimeTTNN |    DEBUG | ";

std::int64_t peak_memory_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// How far the peak of the process's memory may rise; the sanitizers' own memory counts too.
void expect_growth_below(std::int64_t limit_mb, std::int64_t peak_before_mb) {
  EXPECT_LT(peak_memory_mb() - peak_before_mb, kSanitized ? 100 * limit_mb : limit_mb);
}

void expect_sound(const Profiled& result) { EXPECT_EQ(broken_invariant(result.log, result.profile), ""); }

/// A pipe fed by a thread, so that the text is nowhere in memory as a whole.
class FedPipe {
 public:
  template <typename Feed>
  explicit FedPipe(Feed feed) {
    EXPECT_EQ(::pipe(ends_), 0);
    feeder_ = std::thread([this, feed] {
      feed([this](const std::string& text) {
        EXPECT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
      });
      ::close(ends_[1]);
    });
  }
  ~FedPipe() {
    feeder_.join();
    ::close(ends_[0]);
  }
  FedPipe(const FedPipe&) = delete;
  FedPipe& operator=(const FedPipe&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(ends_[0]); }

 private:
  int ends_[2] = {-1, -1};
  std::thread feeder_;
};

TEST(HostileInput, ALineOf100MegabytesIsCutAndReadingGoesOn) {
  const std::int64_t before_mb = peak_memory_mb();
  const FedPipe pipe([](const auto& write) {
    LogText log;
    write(log.start("main").op(unit_op("%0", "ttnn.ones", "", 0, 1)).text());
    write(kPrefix + "Executing operation: %1 = \"ttnn.concat\"(");
    const std::string megabyte(std::size_t{1} << 20, 'x');
    for (int i = 0; i < 100; ++i) write(megabyte);
    write("\n" + LogText().op(deallocate_text("%0", units(1))).finish("main").text());
  });
  const auto parsed = read_runtime_logs({pipe.path()}, {});
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->ranks.size(), 1u);
  EXPECT_EQ(parsed->ranks[0].ops.size(), 3u);
  EXPECT_EQ(parsed->ranks[0].ops[2].line, 4u);
  EXPECT_EQ(parsed->ranks[0].programs.at(0).end_line, 5u);
  EXPECT_GT(parsed->problems.count(LogProblem::kLineTooLong), 0u);
  expect_growth_below(250, before_mb);
}

TEST(HostileInput, AMappedLineOf100MegabytesIsCut) {
  std::string text = LogText().start("main").text() + kPrefix + "Executing operation: ";
  text.append(std::size_t{100} << 20, '(');
  text += "\n" + LogText().finish("main").text();
  const RuntimeLog log = read_text(text);
  EXPECT_EQ(log.ranks.at(0).ops.size(), 1u);
  EXPECT_EQ(log.ranks[0].programs.at(0).end_line, 3u);
}

TEST(HostileInput, AMillionOpenProgramsAreRead) {
  constexpr std::uint32_t kPrograms = 1000000;
  for (const bool nested : {false, true}) {
    const std::string line =
        kPrefix + "Starting execution of program: main" + (nested ? "_const_eval_0\n" : "\n");
    std::string text;
    for (std::uint32_t i = 0; i < kPrograms; ++i) text += line;
    text += LogText().op(unit_op("%0", "ttnn.ones", "", 0, 1)).text();
    const Profiled result(text);
    EXPECT_EQ(result.ops_of_rank().programs.size(), kPrograms);
    EXPECT_EQ(result.log.problems.count(LogProblem::kProgramLeftOpen), kPrograms);
    expect_sound(result);
  }
}

TEST(HostileInput, ManyProgramsOfDifferentNamesAreRead) {
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += kPrefix + "Starting execution of program: m_const_eval_" + std::to_string(i) + "\n";
  text += LogText().op(unit_op("%0", "ttnn.ones", "", 0, 1)).text();
  const Profiled result(text);
  EXPECT_EQ(result.ops_of_rank().programs.size(), 100000u);
  expect_sound(result);
}

TEST(HostileInput, ManyRanksAreRead) {
  std::string text;
  for (int i = 0; i < 20000; ++i)
    text += LogText({.before = "[1," + std::to_string(i) + "]<stdout>: "}).start("main").op("x").text();
  const Profiled result(text);
  EXPECT_LE(result.log.ranks.size(), 5000u);
  expect_sound(result);
}

/// `%arg0, %arg1, ...` and a type for each.
std::pair<std::string, std::string> many_operands(int count) {
  std::string operands = "%arg0";
  std::string types = "tensor<1xf32>";
  for (int i = 1; i < count; ++i) {
    operands += ", %arg" + std::to_string(i);
    types += ",tensor<1xf32>";
  }
  return {operands, types};
}

TEST(HostileInput, AnOpWithManyOperandsIsRead) {
  const auto [operands, types] = many_operands(40000);
  LogText log;
  for (int run = 0; run < 3; ++run) {
    log.start("main")
        .op(load_cached_text("%0", "main_const_eval_0", operands, types, units(1)))
        .cache_hit("main_const_eval_0");
    log.op(op_text("%1", "ttnn.concat", operands, types, units(1))).finish("main");
  }
  const Profiled result(log);
  EXPECT_EQ(result.ops_of_rank().ops.size(), 6u);
  expect_sound(result);
}

TEST(HostileInput, ManyWeightsWithManyCopiesAreNotMultiplied) {
  std::string operands;
  std::string types;
  std::string results;
  const std::string type = dram_tensor(32, 32);
  for (int i = 0; i < 3000; ++i) {
    operands += (i == 0 ? "%arg" : ", %arg") + std::to_string(i);
    types += (i == 0 ? "" : ", ") + type;
    if (i < 1000) results += (i == 0 ? "(" : ", ") + type;
  }
  LogText log;
  log.start("main").op(load_cached_text("%0:1000", "main_const_eval_0", operands, types, results + ")"));
  const Profiled result(log.cache_hit("main_const_eval_0").finish("main"));
  EXPECT_EQ(result.rank().buffers.size(), 4000u);
  EXPECT_LT(result.rank().duplicated_weights.size(), 100000u);
  expect_sound(result);
}

TEST(HostileInput, AModuleWithManyArgumentsIsRead) {
  std::string arguments;
  for (int i = 0; i < 40000; ++i) {
    arguments += (i == 0 ? "%arg" : ", %arg") + std::to_string(i) + ": tensor<1xf32> {ttir.name = \"w" +
                 std::to_string(i) + "\"}";
  }
  const auto [operands, types] = many_operands(40000);
  LogText log;
  log.module("ttnn", "func.func @main(" + arguments + ") {\n}");
  log.start("main").op(op_text("%1", "ttnn.concat", operands, types, units(1))).finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.profile.arguments.size(), 40000u);
  EXPECT_EQ(result.profile.arguments.at(39999).name, "w39999");
  expect_sound(result);
}

TEST(HostileInput, FunctionHeadersThatNeverEndAreRead) {
  std::string body;
  for (int i = 0; i < 60000; ++i) body += "func.func @f" + std::to_string(i) + "(\n";
  const RuntimeLog log = read_text(LogText().module("ttnn", body).text());
  EXPECT_EQ(log.modules.size(), 1u);
}

TEST(HostileInput, ManyFunctionsThatCallEachOtherAreRead) {
  std::string body;
  for (int i = 0; i < 20000; ++i) {
    body += "func.func @f" + std::to_string(i) + "(%arg0: tensor<1xf32>) {\n%0 = ttcore.load_cached(@f" +
            std::to_string(i / 2) + ", [%arg0]) : (tensor<1xf32>) -> tensor<1xf32>\n}\n";
  }
  const RuntimeLog log = read_text(LogText().module("ttnn", body).text());
  EXPECT_EQ(log.modules.at(0).functions.size(), 20000u);
}

TEST(HostileInput, DistinctLayoutsBehindOneAliasDoNotMultiplyMemory) {
  std::string arguments;
  for (int i = 0; i < 30000; ++i)
    arguments +=
        (i == 0 ? "%arg" : ", %arg") + std::to_string(i) + ": tensor<" + std::to_string(i + 1) + "xf32, #l>";
  const std::string layout =
      "#l = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, " + std::string(60000, ' ') + ">\n";
  LogText log;
  log.module("ttnn", layout + "func.func @main(" + arguments + ") {\n}");
  const std::int64_t before_mb = peak_memory_mb();
  const Profiled result(log);
  expect_sound(result);
  expect_growth_below(250, before_mb);
}

TEST(HostileInput, NumbersThatOverflowAreNotBelieved) {
  LogText log;
  log.start("main");
  log.op("%0:4294967297 = \"ttnn.sort\"() : () -> ()");
  log.op("%1 = \"ttnn.ones\"() : () -> tensor<9223372036854775807x9223372036854775807xf32>");
  log.op(
      "%2 = \"ttnn.ones\"() : () -> tensor<4x4xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), "
      "<99999999999x99999999999>, "
      "memref<99999999999x99999999999x!ttcore.tile<99999999999x99999999999, f32>, #ttnn.buffer_type<l1>>, "
      "<block_sharded>>>");
  log.op(unit_op("%3", "ttnn.ones", "", 0, 137438))
      .block("NamedFullOp", 0)
      .op(unit_op("%4", "ttnn.ones", "", 0, 137438));
  log.finish("main");
  std::string text = log.text();
  text +=
      "                 Always |     INFO | Device DRAM memory state: MemoryView{numBanks: 4294967295, "
      "totalBytesPerBank: "
      "4294967.294 MB, totalBytesAllocatedPerBank: 4294967.294 MB, totalBytesFreePerBank: 0.000 MB, "
      "largestContiguousBytesFreePerBank: 4294967.294 MB}\n";
  text +=
      "Out of Memory: Not enough space to allocate 99999999999999999999 B DRAM buffer across "
      "99999999999999999999 banks, where "
      "each bank needs to store 99999999999999999999 B\n";
  const Profiled result(text, true);
  expect_sound(result);
  StringWriter out;
  write_mem_json(result.log, result.profile, out);
  write_mem_markdown(result.log, result.profile, "log", out);
  ASSERT_TRUE(out.finish());
  EXPECT_FALSE(mem_summary_text(result.log, result.profile, {}).empty());
}

TEST(HostileInput, HostileStringsStayTexts) {
  const std::string evil = "\x1b]0;title\x07\x1b[2J</script>`|\r../../etc/passwd\x00\xff\xfe"s;
  LogText log;
  log.module("ttnn", "func.func @main(%arg0: " + units(1) +
                         " {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = \"" + evil +
                         "\"}) {\n}");
  log.start("main" + evil)
      .op(unit_op("%0", "ttnn." + evil, "%arg0", 1, 1), "\"" + evil + "\"")
      .block("Neg" + evil, kUnit);
  log.op(unit_op("%1", "ttnn.neg", "%0", 1, 1), "\"" + evil + "\"").block("EltwiseUnaryOp", 2 * kUnit);
  log.op(unit_op("%2", "ttnn.neg", "%1", 1, 1), "\"" + evil + "\"").block("EltwiseUnaryOp", 3 * kUnit);
  const Profiled result(log.text(), true);
  expect_sound(result);
  StringWriter out;
  write_mem_json(result.log, result.profile, out);
  write_mem_markdown(result.log, result.profile, evil, out);
  ASSERT_TRUE(out.finish());
  for (const std::string& text : {out.text(), mem_summary_text(result.log, result.profile, {})}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\x07")));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
    EXPECT_THAT(text, Not(HasSubstr(std::string(1, '\0'))));
    EXPECT_THAT(text, Not(HasSubstr("\xff")));
  }
}

TEST(HostileInput, DeepBracketsAndOpenStringsEnd) {
  for (const std::string piece : {"(", "<", "{", "[", "\"", "\\\"", "tensor<", "->", "%0, ", ": ("}) {
    std::string text = "%0 = \"ttnn.add\"(";
    for (int i = 0; i < 100000; ++i) text += piece;
    const Profiled result(LogText().start("main").op(text).op(text, "").text());
    EXPECT_EQ(result.ops_of_rank().ops.size(), 2u) << piece;
    expect_sound(result);
  }
}

}  // namespace
}  // namespace ttscope::testing
