// A text of SQL, cut into statements.
#include <string>

#include "app/sql.h"
#include "fuzz/fuzz_target.h"

TTSCOPE_FUZZ_TARGET(app_sql_text) {
  for (const std::string& statement : ttscope::app::statements_of(text)) {
    ttscope::fuzz::require(!statement.empty() && statement.size() <= text.size(),
                           "a statement is part of the text");
    ttscope::fuzz::require(ttscope::app::statements_of(statement).size() == 1,
                           "a statement is one statement");
  }
}
