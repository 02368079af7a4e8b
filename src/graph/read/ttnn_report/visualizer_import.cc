#include "graph/read/ttnn_report/visualizer_import.h"

#include <algorithm>
#include <map>

#include "graph/read/ttnn_report/operation_import.h"
#include "graph/read/ttnn_report/side_rows.h"
#include "graph/read/ttnn_report/source_rows.h"
#include "graph/read/ttnn_report/ttnn_report.h"

namespace ttscope::graph {
namespace {

constexpr std::string_view kSchemaVersion = "3.3";
constexpr std::int64_t kOperationsPerFile = 10000;

void import_one(const TtnnReport& file, VisualizerTables& tables) {
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
    tables_[VisualizerTable::kReportMetadata].push_back(
        {std::string("schema_version"), std::string(kSchemaVersion)});
  }

  Result<void> add(Result<std::vector<TtnnReport>> files) {
    if (!files) return failure(files.error());
    for (TtnnReport& file : *files) {
      if (!file.supported) {
        tables_.skipped.push_back(file.path);
        continue;
      }
      file.first_operation = kOperationsPerFile * files_of_rank_[file.rank]++;
      import_one(file, tables_);
    }
    return {};
  }

  VisualizerTables finish(const ReadSource& read_source) {
    add_source_rows(read_source, tables_);
    return std::move(tables_);
  }

 private:
  VisualizerTables tables_;
  std::map<std::int64_t, std::int64_t> files_of_rank_;
};

}  // namespace

Result<VisualizerTables> import_ttnn_reports(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  Import import;
  for (const std::string& path : paths) {
    if (const Result<void> added = import.add(load_ttnn_reports(path)); !added) return failure(added.error());
  }
  return import.finish(read_source_file);
}

Result<VisualizerTables> import_ttnn_texts(const std::vector<TtnnReportTexts>& texts,
                                           const ReadSource& read_source) {
  Import import;
  for (const TtnnReportTexts& text : texts) {
    if (const Result<void> added = import.add(parse_ttnn_reports(text)); !added)
      return failure(added.error());
  }
  return import.finish(read_source);
}

}  // namespace ttscope::graph
