#include "graph/formats.h"

#include <algorithm>

#include "graph/read/graph_trace/graph_database.h"
#include "graph/read/graph_trace/graph_trace_reader.h"
#include "graph/read/graph_trace/sniff.h"

namespace ttscope::graph {
namespace {

Result<GraphCapture> read_database(const io::WholeText& text, const std::string& path) {
  // SQLite opens the file itself.
  if (text.unpacked) return failure(bad_input(path + ": a compressed database; unpack it first"));
  return read_graph_database(path);
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {{"report_database", "a database of ttnn-visualizer", {}, is_report_database}, read_database},
      {{"graph_capture", "a graph capture of ttnn", {}, is_graph_capture}, read_graph_trace},
  };
  return kFormats;
}

Result<GraphCapture> read_graph_capture(const std::string& path) {
  const Result<io::WholeText> text = io::open_whole_text(path);
  if (!text) return failure(text.error());
  const io::Beginning beginning = io::beginning_of(path, text->bytes());
  const auto told = std::find_if(formats().begin(), formats().end(),
                                 [&](const Format& format) { return format.told.is_beginning(beginning); });
  // Of what is none of them the reader of JSON says where it stops to be one.
  return told == formats().end() ? read_graph_trace(*text, path) : told->read(*text, path);
}

}  // namespace ttscope::graph
