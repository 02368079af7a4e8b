#include "table/declare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/table/sample_table.h"

namespace ttscope::table {
namespace {

/// Returns of a getter of every form.
struct Forms {
  std::string text = "kept";
  std::optional<std::string> maybe = "maybe";
};

template <typename Get>
Cell cell_by(Get get, std::string& scratch, const Forms& forms = {}) {
  return column<Forms>("c", "", "", get).spec.get(&forms, 7, scratch);
}
template <typename Get>
Type type_by(Get get) {
  return column<Forms>("c", "", "", get).spec.type;
}

TEST(Declare, TheTypeOfAColumnFollowsFromItsGetter) {
  EXPECT_EQ(type_by([](const Forms&, std::size_t) { return 1; }), Type::kInteger);
  EXPECT_EQ(type_by([](const Forms&, std::size_t row) { return row; }), Type::kInteger);
  EXPECT_EQ(type_by([](const Forms&, std::size_t) { return std::uint8_t{1}; }), Type::kInteger);
  EXPECT_EQ(type_by([](const Forms&, std::size_t) { return 1.5F; }), Type::kReal);
  EXPECT_EQ(type_by([](const Forms&, std::size_t) { return true; }), Type::kTruth);
  EXPECT_EQ(type_by([](const Forms&, std::size_t) { return "a"; }), Type::kText);
  EXPECT_EQ(type_by([](const Forms&, std::size_t) { return std::string_view("a"); }), Type::kText);
  EXPECT_EQ(type_by([](const Forms&, std::size_t) { return std::string("a"); }), Type::kText);
  EXPECT_EQ(type_by([](const Forms&, std::size_t) { return std::optional<bool>(); }), Type::kTruth);
  EXPECT_EQ(type_by([](const Forms&, std::size_t) { return std::optional<std::string>(); }), Type::kText);
}

TEST(Declare, CellsAreWhatTheGetterReturns) {
  std::string scratch;
  EXPECT_EQ(cell_by([](const Forms&, std::size_t row) { return row; }, scratch).as_integer(), 7);
  EXPECT_EQ(cell_by([](const Forms&, std::size_t) { return std::int8_t{-3}; }, scratch).as_integer(), -3);
  EXPECT_EQ(cell_by([](const Forms&, std::size_t) { return 1.5F; }, scratch).as_real(), 1.5);
  EXPECT_TRUE(cell_by([](const Forms&, std::size_t) { return true; }, scratch).as_truth());
  EXPECT_EQ(cell_by([](const Forms&, std::size_t) { return "word"; }, scratch).as_text(), "word");
  EXPECT_TRUE(cell_by([](const Forms&, std::size_t) { return std::optional<int>(); }, scratch).is_null());
  EXPECT_TRUE(cell_by([](const Forms&, std::size_t) { return static_cast<const char*>(nullptr); }, scratch)
                  .is_null());
}

TEST(Declare, NanAndNumbersThatDoNotFitAreNull) {
  std::string scratch;
  EXPECT_TRUE(cell_by([](const Forms&, std::size_t) { return std::nan(""); }, scratch).is_null());
  EXPECT_TRUE(cell_by([](const Forms&, std::size_t) { return ~std::uint64_t{0}; }, scratch).is_null());
  EXPECT_EQ(cell_by([](const Forms&, std::size_t) { return ~std::uint64_t{0} >> 1; }, scratch).as_integer(),
            std::numeric_limits<std::int64_t>::max());
}

TEST(Declare, OnlyTextsThatAreMadeAreInTheScratch) {
  std::string scratch;
  const Forms forms;
  const Cell made =
      cell_by([](const Forms&, std::size_t row) { return std::string(row, 'x'); }, scratch, forms);
  EXPECT_EQ(made.as_text(), "xxxxxxx");
  EXPECT_EQ(made.as_text().data(), scratch.data());
  const Cell kept =
      cell_by([](const Forms& f, std::size_t) -> const std::string& { return f.text; }, scratch, forms);
  EXPECT_EQ(kept.as_text().data(), forms.text.data());
  const Cell maybe =
      cell_by([](const Forms& f, std::size_t) -> const std::optional<std::string>& { return f.maybe; },
              scratch, forms);
  EXPECT_EQ(maybe.as_text().data(), forms.maybe->data());
  const Cell copied = cell_by([](const Forms& f, std::size_t) { return f.maybe; }, scratch, forms);
  EXPECT_EQ(copied.as_text(), "maybe");
  EXPECT_EQ(copied.as_text().data(), scratch.data());
}

TEST(Declare, ATableReadsItsSourceAndKeepsItAlive) {
  const Table table =
      sample_table({{.line = 4, .name = "add", .time_us = 0.5, .is_cached = true, .loc = "a.py:1"},
                    {.line = 9, .name = "mul", .time_us = std::nullopt}});
  std::string scratch;
  EXPECT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.spec().name, "ops");
  EXPECT_EQ(table.spec().columns[0].order, Order::kAscending);
  EXPECT_EQ(table.spec().columns[1].order, Order::kNone);
  EXPECT_EQ(table.cell(1, 0, scratch).as_integer(), 9);
  EXPECT_EQ(table.cell(0, 1, scratch).as_text(), "add");
  EXPECT_TRUE(table.cell(1, 2, scratch).is_null());
  EXPECT_EQ(table.cell(0, 4, scratch).as_text(), "a.py:1");
}

TEST(Declare, TablesAndColumnsAreFoundByName) {
  TableSet set;
  set.tables.push_back(sample_table({}));
  ASSERT_NE(set.find("ops"), nullptr);
  EXPECT_EQ(set.find("op"), nullptr);
  EXPECT_EQ(set.find("ops")->spec().find_column("time_us"), 2u);
  EXPECT_EQ(set.find("ops")->spec().find_column("time"), std::nullopt);
}

}  // namespace
}  // namespace ttscope::table
