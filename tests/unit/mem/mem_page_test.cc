#include "mem/write/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/write/json.h"
#include "support/page_text.h"
#include "support/profile_text.h"
#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::PageText;

template <typename Made>
PageText page_of(const Made& made, const MemPageOptions& options = {.name = "run", .tool_version = "1.2.3"}) {
  StringWriter out;
  write_mem_page(made.log, made.profile, out, options);
  EXPECT_TRUE(out.finish().has_value());
  return PageText(out.text());
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Two programs' worth of ops; the second op calls a const-eval function without a location.
HandMadeLog small_run() {
  HandMadeLog made;
  made.add_program("main");
  const std::uint32_t type = made.add_type({1, 197, 768});
  made.add_op(
      {.results = {"%1"}, .result_types = {type}, .loc = "\"layers.0/attention/dot.7\"", .dram = 1000});
  made.add_op({.name = "ttcore.load_cached",
               .callee = "main_const_eval_0",
               .role = OpRole::kLoadCached,
               .dram = 3000});
  made.add_op({.name = "ttnn.deallocate", .operands = {"%1"}, .role = OpRole::kDeallocate, .dram = 2000});
  made.set_growth(0, bytes_of(2000));
  return made;
}

TEST(PageTemplate, HasEachMarkOnceAndInOrder) {
  const std::string_view page = page_template();
  const std::size_t title = page.find("<!--ttscope:title-->");
  const std::size_t head = page.find("<!--ttscope:head-->");
  const std::size_t data = page.rfind("<!--ttscope:data-->");
  ASSERT_NE(title, std::string_view::npos);
  ASSERT_NE(head, std::string_view::npos);
  ASSERT_NE(data, std::string_view::npos);
  EXPECT_LT(title, head);
  EXPECT_LT(head, data);
  EXPECT_EQ(count_of(page, "<!--ttscope:data-->"), 1U);
}

TEST(MemPage, TheColumnsHoldEveryOpOfTheTrace) {
  const HandMadeLog made = small_run();
  const PageText page = page_of(made);
  EXPECT_THAT(page.column("r0.op.text"), ElementsAre(0, 1, 2));
  EXPECT_THAT(page.column("r0.op.flags"), ElementsAre(1, 1, 0));
  const std::uint32_t line = made.log.ranks[0].ops[0].line;
  EXPECT_EQ(page.column("r0.op.line").front(), line);
  EXPECT_EQ(page.column("r0.op.grow.DRAM").front(), static_cast<std::uint64_t>(bytes_of(2000)));
  EXPECT_THAT(page.column("r0.pt.moment"), ElementsAre(0, 2, 4));
  EXPECT_THAT(page.column("r0.pt.DRAM.alloc"), ElementsAre(1000, 3000, 2000));
}

TEST(MemPage, ACallWithoutALocationIsFoundUnderItsCallee) {
  const PageText page = page_of(small_run());
  const std::vector<std::string> locs = page.strings("locs");
  const std::vector<std::uint64_t> ops = page.column("r0.op.loc");
  EXPECT_EQ(locs.at(ops.at(0)), "layers.0/attention/dot.7");
  EXPECT_EQ(locs.at(ops.at(1)), "@main_const_eval_0");
  EXPECT_EQ(ops.at(2), kNone);
  EXPECT_EQ(page.strings("locraw").at(ops.at(0)), "\"layers.0/attention/dot.7\"");
  EXPECT_EQ(page.strings("locraw").at(ops.at(1)), "");
}

TEST(MemPage, TextsCarryNamesTypesAndParts) {
  const PageText page = page_of(small_run());
  const std::vector<std::string> names = page.strings("names");
  EXPECT_EQ(names.at(page.column("text.name").at(1)), "ttcore.load_cached");
  EXPECT_THAT(page.column("text.first_out"), ElementsAre(0, kNone, kNone));
  EXPECT_EQ(page.strings("shape").at(0), "1x197x768");
  EXPECT_THAT(page.blob("text.chunk.0"),
              HasSubstr("\"results\":[\"%1\"],\"operands\":[],\"in\":[],\"out\":[0]"));
}

TEST(MemPage, AnOpKnownByItsTypeAloneHasAnEmptyText) {
  HandMadeLog made = small_run();
  ExecutedOp& op = made.rank().ops[0];
  op.text = kNone;
  op.op_type = made.log.names.intern("MatmulOp");
  const PageText page = page_of(made);
  const std::uint64_t text = page.column("r0.op.text").front();
  EXPECT_EQ(text, made.log.op_texts.size());
  EXPECT_EQ(page.strings("names").at(page.column("text.name").at(text)), "MatmulOp");
  EXPECT_THAT(page.blob("text.chunk.0"), HasSubstr(",{\"text\":\"\",\"attributes\":null,"));
}

TEST(MemPage, TheOverviewKeepsTheLowestAndTheHighestState) {
  HandMadeLog made;
  made.add_program("main");
  for (std::uint32_t i = 0; i < 10000; ++i) made.add_op({.dram = i == 5000 ? 9000U : i == 7000 ? 1U : 500U});
  const PageText page = page_of(made);
  const auto low = page.column("r0.ov.DRAM.min");
  const auto high = page.column("r0.ov.DRAM.max");
  ASSERT_EQ(low.size(), 2048U);
  EXPECT_EQ(*std::min_element(low.begin(), low.end()), 1U);
  EXPECT_EQ(*std::max_element(high.begin(), high.end()), 9000U);
  EXPECT_EQ(high[2048 / 2], 9000U);
  EXPECT_EQ(std::count(high.begin(), high.end(), 500), 2047);
}

TEST(MemPage, TheOverviewStandsInFrontOfTheScriptAndTheOtherDataBehindIt) {
  const PageText page = page_of(small_run());
  const std::string& html = page.html();
  EXPECT_LT(html.find("id=\"r0.ov.DRAM.min\""), html.find("id=\"r0.op.text\""));
  EXPECT_EQ(html.find("<!--ttscope:"), std::string::npos);
}

TEST(MemPage, WithoutMemoryLinesTheModeledStatesThatDifferAreThePoints) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.has_block = false});
  made.add_op({.has_block = false});
  made.rank().blocks.clear();
  made.rank_profile().measured = false;
  made.rank_profile().accounted = {{100, 0}, {100, 0}};
  made.set_growth(1, 50);
  const PageText page = page_of(made);
  EXPECT_THAT(page.column("r0.pt.moment"), ElementsAre(0, 3));
  EXPECT_THAT(page.column("r0.pt.DRAM.alloc"), ElementsAre(100, 150));
  EXPECT_FALSE(page.has("r0.pt.TRACE.alloc"));
  EXPECT_THAT(page.json("ttscope-page"), HasSubstr("\"memory_unit\":\"bytes\""));
  EXPECT_THAT(page.json("ttscope-page"), HasSubstr("\"fragmentation\":\"The log has no memory lines"));
}

TEST(MemPage, BuffersOfResizedTypesPointBehindTheTypesOfTheTrace) {
  HandMadeLog made = small_run();
  TensorType local = made.log.types[0];
  local.shape = {7};
  made.rank_profile().local_types = {local};
  Buffer buffer;
  buffer.type = kLocalTypeBase;
  buffer.bytes_per_bank = 64;
  made.rank_profile().buffers = {buffer};
  const PageText page = page_of(made);
  EXPECT_EQ(page.strings("shape").at(page.column("r0.buf.type").at(0)), "7");
  EXPECT_THAT(page.column("r0.buf.died"), ElementsAre(kNone));
  EXPECT_FALSE(page.has("r0.tot.padded.DRAM"));
}

TEST(MemPage, LiveTotalsAreThereOnlyWhereBuffersAreNot) {
  HandMadeLog made = small_run();
  made.rank_profile().buffers.clear();
  made.rank_profile().live_totals.resize(3);
  made.rank_profile().live_totals[2][0] = {100, 2048, 1};
  const PageText page = page_of(made);
  EXPECT_THAT(page.column("r0.tot.padded.DRAM"), ElementsAre(0, 0, 2048));
  EXPECT_THAT(page.column("r0.tot.tensors.DRAM"), ElementsAre(0, 0, 1));
}

TEST(MemPage, HostileNamesCannotLeaveTheirBlock) {
  const std::string hostile = "</script><script>alert(1)</script><!--\xE2\x80\xAE\x1b[2J";
  HandMadeLog made;
  made.add_program(hostile);
  made.add_op({.name = hostile, .results = {hostile}, .loc = "\"" + hostile + "\""});
  made.add_weight("%arg0", hostile, {2, 2});
  made.log.files[0] = hostile;
  const std::size_t scripts = count_of(page_of(small_run()).html(), "<script");
  const PageText page = page_of(made, {.name = hostile});
  EXPECT_EQ(count_of(page.html(), "<script"), scripts);
  EXPECT_EQ(count_of(page.html(), "</script"), scripts);
  EXPECT_EQ(page.html().find("alert(1)<"), std::string::npos);
  EXPECT_EQ(page.html().find('\x1b'), std::string::npos);
  EXPECT_THAT(page.html(), HasSubstr("<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
  EXPECT_EQ(page.strings("names").at(made.log.ranks[0].programs[0].name), hostile);
}

TEST(MemPage, BytesThatAreNoUtf8BecomeReplacementCharacters) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.loc = "\"a\xFF\""});
  const PageText page = page_of(made);
  EXPECT_EQ(page.strings("locs").at(page.column("r0.op.loc").at(0)), "a\xEF\xBF\xBD");
}

TEST(MemPage, TextsBeyondTheLimitAreLeftOutByWholeChunksAndThePageSaysSo) {
  HandMadeLog made;
  made.add_program("main");
  std::vector<std::string> names;
  for (int i = 0; i < 600; ++i) names.push_back("ttnn.op_" + std::to_string(i));
  for (const std::string& name : names) made.add_op({.name = name});
  std::size_t bytes = 0;  // of half of the texts
  for (std::size_t i = 0; i < names.size(); ++i) {
    made.log.op_texts[i].text = names[i];
    if (i < names.size() / 2) bytes += names[i].size();
  }
  MemPageOptions options{.name = "run"};
  options.limits.op_text_bytes = bytes;
  const PageText page = page_of(made, options);
  EXPECT_THAT(page.json("ttscope-page"),
              HasSubstr("\"texts\":{\"count\":600,\"per_chunk\":256,\"kept\":256}"));
  EXPECT_TRUE(page.has("text.chunk.0"));
  EXPECT_FALSE(page.has("text.chunk.1"));
  EXPECT_THAT(page.json("ttscope-page"), HasSubstr("\"texts\":\"344 op texts left out"));
}

TEST(MemPage, ModulesThatOpsAreFoundInAreKeptFirst) {
  HandMadeLog made = small_run();
  for (const Stage stage : {Stage::kVhlo, Stage::kTtir, Stage::kTtnn}) {
    ModuleDump module;
    module.stage = stage;
    module.lines = {"%1 = add loc(\"dot.7\")", "<third>"};
    made.log.modules.push_back(module);
  }
  MemPageOptions options{.name = "run"};
  options.limits.module_bytes = 70;
  const PageText page = page_of(made, options);
  EXPECT_FALSE(page.has("module.0"));
  EXPECT_EQ(page.blob("module.2"), "%1 = add loc(\"dot.7\")\n<third>\n");
  EXPECT_THAT(page.blob("module.2.locs"), HasSubstr("\"dot.7\":1"));
  EXPECT_THAT(page.json("ttscope-page"), HasSubstr("\"texts\":\"1 module left out"));
}

TEST(MemPage, TheDocumentInsideHasShortLists) {
  HandMadeLog made;
  made.add_program("main");
  for (std::uint32_t i = 0; i < 500; ++i) {
    made.add_op({});
    made.set_growth(i, 1000 + i % 7);
  }
  const PageText page = page_of(made);
  EXPECT_EQ(count_of(page.json("ttscope-mem"), "\"confidence\":"),
            200U + count_of(page.json("ttscope-mem"), "\"confidence\": "));
  StringWriter whole;
  write_mem_json(made.log, made.profile, whole, {});
  ASSERT_TRUE(whole.finish().has_value());
  const std::string first = whole.text().substr(whole.text().find("\"growth\": ["), 2000);
  EXPECT_THAT(page.json("ttscope-mem"), HasSubstr(first));
}

TEST(MemPage, WhatTheCallerSaysIsAbsentGoesBeforeWhatIsFound) {
  HandMadeLog made = small_run();
  const PageText page = page_of(made, {.name = "run", .absent = {{"ir", "because"}, {"lines", "none here"}}});
  EXPECT_THAT(page.json("ttscope-page"), HasSubstr("\"ir\":\"because\""));
  EXPECT_THAT(page.json("ttscope-page"), HasSubstr("\"lines\":\"none here\""));
}

TEST(MemPage, ThreadsDoNotChangeThePage) {
  const HandMadeLog made = small_run();
  const std::string one = page_of(made, {.name = "run", .threads = 1}).html();
  EXPECT_EQ(page_of(made, {.name = "run", .threads = 5}).html(), one);
}

}  // namespace
}  // namespace ttscope::mem
