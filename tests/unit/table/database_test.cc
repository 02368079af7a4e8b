#include "table/sql/database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "table/write.h"
#include "unit/table/query.h"
#include "unit/table/sample_table.h"

namespace ttscope::table {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TableSet set_of(std::vector<Table> tables) { return {"sample", std::move(tables), {}}; }

TableSet three_ops() {
  return set_of({sample_table(
      {{.line = 4, .name = "add", .time_us = 0.5, .is_cached = true, .loc = "a.py:1", .size_bytes = 64},
       {.line = 5, .name = "mul", .time_us = std::nullopt},
       {.line = 9, .name = "add", .time_us = 2.0, .loc = "", .size_bytes = 32}})});
}

Database open_ops(const std::vector<View>& views = {}) {
  Result<Database> database = Database::open({{"run", three_ops()}}, views);
  EXPECT_TRUE(database.has_value());
  return std::move(*database);
}

TEST(Database, ATableIsReadAsItIs) {
  Database database = open_ops();
  EXPECT_EQ(answer(database, "select * from ops"),
            "profile,line,op,time_us,is_cached,loc,size_bytes\n"
            "run,4,add,0.5,true,a.py:1,64\n"
            "run,5,mul,,false,,\n"
            "run,9,add,2.0,false,\"\",32\n");
}

TEST(Database, QueriesComputeAndGroup) {
  Database database = open_ops();
  EXPECT_EQ(answer(database, "select op, count(*) n, sum(time_us) from ops group by op order by n desc"),
            "op,n,sum(time_us)\nadd,2,2.5\nmul,1,\n");
  EXPECT_EQ(values(database, "select rowid, line from ops where line > 4"), "2,5\n3,9\n");
  EXPECT_EQ(values(database, "select line from ops order by line limit 1"), "4\n");
  EXPECT_EQ(values(database, "select round(sqrt(2), 3), x'00ff'"), "1.414,x'00FF'\n");
}

TEST(Database, TruthsStayTruthsWhereAColumnIsNamed) {
  Database database = open_ops({{"cached", "", "select line, is_cached as there from ops where is_cached"}});
  EXPECT_EQ(values(database, "select there from cached"), "true\n");
  EXPECT_EQ(values(database, "select line from ops where is_cached = true"), "4\n");
  EXPECT_EQ(values(database, "select not is_cached from ops where line = 4"), "0\n");
}

TEST(Database, ProfilesShareTheirTables) {
  Result<Database> database = Database::open(
      {{"before", three_ops()}, {"after", set_of({sample_table({{.line = 1, .name = "add"}})})}});
  ASSERT_TRUE(database.has_value());
  EXPECT_EQ(values(*database, "select profile, count(*) from ops group by profile order by 1"),
            "after,1\nbefore,3\n");
  EXPECT_EQ(values(*database, "select line from ops where profile = 'after'"), "1\n");
  EXPECT_EQ(values(*database, "select line from ops order by line"), "1\n4\n5\n9\n");
  EXPECT_EQ(values(*database, "select rowid from ops where line = 1"), "4\n");
}

struct Other {
  std::vector<double> lines;
};

const TableOf<Other>& other_spec() {
  static const TableOf<Other> spec = table_of<Other>(
      "ops", "An op of another kind",
      {ascending(column<Other>("line", "", "", [](const Other& o, std::size_t row) { return o.lines[row]; })),
       column<Other>("loc", "", "", [](const Other&, std::size_t row) { return static_cast<int>(row); }),
       column<Other>("core", "", "", [](const Other&, std::size_t row) { return row * 2; })});
  return spec;
}

Table other_table(std::vector<double> lines) {
  const auto source = std::make_shared<Other>(Other{std::move(lines)});
  return make_table(other_spec(), source, source->lines.size());
}

TEST(Database, KindsOfProfilesShareATableWithTheColumnsOfBoth) {
  Result<Database> database =
      Database::open({{"a", three_ops()}, {"b", set_of({other_table({1.5, 5.0, 7.5})})}});
  ASSERT_TRUE(database.has_value());
  EXPECT_EQ(answer(*database, "select profile, line, op, loc, core from ops where line between 5 and 7.5"),
            "profile,line,op,loc,core\na,5.0,mul,,\nb,5.0,,1,2\nb,7.5,,2,4\n");
  // `loc` is a text in one and a number in the other; nothing is converted.
  EXPECT_EQ(values(*database, "select line from ops where loc = 1"), "5.0\n");
  EXPECT_EQ(values(*database, "select line from ops where loc = 'a.py:1'"), "4.0\n");
  EXPECT_EQ(values(*database, "select count(*) from ops where core is null"), "3\n");
}

TEST(Database, AWrongOrderLosesNoRows) {
  Result<Database> database = Database::open({{"b", set_of({other_table({3, 1, 2})})}});
  ASSERT_TRUE(database.has_value());
  EXPECT_EQ(values(*database, "select line from ops where line < 2.5"), "1.0\n2.0\n");
  EXPECT_EQ(values(*database, "select line from ops order by line"), "1.0\n2.0\n3.0\n");
}

TEST(Database, AColumnThatIsDeclaredTwiceIsAnError) {
  const auto get = [](const Other&, std::size_t) { return 1; };
  static const TableOf<Other> twice =
      table_of<Other>("t", "", {column<Other>("a", "", "", get), column<Other>("a", "", "", get)});
  static const TableOf<Other> reserved = table_of<Other>("t", "", {column<Other>("profile", "", "", get)});
  const auto source = std::make_shared<Other>();
  for (const TableOf<Other>* spec : {&twice, &reserved}) {
    const Result<Database> database = Database::open({{"p", set_of({make_table(*spec, source, 0)})}});
    ASSERT_FALSE(database.has_value());
    EXPECT_THAT(database.error().message, HasSubstr("twice"));
  }
}

TEST(Database, ViewsThatFitAreThere) {
  Database database = open_ops({{"slow", "Slowest first", "select op from ops order by time_us desc"},
                                {"cores", "", "select core from ops"},
                                {"phases_only", "", "select * from phases"}});
  EXPECT_EQ(values(database, "select * from slow limit 1"), "add\n");
  ASSERT_EQ(database.views().size(), 1u);
  EXPECT_THAT(answer(database, "select * from cores"), StartsWith("error: no such table: cores"));
  EXPECT_THAT(schema_text(database.tables(), database.views()), HasSubstr("slow  Slowest first"));
  EXPECT_THAT(schema_text(database.tables(), {}), HasSubstr("profile     text"));
}

TEST(Database, MedianAndPercentile) {
  Database database = open_ops();
  EXPECT_EQ(values(database,
                   "select median(line), median(time_us), percentile(line, 0), percentile(line, 100), "
                   "percentile(line, 25) from ops"),
            "5.0,1.25,4.0,9.0,4.5\n");
  EXPECT_EQ(values(database, "select median(line) from ops where line < 0"), "\n");
  EXPECT_EQ(values(database, "select median(null), median(7)"), ",7.0\n");
  EXPECT_EQ(values(database, "select op, median(size_bytes) from ops group by op"), "add,48.0\nmul,\n");
  EXPECT_THAT(answer(database, "select median(op) from ops"), HasSubstr("of numbers"));
  EXPECT_THAT(answer(database, "select percentile(line, 101) from ops"), HasSubstr("0 to 100"));
  EXPECT_THAT(answer(database, "select percentile(line, line) from ops"), HasSubstr("same for all rows"));
}

TEST(Database, ErrorsSayWhereAndWhatWasMeant) {
  Database database = open_ops();
  EXPECT_EQ(answer(database, "select opp from ops"),
            "error: no such column: opp (at character 8: \"opp from ops\"); did you mean op?");
  EXPECT_EQ(answer(database, "select o.LINES from ops o"),
            "error: no such column: o.LINES (at character 8: \"o.LINES from ops o\"); did you mean line?");
  EXPECT_THAT(answer(database, "select * from op"), HasSubstr("did you mean ops?"));
  EXPECT_THAT(answer(database, "select * from zebra"), HasSubstr("there are ops"));
  EXPECT_THAT(answer(database, "select medain(line) from ops"), HasSubstr("did you mean median?"));
  EXPECT_THAT(answer(database, "select * from ops where op = \"add_long_name\""),
              HasSubstr("'single' quotes"));
  EXPECT_EQ(answer(database, "select * form ops"),
            "error: near \"form\": syntax error (at character 10: \"form ops\")");
  EXPECT_EQ(answer(database, "  -- nothing"), "error: the query is empty");
  EXPECT_THAT(answer(database, std::string("select 1\0", 9)), HasSubstr("zero byte"));
}

TEST(Database, OneStatementIsRun) {
  Database database = open_ops();
  EXPECT_EQ(values(database, "select 1; -- that is all\n;"), "1\n");
  EXPECT_THAT(answer(database, "select 1; select 2"),
              StartsWith("error: one statement at a time is run; a second one begins at"));
}

TEST(Database, NothingButReadingIsAllowed) {
  Database database = open_ops();
  for (const char* sql : {"attach 'x.db' as x",
                          "detach main",
                          "create table t(a)",
                          "create temp table t(a)",
                          "drop table ops",
                          "create view v as select 1",
                          "create virtual table v using fts5(a)",
                          "insert into ops(line) values (1)",
                          "update ops set line = 1",
                          "delete from ops",
                          "pragma journal_mode = wal",
                          "pragma writable_schema = 1",
                          "pragma temp_store_directory = '/tmp'",
                          "vacuum into 'x.db'",
                          "begin",
                          "savepoint s",
                          "reindex",
                          "analyze",
                          "with x as (select 1) insert into ops(line) select * from x",
                          "create trigger t after insert on ops begin select 1; end"}) {
    EXPECT_THAT(answer(database, sql), StartsWith("error: ")) << sql;
  }
  EXPECT_THAT(answer(database, "create table t(a)"), StartsWith("error: only reading is allowed"));
  EXPECT_THAT(answer(database, "select load_extension('x')"), HasSubstr("load_extension"));
  EXPECT_THAT(answer(database, "select fts3_tokenizer('simple', x'0000000000000000')"),
              StartsWith("error: "));
  EXPECT_THAT(answer(database, "select writefile('x', 'y')"), HasSubstr("no such function"));
  EXPECT_THAT(answer(database, "select length(zeroblob(200000000))"), StartsWith("error: "));
}

TEST(Database, TheTablesCanBeAskedFor) {
  Database database = open_ops();
  EXPECT_THAT(values(database, "select name from sqlite_schema"), StartsWith("ops\n"));
  EXPECT_THAT(values(database, "pragma table_info(ops)"), HasSubstr("1,line,INTEGER"));
  EXPECT_THAT(values(database, "select name from pragma_table_info('ops')"), StartsWith("profile\nline\n"));
  EXPECT_THAT(answer(database, "explain query plan select * from ops where line = 4"), HasSubstr("=1,"));
}

TEST(Database, AQueryCanBeCancelled) {
  std::atomic<bool> cancelled = false;
  Result<Database> database = Database::open({{"run", three_ops()}}, {}, {.cancelled = &cancelled});
  ASSERT_TRUE(database.has_value());
  EXPECT_EQ(values(*database, "select count(*) from ops"), "3\n");
  cancelled = true;
  EXPECT_EQ(answer(*database,
                   "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"),
            "error: interrupted");
}

TEST(Database, AQueryThatTakesTooMuchMemoryEndsAndOthersGoOn) {
  const std::string sorted =
      "select sum(i) from (with recursive n(i) as (select 1 union all select i + 1 from n limit 300000) "
      "select i from n order by -i limit 300000)";
  for (const std::string& query :
       {sorted, std::string("select median(i) from (with recursive n(i) as (select 1 "
                            "union all select i + 1 from n limit 300000) "
                            "select i from n)")}) {
    Result<Database> database = Database::open({{"run", three_ops()}}, {}, {.most_bytes = 2 << 20});
    ASSERT_TRUE(database.has_value());
    EXPECT_THAT(answer(*database, query), HasSubstr("needs more memory than it may take (2 MB)"));
    EXPECT_EQ(values(*database, "select count(*) from ops"), "3\n");
  }
  Result<Database> unlimited = Database::open({{"run", three_ops()}});
  EXPECT_EQ(values(*unlimited, "select max(i) from (" + sorted.substr(sorted.find("with"))), "300000\n");
}

TEST(Database, AQueryThatIsCancelledGivesNoFurtherRowHoweverFewItsSteps) {
  std::atomic<bool> cancelled = false;
  Result<Database> database = Database::open({{"run", three_ops()}}, {}, {.cancelled = &cancelled});
  ASSERT_TRUE(database.has_value());
  Result<std::unique_ptr<RowSource>> rows = database->run("select op from ops");
  ASSERT_TRUE(rows.has_value());
  EXPECT_TRUE((*rows)->next().value());
  cancelled = true;
  const Result<bool> more = (*rows)->next();
  ASSERT_FALSE(more.has_value());
  EXPECT_EQ(more.error().message, "interrupted");
}

TEST(Database, HostileTextsAreValuesLikeOthers) {
  static const std::string hostile("a\0'\";--\xff\n", 9);
  Result<Database> database =
      Database::open({{"it's", set_of({sample_table({{.line = 1, .name = hostile}})})}});
  ASSERT_TRUE(database.has_value());
  Result<std::unique_ptr<RowSource>> rows = database->run("select op, profile from ops");
  ASSERT_TRUE(rows.has_value());
  ASSERT_TRUE((*rows)->next().value());
  EXPECT_EQ((*rows)->cell(0).as_text(), hostile);
  EXPECT_EQ((*rows)->cell(1).as_text(), "it's");
}

TEST(Database, TheProfileLivesAsLongAsTheDatabase) {
  Result<Database> opened = Database::open({{"run", three_ops()}});
  Database moved = std::move(*opened);
  EXPECT_EQ(values(moved, "select count(*) from ops"), "3\n");
}

TEST(Database, NoTablesAreNoError) {
  Result<Database> database = Database::open({});
  ASSERT_TRUE(database.has_value());
  EXPECT_EQ(values(*database, "select 1 + 1"), "2\n");
}

}  // namespace
}  // namespace ttscope::table
