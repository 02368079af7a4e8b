#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/model/visualizer_tables.h"

namespace ttscope::graph {

/// A database that is filled row by row, in a file without which nothing is left behind; finish() puts it in
/// its place, where a file that is there is replaced.
class VisualizerDatabase final : public VisualizerSink {
 public:
  /// An error when no file can be made beside `path`.
  static Result<std::unique_ptr<VisualizerDatabase>> create(const std::string& path);
  ~VisualizerDatabase() override;

  void add(VisualizerTable table, VisualizerRow row) override;
  /// The first problem of any row is reported here.
  Result<void> finish();

 private:
  struct State;
  explicit VisualizerDatabase(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Writes the side files that the reports hold (the cluster's description, the mesh's coordinates) beside the
/// database. Those that are there are left alone.
Result<void> write_side_files(const VisualizerImport& import, const std::string& database_path);

/// `CREATE TABLE ...` of one table.
std::string_view create_statement(VisualizerTable table);

}  // namespace ttscope::graph
