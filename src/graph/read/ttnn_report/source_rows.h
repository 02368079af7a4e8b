#pragma once

#include <functional>
#include <optional>
#include <string>

#include "graph/model/visualizer_tables.h"

namespace ttscope::graph {

/// Gives the text of a source file; nothing if it cannot be had.
using ReadSource = std::function<std::optional<std::string>(const std::string& path)>;

/// A report names any file it likes, and the database goes to others: only Python sources are read.
std::optional<std::string> read_source_file(const std::string& path);

/// Ties stack traces to the source files they name (those that can be read) and says where each tensor is
/// made and last used. Rows of all reports must be there; does nothing without stack traces.
void add_source_rows(const ReadSource& read_source, VisualizerTables& tables);

}  // namespace ttscope::graph
