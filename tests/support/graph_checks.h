#pragma once

#include <string>

#include "graph/model/graph_trace.h"

namespace ttscope::testing {

/// What every capture must hold, whatever the input was: columns that belong together have the same length,
/// details point into their tables. Returns the first rule that is broken, empty if none.
inline std::string broken_node(const graph::GraphTrace& trace, std::uint32_t node) {
  using graph::NodeKind;
  const std::uint32_t detail = trace.details[node];
  switch (trace.kinds[node]) {
    case NodeKind::kFunctionStart:
      if (detail >= trace.functions.size()) return "function";
      for (const std::uint32_t tensor : trace.inputs_of(trace.functions[detail])) static_cast<void>(tensor);
      static_cast<void>(graph::decode_arguments(trace.functions[detail].arguments_json));
      return trace.functions[detail].name == kNone || trace.functions[detail].name < trace.texts.size()
                 ? ""
                 : "name";
    case NodeKind::kFunctionEnd:
    case NodeKind::kCaptureEnd:
      return detail < trace.function_ends.size() ? "" : "end of a function";
    case NodeKind::kTensor:
      return detail < trace.tensors.size() && trace.tensors[detail].facts < trace.tensor_facts.size()
                 ? ""
                 : "tensor";
    case NodeKind::kBuffer:
      return detail < trace.buffer_facts.size() ? "" : "buffer";
    case NodeKind::kBufferAllocate:
    case NodeKind::kBufferDeallocate:
      return detail < trace.event_addresses.size() && trace.event_facts[detail] < trace.buffer_facts.size()
                 ? ""
                 : "event of a buffer";
    case NodeKind::kCircularBufferAllocate:
    case NodeKind::kDataflowBufferAllocate:
    case NodeKind::kScratchpadAllocate:
      return detail < trace.program_addresses.size() &&
                     trace.program_facts_ids[detail] < trace.program_facts.size()
                 ? ""
                 : "buffer of a program";
    case NodeKind::kDeallocateAll:
      return detail < trace.device_ids.size() ? "" : "device";
    case NodeKind::kError:
    case NodeKind::kOther:
      return detail < trace.texts.size() ? "" : "text";
    case NodeKind::kCaptureStart:
      break;
  }
  return "";
}

inline std::string broken_capture(const graph::GraphCapture& capture) {
  for (const graph::GraphSegment& segment : capture.segments) {
    const graph::GraphTrace& trace = segment.trace;
    if (trace.levels.size() != trace.size() || trace.details.size() != trace.size())
      return "one value a node";
    if (trace.connection_ends.size() != trace.size()) return "one end of connections a node";
    if (!trace.counters.empty() && trace.counters.size() != trace.size()) return "one counter a node";
    if (trace.event_addresses.size() != trace.event_facts.size()) return "one address an event";
    for (std::uint32_t node = 0; node < trace.size(); ++node) {
      static_cast<void>(trace.connections_of(node));
      if (std::string broken = broken_node(trace, node); !broken.empty()) return broken;
    }
  }
  return "";
}

}  // namespace ttscope::testing
