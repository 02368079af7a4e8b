#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/writer.h"
#include "fit/report.h"
#include "graph/analyze/figures.h"
#include "graph/analyze/profile.h"
#include "graph/model/graph_trace.h"
#include "graph/model/visualizer_tables.h"

namespace ttscope::graph {

/// Writes the document of `ttscope graph --json` (docs/formats/graph_json.md). `fit`: whether it fits the
/// devices asked for; null where none was.
void write_graph_json(const Profile& profile, const std::string& tool_version, Writer& out,
                      const fit::Report* fit = nullptr);

/// Writes the report of `ttscope graph --llm`: the figures with what they include, the calls and the live
/// sets; at the end whether it fits, where devices were asked for.
void write_graph_markdown(const Profile& profile, Writer& out, const fit::Report* fit = nullptr);

struct GraphPageOptions {
  std::string name;
  std::string tool_version;
  std::string generated;
  std::size_t max_buffers = 40000;  ///< of a segment; the largest are kept
  std::size_t max_calls = 5000;
  std::size_t max_joined_segments = 100;     ///< of more, each is shown without what earlier ones left
  std::size_t max_groups = 200;              ///< rows of what is live at the overall peak
  std::shared_ptr<const fit::Report> fit{};  ///< on the devices asked for; null: none was
  unsigned threads = 2;                      ///< that pack the columns
};

/// Writes the page of `ttscope graph --html`: one file that makes no request (docs/formats/graph_page.md).
void write_graph_page(const Profile& profile, Writer& out, const GraphPageOptions& options);

struct GraphTextOptions {
  bool color = false;
  int width = 80;
  int top = 10;  ///< rows of each list
};

/// What `ttscope graph` prints: figures of each segment, the calls that use most, what lives at the peaks.
std::string graph_summary_text(const Profile& profile, const GraphTextOptions& options);

/// What the original's `print_memory_usage` prints for these segments, byte for byte
/// (docs/formats/graph_trace.md); names are not escaped there. Without segments: its one-line warning.
std::string memory_usage_summary(std::span<const SegmentFigures> segments);

/// The sentences that every output form shares.

/// What the corrected figures differ in, and how the original counts.
std::string difference_text(const Difference& difference);
/// What a finding says. Names in it are as recorded: each form escapes them.
std::string finding_text(const Profile& profile, const Finding& finding);
/// Why a file is not in the database that was asked for. The path is as given: each form escapes it.
std::string skipped_file_text(const std::string& path);
/// Why there is no database.
std::string no_database_text(const std::string& database_path);
/// What the database that was written lacks.
std::vector<std::string> import_warnings(const VisualizerImport& import);
/// What is said of files that can be read and hold no capture.
std::string no_input_text(const std::vector<std::string>& files);

/// The capture as the JSON array of its nodes, in the current format (docs/formats/graph_trace.md): what was
/// read, or recorded, can be read again with the same figures.
void write_graph_nodes(JsonWriter& json, const GraphTrace& trace);

/// A tracker capture: an array of {"name", "devices", "trace"}; devices where the captures know them.
void write_graph_segments(JsonWriter& json, std::span<const GraphSegment> segments);

}  // namespace ttscope::graph
