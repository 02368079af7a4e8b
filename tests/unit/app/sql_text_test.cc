#include "app/sql.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(StatementsOf, SemicolonsPartThem) {
  EXPECT_THAT(statements_of("select 1; select 2 ;\n"), ElementsAre("select 1", "select 2 "));
  EXPECT_THAT(statements_of("select 1"), ElementsAre("select 1"));
}

TEST(StatementsOf, SemicolonsInTextsNamesAndCommentsDoNot) {
  EXPECT_THAT(statements_of("select 'a;''b', \"c;d\", [e;f], `g;h` -- i;j\n, 2 /* k;l */; select 3"),
              ElementsAre("select 'a;''b', \"c;d\", [e;f], `g;h` -- i;j\n, 2 /* k;l */", "select 3"));
}

TEST(StatementsOf, NothingIsNoStatement) {
  EXPECT_THAT(statements_of(" ;; -- only a comment\n ; /* another */ "), IsEmpty());
  EXPECT_THAT(statements_of(""), IsEmpty());
}

TEST(StatementsOf, WhatIsNotClosedGoesToTheEnd) {
  EXPECT_THAT(statements_of("select 'a; select 2"), ElementsAre("select 'a; select 2"));
}

TEST(SqlText, AStatementIsOpenUntilItsSemicolon) {
  for (const char* open : {"select 1", "select 1; select", "select ';", "select 1 -- ;", "select /* ; ",
                           "/* a", "select \"a;", "select 1\n"}) {
    EXPECT_TRUE(is_open_statement(open)) << open;
  }
  for (const char* closed : {"", "  \n", "select 1;", "select 1; -- more", "select ';'; /* x */ ", "-- a"}) {
    EXPECT_FALSE(is_open_statement(closed)) << closed;
  }
}

}  // namespace
}  // namespace ttscope::app
