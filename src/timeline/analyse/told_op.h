#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// What a message of tt-metal says of an op:
/// `` `TT_DNN_DEVICE_OP: "Matmul", 4831, 0, true, 1024 ->``; older ones have no flag.
struct MessageOp {
  std::string_view name;
  std::string_view device;
  std::uint64_t op = kNoOp;
};
std::optional<MessageOp> told_op(std::string_view message);

/// Of the text of the host's zone of an op: `id:1024`.
std::uint64_t op_of_text(std::string_view text);

/// Whether a lane's zones of this place are those that tt-metal tells an op by: the firmware of a core's
/// first processor.
bool tells_op(const Timeline& timeline, const Track& track, std::uint32_t location);

}  // namespace ttscope::timeline
