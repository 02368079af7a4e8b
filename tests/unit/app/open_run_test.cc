#include "app/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;

class RunInputsOfFiles : public ::testing::Test {
 protected:
  std::string made(const std::string& name) const { return folder_.file(name, "x"); }
  testing::TempFolder folder_;
};

TEST_F(RunInputsOfFiles, CommasAreBetweenRunsAndPlusSignsBetweenFilesOfOne) {
  const std::string a = made("a.log");
  const std::string b = made("b.csv");
  EXPECT_THAT(run_inputs(a + "+" + b + "," + b), ElementsAre(ElementsAre(a, b), ElementsAre(b)));
}

TEST_F(RunInputsOfFiles, ANameThatExistsIsNotTakenApart) {
  const std::string odd = made("a,b+c.csv");
  const std::string plus = made("a+b.log");
  EXPECT_THAT(run_inputs(odd), ElementsAre(ElementsAre(odd)));
  EXPECT_THAT(run_inputs(plus), ElementsAre(ElementsAre(plus)));
  EXPECT_THAT(run_inputs(plus + "," + plus), ElementsAre(ElementsAre(plus), ElementsAre(plus)));
  EXPECT_THAT(run_inputs(odd + "+" + plus), ElementsAre(ElementsAre(odd, plus)));
}

TEST_F(RunInputsOfFiles, WhatIsMissingIsNamedAsItWasTyped) {
  EXPECT_THAT(run_inputs("gone.csv"), ElementsAre(ElementsAre("gone.csv")));
  EXPECT_THAT(run_inputs("gone.csv,lost.csv"), ElementsAre(ElementsAre("gone.csv"), ElementsAre("lost.csv")));
}

}  // namespace
}  // namespace ttscope::app
