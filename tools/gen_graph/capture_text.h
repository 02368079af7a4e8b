#pragma once

#include <cstdint>

#include "base/writer.h"

namespace ttscope::gen_graph {

struct Options {
  std::uint64_t bytes = 0;  ///< about how much to write
  std::uint64_t seed = 1;
  std::uint64_t segments = 0;  ///< a tracker's segments instead of one capture
  bool no_dispatch = false;    ///< all addresses are 0
  bool report = false;         ///< a report file, indented, instead of a bare list of nodes
};

void write_capture(const Options& options, Writer& out);

}  // namespace ttscope::gen_graph
