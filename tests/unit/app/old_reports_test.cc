#include "app/report_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;

serve::Report report(const std::string& name, std::int64_t time_s, bool has_folder = true) {
  serve::Report made;
  made.name = name;
  made.time_s = time_s;
  if (has_folder) made.folder = name;
  return made;
}

std::vector<std::string> names_of_old(std::vector<serve::Report> reports, const Retention& retention) {
  std::vector<std::string> names;
  for (const serve::Report& old : old_reports(std::move(reports), retention)) names.push_back(old.name);
  return names;
}

TEST(OldReports, TheNewestStayWhateverTheirOrderIs) {
  EXPECT_THAT(names_of_old({report("b", 20), report("d", 40), report("a", 10), report("c", 30)}, {2}),
              ElementsAre("b", "a"));
  EXPECT_THAT(names_of_old({report("a", 10)}, {5}), ElementsAre());
}

TEST(OldReports, WhatIsNotOlderThanTheTimeStays) {
  EXPECT_THAT(names_of_old({report("a", 10), report("b", 20), report("c", 30)}, {0, 20}), ElementsAre("a"));
}

TEST(OldReports, WhereBothAreGivenBothMustHold) {
  const std::vector<serve::Report> reports = {report("a", 10), report("b", 20), report("c", 30)};
  EXPECT_THAT(names_of_old(reports, {1, 15}), ElementsAre("a"));
  EXPECT_THAT(names_of_old(reports, {3, 15}), ElementsAre()) << "old, and yet among the newest three";
}

TEST(OldReports, FilesThatLieInTheLibraryItselfAreNotTouched) {
  EXPECT_THAT(names_of_old({report("loose", 10, false), report("a", 20)}, {}), ElementsAre("a"));
}

}  // namespace
}  // namespace ttscope::app
