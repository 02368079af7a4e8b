// The real training logs that lie beside the checkout on some machines, read again by a slow and obvious
// reader: one expression a line. Without them the test is skipped.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "phases/read/phase_log_reader.h"

namespace ttscope::phases {
namespace {

namespace fs = std::filesystem;

struct ReferencePhase {
  std::string name;
  std::vector<double> figures;  ///< the six of DRAM, then the three of L1
};

/// All numbers in front of ` MB` in a line.
void add_numbers(const std::string& line, std::vector<double>& to) {
  static const std::regex kNumber(R"(([+-]?[0-9]+\.[0-9]+) MB)");
  for (auto at = std::sregex_iterator(line.begin(), line.end(), kNumber); at != std::sregex_iterator();
       ++at) {
    to.push_back(std::stod((*at)[1]));
  }
}

std::vector<ReferencePhase> reference_phases(const fs::path& log) {
  static const std::regex kHeader("^--- (.*) ---$");
  std::vector<ReferencePhase> phases;
  std::ifstream file(log);
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_match(line, match, kHeader)) phases.push_back({match[1], {}});
    if (line.rfind("  DRAM:", 0) == 0 || line.rfind("  L1:", 0) == 0)
      add_numbers(line, phases.back().figures);
  }
  return phases;
}

void expect_same(const PhaseRecord& read, const ReferencePhase& wanted) {
  EXPECT_EQ(read.name, wanted.name);
  ASSERT_EQ(wanted.figures.size(), 9u) << wanted.name;
  for (std::size_t i = 0; i < kDramFieldCount; ++i)
    EXPECT_EQ(read.dram_mb[i], wanted.figures[i]) << wanted.name;
  ASSERT_TRUE(read.l1) << wanted.name;
  EXPECT_EQ(read.l1->peak_cb_mb, wanted.figures[6]);
  EXPECT_EQ(read.l1->peak_buffer_mb, wanted.figures[7]);
  EXPECT_EQ(read.l1->peak_total_mb, wanted.figures[8]);
}

TEST(SharedPhaseLogs, EveryFigureOfTheRealLogs) {
  const char* folder = std::getenv("TTSCOPE_SHARED_DIR");
  if (folder == nullptr || !fs::is_directory(fs::path(folder) / "data/phase-logs")) {
    GTEST_SKIP() << "skipped: TTSCOPE_SHARED_DIR is not set, no real logs here";
  }
  std::size_t phases = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / "data/phase-logs")) {
    if (entry.path().extension() != ".log") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const auto log = read_phase_logs({entry.path().string()});
    ASSERT_TRUE(log);
    ASSERT_EQ(log->summaries.size(), 1u);
    const std::vector<ReferencePhase> wanted = reference_phases(entry.path());
    ASSERT_EQ(log->summaries[0].phases.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) expect_same(log->summaries[0].phases[i], wanted[i]);
    phases += wanted.size();
    for (std::size_t i = 0; i < kPhaseProblemCount; ++i) {
      EXPECT_EQ(log->problems.count(static_cast<PhaseProblem>(i)), 0u);
    }
  }
  EXPECT_EQ(phases, 53u);
}

}  // namespace
}  // namespace ttscope::phases
