#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/writer.h"
#include "fit/report.h"
#include "graph/analyse/profile.h"

namespace ttscope::graph {

struct GraphPageOptions {
  std::string name;
  std::string tool_version;
  std::string generated;
  std::size_t most_buffers = 40000;  ///< of a segment; the largest are kept
  std::size_t most_calls = 5000;
  std::size_t most_joined_segments = 100;    ///< of more, each is shown without what earlier ones left
  std::size_t most_groups = 200;             ///< rows of what is live at the overall peak
  std::shared_ptr<const fit::Report> fit{};  ///< on the devices asked for; null: none was
  unsigned threads = 2;                      ///< that pack the columns
};

/// Writes the page of `ttscope graph --html`: one file that makes no request (docs/formats/graph_page.md).
void write_graph_page(const Profile& profile, Writer& out, const GraphPageOptions& options);

}  // namespace ttscope::graph
