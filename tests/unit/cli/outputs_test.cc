// What commands write, and where: options that all of them share.
#include "cli/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace ttscope::cli {
namespace {

using ::testing::ElementsAre;

/// The options of a command that writes a file of its own beside the usual ones.
struct Asked {
  Outputs outputs{7};
  std::string csv;

  explicit Asked(const std::vector<std::string>& words) {
    CommandSpec spec;
    spec.options = {
        outputs.json_option(),   outputs.llm_option(),   outputs.file_option("--csv", "PATH", csv, "h"),
        outputs.top_option("h"), outputs.color_option(), outputs.quiet_option()};
    auto parsed = parse_args(spec, words);
    EXPECT_TRUE(parsed.has_value());
    EXPECT_EQ(take_values(spec, *parsed), "");
  }
};

TEST(Outputs, NothingIsWrittenUnlessItIsAskedFor) {
  Asked asked({});
  EXPECT_TRUE(asked.outputs.are_usable({"in.log"}));
  EXPECT_TRUE(asked.outputs.prints());
  EXPECT_EQ(asked.outputs.top, 7);
  EXPECT_TRUE(asked.outputs.write({{asked.outputs.json, [](Writer&) { FAIL(); }}}));
  EXPECT_EQ(asked.outputs.written_text(), "");
}

TEST(Outputs, AreWrittenInTheOrderOfTheWritersAndListed) {
  const testing::TempFolder folder;
  Asked asked({"--csv", folder.path("a.csv"), "--json", folder.path("a.json"), "--top=3"});
  ASSERT_TRUE(asked.outputs.are_usable({}));
  const Result<void> written = asked.outputs.write({
      {asked.outputs.json, [](Writer& out) { out.write("{}"); }},
      {asked.outputs.llm, [](Writer&) { FAIL() << "not asked for"; }},
      {asked.csv,
       [](Writer& out) -> Result<void> {
         out.write("a,b");
         return {};
       }},
  });
  ASSERT_TRUE(written);
  EXPECT_EQ(asked.outputs.top, 3);
  EXPECT_THAT(folder.names(), ElementsAre("a.csv", "a.json"));
  EXPECT_EQ(asked.outputs.written_text(),
            "\nWritten\n  " + folder.path("a.json") + "\n  " + folder.path("a.csv") + "\n");
}

TEST(Outputs, TheFirstThatFailsIsTheLast) {
  const testing::TempFolder folder;
  Asked asked({"--json", folder.path("none/a.json"), "--llm", folder.path("a.md")});
  EXPECT_FALSE(asked.outputs.write({
      {asked.outputs.json, [](Writer& out) { out.write("{}"); }},
      {asked.outputs.llm, [](Writer& out) { out.write("#"); }},
  }));
  EXPECT_THAT(folder.names(), ElementsAre());
  EXPECT_EQ(asked.outputs.written_text(), "");
}

TEST(Outputs, NeitherReplaceInputsNorShareStandardOutput) {
  const testing::TempFolder folder;
  const std::string input = folder.file("in.log", "x");
  EXPECT_TRUE(Asked({"--json", "-", "--llm", folder.path("out.md")}).outputs.are_usable({input}));
  EXPECT_FALSE(Asked({"--json", "-", "--llm", "-"}).outputs.are_usable({input}));
  EXPECT_FALSE(Asked({"--csv", folder.path("./in.log")}).outputs.are_usable({input}))
      << "the same file by another name";
  EXPECT_FALSE(Asked({"--llm", ""}).outputs.are_usable({input}));
}

TEST(Outputs, TextIsPrintedUnlessADocumentIs) {
  EXPECT_FALSE(Asked({"--json", "-"}).outputs.prints());
  EXPECT_FALSE(Asked({"-q"}).outputs.prints());
  EXPECT_TRUE(Asked({"--json", "x.json"}).outputs.prints());
}

}  // namespace
}  // namespace ttscope::cli
