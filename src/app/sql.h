#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/formats.h"
#include "app/open.h"
#include "table/sql/database.h"
#include "table/table.h"

namespace ttscope::app {

/// The statements of a text, which semicolons part; those in texts, names and comments do not. Without the
/// semicolons; none that is empty or only a comment.
std::vector<std::string> statements_of(std::string_view sql);

/// Whether more must follow: a statement without its semicolon, or a text, name or comment without its end.
bool is_open_statement(std::string_view sql);

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
