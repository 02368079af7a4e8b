#pragma once

#include <string>
#include <vector>

#include "app/open.h"
#include "app/subject.h"
#include "table/sql/database.h"
#include "table/table.h"

namespace ttscope::app {

/// The tables that profiles of a subject have, as they are declared.
std::vector<const table::TableSpec*> table_specs(Subject subject);
/// Their ready views.
std::vector<table::View> views(Subject subject);

/// All tables and views as aligned text, by subject: what `ttscope sql --schema` prints without a file.
std::string catalog_text();
/// The same as markdown: docs/tables.md.
std::string catalog_markdown();

/// SQL over the tables of several profiles, with the views of their subjects.
Result<table::Database> open_database(const std::vector<Profile>& profiles, table::Database::Options options);

}  // namespace ttscope::app
