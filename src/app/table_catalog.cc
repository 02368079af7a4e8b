#include "app/table_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "graph/tables/tables.h"
#include "mem/tables/tables.h"
#include "perf/tables/tables.h"
#include "phases/tables/tables.h"
#include "table/document.h"

namespace ttscope::app {
namespace {

std::string_view title_of(Subject subject) {
  constexpr std::array<std::string_view, kSubjectCount> kTitles = {
      "memory: runtime logs and the files of a memory report",
      "training: logs with the tracker's summaries",
      "graph: captures of ttnn, databases of ttnn-visualizer",
      "device time: files of the device profiler, ops reports",
  };
  return kTitles[static_cast<std::size_t>(subject)];
}

std::vector<table::TableSpec> copies(const std::vector<const table::TableSpec*>& specs) {
  std::vector<table::TableSpec> tables;
  for (const table::TableSpec* spec : specs) tables.push_back(*spec);
  return tables;
}

constexpr std::string_view kMarkdownHead =
    "# Tables\n"
    "\n"
    "What `ttscope sql`, `ttscope export` and `ttscope.load` in Python give of each profile. This page is "
    "made from\n"
    "the declarations in `src/*/tables` (`ttscope sql --schema --markdown`); a test holds it to them.\n"
    "\n"
    "In SQL every table has one more column in front, `profile`: the name of the file that a row comes from. "
    "Truths\n"
    "are 0 and 1 there. Cells without a value are null in SQL and JSON, empty in CSV; in Python they are -1 "
    "in columns\n"
    "of integers, NaN in real ones, the empty text and False, and `profile.missing(table, column)` tells "
    "where.\n"
    "Beside what SQLite has there are `median(x)` and `percentile(x, p)`, p from 0 to 100.\n";

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
      break;
  }
  return perf::table_specs();
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
      break;
  }
  return perf::views();
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
