#include "app/sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "graph/tables/tables.h"
#include "mem/tables/tables.h"
#include "perf/tables/tables.h"
#include "phases/tables/tables.h"
#include "table/write.h"
#include "timeline/tables/tables.h"

namespace ttscope::app {
namespace {

constexpr std::size_t kNoEnd = std::string_view::npos;

/// Where the piece that begins at `at` ends: a text, a name, a comment or one character. kNoEnd: nowhere.
std::size_t piece_end(std::string_view sql, std::size_t at) {
  const std::string_view rest = sql.substr(at);
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = rest.find(end, from);
    return found == std::string_view::npos ? kNoEnd : at + found + end.size();
  };
  if (rest.starts_with("--")) return std::min(behind("\n", 2), sql.size());
  if (rest.starts_with("/*")) return behind("*/", 2);
  switch (rest.front()) {
    case '\'':
    case '"':
    case '`':
      return behind(rest.substr(0, 1), 1);
    case '[':
      return behind("]", 1);
    default:
      return at + 1;
  }
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_comment(std::string_view rest) { return rest.starts_with("--") || rest.starts_with("/*"); }

}  // namespace

std::vector<std::string> statements_of(std::string_view sql) {
  std::vector<std::string> statements;
  std::size_t start = 0;
  bool has_content = false;
  const auto finish = [&](std::size_t end) {
    if (has_content) statements.emplace_back(sql.substr(start, end - start));
    has_content = false;
    start = end + 1;
  };
  for (std::size_t at = 0; at < sql.size();) {
    const std::size_t end = std::min(piece_end(sql, at), sql.size());
    if (sql[at] == ';') {
      finish(at);
    } else if (!is_comment(sql.substr(at)) && !is_blank(sql[at])) {
      if (!has_content) start = at;
      has_content = true;
    }
    at = end;
  }
  finish(sql.size());
  return statements;
}

bool is_open_statement(std::string_view sql) {
  bool is_open = false;
  for (std::size_t at = 0; at < sql.size();) {
    const std::size_t end = piece_end(sql, at);
    if (end == kNoEnd) return true;
    if (!is_comment(sql.substr(at)) && !is_blank(sql[at])) is_open = sql[at] != ';';
    at = end;
  }
  return is_open;
}

namespace {

std::string_view title_of(Subject subject) {
  constexpr std::array<std::string_view, kSubjectCount> kTitles = {
      "memory: runtime logs and the files of a memory report",
      "training: logs with the tracker's summaries",
      "graph: captures of ttnn, databases of ttnn-visualizer",
      "device time: files of the device profiler, ops reports",
      "timelines: captures of the Tracy profiler",
  };
  return kTitles[static_cast<std::size_t>(subject)];
}

std::vector<table::TableSpec> copies(const std::vector<const table::TableSpec*>& specs) {
  std::vector<table::TableSpec> tables;
  tables.reserve(specs.size());
  for (const table::TableSpec* spec : specs) tables.push_back(*spec);
  return tables;
}

constexpr std::string_view kMarkdownHead = R"(# Tables and SQL

Every profile that ttscope reads gives tables. They are the same in SQL, in files and in Python:

```bash
ttscope sql run.log 'select name, count(*) as n from ops group by name order by n desc limit 5'
ttscope sql a.log b.log 'select profile, max(dram_growth_bytes_per_bank) from ops group by profile'
ttscope sql run.log                             # a prompt; statements end with ;  .schema, .quit
ttscope sql run.log --schema                    # what this file has; without a file: what there is at all
ttscope export run.log --table ops -o ops.csv   # or ops.json
python3 -c 'import ttscope; print(ttscope.load("run.log")["ops"]["name"])'
```

- The last argument is the query unless it is a file; without one, statements come from standard input or a prompt.
  Rows are printed as aligned text; `--csv PATH` and `--json PATH` write them, `-` is standard output.
- SQL is that of SQLite, read-only: no attaching, no files, no extensions. `median(x)` and `percentile(x, p)`, p from 0 to
  100, are there as well. Nothing is copied: conditions on columns whose rows stand in order (lines, times) are found by
  halving, a filter reads only the columns that it names.
- In SQL every table has one more column in front, `profile`: the name of the file that a row comes from. Tables of one
  name of several files are one table; a column that a file does not have is null there.
- A cell without a value is null in SQL and JSON and empty in CSV. In Python it is -1 in columns of integers, NaN in those
  of real numbers, the empty text, or False; `profile[table].missing(column)` tells where. Truths are 0 and 1 in SQL.
- In CSV a text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-` or `@` and is not a number) gets an
  apostrophe, as in the CSV of `perf`. On a terminal control characters are shown as escapes (`\x1b`); files and pipes get
  the bytes.
- A query that would take more than half of the memory that it may use (of the machine, the container, `ulimit -v`) ends
  with an error, and Ctrl-C ends any.
- Exit codes: 2 for a wrong query, 0 also when no row fits.

The rest of this page is made from the declarations in `src/*/tables` by `ttscope sql --schema --markdown`; a test holds it
to them. Views are ready queries: `select * from NAME`.
)";

}  // namespace

std::vector<const table::TableSpec*> table_specs(Subject subject) {
  switch (subject) {
    case Subject::kMem:
      return mem::table_specs();
    case Subject::kPhases:
      return phases::table_specs();
    case Subject::kGraph:
      return graph::table_specs();
    case Subject::kPerf:
      return perf::table_specs();
    case Subject::kTimeline:
      break;
  }
  return timeline::table_specs();
}

std::vector<table::View> views(Subject subject) {
  switch (subject) {
    case Subject::kMem:
      return mem::views();
    case Subject::kPhases:
      return phases::views();
    case Subject::kGraph:
      return graph::views();
    case Subject::kPerf:
      return perf::views();
    case Subject::kTimeline:
      break;
  }
  return timeline::views();
}

std::string catalog_text() {
  std::string text;
  for (const Subject subject : kSubjects) {
    fmt::format_to(std::back_inserter(text), "{}== {}\n\n{}", text.empty() ? "" : "\n", title_of(subject),
                   table::schema_text(copies(table_specs(subject)), views(subject)));
  }
  return text;
}

std::string catalog_markdown() {
  std::string text(kMarkdownHead);
  for (const Subject subject : kSubjects) {
    fmt::format_to(std::back_inserter(text), "\n## {}\n", title_of(subject));
    for (const table::TableSpec* spec : table_specs(subject)) text += "\n" + table::markdown_of(*spec, 3);
    for (const table::View& view : views(subject)) text += "\n" + table::markdown_of(view, 3);
  }
  return text;
}

Result<table::Database> open_database(const std::vector<Profile>& profiles,
                                      table::Database::Options options) {
  std::vector<table::NamedTables> tables;
  tables.reserve(profiles.size());
  std::vector<table::View> ready;
  for (const Subject subject : kSubjects) {
    const bool is_there = std::any_of(profiles.begin(), profiles.end(),
                                      [&](const Profile& profile) { return profile.subject() == subject; });
    if (!is_there) continue;
    for (const table::View& view : views(subject)) ready.push_back(view);
  }
  for (const Profile& profile : profiles) tables.push_back({profile.name, profile.tables()});
  return table::Database::open(tables, ready, options);
}

}  // namespace ttscope::app
