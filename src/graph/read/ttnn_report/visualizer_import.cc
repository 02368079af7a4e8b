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

/// Counts the rows that tell of a run.
class CountingSink final : public VisualizerSink {
 public:
  explicit CountingSink(VisualizerSink& sink) : sink_(sink) {}
  void add(VisualizerTable table, VisualizerRow row) override {
    if (table != VisualizerTable::kDevices && table != VisualizerTable::kReportMetadata) ++told_;
    sink_.add(table, std::move(row));
  }
  std::uint64_t told() const { return told_; }

 private:
  VisualizerSink& sink_;
  std::uint64_t told_ = 0;
};

class Import {
 public:
  Import(const ReadSource& read_source, VisualizerSink& sink) : sink_(sink), ties_(read_source, sink_) {
    sink_.add(VisualizerTable::kReportMetadata, {std::string("schema_version"), std::string(kSchemaVersion)});
  }

  Result<void> add(Result<std::vector<TtnnReport>> files) {
    if (!files) return failure(files.error());
    for (TtnnReport& file : *files) {
      if (!file.supported) {
        found_.skipped.push_back(file.path);
        continue;
      }
      if (Result<void> added = add_report(file); !added) return added;
      file = TtnnReport();  // its text is of no more use
    }
    return {};
  }

  VisualizerImport finish() {
    ties_.finish();
    found_.told = sink_.told();
    return std::move(found_);
  }

 private:
  Result<void> add_report(TtnnReport& file) {
    std::int64_t& next = next_operation_[file.rank];
    file.first_operation = next;
    if (!file.continues) {
      live_.clear();
      add_report_rows(file, sink_);
      found_.described_devices += list_of(file.head, "devices").size();
    }
    ImportedOperations operations = import_operations(file, std::move(live_), ties_, sink_);
    if (!operations.damage.empty()) return failure(bad_input(operations.damage));
    add_comparison_rows(file, sink_);
    add_chunk_rows(file, operations, sink_);
    const auto keep_first = [&](std::string_view key, std::string& text) {
      const std::optional<std::string> found = maybe_text(file.head, key);
      if (text.empty() && found) text = *found;
    };
    keep_first("cluster_descriptor", found_.cluster_descriptor);
    keep_first("mesh_coordinate_mapping", found_.mesh_coordinate_mapping);
    found_.allocations += operations.allocations;
    found_.placed += operations.placed;
    live_ = std::move(operations.live);
    // Ids of a report that has more than the step between them must not meet those of the next one.
    next += kOperationsPerFile;
    while (next <= operations.last_id) next += kOperationsPerFile;
    return {};
  }

  CountingSink sink_;
  SourceTies ties_;
  VisualizerImport found_;
  std::map<std::int64_t, std::int64_t> next_operation_;  ///< by rank
  std::vector<LiveBuffer> live_;                         ///< at the end of the report before
};

}  // namespace

Result<VisualizerImport> import_ttnn_reports(std::vector<std::string> paths, VisualizerSink& sink) {
  std::sort(paths.begin(), paths.end());
  const ReadSource read_source = read_source_file;
  Import import(read_source, sink);
  for (const std::string& path : paths) {
    if (const Result<void> added = import.add(load_ttnn_reports(path)); !added) return failure(added.error());
  }
  return import.finish();
}

Result<VisualizerImport> import_ttnn_texts(const std::vector<TtnnReportTexts>& texts,
                                           const ReadSource& read_source, VisualizerSink& sink) {
  Import import(read_source, sink);
  for (const TtnnReportTexts& text : texts) {
    if (const Result<void> added = import.add(parse_ttnn_reports(text)); !added)
      return failure(added.error());
  }
  return import.finish();
}

}  // namespace ttscope::graph
