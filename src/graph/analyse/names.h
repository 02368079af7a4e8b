#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/analyse/segment_profile.h"
#include "graph/model/graph_capture.h"

namespace ttscope::graph {

/// `nodes`, `report`, `segments` or `database`.
std::string_view format_text(GraphCapture::Format format);
/// `NORMAL`, `NO_DISPATCH`; `unknown` where no buffer tells.
std::string_view run_mode_text(const SegmentProfile& profile);
/// `DRAM`, `L1`, `L1_SMALL`, `TRACE`, ... from the number in a node, or else from its type.
std::string_view buffer_type_text(const GraphTrace& trace, const BufferFacts& facts);
/// How a buffer is called: `layers.0.mlp.w1/weight [1, 1, 2048, 5632] BFLOAT16` where the capture knows whose
/// it is, `tensor 5 [1, 1, 1024, 1024] BFLOAT16`, or the kind of buffer where no tensor is in it.
std::string buffer_title(const GraphTrace& trace, const BufferLife& life);
/// `weight`, `gradient`, ... where the capture says it; `binary` also for what can only be the binary of a
/// kernel: a small DRAM buffer of a dispatched program without a tensor. Empty: not known.
std::string_view buffer_kind(const GraphTrace& trace, const SegmentProfile& profile, const BufferLife& life);
/// `layers.0.mlp.w1/weight`; empty where the capture does not say it.
std::string_view buffer_owner(const GraphTrace& trace, const BufferLife& life);
/// `[1, 1, 1024, 1024] BFLOAT16`: what buffers that differ in their number only have in common.
std::string buffer_form(const GraphTrace& trace, const BufferLife& life);
/// `circular buffer`, `dataflow buffer` or `scratchpad`.
std::string_view program_buffer_text(NodeKind kind);
/// `MatmulDeviceOperation > tt::tt_metal::create_device_tensor`: the functions around, outermost first;
/// after `...` where more than 64 are.
std::string call_path(const GraphTrace& trace, const SegmentProfile& profile, std::uint32_t call);

}  // namespace ttscope::graph
