// Which words are a Python script, a module or a program.
#include "launch/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_folder.h"

namespace ttscope::launch {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ttscope::testing::TempFolder;

/// A folder with an interpreter in PATH.
class ProfiledProgramTest : public ::testing::Test {
 protected:
  ProfiledProgramTest() { executable("python3", "#!/bin/sh\n"); }

  std::string executable(const std::string& name, const std::string& content) const {
    const std::string path = folder.file(name, content);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  tl::expected<ProfiledProgram, StartFailure> resolve(std::vector<std::string> words,
                                                      bool is_module = false) const {
    return resolve_program({std::move(words), is_module, "python3", {"PATH=" + folder.path()}});
  }
  /// An interpreter runs these words.
  std::vector<std::string> python_words(const std::vector<std::string>& words, bool is_module = false) const {
    const auto program = resolve(words, is_module);
    if (!program) return {program.error().message};
    EXPECT_TRUE(program->is_python);
    EXPECT_EQ(program->path, folder.path("python3"));
    return program->arguments;
  }
  int failure_of(const std::vector<std::string>& words) const {
    const auto program = resolve(words);
    return program ? 0 : program.error().exit_code;
  }

  TempFolder folder;
};

TEST_F(ProfiledProgramTest, PythonFilesAreToldByTheirEndingOrFirstLine) {
  const std::string script = folder.file("model.py", "print()\n");
  EXPECT_THAT(python_words({script, "--batch", "8"}), ElementsAre("python3", script, "--batch", "8"));
  const std::string marked = executable("model", "#!/usr/bin/env python3\n");
  EXPECT_THAT(python_words({marked}), ElementsAre("python3", marked));
  const std::string text = folder.file("text", "print()\n");
  EXPECT_THAT(python_words({text}), ElementsAre("python3", text)) << "no program";
}

TEST_F(ProfiledProgramTest, AModuleIsRunByTheInterpreter) {
  EXPECT_THAT(python_words({"pytest", "tests/test_model.py::test_one"}, true),
              ElementsAre("python3", "-m", "pytest", "tests/test_model.py::test_one"));
}

TEST_F(ProfiledProgramTest, AnInterpreterInFrontIsTakenAsTyped) {
  const std::string own = executable("python3.11", "#!/bin/sh\n");
  const auto script = resolve({own, "model.py", "8"});
  ASSERT_TRUE(script.has_value());
  EXPECT_TRUE(script->is_python);
  EXPECT_EQ(script->path, own);
  EXPECT_THAT(script->arguments, ElementsAre(own, "model.py", "8"));
  EXPECT_THAT(python_words({"python3", "-m", "pytest"}), ElementsAre("python3", "-m", "pytest"));
  const auto code = resolve({"python3", "-c", "print()"});
  ASSERT_TRUE(code.has_value());
  EXPECT_FALSE(code->is_python) << "no file that a runner could run";
  EXPECT_THAT(code->arguments, ElementsAre("python3", "-c", "print()"));
}

TEST_F(ProfiledProgramTest, ProgramsRunThemselves) {
  const std::string binary = executable("train", std::string("\x7f"
                                                             "ELF\0",
                                                             5));
  const auto by_path = resolve({binary, "x y"});
  ASSERT_TRUE(by_path.has_value());
  EXPECT_FALSE(by_path->is_python);
  EXPECT_EQ(by_path->path, binary);
  EXPECT_THAT(by_path->arguments, ElementsAre(binary, "x y"));
  const auto by_name = resolve({"train"});
  ASSERT_TRUE(by_name.has_value());
  EXPECT_EQ(by_name->path, binary);
  EXPECT_THAT(by_name->arguments, ElementsAre("train"));
  const auto shell = resolve({executable("run", "#!/bin/sh\necho python\n")});
  ASSERT_TRUE(shell.has_value());
  EXPECT_FALSE(shell->is_python) << "the first line alone tells";
}

TEST_F(ProfiledProgramTest, AScriptInPathIsGivenToTheInterpreterByItsPlace) {
  const std::string script = executable("tool", "#!/usr/bin/python3\n");
  EXPECT_THAT(python_words({"tool", "--fast"}), ElementsAre("python3", script, "--fast"));
}

TEST_F(ProfiledProgramTest, WhatCannotBeStartedIsToldByItsCode) {
  EXPECT_EQ(failure_of({}), kNotFound);
  EXPECT_EQ(failure_of({"no-such-program"}), kNotFound);
  EXPECT_EQ(failure_of({folder.path()}), kNotRunnable);
  const auto missing = resolve({"missing.py"});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().exit_code, kNotFound);
  EXPECT_THAT(missing.error().message, EndsWith("missing.py: no such file"));
  const auto no_python = resolve_program({{folder.file("x.py", "")}, false, "python3", {"PATH=/nowhere"}});
  ASSERT_FALSE(no_python.has_value());
  EXPECT_EQ(no_python.error().exit_code, kNotFound);
}

}  // namespace
}  // namespace ttscope::launch
