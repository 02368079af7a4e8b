// How the text of modules is taken apart: into modules, statements and ops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/input_files.h"
#include "mem/read/compiled_module.h"
#include "mem/read/ttnn_module.h"
#include "unit/mem/module_text.h"

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// -- several modules in a text

TEST(ModuleSections, FilesOneBehindTheOther) {
  const ReadModule read(small_module("first") + "#loc3 = loc(unknown)\n" + small_module("second"));
  EXPECT_THAT(read.programs(), ElementsAre("first", "second"));
}

TEST(ModuleSections, PartsOfASplitFile) {
  const ReadModule read(small_module("first") + "// -----\n" + small_module("second") +
                        "\n// -----\n\nmodule {\n}\n");
  EXPECT_THAT(read.programs(), ElementsAre("first", "second"));
}

TEST(ModuleSections, OfTheIrAfterEveryPassTheLastTtnnStageCounts) {
  const std::string header = "// -----// IR Dump After Pass (pass) ('builtin.module' operation) //----- //\n";
  const std::string other =
      "module {\n  func.func @main() {\n    %0 = \"ttir.ones\"() : () -> tensor<1xf32>\n  }\n}\n";
  const std::string one_function = function("single", "", op("%0", "ttnn.ones", "", "() -> " + tiles(12)));
  const ReadModule read(header + other + header + small_module("early") + header + small_module("late") +
                        header + one_function + header + other + header + small_module("next"));
  EXPECT_THAT(read.programs(), ElementsAre("late", "next"));
}

TEST(ModuleSections, NoiseAroundAModuleIsLeftOut) {
  const std::string text =
      "compiling ...\n" + small_module("main") + "2026-01-01 12:00:00.000 | info | x | done\nand more\n";
  const std::vector<ModuleSection> found = find_modules(text);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].first_line, 2U);
  EXPECT_EQ(found[0].lines.back(), "}");
}

// -- statements

OpStatement written(std::string_view text) {
  ModuleAliases aliases;
  OpStatement op_statement;
  write_op_statement(text, aliases, op_statement);
  return op_statement;
}

TEST(OpStatement, LargeConstantsAreElidedAsTheRuntimeDoes) {
  const std::string behind = " : tensor<1xf32>}> : () -> tensor<1xf32>";
  EXPECT_THAT(written("%0 = \"ttnn.constant\"() <{value = dense<\"0xAB>]}\">" + behind + " loc(\"x\")").text,
              HasSubstr("value = dense_resource<__elided__> : tensor"));
  std::string list = "1";
  for (int i = 0; i < 16; ++i) list += ", 2";
  EXPECT_THAT(written("%0 = \"ttnn.constant\"() <{value = dense<[" + list + "]>" + behind).text,
              HasSubstr("__elided__"));
  EXPECT_THAT(written("%0 = \"ttnn.constant\"() <{value = dense<[1, 2]>" + behind).text,
              HasSubstr("dense<[1, 2]>"));
}

TEST(OpStatement, CallsAreWrittenShort) {
  EXPECT_EQ(written("%1:2 = call @f(%0) {ttir.cpu_hoist_call} : (i1) -> (i1, i1) loc(unknown)").text,
            "%1:2 = func.call @f(%0) {ttir.cpu_hoist_call} : (i1) -> (i1, i1)");
  EXPECT_EQ(written("\"func.call\"(%0, %1) <{callee = @f}> {x} : (i1, i1) -> ()").text,
            "func.call @f(%0, %1) {x} : (i1, i1) -> ()");
  EXPECT_EQ(written("\"func.call\"(%0").text, "\"func.call\"(%0");
}

/// The obvious way, character by character.
int slow_open_brackets(std::string_view line) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (in_string && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && line.substr(i, 2) == "->") {
      ++i;
    } else if (!in_string && std::string_view("<({[").find(line[i]) != std::string_view::npos) {
      ++depth;
    } else if (!in_string && std::string_view(">)}]").find(line[i]) != std::string_view::npos) {
      --depth;
    }
  }
  return depth;
}

TEST(Statements, BracketsAreCountedAsTheObviousWayCountsThem) {
  const std::string alphabet = "<>(){}[]\"-, x\\1";
  std::uint32_t seed = 1;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 24; ++i) {
      seed = seed * 1664525 + 1013904223;
      text += alphabet[(seed >> 16) % alphabet.size()];
    }
    if (round % 3 == 0) text += "dense<[[1, 2], [3, 4]]>";
    std::string_view line = text;
    EXPECT_EQ(open_brackets(line), slow_open_brackets(text)) << text;
  }
}

// -- what is told by content

bool is_module(const std::string& text) { return is_ttnn_module({"m", io::PathKind::kFile, text, true}); }

TEST(TtnnModuleSniff, TellsModulesByTheirContent) {
  EXPECT_TRUE(is_module(small_module("main")));
  EXPECT_TRUE(is_module("// RUN: x\n\n" + small_module("main")));
  EXPECT_TRUE(is_module("\"builtin.module\"() ({\n \"ttnn.x\"() : () -> ()\n}) : () -> ()\n"));
  EXPECT_FALSE(
      is_module("module {\n  func.func @main() {\n    %0 = \"ttir.ones\"() : () -> tensor<1xf32>\n  }\n}\n"));
  EXPECT_FALSE(is_module(small_module("main") + "RuntimeTTNN | DEBUG | Executing operation: x\n"));
  EXPECT_FALSE(is_module("a log that speaks of \"ttnn.add\"\n"));
  EXPECT_FALSE(is_module("# a comment = of a script\n\"ttnn.add\"\n"));
}

}  // namespace
}  // namespace ttscope::mem
