#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/analyse/graph_profile.h"
#include "graph/model/graph_capture.h"

namespace ttscope::graph {

/// One capture of a file with what was found in it. The trace belongs to the caller.
struct GraphReportSegment {
  std::uint32_t file = 0;  ///< in GraphReport::files
  std::string name;
  const GraphTrace* trace = nullptr;
  GraphProfile profile;
};

/// What all forms of `ttscope graph` write.
struct GraphReport {
  std::vector<std::string> files;
  std::vector<GraphCapture::Format> formats;  ///< of the files
  std::vector<GraphDevice> devices;           ///< as the files describe them
  Accounting accounting = Accounting::kCorrected;
  std::vector<GraphReportSegment> segments;

  std::vector<SegmentFigures> figures() const;
};

std::string_view format_text(GraphCapture::Format format);
/// `DRAM`, `L1`, `L1_SMALL`, `TRACE`, ... from the number in a node, or else from its type.
std::string buffer_type_text(const GraphTrace& trace, const BufferFacts& facts);
/// How a buffer is called: `tensor 5 [1, 1, 1024, 1024] BFLOAT16`, or the kind of buffer where no tensor is
/// in it.
std::string buffer_title(const GraphTrace& trace, const BufferLife& life);
/// `MatmulDeviceOperation > tt::tt_metal::create_device_tensor`: the functions around, outermost first.
std::string call_path(const GraphTrace& trace, const GraphProfile& profile, std::uint32_t call);

}  // namespace ttscope::graph
