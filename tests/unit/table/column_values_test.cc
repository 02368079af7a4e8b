#include "table/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/table/sample_table.h"

namespace ttscope::table {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Table three_ops() {
  return sample_table(
      {{.line = 4, .name = "add", .time_us = 0.5, .is_cached = true, .loc = "a.py:1", .size_bytes = 64},
       {.line = 5, .name = "mul", .time_us = std::nullopt, .loc = "b.py:2"},
       {.line = 6, .name = "add", .time_us = 1.5, .is_cached = true, .loc = "a.py:1", .size_bytes = 32}});
}

TEST(ColumnValues, IntegersWithoutNullsHaveNoMask) {
  const ColumnValues line = column_values(three_ops(), 0);
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(line.values), ElementsAre(4, 5, 6));
  EXPECT_THAT(line.nulls, IsEmpty());
}

TEST(ColumnValues, NullIntegersAreMarked) {
  const ColumnValues size = column_values(three_ops(), 5);
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(size.values), ElementsAre(64, 0, 32));
  EXPECT_THAT(size.nulls, ElementsAre(0, 1, 0));
}

TEST(ColumnValues, NullRealsAreNan) {
  const ColumnValues time = column_values(three_ops(), 2);
  const auto& values = std::get<std::vector<double>>(time.values);
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0], 0.5);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_THAT(time.nulls, ElementsAre(0, 1, 0));
}

TEST(ColumnValues, TruthsAreBytes) {
  EXPECT_THAT(std::get<std::vector<std::uint8_t>>(column_values(three_ops(), 3).values),
              ElementsAre(1, 0, 1));
}

TEST(ColumnValues, TextsAreNumberedByFirstRow) {
  for (const std::size_t column : {std::size_t{1}, std::size_t{4}}) {  // interned; made for each cell
    const TextCodes codes = std::get<TextCodes>(column_values(three_ops(), column).values);
    EXPECT_EQ(codes.texts.size(), 2u);
    EXPECT_THAT(codes.codes, ElementsAre(0, 1, 0));
  }
}

TEST(ColumnValues, TextsThatShareAPointerOrAreManyAreToldApart) {
  static const std::string digits(5000, '7');
  std::vector<Sample::Op> ops;
  for (std::size_t row = 0; row < 12000; ++row) {
    ops.push_back({.line = 1, .name = std::string_view(digits).substr(0, row % 4000), .time_us = 0});
  }
  const TextCodes codes = std::get<TextCodes>(column_values(sample_table(ops), 1).values);
  ASSERT_EQ(codes.texts.size(), 4000u);
  for (std::size_t row = 0; row < ops.size(); ++row) {
    ASSERT_EQ(codes.texts[static_cast<std::size_t>(codes.codes[row])], ops[row].name);
  }
}

TEST(ColumnValues, MadeTextsOfOneLengthAreToldApart) {
  std::vector<Sample::Op> ops;
  for (int row = 0; row < 300; ++row) {
    ops.push_back({.line = 1,
                   .name = "x",
                   .time_us = 0,
                   .loc = row % 3 == 2 ? std::nullopt
                                       : std::optional<std::string>("place" + std::to_string(row % 100))});
  }
  const TextCodes codes = std::get<TextCodes>(column_values(sample_table(ops), 4).values);
  for (std::size_t row = 0; row < ops.size(); ++row) {
    if (row % 3 == 2) {
      ASSERT_EQ(codes.codes[row], -1);
    } else {
      ASSERT_EQ(codes.texts[static_cast<std::size_t>(codes.codes[row])], *ops[row].loc);
    }
  }
}

TEST(ColumnValues, AnEmptyTableHasNoValues) {
  EXPECT_THAT(std::get<TextCodes>(column_values(sample_table({}), 1).values).codes, IsEmpty());
}

}  // namespace
}  // namespace ttscope::table
