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
/// How a buffer is called: `tensor 5 [1, 1, 1024, 1024] BFLOAT16`, or the kind of buffer where no tensor is
/// in it.
std::string buffer_title(const GraphTrace& trace, const BufferLife& life);
/// `circular buffer`, `dataflow buffer` or `scratchpad`.
std::string_view program_buffer_text(NodeKind kind);
/// `MatmulDeviceOperation > tt::tt_metal::create_device_tensor`: the functions around, outermost first.
std::string call_path(const GraphTrace& trace, const SegmentProfile& profile, std::uint32_t call);

}  // namespace ttscope::graph
