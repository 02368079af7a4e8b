#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "timeline/model/timeline.h"
#include "timeline/read/tracy/payload.h"

/// The parts of a .tracy file. Each function reads one part and leaves the payload behind it; tracy_reader.cc
/// has their order.
namespace ttscope::timeline {

/// 0.11.2 is 0x0B02.
constexpr std::uint32_t tracy_version(std::uint32_t minor, std::uint32_t patch) { return minor << 8 | patch; }

/// A place of the source, and the op whose zones alone it stands for.
struct TracyPlace {
  std::uint32_t location = 0;
  std::uint64_t op = kNoOp;
};

/// What the parts of a file tell each other.
struct TracyFile {
  TracyFile(std::string_view bytes, Timeline& to) : blocks(bytes), payload(blocks), timeline(to) {}

  TracyBlocks blocks;
  Payload payload;
  Timeline& timeline;
  std::uint32_t version = 0;
  std::string part;  ///< that is being read, in words

  std::vector<TextId> strings;                             ///< in the order of the file
  std::unordered_map<std::uint64_t, TextId> string_at;     ///< by the address it had
  std::unordered_map<std::uint64_t, TextId> named;         ///< by the address of its name
  std::unordered_map<std::uint64_t, TextId> thread_names;  ///< by thread
  std::unordered_map<std::uint64_t, std::uint32_t> thread_numbers;
  std::unordered_map<std::uint64_t, TracyPlace> static_places;  ///< by address
  std::vector<std::uint64_t> place_addresses;                   ///< by number
  std::vector<TracyPlace> dynamic_places;                       ///< by number
  std::unordered_map<std::string, std::uint32_t> op_places;     ///< locations of zones of ops
  std::uint32_t unknown_place = kNone;
  std::unordered_map<std::uint64_t, std::uint32_t> message_numbers;
  std::vector<std::uint32_t> extras;                            ///< details by number
  std::unordered_map<std::uint64_t, std::uint32_t> op_details;  ///< details that say an op alone

  bool is_at_least(std::uint32_t minor, std::uint32_t patch) const {
    return version >= tracy_version(minor, patch);
  }
  /// The place of a zone's number; one that is unknown where the file has none.
  TracyPlace place_of(std::int16_t number);
  /// A reference of nine bytes to a text.
  TextId read_reference();
  /// Three bytes: number of a text, and one.
  TextId read_text_number();
  /// The sum of a time and the next difference. Damaged files hold any number: it wraps.
  std::int64_t read_time(std::int64_t before);
};

void read_head(TracyFile& file, TimelineSource& source);
void read_frames(TracyFile& file, std::uint32_t group);
/// What frames are called stands behind them.
void name_frames(TracyFile& file);
void read_texts(TracyFile& file);
void read_locations(TracyFile& file);
void read_locks(TracyFile& file, TimelineSource& source);
void read_messages(TracyFile& file);
void read_extras(TracyFile& file);
void read_threads(TracyFile& file, std::uint32_t group, TimelineSource& source);
void read_device_contexts(TracyFile& file);
void read_plots(TracyFile& file, std::uint32_t group);
void read_memory(TracyFile& file, std::uint32_t group);

}  // namespace ttscope::timeline
