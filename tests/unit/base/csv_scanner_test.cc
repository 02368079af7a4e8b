#include "base/csv.h"

#include <gtest/gtest.h>

#include <random>

namespace ttscope {
namespace {

using Record = std::vector<std::string>;

std::vector<Record> records_of(std::string_view text, CsvFormat format = {}) {
  CsvScanner scanner(text, format);
  std::vector<Record> records;
  while (scanner.next()) records.emplace_back(scanner.cells().begin(), scanner.cells().end());
  return records;
}

/// What a record is, said plainly: one character after the other. The quote that is never closed is the
/// caller's matter.
std::vector<Record> plainly(std::string_view text) {
  std::vector<Record> records;
  Record record;
  std::string cell;
  bool quoted = false;
  bool any = false;
  bool at_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        cell += c;
        ++i;
      } else if (c == '"') {
        quoted = false;
      } else {
        cell += c;
      }
      continue;
    }
    if (c == '"' && at_start) {
      quoted = any = true;
      at_start = false;
    } else if (c == ',') {
      record.push_back(std::move(cell));
      cell.clear();
      any = at_start = true;
    } else if (c == '\n' || (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n')) {
      if (c == '\r') ++i;
      if (any) {
        record.push_back(std::move(cell));
        records.push_back(std::move(record));
      }
      record.clear();
      cell.clear();
      any = false;
      at_start = true;
    } else {
      cell += c;
      any = true;
      at_start = false;
    }
  }
  if (any) {
    record.push_back(std::move(cell));
    records.push_back(std::move(record));
  }
  return records;
}

TEST(CsvScanner, ReadsPlainAndQuotedCells) {
  EXPECT_EQ(records_of("a,b\r\n1,\"x, \"\"y\"\"\nz\"\n"),
            (std::vector<Record>{{"a", "b"}, {"1", "x, \"y\"\nz"}}));
  EXPECT_EQ(records_of("a,,\n,\n"), (std::vector<Record>{{"a", "", ""}, {"", ""}}));
  EXPECT_EQ(records_of(""), std::vector<Record>{});
  EXPECT_EQ(records_of("\n\r\n\n"), std::vector<Record>{});
  EXPECT_EQ(records_of("last"), (std::vector<Record>{{"last"}}));
}

TEST(CsvScanner, OtherSeparatorsAndQuotes) {
  EXPECT_EQ(records_of("`a;b\nc`;5\n", {.delimiter = ';', .quote = '`'}),
            (std::vector<Record>{{"a;b\nc", "5"}}));
}

TEST(CsvScanner, TextBehindTheClosingQuoteBelongsToTheCell) {
  EXPECT_EQ(records_of("\"ab\"cd,e\r\n"), (std::vector<Record>{{"abcd", "e"}}));
}

TEST(CsvScanner, AQuoteThatIsNeverClosedSpoilsOneRecordOnly) {
  CsvScanner scanner("a,\"b\nc,d\n");
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.cell(1), "\"b");
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.cell(1), "d");
  EXPECT_EQ(scanner.unclosed_quotes(), 1u);
  const std::string long_cell =
      "a,\"" + std::string(100, 'x') + "\nc,d\n\"e\"\n";  // the scanner refers to it
  CsvScanner limited(long_cell, {.max_quoted_bytes = 50});
  ASSERT_TRUE(limited.next());
  ASSERT_TRUE(limited.next());
  EXPECT_EQ(limited.cell(1), "d");
}

TEST(CsvScanner, KnowsLinesAndCutRecords) {
  CsvScanner scanner("a\n\"x\ny\"\nb");
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.line(), 1u);
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.line(), 2u);
  EXPECT_TRUE(scanner.is_complete());
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.line(), 4u);
  EXPECT_FALSE(scanner.is_complete());
}

TEST(CsvScanner, AgreesWithThePlainReaderOnAnyText) {
  std::mt19937 random(7);
  constexpr std::string_view kLetters = "ab,,\"\"\"\n\r\nxyz 0123456789abcdefghij";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const std::size_t size = random() % 60;
    for (std::size_t i = 0; i < size; ++i) text += kLetters[random() % kLetters.size()];
    CsvScanner scanner(text);
    std::vector<Record> found;
    while (scanner.next()) found.emplace_back(scanner.cells().begin(), scanner.cells().end());
    if (scanner.unclosed_quotes() == 0) {
      EXPECT_EQ(found, plainly(text)) << text;
    }
  }
}

TEST(CsvCell, IsQuotedOnlyWhenNeeded) {
  std::string line;
  append_csv_cell(line, "plain");
  append_csv_cell(line, "a,\"b\"");
  EXPECT_EQ(line, "plain\"a,\"\"b\"\"\"");
}

TEST(CsvCell, FormulasAreDefusedNumbersAreNot) {
  const auto safe = [](std::string_view cell) {
    std::string line;
    append_safe_csv_cell(line, cell);
    return line;
  };
  EXPECT_EQ(safe("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
  EXPECT_EQ(safe("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(safe("+1e5x"), "'+1e5x");
  EXPECT_EQ(safe("-12.5"), "-12.5");
  EXPECT_EQ(safe("-1e-5"), "-1e-5");
  EXPECT_EQ(safe("Matmul"), "Matmul");
}

TEST(CsvHeader, FindsNamesWithoutBlanks) {
  CsvScanner scanner("a, b ,c\n");
  ASSERT_TRUE(scanner.next());
  const CsvHeader header(scanner.cells());
  EXPECT_EQ(header.find("a"), 0u);
  EXPECT_EQ(header.find("b"), 1u);
  EXPECT_EQ(header.find("x"), CsvHeader::kNoColumn);
}

}  // namespace
}  // namespace ttscope
