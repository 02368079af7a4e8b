#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/model/graph_trace.h"

namespace ttscope::testing {

/// A capture as text, field by field, for comparing readers.
std::string graph_text(const graph::GraphTrace& trace);

/// The same read from JSON in the most obvious way: the whole document as a tree, node after node.
std::string reference_graph_text(std::string_view json);

/// A capture of random nodes: any kind, any order of keys, numbers as texts, texts that look like the border
/// of two nodes, white space anywhere; every third seed nearly as ttnn writes it. Always valid.
std::string random_capture(std::uint64_t seed, std::size_t nodes);

}  // namespace ttscope::testing
