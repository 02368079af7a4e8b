#include "mem/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "mem/write/ttmem_files.h"
#include "support/log_text.h"
#include "support/temp_folder.h"

namespace ttscope::mem {
namespace {

using testing::dram_tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::LogText;
using testing::op_text;
using testing::TempFolder;

std::string program_log() {
  const std::string type = dram_tensor(64, 64);
  LogText log;
  log.start("main").op(op_text("%0", "ttnn.ones", "", "", type)).block("NamedFullOp", 0);
  log.op(op_text("%1", "ttnn.add", "%0, %0", type + ", " + type, type)).block("AddOp", 8192).finish("main");
  return log.text();
}

void expect_error(const Result<Profile>& loaded, ErrorCode code, const std::string& text) {
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().code, code) << loaded.error().message;
  EXPECT_THAT(loaded.error().message, HasSubstr(text));
}

TEST(LoadLogs, GivesTraceAndProfile) {
  const TempFolder folder;
  const Result<Profile> loaded = load({folder.file("run.log", program_log())}, {});
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  ASSERT_EQ(loaded->log.ranks.size(), 1U);
  EXPECT_EQ(loaded->log.ranks[0].ops.size(), 2U);
  EXPECT_EQ(loaded->memory.ranks[0].effects.size(), 2U);
  EXPECT_TRUE(loaded->memory.ranks[0].live_totals.empty());
  EXPECT_FALSE(loaded->memory.live_at.has_value());
  EXPECT_FALSE(loaded->recorded.has_value());
}

TEST(LoadLogs, OptionsReachReaderAndAnalysis) {
  const TempFolder folder;
  std::uint64_t bytes_done = 0;
  LoadOptions options;
  options.threads = 1;
  options.live_totals = true;
  options.live_at_line = 2;
  options.progress = [&](const ReadProgress& progress) { bytes_done = progress.bytes_done; };
  const std::string text = program_log();
  const Result<Profile> loaded = load({folder.file("run.log", text)}, options);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  EXPECT_EQ(loaded->memory.ranks[0].live_totals.size(), 2U);
  EXPECT_TRUE(loaded->memory.live_at.has_value());
  EXPECT_EQ(bytes_done, text.size());
}

TEST(LoadLogs, APathThatIsNoLogIsBadInput) {
  const TempFolder folder;
  expect_error(load_logs({folder.path("no.log")}, {}), ErrorCode::kBadInput, "no.log: No such file");
  expect_error(load_logs({folder.path()}, {}), ErrorCode::kBadInput, "is a folder, not a log file");
  const std::string log = folder.file("run.log", program_log());
  expect_error(load({log, folder.path()}, {}), ErrorCode::kBadInput, "is a folder, not a log file");
}

TEST(LoadLogs, AReadableTextWithoutAnythingIsNothingFound) {
  const TempFolder folder;
  expect_error(load({folder.file("empty.log", "")}, {}), ErrorCode::kNothingFound, "the file is empty");
  expect_error(load({folder.file("other.log", "hello\nworld\n")}, {}), ErrorCode::kNothingFound,
               "neither op lines nor memory lines found (2 lines read)");
}

TEST(LoadLogs, ATraceMayHoldNothing) {
  const TempFolder folder;
  const Result<RuntimeLog> log = load_runtime_logs({folder.file("other.log", "hello\n")}, {});
  ASSERT_TRUE(log.has_value());
  EXPECT_TRUE(log->ranks.empty());
}

/// A folder with the four files of a run.
class LoadRun : public ::testing::Test {
 protected:
  void SetUp() override {
    LoadOptions options;
    options.live_totals = true;
    const Result<Profile> profile = load_logs({folder_.file("run.log", program_log())}, options);
    ASSERT_TRUE(profile.has_value()) << profile.error().message;
    run_ = folder_.path("run");
    std::filesystem::create_directory(run_);
    ASSERT_TRUE(write_ttmem_files(profile->log, profile->memory, {run_, "bert"}).has_value());
  }
  TempFolder folder_;
  std::string run_;
};

TEST_F(LoadRun, AFolderOrOneOfItsFilesIsTheRun) {
  for (const std::string& path : {run_, run_ + "/bert_memory.json", run_ + "/bert_operations.json",
                                  run_ + "/bert_inputs_registry.json", run_ + "/bert_ir.json"}) {
    const Result<Profile> loaded = load({path}, {});
    ASSERT_TRUE(loaded.has_value()) << path << ": " << loaded.error().message;
    ASSERT_TRUE(loaded->recorded.has_value());
    EXPECT_TRUE(loaded->recorded->has_operations && loaded->recorded->has_lines);
    EXPECT_EQ(loaded->log.ranks[0].ops.size(), 2U);
    EXPECT_EQ(loaded->memory.ranks[0].peaks[0].bytes_per_bank, bytes_of(8));
  }
}

TEST_F(LoadRun, WhatIsNotThereIsSaid) {
  std::filesystem::remove(run_ + "/bert_ir.json");
  const Result<Profile> loaded = load({run_}, {});
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  EXPECT_THAT(loaded->recorded->absent_files, ElementsAre("bert_ir.json"));
  EXPECT_FALSE(loaded->recorded->has_modules_file || loaded->recorded->has_modules);
}

TEST_F(LoadRun, OneOfSeveralRunsIsChosenByName) {
  std::filesystem::copy_file(run_ + "/bert_memory.json", run_ + "/vit_memory.json");
  expect_error(load({run_}, {}), ErrorCode::kBadInput, "several runs here (bert, vit)");
  LoadOptions options;
  options.run_name = "vit";
  const Result<Profile> loaded = load({run_}, options);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  EXPECT_FALSE(loaded->recorded->has_operations);
}

TEST_F(LoadRun, AFolderOrFileOfSomethingElseIsBadInput) {
  expect_error(load({folder_.path()}, {}), ErrorCode::kBadInput, "no NAME_memory.json here");
  expect_error(load({run_ + "/gpt_memory.json"}, {}), ErrorCode::kBadInput, "No such file");
  expect_error(load({folder_.file("x_memory.json", "hello")}, {}), ErrorCode::kBadInput, "x_memory.json");
}

}  // namespace
}  // namespace ttscope::mem
