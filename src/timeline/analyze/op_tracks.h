#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// An execution of an op on a device.
struct OpSpan {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t op = kNoOp;
  TextId name = 0;
  std::size_t key = 0;   ///< whatever the caller knows it by
  std::size_t zone = 0;  ///< that was made of it
};

/// What all tracks of a device have.
struct OpDevice {
  std::uint32_t device = 0;
  std::uint32_t group = 0;
  bool made = false;  ///< of zones that are there too
};

/// Adds the ops of devices as tracks, and the gaps between them.
class OpTracks {
 public:
  explicit OpTracks(Timeline& timeline) : timeline_(timeline) {}

  /// Ops that overlap (sub-devices) get further tracks. The spans are put in order of time.
  void add(const OpDevice& device, std::vector<OpSpan>& spans);

 private:
  void add_gaps(const OpDevice& device, const std::vector<OpSpan>& spans);
  Track track_of(const OpDevice& device, TrackKind kind) const;
  std::uint32_t place_of(TextId name);
  std::uint32_t detail_of(std::uint64_t op);

  Timeline& timeline_;
  std::map<TextId, std::uint32_t> places_;
  std::unordered_map<std::uint64_t, std::uint32_t> details_;
};

/// Of a capture whose firmware zones tell their ops: the ops of each device, named by the host's messages,
/// the gaps, and arrows from the host's zones. A device that has a track of ops keeps it.
void add_ops_of_lanes(Timeline& timeline);

/// What a message of tt-metal says of an op:
/// `` `TT_DNN_DEVICE_OP: "Matmul", 4831, 0, true, 1024 ->``; older ones have no flag.
struct MessageOp {
  std::string_view name;
  std::string_view device;
  std::uint64_t op = kNoOp;
};

std::optional<MessageOp> parse_op_message_line(std::string_view message);

/// Of the text of the host's zone of an op: `id:1024`.
std::uint64_t op_of_text(std::string_view text);

/// Whether a lane's zones of this place are those that tt-metal tells an op by: the firmware of a core's
/// first processor.
bool is_op_message(const Timeline& timeline, const Track& track, std::uint32_t location);

}  // namespace ttscope::timeline
