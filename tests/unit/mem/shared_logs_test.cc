// Reads the real logs that lie beside the checkout on some machines. Without them every test here is skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "mem/read/log_reader.h"
#include "mem/read/mlir_text.h"
#include "mem/read/module_dumps.h"
#include "support/temp_folder.h"

namespace ttscope::mem {
namespace {

namespace fs = std::filesystem;
using testing::file_content;

class SharedData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("TTSCOPE_SHARED_DIR");
    if (folder == nullptr || !fs::is_directory(fs::path(folder) / "data")) {
      GTEST_SKIP() << "skipped: TTSCOPE_SHARED_DIR is not set, no real logs here";
    }
    data_ = fs::path(folder) / "data";
  }

  std::vector<fs::path> files(const std::string& folder, const std::string& extension) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(data_ / folder)) {
      if (entry.path().extension() == extension) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path data_;
};

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

/// Lines with an op, less those of deallocate and get_device.
std::uint64_t count_op_lines(const fs::path& path) {
  std::uint64_t count = 0;
  for (const std::string& line : lines_of(path)) {
    const std::size_t at = line.find("Executing operation:");
    if (at == std::string::npos) continue;
    const std::string op = line.substr(at, line.find('(', at) - at);
    if (!has(op, "\"ttnn.deallocate\"") && !has(op, "\"ttnn.get_device\"")) ++count;
  }
  return count;
}

TEST_F(SharedData, EveryOpLineOfTheRealLogsIsCountedAndParsed) {
  const std::vector<fs::path> logs = files("runtime-logs", ".log");
  ASSERT_FALSE(logs.empty());
  for (const fs::path& log : logs) {
    SCOPED_TRACE(log.filename().string());
    const auto parsed = read_runtime_logs({log.string()}, {});
    ASSERT_TRUE(parsed);
    std::uint64_t counted = 0;
    for (const RankLog& rank : parsed->ranks) {
      for (const ExecutedOp& op : rank.ops) counted += is_counted(*parsed, op) ? 1 : 0;
    }
    EXPECT_EQ(counted, count_op_lines(log));
    EXPECT_EQ(parsed->problems.count(LogProblem::kOpTextUnparsed), 0u);
    EXPECT_EQ(parsed->problems.count(LogProblem::kTypeUnparsed), 0u);
  }
}

TEST_F(SharedData, EveryResultOfTheRealLogsHasItsType) {
  for (const fs::path& log : files("runtime-logs", ".log")) {
    const auto parsed = read_runtime_logs({log.string()}, {});
    ASSERT_TRUE(parsed);
    for (const OpText& op : parsed->op_texts) {
      if (op.cut) continue;
      ASSERT_EQ(op.results.count, op.result_types.count) << log << ": " << op.text;
      ASSERT_EQ(op.operands.count, op.input_types.count) << log << ": " << op.text;
    }
  }
}

TEST_F(SharedData, EverySampleOfAnOpLineParses) {
  int samples = 0;
  for (const std::string& line : lines_of(data_ / "runtime-logs" / "op_line_samples.txt")) {
    const std::size_t at = line.find("Executing operation: ");
    if (at == std::string::npos) continue;
    ++samples;
    RuntimeLog log;
    LogTables tables(log);
    const std::string text = line.substr(at + 21, line.rfind(" loc(") - at - 21);
    const OpText op = parse_op(text, tables);
    EXPECT_NE(op.role, OpRole::kUnparsed) << text;
    EXPECT_FALSE(op.cut) << text;
    EXPECT_EQ(op.results.count, op.result_types.count) << text;
    EXPECT_EQ(tables.unreadable_types(), 0u) << text;
  }
  EXPECT_GE(samples, 54);
}

TEST_F(SharedData, EveryModuleCutOutOfARealLogHasItsFunctions) {
  const std::vector<fs::path> paths = files("ttnn-mlir/from-logs", ".mlir");
  ASSERT_FALSE(paths.empty());
  for (const fs::path& path : paths) {
    const std::vector<std::string> lines = lines_of(path);
    RuntimeLog log;
    LogTables tables(log);
    ModuleDump module;
    std::size_t headers = 0;
    std::size_t arguments = 0;
    for (const std::string& line : lines) {
      module.lines.push_back(line);
      const std::size_t first = line.find_first_not_of(' ');
      const bool is_header = first != std::string::npos && line.compare(first, 10, "func.func ") == 0;
      headers += is_header ? 1 : 0;
      for (std::size_t at = is_header ? line.find("%arg") : std::string::npos; at != std::string::npos;
           at = line.find("%arg", at + 1)) {
        ++arguments;
      }
    }
    EXPECT_TRUE(parse_module(module, tables)) << path;
    EXPECT_EQ(module.functions.size(), headers) << path;
    for (const FunctionInfo& function : module.functions) arguments -= function.arguments.size();
    EXPECT_EQ(arguments, 0u) << path;
    EXPECT_EQ(tables.unreadable_types(), 0u) << path;
  }
}

TEST_F(SharedData, BlocksOfTheInjectedLogsBelongToTheirOps) {
  for (const fs::path& log : files("injected", ".log")) {
    const auto parsed = read_runtime_logs({log.string()}, {});
    ASSERT_TRUE(parsed);
    for (const LogProblem problem :
         {LogProblem::kBlockIncomplete, LogProblem::kBlockDisplaced, LogProblem::kBlockWithoutOp,
          LogProblem::kBadMemoryNumber, LogProblem::kViewInconsistent, LogProblem::kOpTextUnparsed}) {
      EXPECT_EQ(parsed->problems.count(problem), 0u) << log << ": " << info_of(problem).key;
    }
  }
}

}  // namespace
}  // namespace ttscope::mem
