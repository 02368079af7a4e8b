#include "app/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Diagnosis one_problem() {
  Diagnosis diagnosis;
  diagnosis.checks.push_back(
      {CheckStatus::kProblem, "LEVEL", "it is \"a|b\"\x1b[31m", "no op lines", "unset LEVEL"});
  diagnosis.expected_output.op_lines = launch::Tristate::kNo;
  return diagnosis;
}

TEST(DoctorText, EachCheckHasItsStatusWhatFollowsAndItsFix) {
  const std::string text = doctor_text(one_problem(), false, 80);
  EXPECT_THAT(text, HasSubstr("problem LEVEL\n"));
  EXPECT_THAT(text, HasSubstr("        no op lines\n"));
  EXPECT_THAT(text, HasSubstr("        -> unset LEVEL\n"));
  EXPECT_THAT(text, HasSubstr("op lines       no\n"));
}

TEST(DoctorText, TextOfTheEnvironmentIsEscapedInEveryForm) {
  EXPECT_THAT(doctor_text(one_problem(), false, 80), Not(HasSubstr("\x1b")));
  EXPECT_THAT(doctor_markdown(one_problem()), HasSubstr("| problem | LEVEL | it is \"a\\|b\""));
  EXPECT_THAT(doctor_json(one_problem(), "1.2"), HasSubstr(R"("found": "it is \"a|b\"\u001b[31m")"));
}

TEST(DoctorText, TheDocumentSaysWhetherSomethingStandsInTheWay) {
  const std::string text = doctor_json(one_problem(), "1.2");
  EXPECT_THAT(text, HasSubstr(R"("version": "1.2")"));
  EXPECT_THAT(text, HasSubstr(R"("ok": false)"));
  EXPECT_THAT(text, HasSubstr(R"("op_lines": "no")"));
}

}  // namespace
}  // namespace ttscope::app
