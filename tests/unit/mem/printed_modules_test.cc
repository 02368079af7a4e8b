// Modules that logs print, and files of modules, as profiles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "mem/load.h"
#include "support/log_text.h"
#include "support/temp_folder.h"
#include "unit/mem/module_text.h"

namespace ttscope::mem {
namespace {

using ::testing::HasSubstr;
using testing::LogText;
using ::testing::SizeIs;
using testing::TempFolder;

TEST(PrintedModules, ALogWithoutOpLinesIsModeledFromItsModules) {
  const TempFolder folder;
  LogText log;
  log.module("ttir", "module {\n}\n");
  log.module("ttnn", in_module(function("main", "%arg0: " + tiles(12),
                                        op("%0", "ttnn.add", "%arg0, %arg0", kAddOf12))));
  log.module("ttnn_runtime",
             in_module(function("main", "", op("%0", "ttnn.ones", "", "() -> " + tiles(12)))));
  const Result<Profile> loaded = load({folder.file("run.log", log.text())}, {});
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  EXPECT_EQ(loaded->log.source, LogSource::kPrintedModules);
  ASSERT_THAT(loaded->log.ranks, SizeIs(1));
  ASSERT_THAT(loaded->log.ranks[0].ops, SizeIs(1));
  EXPECT_EQ(loaded->memory.ranks[0].peaks[0].bytes_per_bank, 2 * kTile);
  EXPECT_EQ(loaded->memory.verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(loaded->memory.verdict.trust, Confidence::kModeled);
  // The line is that of the op in the log.
  const std::string& text = log.text();
  const auto line =
      1 +
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("\"ttnn.add\"")), '\n');
  EXPECT_EQ(loaded->log.ranks[0].ops[0].line, line);
}

TEST(PrintedModules, AFailureWithoutOpLinesIsPlacedInTheRunOfItsModule) {
  const TempFolder folder;
  LogText log;
  log.module("ttnn",
             in_module(function("main", "%arg0: " + tiles(12),
                                op("%0", "ttnn.add", "%arg0, %arg0", kAddOf12) +
                                    op("%1", "ttnn.typecast", "%0", "(" + tiles(12) + ") -> " + tiles(12)) +
                                    op("%2", "ttnn.add", "%1, %1", kAddOf12))));
  log.line(
      "TT_THROW: Statically allocated circular buffers on core range [(x=0,y=0) - (x=7,y=7)] grow to 1741152 "
      "B "
      "which is beyond max L1 size of 1499136 B");
  log.line("backtrace:");
  log.line(
      " --- tt::runtime::ttnn::operations::layout::run(tt::target::ttnn::TypecastOp const*, "
      "tt::runtime::ttnn::ProgramContext&)");
  const std::string path = folder.file("run.log", log.text());
  LoadOptions options;
  options.run_failed_modules = true;
  const Result<Profile> loaded = load({path}, options);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  ASSERT_THAT(loaded->log.ranks, SizeIs(1));
  const RankLog& rank = loaded->log.ranks[0];
  const OutOfMemory& failure = rank.failures.at(0);
  ASSERT_LT(failure.last_op, rank.ops.size());
  EXPECT_EQ(loaded->log.name_of(rank.ops[failure.last_op]), "ttnn.typecast");
  EXPECT_EQ(failure.last_op + 1, rank.ops.size()) << "nothing ran behind it";
  EXPECT_EQ(testing::broken_invariant(loaded->log, loaded->memory), "");
  EXPECT_GE(loaded->memory.ranks[0].peaks[0].bytes_per_bank, 2 * kTile);
  const Result<Profile> as_printed = load({path}, {});
  ASSERT_TRUE(as_printed.has_value());
  EXPECT_TRUE(as_printed->log.ranks.at(0).ops.empty());
}

TEST(PrintedModules, TheRanksOfALogAreToldApart) {
  const TempFolder folder;
  std::string text;
  for (const char* tag : {"[1,0]<stdout>: ", "[1,1]<stdout>: "}) {
    LogText log({.before = tag});
    log.module("ttnn", in_module(function("main", "", op("%0", "ttnn.ones", "", "() -> " + tiles(12)))));
    text += log.text();
  }
  const Result<Profile> loaded = load({folder.file("run.log", text)}, {});
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  ASSERT_THAT(loaded->log.ranks, SizeIs(2));
  for (const RankLog& rank : loaded->log.ranks) EXPECT_THAT(rank.ops, SizeIs(1));
}

TEST(PrintedModules, AModuleInFrontOfARunIsALog) {
  const TempFolder folder;
  const std::string type = testing::dram_tensor(384, 32);
  LogText log;
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", type)).finish("main");
  const Result<Profile> loaded = load({folder.file("run.log", small_module("main") + log.text())}, {});
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  EXPECT_EQ(loaded->log.source, LogSource::kRun);
}

TEST(LoadModules, AModuleWithoutOpsIsRefusedWithWhatWouldBeRight) {
  const TempFolder folder;
  const Result<Profile> loaded = load({folder.file("m.mlir", kAliases + "module {\n}\n")}, {});
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().code, ErrorCode::kNothingFound);
  EXPECT_THAT(loaded.error().message, HasSubstr("without a function of TTNN ops"));
}

TEST(LoadModules, TheLineAskedForNeedNotBeInTheOrderOfTheRun) {
  const TempFolder folder;
  const std::string make = "() -> " + tiles(12);
  const std::string text =
      in_module("  func.func private @main_const_eval_0() -> " + tiles(12) + " {\n" +
                op("%0", "ttnn.ones", "", make) + "    return %0 : " + tiles(12) + "\n  }\n" +
                function("main", "",
                         op("%0", "ttnn.zeros", "", make) +
                             "    %1 = ttcore.load_cached(@main_const_eval_0, []) : " + make + "\n"));
  LoadOptions options;
  options.live_at_line = 7;  // of the const-eval function, which runs last
  const Result<Profile> loaded = load({folder.file("m.mlir", text)}, options);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  ASSERT_TRUE(loaded->memory.live_at.has_value());
  EXPECT_EQ(loaded->memory.live_at->op, 2U);
}

}  // namespace
}  // namespace ttscope::mem
