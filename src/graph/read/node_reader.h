#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "base/result.h"
#include "base/string_pool.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// Turns the `params` of nodes into entries of a trace's tables. A capture repeats few distinct ones
/// thousands of times, so each distinct text is parsed once; addresses and tensor ids, which differ, are cut
/// out before. The texts must stay valid as long as this and the trace.
class ParamsTables {
 public:
  explicit ParamsTables(GraphTrace& trace) : trace_(trace) {}

  /// Adds what a node of this kind has to the trace's tables; the result goes to GraphTrace::details.
  /// `params` is an object as JSON, or empty. False when it cannot be read; nothing is added then.
  bool add(NodeKind kind, std::string_view params, std::uint32_t& detail);

  bool add_function(std::string_view params, const FunctionNode& with, std::uint32_t& detail);
  /// The id of a name among the trace's texts; still escaped as in JSON.
  std::uint32_t text_id(std::string_view escaped);

 private:
  /// What the texts that were seen before stand for; nothing for those that cannot be read.
  template <typename Entry>
  struct Known {
    StringPool texts;
    std::vector<std::optional<Entry>> entries;
  };
  struct Event {
    std::int64_t address = 0;
    std::uint32_t facts = 0;
  };
  struct Function {
    std::uint32_t name = kNone;
    std::int32_t inputs = kNotRecorded;
  };

  template <typename Entry, typename Parse>
  const Entry* known_entry(Known<Entry>& known, std::string_view text, StringPool::Bytes bytes, Parse parse);
  bool parse_buffer(std::string_view text, Event& event);
  bool parse_program_buffer(std::string_view text, Event& event);
  bool parse_tensor(std::string_view text, TensorNode& tensor);
  bool parse_function(std::string_view text, Function& function);
  bool add_buffer(std::string_view params, std::uint32_t& detail);
  /// Reads whose memory it is, and cuts that off where it stands last: what is left repeats.
  bool take_label(std::string_view& params, BufferLabel& label);
  bool add_buffer_event(std::string_view params, std::uint32_t& detail);
  bool add_program_buffer(std::string_view params, std::uint32_t& detail);
  bool add_tensor(std::string_view params, std::uint32_t& detail);
  bool add_end(std::string_view params, std::uint32_t& detail);
  bool add_device(std::string_view params, std::uint32_t& detail);

  GraphTrace& trace_;
  Known<Event> buffers_;
  Known<Event> program_buffers_;
  Known<TensorNode> tensors_;
  Known<Function> functions_;
  std::string tensor_key_;
};

struct NodeBlock;

/// Reads the elements of one array of nodes into a trace, in blocks: each is cut behind a node, copied with
/// brackets around it and walked through by simdjson's On-Demand parser. Where a block turns out to be cut
/// inside a node (only a guess from the text before and behind tells where nodes end) the node is found
/// exactly and read alone.
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

/// Calls take(key, value) for each field of an object's text; values are JSON as written. The opening brace
/// may be missing, and the closing one too, as in the pieces that split_address and split_tensor leave. False
/// when the text is damaged or take() says so.
template <typename Take>
bool for_each_param(std::string_view text, Take take) {
  JsonCursor cursor(text);
  cursor.take('{');
  while (cursor.peek() == '"') {
    const auto key = cursor.take_string();
    if (!key || !cursor.take(':')) return false;
    const auto value = cursor.take_value();
    if (!value || !take(*key, *value)) return false;
    if (!cursor.take(',')) break;
  }
  cursor.take('}');
  return cursor.is_at_end();
}

/// The address that stands first in the params of buffer events, and the text behind it, which repeats.
/// Without it `rest` is the whole text.
struct SplitAddress {
  bool found = false;
  std::int64_t address = 0;
  std::string_view rest;
};

SplitAddress split_address(std::string_view params);

/// Address and id of a tensor node, with the rest of its params but for `device_tensors` put together in
/// `key`.
struct SplitTensor {
  bool found = false;
  std::int64_t address = -1;
  std::int64_t tensor_id = -1;
};

SplitTensor split_tensor(std::string_view params, std::string& key);

}  // namespace ttscope::graph
