#include "graph/analyse/names.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace ttscope::graph {

std::string_view format_text(GraphCapture::Format format) {
  switch (format) {
    case GraphCapture::Format::kNodes:
      return "nodes";
    case GraphCapture::Format::kReport:
      return "report";
    case GraphCapture::Format::kSegments:
      return "segments";
    case GraphCapture::Format::kDatabase:
      return "database";
  }
  return "";
}

std::string_view run_mode_text(const SegmentProfile& profile) {
  if (profile.buffers.empty()) return "unknown";
  return profile.no_dispatch ? "NO_DISPATCH" : "NORMAL";
}

std::string_view buffer_type_text(const GraphTrace& trace, const BufferFacts& facts) {
  constexpr std::array<std::string_view, 5> kTypes = {"DRAM", "L1", "SYSTEM_MEMORY", "L1_SMALL", "TRACE"};
  if (facts.buffer_type >= 0 && facts.buffer_type < static_cast<std::int64_t>(kTypes.size())) {
    return kTypes[static_cast<std::size_t>(facts.buffer_type)];
  }
  return trace.text(facts.type);
}

std::string_view buffer_kind(const GraphTrace& trace, const SegmentProfile& profile, const BufferLife& life) {
  const BufferLabel* const label = life.buffer == kNone ? nullptr : trace.label_of(life.buffer);
  if (label != nullptr) return trace.text(label->kind);
  constexpr std::int64_t kLargestBinary = std::int64_t{1} << 20;
  constexpr std::int64_t kBinaryPage = 2048;
  const bool is_binary = life.in_dram && life.buffer != kNone && life.allocated != kNone &&
                         life.tensor == kNone && !profile.no_dispatch && trace.tensors.size() > 0 &&
                         life.size_bytes <= kLargestBinary &&
                         trace.buffer_facts[life.facts].page_size_bytes == kBinaryPage;
  return is_binary ? "binary" : "";
}

std::string_view buffer_owner(const GraphTrace& trace, const BufferLife& life) {
  const BufferLabel* const label = life.buffer == kNone ? nullptr : trace.label_of(life.buffer);
  return label == nullptr ? std::string_view() : trace.text(label->name);
}

std::string buffer_form(const GraphTrace& trace, const BufferLife& life) {
  if (life.tensor == kNone) {
    return fmt::format("{} buffer without a tensor", buffer_type_text(trace, trace.buffer_facts[life.facts]));
  }
  const TensorFacts& facts = trace.tensor_facts_of(life.tensor);
  const std::string_view shape = trace.text(facts.shape);
  const std::size_t open = shape.find('[');
  const std::size_t close = shape.find(']');
  std::string form;
  if (open != std::string_view::npos && close != std::string_view::npos && open < close)
    form = shape.substr(open, close - open + 1);
  const std::string_view dtype = trace.text(facts.dtype);
  if (!dtype.empty())
    form += fmt::format("{}{}", form.empty() ? "" : " ", dtype.substr(dtype.rfind(':') + 1));
  return form;
}

std::string buffer_title(const GraphTrace& trace, const BufferLife& life) {
  const std::string_view owner = buffer_owner(trace, life);
  if (life.tensor == kNone) return owner.empty() ? buffer_form(trace, life) : std::string(owner);
  const std::int64_t id = trace.tensor_of(life.tensor).tensor_id;
  std::string title = owner.empty() ? "tensor" : std::string(owner);
  if (owner.empty() && id != kNotRecorded) title += fmt::format(" {}", id);
  const std::string form = buffer_form(trace, life);
  return form.empty() ? title : fmt::format("{} {}", title, form);
}

std::string_view program_buffer_text(NodeKind kind) {
  if (kind == NodeKind::kCircularBufferAllocate) return "circular buffer";
  return kind == NodeKind::kDataflowBufferAllocate ? "dataflow buffer" : "scratchpad";
}

std::string call_path(const GraphTrace& trace, const SegmentProfile& profile, std::uint32_t call) {
  // Calls that never end make captures as deep as they are long.
  constexpr std::size_t kMostCalls = 64;
  std::vector<std::uint32_t> around;
  for (; call != kNone && around.size() < kMostCalls; call = profile.calls[call].parent)
    around.push_back(call);
  std::string path = call == kNone ? "" : "...";
  for (auto at = around.rbegin(); at != around.rend(); ++at) {
    if (!path.empty()) path += " > ";
    path += trace.text(profile.calls[*at].name);
  }
  return path;
}

}  // namespace ttscope::graph
