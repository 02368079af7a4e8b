// What `ttscope doctor` concludes from an environment.
#include "app/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

using launch::Tristate;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// In a place without Python and without TT-XLA.
Diagnosis diagnose_with(std::vector<std::string> environment) {
  const testing::TempFolder folder;
  environment.insert(environment.end(), {"PATH=/none", "HOME=" + folder.path()});
  return diagnose({folder.path(), folder.path(), environment});
}

Check check_of(const Diagnosis& diagnosis, const std::string& name) {
  const auto found = std::find_if(diagnosis.checks.begin(), diagnosis.checks.end(),
                                  [&](const Check& check) { return check.name == name; });
  return found == diagnosis.checks.end() ? Check{} : *found;
}

TEST(Doctor, VariablesThatAreNotSetAreNoProblem) {
  const Diagnosis diagnosis = diagnose_with({});
  const Check level = check_of(diagnosis, "TTMLIR_RUNTIME_LOGGER_LEVEL");
  EXPECT_EQ(level.status, CheckStatus::kOk);
  EXPECT_THAT(level.found, HasSubstr("ttscope run sets DEBUG"));
  EXPECT_THAT(level.fix, HasSubstr("export TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG"));
}

TEST(Doctor, AVariableThatSilencesOpLinesIsAProblemAndDecides) {
  const Diagnosis diagnosis = diagnose_with({"TTMLIR_RUNTIME_LOGGER_LEVEL=ERROR"});
  const Check level = check_of(diagnosis, "TTMLIR_RUNTIME_LOGGER_LEVEL");
  EXPECT_EQ(level.status, CheckStatus::kProblem);
  EXPECT_EQ(level.fix, "unset TTMLIR_RUNTIME_LOGGER_LEVEL");
  EXPECT_TRUE(diagnosis.has_problem());
  EXPECT_EQ(diagnosis.expected_output.op_lines, Tristate::kNo);
}

TEST(Doctor, WithoutTtXlaNothingIsPromised) {
  const Diagnosis diagnosis = diagnose_with({});
  EXPECT_EQ(check_of(diagnosis, "TT-XLA").status, CheckStatus::kNote);
  EXPECT_THAT(check_of(diagnosis, "TT-XLA").fix, HasSubstr("--tt-xla"));
  EXPECT_EQ(diagnosis.expected_output.op_lines, Tristate::kUnknown);
  EXPECT_EQ(diagnosis.expected_output.memory_lines, Tristate::kUnknown);
  EXPECT_EQ(diagnosis.expected_output.module_dumps, Tristate::kUnknown);
}

TEST(Doctor, PythonAndDisksAreLookedAt) {
  const Diagnosis diagnosis = diagnose_with({});
  EXPECT_EQ(check_of(diagnosis, "python").status, CheckStatus::kNote);
  EXPECT_THAT(check_of(diagnosis, "disk room for runs").found, HasSubstr(" free"));
  EXPECT_THAT(check_of(diagnosis, "disk room for reports").found, Not(IsEmpty()));
}

}  // namespace
}  // namespace ttscope::app
