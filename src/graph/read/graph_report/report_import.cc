#include "graph/read/graph_report/report_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text_escape.h"
#include "graph/read/graph_report/operation_import.h"
#include "graph/read/graph_report/report_file.h"
#include "graph/read/graph_report/side_rows.h"
#include "graph/read/graph_report/source_rows.h"

namespace ttscope::graph {
namespace {

constexpr std::string_view kSchemaVersion = "3.3";
constexpr std::int64_t kOperationsPerFile = 10000;

void import_one(const ReportFile& file, ReportTables& tables) {
  add_report_rows(file, tables);
  const ImportedOperations operations = import_operations(file, tables);
  add_comparison_rows(file, tables);
  add_chunk_rows(file, operations, tables);
  const auto keep_first = [&](std::string_view key, std::string& text) {
    const std::optional<std::string> found = maybe_text(file.report, key);
    if (text.empty() && found) text = *found;
  };
  keep_first("cluster_descriptor", tables.cluster_descriptor);
  keep_first("mesh_coordinate_mapping", tables.mesh_coordinate_mapping);
}

class Import {
 public:
  Import() {
    tables_[ReportTable::kReportMetadata].push_back(
        {std::string("schema_version"), std::string(kSchemaVersion)});
  }

  Result<void> add(Result<std::vector<ReportFile>> files) {
    if (!files) return failure(files.error());
    for (ReportFile& file : *files) {
      if (!file.supported) {
        tables_.warnings.push_back(
            fmt::format("{}: skipped, only reports of version 1 can be imported", terminal_safe(file.path)));
        continue;
      }
      file.first_operation = kOperationsPerFile * files_of_rank_[file.rank]++;
      import_one(file, tables_);
    }
    return {};
  }

  ReportTables finish(const ReadSource& read_source) {
    add_source_rows(read_source, tables_);
    return std::move(tables_);
  }

 private:
  ReportTables tables_;
  std::map<std::int64_t, std::int64_t> files_of_rank_;
};

}  // namespace

Result<ReportTables> import_reports(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  Import import;
  for (const std::string& path : paths) {
    if (const Result<void> added = import.add(load_reports(path)); !added) return failure(added.error());
  }
  return import.finish(read_source_file);
}

Result<ReportTables> import_report_texts(const std::vector<ReportTexts>& texts,
                                         const ReadSource& read_source) {
  Import import;
  for (const ReportTexts& text : texts) {
    if (const Result<void> added = import.add(parse_reports(text)); !added) return failure(added.error());
  }
  return import.finish(read_source);
}

}  // namespace ttscope::graph
