#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/encoding.h"
#include "serve/report_summary.h"
#include "support/temp_folder.h"

namespace ttscope::serve {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// `values` as a page stores them.
std::string packed(const std::vector<std::uint64_t>& values, std::size_t width, bool is_delta) {
  std::string planes(values.size() * width, '\0');
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = is_delta ? values[i] - before : values[i];
    before = values[i];
    for (std::size_t plane = 0; plane < width; ++plane)
      planes[plane * values.size() + i] = static_cast<char>(bits >> (8 * plane));
  }
  return base64_of(gzip_of(planes));
}

TEST(PageBlob, ColumnsOfEveryForm) {
  EXPECT_THAT(unpacked_column(packed({1, 70000, 3}, 4, false), {"u32", 3, false}), ElementsAre(1, 70000, 3));
  EXPECT_THAT(unpacked_column(packed({1, 70000, 3}, 4, true), {"u32", 3, true}), ElementsAre(1, 70000, 3));
  EXPECT_THAT(unpacked_column(packed({1ULL << 40, 5}, 8, true), {"i64", 2, true}), ElementsAre(1LL << 40, 5));
}

TEST(PageBlob, AnythingElseIsNothing) {
  const std::string good = packed({1, 2, 3}, 4, false);
  EXPECT_THAT(unpacked_column(good, {"u32", 4, false}), IsEmpty());
  EXPECT_THAT(unpacked_column(good, {"u16", 3, false}), IsEmpty());
  EXPECT_THAT(unpacked_column("", {"u32", 3, false}), IsEmpty());
  EXPECT_THAT(unpacked_column("not base64 at all!", {"u32", 3, false}), IsEmpty());
  for (std::size_t cut = 0; cut < good.size(); ++cut) unpacked_column(good.substr(0, cut), {"u32", 3, false});
}

TEST(PageSummary, TheHeadOfAPageIsRead) {
  ttscope::testing::TempFolder folder;
  const std::string path = std::string(folder.path()) + "/x_report.html";
  std::ofstream(path)
      << "<meta content=\"default-src 'none'; script-src 'sha256-" << std::string(43, 'A') << "='; x\">"
      << "<style>" << std::string(300000, ' ')
      << "</style><script type=\"application/json\" id=\"ttscope-page\">"
      << R"({"name": "be\u003crt", "main_rank": 1, "outcome": "out_of_memory", "fit": "\u003cb>", "ranks": [{"ops": 1}, {"ops": 9, "counted_ops": 8, "capacity": {"DRAM": 100},
                            "banks": {"DRAM": 12}, "peaks": {"DRAM": {"bytes_per_bank": 77, "op": 3}}}],
                            "columns": {"r1.ov.DRAM.max": {"type": "u32", "count": 2, "delta": true}}})"
      << "</script><script type=\"application/octet-stream\" id=\"r1.ov.DRAM.max\">"
      << packed({5, 77}, 4, true) << "</script><script>code</script>";
  const FileDescriptor file(open(path.c_str(), O_RDONLY));
  const PageFacts facts = read_page_facts(file);
  EXPECT_TRUE(facts.is_page);
  EXPECT_EQ(facts.script_hash, "sha256-" + std::string(43, 'A') + "=");
  EXPECT_EQ(facts.summary.outcome, "out_of_memory");
  EXPECT_EQ(facts.summary.fit, "") << "no word of a verdict";
  EXPECT_EQ(facts.summary.ops, 8);
  EXPECT_EQ(facts.summary.dram.peak_bytes_per_bank, 77);
  EXPECT_EQ(facts.summary.dram.capacity_bytes_per_bank, 100);
  EXPECT_EQ(facts.summary.dram.banks, 12);
  EXPECT_EQ(facts.summary.l1.peak_bytes_per_bank, -1);
  EXPECT_THAT(facts.summary.curve, ElementsAre(5, 77));
}

TEST(Curve, KeepsTheHighestAndStaysSmall) {
  Curve curve;
  for (int i = 0; i < 100000; ++i) curve.add(i == 54321 ? 999 : i % 10);
  const std::vector<std::int64_t> parts = curve.parts(96);
  EXPECT_EQ(parts.size(), 96U);
  EXPECT_EQ(curve.highest(), 999);
  EXPECT_EQ(std::count(parts.begin(), parts.end(), 999), 1);
  EXPECT_THAT(Curve().parts(96), IsEmpty());
}

TEST(JsonScan, EverySplitGivesTheSame) {
  const std::string text =
      R"({"a": [1, -2.5e1, {"b": "x\"y"}], "c": true, "d": null, "e": {"f": ""}, "g": [[], {}, 3],
          "\u003ch": "\u00E9\ud83d\ude00\n\/\\u003c\ud83d."})";
  const auto read = [&](std::size_t cut) {
    std::string found;
    JsonScanner scanner([&](const JsonPath& path, double number, std::string_view value) {
      for (std::size_t i = 0; i < path.depth(); ++i) found += std::string(path.key(i)) + "/";
      found += value.empty() ? std::to_string(number) : std::string(value);
      found += ";";
    });
    scanner.feed(std::string_view(text).substr(0, cut));
    scanner.feed(std::string_view(text).substr(cut));
    return found + (scanner.is_complete() ? "whole" : "cut");
  };
  const std::string whole = read(0);
  EXPECT_EQ(whole,
            "a//1.000000;a//-25.000000;a//b/x\"y;c/1.000000;g//3.000000;"
            "<h/\xC3\xA9\xF0\x9F\x98\x80\n/\\u003c.;whole");
  for (std::size_t cut = 0; cut <= text.size(); ++cut) EXPECT_EQ(read(cut), whole) << cut;
}

}  // namespace
}  // namespace ttscope::serve
