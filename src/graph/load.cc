#include "graph/load.h"

#include <algorithm>
#include <utility>

#include "base/result.h"
#include "base/text.h"
#include "graph/read/capture_reader.h"

namespace ttscope::graph {
namespace {

Result<GraphCapture> read_database(const io::WholeText& text, const std::string& path) {
  // SQLite opens the file itself.
  if (path == "-")
    return failure(bad_input("-: a database cannot be read from standard input; give the file by its name"));
  if (text.unpacked) return failure(bad_input(path + ": a compressed database; unpack it first"));
  return read_graph_database(path);
}

/// Whether what was read of a file that no format tells is a capture. The reader takes `name` for the type of
/// a node where there is no other, as old captures have it, and with it any list of things with names: nodes
/// are of kinds that it knows, and those of a bare list name each other.
bool has_nodes_of_ttnn(const GraphCapture& capture) {
  const bool is_bare = capture.format == GraphCapture::Format::kNodes;
  const auto is_of_ttnn = [is_bare](const GraphSegment& segment) {
    const GraphTrace& trace = segment.trace;
    return (!is_bare || !trace.connections.empty()) &&
           std::any_of(trace.kinds.begin(), trace.kinds.end(),
                       [](NodeKind kind) { return kind != NodeKind::kOther; });
  };
  return std::any_of(capture.segments.begin(), capture.segments.end(), is_of_ttnn);
}

/// A file that no format tells: a report may have more than a beginning in front of its nodes, and of what is
/// no capture the reader of JSON says where it stops to be one.
Result<GraphCapture> read_unrecognized(const io::WholeText& text, const std::string& path) {
  Result<GraphCapture> capture = read_graph_trace(text, path);
  if (!capture) return capture;
  const auto is_empty = [](const GraphSegment& segment) { return segment.trace.size() == 0; };
  const std::vector<GraphSegment>& segments = capture->segments;
  if (std::all_of(segments.begin(), segments.end(), is_empty) || has_nodes_of_ttnn(*capture)) return capture;
  return failure(bad_input(terminal_safe(path) +
                           ": no node of a graph capture in it; expected a list of nodes, a report, or a "
                           "list of segments"));
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
  ASSIGN_OR_RETURN(const io::WholeText text, io::open_whole_text(path));
  const io::Beginning beginning = io::beginning_of(path, text.bytes());
  const auto found = std::find_if(formats().begin(), formats().end(), [&](const Format& format) {
    return format.detector.is_beginning(beginning);
  });
  return found == formats().end() ? read_unrecognized(text, path) : found->read(text, path);
}

Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options) {
  Profile profile;
  profile.rules = options.rules;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(GraphCapture capture, read_graph_capture(path));
    RETURN_IF_ERROR(add_capture(profile, path, std::move(capture), options.depth));
  }
  finish_profile(profile, options.depth);
  return profile;
}

}  // namespace ttscope::graph
