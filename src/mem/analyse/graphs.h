#pragma once

#include <cstdint>
#include <vector>

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// An argument of a graph as its op lines name it.
struct GraphArgument {
  std::uint32_t ssa = kNone;           ///< name id of `%arg3`
  std::uint32_t type = kNone;          ///< type the device holds, in RuntimeTrace::types or local_types
  std::uint32_t written_type = kNone;  ///< type as written, before mesh shards made it smaller
  std::uint32_t argument = kNone;      ///< in MemoryProfile::arguments
  bool feeds_const_eval = false;
  bool only_in_dump = false;  ///< no op line names it
};

/// Distinct programs and what is known of their arguments.
struct GraphTable {
  std::vector<Graph> graphs;
  std::vector<std::vector<GraphArgument>> arguments;  ///< by graph, in order of argument number
  std::vector<TensorType> local_types;  ///< from kLocalTypeBase on: one device's part of a mesh tensor
  std::vector<std::vector<std::uint32_t>> graph_of_instance;  ///< [rank][instance]
  std::vector<std::vector<std::uint32_t>> run_of_instance;    ///< [rank][instance]
};

/// 3 of `%arg3`; kNone for anything else, which no list of operands reaches.
std::uint32_t argument_position(std::string_view name);

/// Groups program instances by name and op sequence (graph_keys.h); a run that was cut off is one of its
/// graph.
GraphTable find_graphs(const RuntimeTrace& trace);

/// Groups the dumped modules by compilation, gives every graph its group, and merges what dumps and op lines
/// say about its arguments. Fills MemoryProfile::graphs, module_groups and arguments.
void describe_arguments(const RuntimeTrace& trace, GraphTable& table, MemoryProfile& profile);

}  // namespace ttscope::mem
