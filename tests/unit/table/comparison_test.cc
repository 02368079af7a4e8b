#include "table/sql/scan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ttscope::table {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
const double kInfinite = std::numeric_limits<double>::infinity();

/// In ascending order; the cells of one group are equal.
const std::vector<std::vector<Cell>>& ordered_groups() {
  static const std::vector<std::vector<Cell>> groups = {
      {Cell::null(), Cell::real(std::nan(""))},
      {Cell::real(-kInfinite)},
      {Cell::real(-9223372036854777856.0)},
      {Cell::integer(kMin), Cell::real(-9223372036854775808.0)},
      {Cell::integer(kMin + 1)},
      {Cell::integer(-9007199254740993)},
      {Cell::integer(-9007199254740992), Cell::real(-9007199254740992.0)},
      {Cell::real(-1.5)},
      {Cell::integer(-1), Cell::real(-1)},
      {Cell::real(-0.25)},
      {Cell::integer(0), Cell::real(0.0), Cell::real(-0.0), Cell::truth(false)},
      {Cell::real(5e-324)},
      {Cell::integer(1), Cell::real(1), Cell::truth(true)},
      {Cell::integer(9007199254740992), Cell::real(9007199254740992.0)},
      {Cell::integer(9007199254740993)},
      {Cell::integer(kMax)},
      {Cell::real(9223372036854775808.0)},
      {Cell::real(kInfinite)},
      {Cell::text("")},
      {Cell::text("0")},
      {Cell::text("B")},
      {Cell::text("a")},
      {Cell::text("aa")},
      {Cell::text("\xff")},
  };
  return groups;
}

TEST(Comparison, CellsHaveTheOrderOfSqlite) {
  const auto& groups = ordered_groups();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = 0; j < groups.size(); ++j) {
      const int expected = i < j ? -1 : (j < i ? 1 : 0);
      for (const Cell& a : groups[i]) {
        for (const Cell& b : groups[j]) ASSERT_EQ(compare_cells(a, b), expected) << i << " and " << j;
      }
    }
  }
}

TEST(Comparison, EqualCellsHaveOneHash) {
  for (const std::vector<Cell>& group : ordered_groups()) {
    for (const Cell& cell : group) EXPECT_EQ(hash_cell(cell), hash_cell(group[0]));
  }
}

TEST(Comparison, NullStandsInNoRelation) {
  for (const Comparison comparison :
       {Comparison::kEqual, Comparison::kLess, Comparison::kLessOrEqual, Comparison::kGreater,
        Comparison::kGreaterOrEqual, Comparison::kIsNotNull}) {
    EXPECT_FALSE(passes(Cell::null(), comparison, Cell::integer(1)));
  }
  EXPECT_TRUE(passes(Cell::null(), Comparison::kIsNull, Cell::null()));
  EXPECT_FALSE(passes(Cell::text(""), Comparison::kIsNull, Cell::null()));
}

TEST(Comparison, RelationsIncludeWhatTheySay) {
  const Cell two = Cell::integer(2);
  EXPECT_TRUE(passes(Cell::real(2), Comparison::kEqual, two));
  EXPECT_TRUE(passes(Cell::real(2), Comparison::kLessOrEqual, two));
  EXPECT_FALSE(passes(Cell::real(2), Comparison::kLess, two));
  EXPECT_TRUE(passes(Cell::real(2), Comparison::kGreaterOrEqual, two));
  EXPECT_FALSE(passes(Cell::real(2), Comparison::kGreater, two));
  EXPECT_TRUE(passes(Cell::text("1"), Comparison::kGreater, two));
}

}  // namespace
}  // namespace ttscope::table
