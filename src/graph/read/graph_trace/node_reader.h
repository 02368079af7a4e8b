#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/model/graph_trace.h"
#include "graph/read/graph_trace/params_tables.h"

namespace ttscope::graph {

struct NodeBlock;

/// Reads the elements of one array of nodes into a trace. Nodes in the form that ttnn writes are read as they
/// stand (DumpedNodes). Others are read in blocks: each is cut behind a node, copied with brackets around it
/// and walked through by simdjson's On-Demand parser. Where a block turns out to be cut inside a node (only a
/// guess from the text before and behind tells where nodes end) the node is found exactly and read alone.
class NodeReader {
 public:
  /// `text` is the whole input; the trace keeps views into it. `name` is what errors call it.
  NodeReader(std::string_view text, std::string name, GraphTrace& trace);
  ~NodeReader();

  /// `begin`: behind the bracket that opens the array. Gives the place behind the one that closes it.
  Result<std::size_t> read_array(std::size_t begin);

 private:
  struct Blocks;
  struct Node;

  enum class BlockEnd { kReadAll, kArrayEnded, kBroken };

  bool read_dumped(std::size_t& at);
  BlockEnd read_block(NodeBlock& block);
  Result<std::size_t> read_exactly(std::size_t begin);
  bool add_node(const Node& node);
  void add_counter(std::int64_t counter);
  std::uint8_t level_of(const Node& node);
  Error broken_at(std::size_t position, std::string_view what) const;

  std::string_view text_;
  std::string name_;
  GraphTrace& trace_;
  ParamsTables params_;
  std::unique_ptr<Blocks> blocks_;
  std::size_t reached_ = 0;  ///< where the block that was read last ended, or the node that broke it begins
  std::string problem_;      ///< of a node that is JSON but no node
  std::size_t depth_ = 0;    ///< open functions, for captures without levels
};

}  // namespace ttscope::graph
