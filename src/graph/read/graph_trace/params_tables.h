#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace ttscope::graph
