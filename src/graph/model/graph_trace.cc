#include "graph/model/graph_trace.h"

#include <algorithm>
#include <array>

#include "base/json_cursor.h"

namespace ttscope::graph {
namespace {

constexpr std::array<std::string_view, 14> kTypeTexts = {
    "capture_start",
    "capture_end",
    "function_start",
    "function_end",
    "tensor",
    "buffer",
    "buffer_allocate",
    "buffer_deallocate",
    "circular_buffer_allocate",
    "dataflow_buffer_allocate",
    "scratchpad_allocate",
    "circular_buffer_deallocate_all",
    "error",
    "",
};

}  // namespace

std::string_view node_type_text(NodeKind kind) { return kTypeTexts[static_cast<std::size_t>(kind)]; }

NodeKind node_kind_of(std::string_view node_type) {
  for (std::size_t kind = 0; kind + 1 < kTypeTexts.size(); ++kind) {
    const std::string_view text = kTypeTexts[kind];
    if (text.size() == node_type.size() && text == node_type) return static_cast<NodeKind>(kind);
  }
  return NodeKind::kOther;
}

const BufferLabel* GraphTrace::label_of(std::uint32_t node) const {
  const auto found =
      std::lower_bound(buffer_labels.begin(), buffer_labels.end(), node,
                       [](const BufferLabel& label, std::uint32_t wanted) { return label.node < wanted; });
  return found != buffer_labels.end() && found->node == node ? &*found : nullptr;
}

std::optional<std::vector<std::string>> decode_arguments(std::string_view arguments_json) {
  std::vector<std::string> arguments;
  JsonCursor cursor(arguments_json);
  if (cursor.is_at_end() || !cursor.take('[')) return std::nullopt;
  if (cursor.take(']')) return arguments;
  do {
    const char first = cursor.peek();
    const std::optional<std::string_view> value = cursor.take_value();
    if (!value) return std::nullopt;
    if (first != '"') {  // no capture has it; what stands there is still shown
      arguments.emplace_back(*value);
      continue;
    }
    std::optional<std::string> text = json_unescaped(value->substr(1, value->size() - 2));
    if (!text) return std::nullopt;
    arguments.push_back(std::move(*text));
  } while (cursor.take(','));
  if (!cursor.take(']')) return std::nullopt;
  return arguments;
}

}  // namespace ttscope::graph
