#include "ui/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/page_text.h"
#include "table/declare.h"

namespace ttscope::ui {
namespace {

using ::testing::ElementsAre;

struct Sample {
  std::vector<std::int64_t> bytes;
};

const table::TableOf<Sample>& sample_spec() {
  static const table::TableOf<Sample> spec = table::table_of<Sample>(
      "sample", "A row",
      {
          table::column<Sample>("bytes", "B", "Bytes; null below -9",
                                [](const Sample& sample, std::size_t row) -> std::optional<std::int64_t> {
                                  const std::int64_t bytes = sample.bytes[row];
                                  return bytes < -9 ? std::nullopt : std::optional<std::int64_t>(bytes);
                                }),
          table::column<Sample>("sign", "", "Which sign it has; null for 0",
                                [](const Sample& sample, std::size_t row) -> std::optional<std::string_view> {
                                  if (sample.bytes[row] == 0) return std::nullopt;
                                  return sample.bytes[row] < 0 ? "minus" : "plus";
                                }),
          table::column<Sample>(
              "odd", "", "Whether it is odd",
              [](const Sample& sample, std::size_t row) { return sample.bytes[row] % 2 != 0; }),
          table::column<Sample>("halves", "", "Half of the bytes",
                                [](const Sample& sample, std::size_t row) {
                                  return static_cast<double>(sample.bytes[row]) / 2;
                                }),
          table::column<Sample>("large", "", "Whether it is above 3",
                                [](const Sample& sample, std::size_t row) { return sample.bytes[row] > 3; }),
      });
  return spec;
}

/// All rows but the first and the last.
BlobRows inner_rows(std::vector<std::int64_t> bytes) {
  auto sample = std::make_shared<Sample>();
  sample->bytes = std::move(bytes);
  const std::size_t rows = sample->bytes.size();
  return {table::make_table(sample_spec(), std::shared_ptr<const Sample>(sample), rows), 1, rows - 2};
}

std::vector<std::uint64_t> values_of(const PageBlob& blob, std::size_t value_bytes) {
  return testing::decoded_column(blob.bytes(), value_bytes, blob.column->stored == ColumnEncoding::kDelta);
}

TEST(TableBlobs, ARangeOfAColumnIsStoredInTheGivenForm) {
  PageBlobs blobs;
  const BlobRows rows = inner_rows({7, 5, -1, -10, 300, 7});
  add_columns(blobs, rows, {},
              {{"plain", "bytes", {ColumnType::kI64, ColumnEncoding::kPlain, 0}},
               {"delta", "bytes", {ColumnType::kU32, ColumnEncoding::kDelta, 0xffffffff}},
               {"odd", "odd", {ColumnType::kU8, ColumnEncoding::kPlain, 0}}});
  ASSERT_EQ(blobs.list().size(), 3U);
  EXPECT_EQ(blobs.list()[0].id, "plain");
  EXPECT_EQ(blobs.list()[1].column->count, 4U);
  EXPECT_THAT(values_of(blobs.list()[0], 8), ElementsAre(5, std::uint64_t(-1), 0, 300));
  EXPECT_THAT(values_of(blobs.list()[1], 4), ElementsAre(5, 0xffffffff, 0xffffffff, 300));
  EXPECT_THAT(values_of(blobs.list()[2], 1), ElementsAre(1, 1, 0, 0));
}

TEST(TableBlobs, TheBytesAreThoseOfTheValuesThemselves) {
  PageBlobs blobs;
  const std::vector<std::int64_t> bytes = {0, 5, 4, 1 << 20, 3, 0};
  add_columns(blobs, inner_rows(bytes), {}, {{"x", "bytes", {ColumnType::kI64, ColumnEncoding::kDelta, 0}}});
  EXPECT_EQ(
      blobs.list()[0].bytes(),
      column_planes<std::int64_t>(4, ColumnEncoding::kDelta, [&](std::size_t i) { return bytes[i + 1]; }));
}

TEST(TableBlobs, TextsAreCodesAndTruthsAreBits) {
  PageBlobs blobs;
  const BlobRows rows = inner_rows({0, 5, -1, 0, 4, 0});
  const std::string plus = "plus";  // equal text at another place
  add_columns(blobs, rows, {}, {{"sign", "sign", {}, {"none", "minus", plus}}});
  add_flags(blobs, "flags", rows, {"odd", "large"});
  EXPECT_THAT(values_of(blobs.list()[0], 1), ElementsAre(2, 1, 0, 2));
  EXPECT_THAT(values_of(blobs.list()[1], 1), ElementsAre(3, 1, 0, 2));
}

TEST(TableBlobs, AListOfRowsIsStoredInItsOrderUnderAPrefix) {
  PageBlobs blobs;
  const BlobRows rows = listed_rows(inner_rows({7, 5, -1, 9}).table, {3, 0, 3});
  add_columns(blobs, rows, "r0.", {{"x", "bytes", {ColumnType::kU8}}});
  EXPECT_EQ(blobs.list()[0].id, "r0.x");
  EXPECT_THAT(values_of(blobs.list()[0], 1), ElementsAre(9, 7, 9));
  EXPECT_EQ(all_rows(rows.table).count, 4U);
}

TEST(TableBlobs, RealsAreStoredInUnitsOfTheirScaleAndNeverAsAnotherFigure) {
  PageBlobs blobs;
  const BlobRows rows = inner_rows({0, 5, -3, std::int64_t{1} << 60, 0});
  add_columns(blobs, rows, {},
              {{"u32", "halves", {ColumnType::kU32, ColumnEncoding::kPlain, 0xffffffff, 10}},
               {"i64", "halves", {ColumnType::kI64, ColumnEncoding::kPlain, -1, 10}}});
  EXPECT_THAT(values_of(blobs.list()[0], 4), ElementsAre(25, 0xffffffff, 0xffffffff));
  EXPECT_THAT(values_of(blobs.list()[1], 8), ElementsAre(25, 0, std::uint64_t(-1)));
}

TEST(TableBlobs, TextsWithoutCodesAreStoredWhole) {
  PageBlobs blobs;
  add_columns(blobs, inner_rows({0, 5, 0, -1, 0}), {}, {{"sign", "sign"}});
  ASSERT_EQ(blobs.list().size(), 2U);
  EXPECT_EQ(blobs.list()[0].id, "sign.len");
  EXPECT_THAT(values_of(blobs.list()[0], 4), ElementsAre(4, 0, 5));
  EXPECT_EQ(blobs.list()[1].bytes(), "plusminus");
}

}  // namespace
}  // namespace ttscope::ui
