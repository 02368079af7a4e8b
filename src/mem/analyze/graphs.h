#pragma once

#include <cstdint>
#include <vector>

#include "mem/analyze/memory_profile.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// An argument of a graph as its op lines name it.
struct GraphArgument {
  std::uint32_t ssa = kNone;           ///< name id of `%arg3`
  std::uint32_t type = kNone;          ///< type the device holds, in RuntimeLog::types or local_types
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
GraphTable find_graphs(const RuntimeLog& log);

/// Groups the dumped modules by compilation, gives every graph its group, and merges what dumps and op lines
/// say about its arguments. Fills MemoryProfile::graphs, module_groups and arguments.
void describe_arguments(const RuntimeLog& log, GraphTable& table, MemoryProfile& profile);

/// What the runs of one graph share, by [rank][program instance]: their name and the texts of their own ops
/// (nested programs not counted, so that a run with const-eval misses and one with hits are the same graph).
/// A run that was cut off has the key of the graph whose beginning it is: of several, the one that came after
/// the same graph before, else the one that ran last.
std::vector<std::vector<std::uint64_t>> graph_keys(const RuntimeLog& log);

}  // namespace ttscope::mem
