// What is filtered while scanning must be what SQLite itself would find: the same questions are asked of the
// virtual tables and of ordinary tables that hold a copy.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include "table/declare.h"
#include "unit/table/query.h"

namespace ttscope::table {
namespace {

struct Row {
  std::optional<std::int64_t> line;  ///< ascending, nulls first
  std::string key;                   ///< ascending
  std::optional<std::int64_t> size;
  double time = 0;
  std::optional<std::string> name;
  bool flag = false;
};
struct Rows {
  std::vector<Row> rows;
};

template <typename Get>
ColumnOf<Rows> field(std::string_view name, Get get) {
  return column<Rows>(name, "", "", get);
}

const TableOf<Rows>& rows_spec() {
  static const TableOf<Rows> spec = table_of<Rows>(
      "t", "",
      {ascending(field("line", [](const Rows& r, std::size_t row) { return r.rows[row].line; })),
       ascending(field("key",
                       [](const Rows& r, std::size_t row) -> const std::string& { return r.rows[row].key; })),
       field("size", [](const Rows& r, std::size_t row) { return r.rows[row].size; }),
       field("time", [](const Rows& r, std::size_t row) { return r.rows[row].time; }),
       field("name", [](const Rows& r, std::size_t row) { return r.rows[row].name; }),
       field("flag", [](const Rows& r, std::size_t row) { return r.rows[row].flag; })});
  return spec;
}

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t end) { return random() % end; }

template <typename T>
const T& one_of(Random& random, const std::vector<T>& choices) {
  return choices[below(random, choices.size())];
}

const std::vector<std::int64_t> kWhole = {
    -9223372036854775807 - 1, -9007199254740993,  -12, -1, 0, 1, 2, 5, 12, 9007199254740992,
    9007199254740993,         9223372036854775807};
const std::vector<double> kReal = {-1e300,
                                   -12.0,
                                   -0.5,
                                   -0.0,
                                   0.0,
                                   1.0,
                                   2.5,
                                   12.0,
                                   9007199254740992.0,
                                   1e19,
                                   std::numeric_limits<double>::infinity(),
                                   std::nan("")};
const std::vector<std::string> kText = {"",    "0",   "12", " 12",      "12.0", "1e1", "12abc",
                                        "abc", "ABC", "b",  "\xc3\xa4", "-1",   "0x10"};

Table random_table(Random& random, std::size_t count) {
  const auto source = std::make_shared<Rows>();
  for (std::size_t i = 0; i < count; ++i) {
    Row row;
    if (below(random, 6) > 0) row.line = one_of(random, kWhole);
    row.key = one_of(random, kText);
    if (below(random, 6) > 0) row.size = one_of(random, kWhole);
    row.time = one_of(random, kReal);
    if (below(random, 6) > 0) row.name = one_of(random, kText);
    row.flag = below(random, 2) == 0;
    source->rows.push_back(row);
  }
  std::vector<std::string> keys;
  for (const Row& row : source->rows) keys.push_back(row.key);
  std::sort(keys.begin(), keys.end());
  std::stable_sort(source->rows.begin(), source->rows.end(),
                   [](const Row& a, const Row& b) { return a.line < b.line; });
  for (std::size_t i = 0; i < count; ++i) source->rows[i].key = keys[i];
  return make_table(rows_spec(), source, count);
}

void bind_cell(sqlite3_stmt* statement, int place, const Cell& cell) {
  switch (cell.kind()) {
    case Cell::Kind::kNull:
      sqlite3_bind_null(statement, place);
      return;
    case Cell::Kind::kReal:
      sqlite3_bind_double(statement, place, cell.as_real());
      return;
    case Cell::Kind::kText:
      sqlite3_bind_text(statement, place, cell.as_text().data(), static_cast<int>(cell.as_text().size()),
                        SQLITE_TRANSIENT);
      return;
    case Cell::Kind::kInteger:
    case Cell::Kind::kTruth:
      sqlite3_bind_int64(statement, place, cell.as_integer());
  }
}

/// An ordinary table `t` with the same rows.
class PlainCopy {
 public:
  explicit PlainCopy(const std::vector<NamedTables>& profiles) {
    sqlite3_open(":memory:", &connection_);
    sqlite3_exec(connection_,
                 "create table t(profile text, line integer, key text, size integer, time real, name text, "
                 "flag boolean)",
                 nullptr, nullptr, nullptr);
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(connection_, "insert into t values (?, ?, ?, ?, ?, ?, ?)", -1, &insert, nullptr);
    for (const NamedTables& profile : profiles) {
      for (const Table& table : profile.set.tables) copy(profile.profile, table, insert);
    }
    sqlite3_finalize(insert);
  }
  ~PlainCopy() { sqlite3_close(connection_); }
  PlainCopy(const PlainCopy&) = delete;
  PlainCopy& operator=(const PlainCopy&) = delete;

  std::vector<std::string> ask(const std::string& sql) {
    sqlite3_stmt* query = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(connection_, sql.c_str(), -1, &query, nullptr), SQLITE_OK) << sql;
    std::vector<std::string> lines;
    while (sqlite3_step(query) == SQLITE_ROW) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(query, 0));
      lines.emplace_back(text == nullptr ? "null" : text);
    }
    sqlite3_finalize(query);
    return lines;
  }

 private:
  static void copy(const std::string& profile, const Table& table, sqlite3_stmt* insert) {
    std::string scratch;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      bind_cell(insert, 1, Cell::text(profile));
      for (std::size_t column = 0; column < 6; ++column) {
        bind_cell(insert, static_cast<int>(column) + 2, table.cell(row, column, scratch));
      }
      sqlite3_step(insert);
      sqlite3_reset(insert);
    }
  }
  sqlite3* connection_ = nullptr;
};

std::vector<std::string> ask(Database& database, const std::string& sql) {
  Result<std::unique_ptr<RowSource>> rows = database.run(sql);
  EXPECT_TRUE(rows.has_value()) << sql << ": " << (rows ? "" : rows.error().message);
  std::vector<std::string> lines;
  while (rows && (*rows)->next().value_or(false)) {
    const Cell cell = (*rows)->cell(0);
    lines.emplace_back(cell.is_null() ? "null" : cell.as_text());
  }
  return lines;
}

std::string random_constant(Random& random) {
  static const std::vector<std::string> constants = {"null",
                                                     "0",
                                                     "-1",
                                                     "1",
                                                     "12",
                                                     "12.0",
                                                     "2.5",
                                                     "-0.0",
                                                     "1e19",
                                                     "-1e19",
                                                     "9e999",
                                                     "9007199254740992",
                                                     "9007199254740993",
                                                     "9007199254740992.0",
                                                     "9223372036854775807",
                                                     "-9223372036854775808",
                                                     "9223372036854775808",
                                                     "'12'",
                                                     "' 12 '",
                                                     "'12.0'",
                                                     "'1e1'",
                                                     "'12abc'",
                                                     "'abc'",
                                                     "'ABC'",
                                                     "''",
                                                     "'ä'",
                                                     "'0x10'",
                                                     "x'3132'",
                                                     "true",
                                                     "1 + 1",
                                                     "'1' || '2'",
                                                     "cast('12' as integer)",
                                                     "cast(12 as text)",
                                                     "cast(12 as blob)",
                                                     "(select 12)",
                                                     "(select '12')",
                                                     "(select name from t limit 1)",
                                                     "abs(-12)"};
  return one_of(random, constants);
}

std::string random_condition(Random& random, const std::string& from, int depth) {
  static const std::vector<std::string> columns = {"line", "key",  "size",    "time",
                                                   "name", "flag", "profile", "rowid"};
  static const std::vector<std::string> operators = {"=", "<", "<=", ">", ">=", "==", "<>", "is", "is not"};
  const std::string column = from + one_of(random, columns);
  switch (below(random, depth > 0 ? 13 : 10)) {
    case 0:
      return column + (below(random, 2) == 0 ? " is null" : " is not null");
    case 1:
      return column + " in (" + random_constant(random) + ", " + random_constant(random) + ", " +
             random_constant(random) + ")";
    case 2:
      return column + " between " + random_constant(random) + " and " + random_constant(random);
    case 3:
      return random_constant(random) + " " + one_of(random, operators) + " " + column;
    case 4:
      return column + " " + one_of(random, operators) + " " + from + one_of(random, columns);
    case 5:
      return column + " = " + random_constant(random) + " collate nocase";
    case 6:
      return column + " like '1%'";
    case 10:
      return "(" + random_condition(random, from, depth - 1) + " or " +
             random_condition(random, from, depth - 1) + ")";
    case 11:
      return "not (" + random_condition(random, from, depth - 1) + ")";
    case 12:
      return "(" + random_condition(random, from, depth - 1) + " and " +
             random_condition(random, from, depth - 1) + ")";
    default:
      return column + " " + one_of(random, operators) + " " + random_constant(random);
  }
}

std::string random_conditions(Random& random, const std::string& from) {
  std::string text = random_condition(random, from, 2);
  for (std::size_t more = below(random, 3); more > 0; --more)
    text += " and " + random_condition(random, from, 2);
  return text;
}

std::string random_query(Random& random) {
  static const std::string row =
      "a.rowid || '|' || a.profile || '|' || ifnull(quote(a.line), '') || quote(a.size) || quote(a.time) || "
      "quote(a.name)";
  static const std::vector<std::string> keys = {"line", "key",  "size",    "time",
                                                "name", "flag", "profile", "rowid"};
  const std::string pair = "select a.rowid || ' ' || ifnull(b.rowid, '-') from t a ";
  const std::string on = "a." + one_of(random, keys) + " = b." + one_of(random, keys);
  switch (below(random, 6)) {
    case 0:
      return pair + "join t b on " + on + " where " + random_conditions(random, "a.") + " and " +
             random_conditions(random, "b.");
    case 1:
      return pair + "left join t b on " + on + " and " + random_conditions(random, "b.") + " where " +
             random_conditions(random, "b.");
    case 2:
      return pair + "join t b on a." + one_of(random, keys) + " < b." + one_of(random, keys) + " where " +
             random_conditions(random, "a.");
    case 3:
      return "select count(*) || ' ' || count(distinct a.name) || ' ' || ifnull(max(a.line), '-') from t a "
             "where " +
             random_conditions(random, "a.") + " group by a." + one_of(random, keys);
    default:
      return "select " + row + " from t a where " + random_conditions(random, "a.");
  }
}

std::vector<NamedTables> random_profiles(Random& random) {
  std::vector<NamedTables> profiles;
  const std::size_t count = 1 + below(random, 3);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t rows = one_of<std::size_t>(random, {0, 1, 7, 40});
    profiles.push_back(
        {one_of<std::string>(random, {"12", "abc", "run"}), {"", {random_table(random, rows)}, {}}});
  }
  return profiles;
}

TEST(Pushdown, FiltersFindWhatAnOrdinaryTableFinds) {
  Random random(20240612);
  for (int round = 0; round < 60; ++round) {
    const std::vector<NamedTables> profiles = random_profiles(random);
    Result<Database> database = Database::open(profiles);
    ASSERT_TRUE(database.has_value());
    PlainCopy plain(profiles);
    for (int query = 0; query < 40; ++query) {
      const std::string sql = random_query(random);
      std::vector<std::string> found = ask(*database, sql);
      std::vector<std::string> expected = plain.ask(sql);
      std::sort(found.begin(), found.end());
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(found, expected) << sql;
    }
  }
}

TEST(Pushdown, OrderIsThatOfAnOrdinaryTable) {
  // Rows that are equal in the order may come in any; so only what is ordered by is shown.
  const std::vector<std::pair<const char*, const char*>> orders = {{"line", "line"},
                                                                   {"key", "key"},
                                                                   {"rowid", "rowid"},
                                                                   {"size", "size"},
                                                                   {"line", "line desc"},
                                                                   {"name", "name"},
                                                                   {"lower(key)", "key collate nocase"},
                                                                   {"key", "line, key"}};
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    const std::vector<NamedTables> profiles = random_profiles(random);
    Result<Database> database = Database::open(profiles);
    ASSERT_TRUE(database.has_value());
    PlainCopy plain(profiles);
    for (const auto& [shown, order] : orders) {
      const std::string sql = std::string("select ifnull(") + shown + ", 'null') || '' from t where " +
                              random_conditions(random, "") + " order by " + order;
      ASSERT_EQ(ask(*database, sql), plain.ask(sql)) << sql;
    }
  }
}

TEST(Pushdown, RepeatedLookupsFindTheSame) {
  Random random(3);
  const std::vector<NamedTables> profiles = {{"a", {"", {random_table(random, 300)}, {}}},
                                             {"b", {"", {random_table(random, 0)}, {}}},
                                             {"c", {"", {random_table(random, 200)}, {}}}};
  Result<Database> database = Database::open(profiles);
  ASSERT_TRUE(database.has_value());
  PlainCopy plain(profiles);
  for (const char* key : {"size", "time", "name", "flag"}) {
    for (const char* other : {"size", "time", "name", "flag"}) {
      const std::string sql = std::string("select a.rowid || ' ' || b.rowid from t a join t b on a.") + key +
                              " = b." + other + " where b.profile <> 'a' order by a.rowid, b.rowid";
      ASSERT_EQ(ask(*database, sql), plain.ask(sql)) << sql;
    }
  }
}

}  // namespace
}  // namespace ttscope::table
