// Each decision of the rules is one by itself: sets that differ in nothing else.
#include "perf/model/reference_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perf/load.h"
#include "perf/write/terminal.h"
#include "support/ops_csv.h"
#include "support/perf_lines.h"
#include "support/temp_folder.h"

namespace ttscope::testing {
namespace {

using namespace perf;
using ::testing::HasSubstr;
using ::testing::Not;

/// What is found in a capture by our rules, but for one.
struct ReadCapture {
  PerfProblems problems;
  bool shows_zones = false;
};

ReadCapture read_by(const TempFolder& folder, bool Rules::*decision) {
  Rules rules = own_rules();
  if (decision != nullptr) rules.*decision = false;
  CaptureOptions options;
  options.rules = &rules;
  Result<FoundFiles> files = find_files({folder.path()});
  EXPECT_TRUE(files.has_value());
  const Result<Profile> profile = read_files(*files, options);
  EXPECT_TRUE(profile.has_value());
  if (!profile) return {};
  return {profile->captures.front().problems, !profile->zones().empty()};
}

TEST(PerfRules, MissingFilesSimulatedChipsAndMarksOfUsersAreDecidedApart) {
  TempFolder folder;
  folder.file("profile_log_device.csv", kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
                                            "0,1,1,BRISC,77,1500,5,1024,,,,TS_DATA,7,k.cc,\n");
  folder.file("simulated_chips.txt", "\n");
  const ReadCapture ours = read_by(folder, nullptr);
  EXPECT_EQ(ours.problems.count(PerfProblem::kHostFilesMissing), 1u);
  EXPECT_EQ(ours.problems.count(PerfProblem::kSimulatedChips), 1u);
  EXPECT_TRUE(ours.shows_zones);

  const ReadCapture silent = read_by(folder, &Rules::notes_missing_files);
  EXPECT_EQ(silent.problems.count(PerfProblem::kHostFilesMissing), 0u);
  EXPECT_EQ(silent.problems.count(PerfProblem::kSimulatedChips), 1u);
  EXPECT_TRUE(silent.shows_zones);

  const ReadCapture unaware = read_by(folder, &Rules::notes_simulated_chips);
  EXPECT_EQ(unaware.problems.count(PerfProblem::kHostFilesMissing), 1u);
  EXPECT_EQ(unaware.problems.count(PerfProblem::kSimulatedChips), 0u);
  EXPECT_TRUE(unaware.shows_zones);

  const ReadCapture plain = read_by(folder, &Rules::shows_marks_of_users);
  EXPECT_EQ(plain.problems.count(PerfProblem::kHostFilesMissing), 1u);
  EXPECT_EQ(plain.problems.count(PerfProblem::kSimulatedChips), 1u);
  EXPECT_FALSE(plain.shows_zones);

  const ReadCapture other = read_by(folder, &Rules::has_own_sections);
  EXPECT_EQ(other.problems.count(PerfProblem::kHostFilesMissing), 1u) << "sections are of the writer";
  EXPECT_EQ(other.problems.count(PerfProblem::kSimulatedChips), 1u);
  EXPECT_TRUE(other.shows_zones);
}

TEST(PerfRules, AFinishedReportHasTheWordOfSimulatedChipsBesideItByThatRuleAlone) {
  TempFolder folder;
  const std::string path = folder.file("ops_perf_results.csv", OpsCsv().op("A").op("B").text());
  folder.file("simulated_chips.txt", "\n");
  for (const bool notes : {false, true}) {
    Rules rules = own_rules();
    rules.notes_simulated_chips = notes;
    CaptureOptions options;
    options.rules = &rules;
    Result<FoundFiles> files = find_files({path});
    ASSERT_TRUE(files.has_value());
    const Result<Profile> profile = read_files(*files, options);
    ASSERT_TRUE(profile.has_value());
    EXPECT_EQ(profile->report.has_modeled_times(), notes);
  }
}

/// The report of a small run whose reading leaves a note, by rules that are ours but for what `change` does.
std::string report_by(void (*change)(Rules&), bool shows_sections) {
  Rules rules = own_rules();
  change(rules);
  Profile profile;
  profile.report = OpsCsv().op("A").op("B").table();
  ShownOptions shown;
  shown.rules = &rules;
  Result<OpReading> reading = read_ops(profile.report, shown);
  EXPECT_TRUE(reading.has_value());
  if (!reading) return {};
  profile.reading = std::move(*reading);
  profile.reading.ops.notes = {{NoteKind::kNoOpIds}};
  PerfReportOptions options;
  options.table.rules = &rules;
  options.shows_sections = shows_sections;
  options.summary = false;
  StringWriter out;
  write_perf_report(profile, options, {"out/a.csv", "out/a_stacked", {"out/a.csv", "x.json"}}, out);
  static_cast<void>(out.finish());
  return out.text();
}

TEST(PerfRules, SectionsWrittenFilesAndNotesAreDecidedApart) {
  const auto none = [](Rules&) {};
  const auto sections = [](Rules& rules) { rules.has_own_sections = false; };
  const auto sentences = [](Rules& rules) { rules.lists_written_files = false; };
  const auto notes = [](Rules& rules) { rules.notes_without_table = true; };
  constexpr std::string_view kList = "Written\n  out/a.csv\n  x.json\n";
  constexpr std::string_view kSentence = "Writing CSV output to out/a.csv\n";

  EXPECT_EQ(report_by(none, false), kList);
  EXPECT_EQ(report_by(sections, false), kList);
  EXPECT_EQ(report_by(sentences, false), std::string(kSentence) +
                                             "Writing CSV stacked report to out/a_stacked.csv\n"
                                             "Plotting PNG stacked report to out/a_stacked.png\n");
  const std::string noted = report_by(notes, false);
  EXPECT_GT(noted.size(), kList.size());
  EXPECT_TRUE(noted.ends_with(kList));

  const std::string whole = report_by(none, true);
  EXPECT_THAT(whole, HasSubstr("Bounds  what limits the ops"));
  EXPECT_THAT(whole, HasSubstr(std::string("\n") + std::string(kList)));
  EXPECT_EQ(report_by(notes, true), whole) << "they stand above the table already";
  EXPECT_THAT(report_by(sections, true), Not(HasSubstr("Bounds  what limits the ops")));
  EXPECT_THAT(report_by(sentences, true), HasSubstr("Bounds  what limits the ops"));
}

}  // namespace
}  // namespace ttscope::testing
