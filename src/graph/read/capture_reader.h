#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/model/graph_trace.h"
#include "io/input_files.h"
#include "io/open_input.h"

namespace ttscope::graph {

/// Reads a graph capture in JSON: a list of nodes, a report file (`graph` and its facts), or a list of
/// `{"name", "trace"}` segments. Damaged input: an error with the place (file, line, byte of the text).
Result<GraphCapture> read_graph_trace(const io::WholeText& text, const std::string& path);

/// The same for text in memory; `name` is what errors call it. The text is copied where it is kept.
Result<GraphCapture> parse_graph_capture(std::string_view json, const std::string& name);

/// A list of nodes, a report with `graph`, or segments with `trace`.
bool is_graph_capture(const io::Beginning& beginning);
/// db.sqlite of ttnn-visualizer, by the names of its tables.
bool is_report_database(const io::Beginning& beginning);

/// Reads the report database of ttnn-visualizer: the captured graph of each operation becomes a segment named
/// `ID NAME` (`rank R: ID NAME` where there are several ranks), in the order of the ids. The file is not
/// changed.
Result<GraphCapture> read_graph_database(const std::string& path);

/// The same for the bytes of such a file; `name` is what errors call it.
Result<GraphCapture> parse_graph_database(std::string_view bytes, const std::string& name);

}  // namespace ttscope::graph
