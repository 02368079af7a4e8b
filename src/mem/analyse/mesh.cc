#include "mem/analyse/mesh.h"

#include <algorithm>
#include <charconv>

#include "base/text_search.h"

namespace ttscope::mem {
namespace {

constexpr std::uint32_t kMostChips = 1 << 20;  // more than any mesh has: hostile text

/// `2x4` at the beginning of a text; 0 chips where there is none.
std::uint32_t chips_of(std::string_view text, std::string& mesh) {
  std::uint64_t chips = 1;
  std::size_t at = 0;
  for (;;) {
    std::uint32_t side = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), side);
    if (read.ec != std::errc() || side == 0 || side > kMostChips) return 0;
    chips *= side;
    if (chips > kMostChips) return 0;
    at = static_cast<std::size_t>(read.ptr - text.data());
    if (text.substr(at, 1) != "x") break;
    ++at;
  }
  mesh = text.substr(0, at);
  return static_cast<std::uint32_t>(chips);
}

/// The largest mesh counts: a run may open parts of it on the way.
void take_mesh(std::string_view text, std::string_view marker, DeviceFacts& facts) {
  const std::size_t at = text.find(marker);
  if (at == kNoPlace) return;
  std::string mesh;
  const std::uint32_t chips = chips_of(text.substr(at + marker.size()), mesh);
  if (chips <= facts.chips) return;
  facts.chips = chips;
  facts.mesh = mesh;
}

}  // namespace

void find_mesh(const RuntimeTrace& trace, DeviceFacts& facts) {
  // %0 = "ttnn.get_device"() <{mesh_offset = ..., mesh_shape = #ttnn<mesh_shape 1x2>}> : () -> !ttnn.device
  for (const OpText& op : trace.op_texts) {
    if (op.role == OpRole::kGetDevice) take_mesh(op.text, "#ttnn<mesh_shape ", facts);
  }
  if (facts.chips > 0) return;
  // ttcore.device @default_device = <workerGrid = ..., meshShape = 1x2, chipIds = [0, 1]>
  for (const ModuleDump& module : trace.modules) {
    if (module.stage != Stage::kTtnn && module.stage != Stage::kTtnnRuntime) continue;
    constexpr std::size_t kHeadLines = 200;
    for (std::size_t i = 0; i < std::min(module.lines.size(), kHeadLines); ++i) {
      if (contains(module.lines[i], "ttcore.device ")) take_mesh(module.lines[i], "meshShape = ", facts);
    }
  }
}

}  // namespace ttscope::mem
