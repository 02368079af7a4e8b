// Files of the recorder. A file is mostly empty pages, so that what is none is taken for the chunks of one,
// each as short as it may be: a byte with its thread and how it was left, then its events.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/timeline_rules.h"
#include "io/input_files.h"
#include "timeline/read/recording_format.h"
#include "timeline/read/recording_reader.h"

namespace ttscope::timeline {
namespace {

using fuzz::require;

constexpr std::size_t kThreads = 4;
constexpr unsigned kIsSlot = 0x10;     ///< the thread was still writing there
constexpr unsigned kIsLeftOut = 0x20;  ///< a number of its thread is missing before it

record::FileHead head_of(std::size_t file_bytes) {
  record::FileHead head{};
  std::memcpy(head.magic, record::kFileMagic, sizeof(head.magic));
  head.version = record::kFileVersion;
  head.head_bytes = record::kHeadBytes;
  head.slot_bytes = record::kSlotBytes;
  head.process = 7;
  head.first_mono_ns = 1'000'000;
  head.first_real_ns = 1'700'000'000'000'000'000;
  head.used_bytes = file_bytes;
  std::strcpy(head.boot, "boot");
  std::strcpy(head.program, "/bin/program");
  return head;
}

void append_chunk(std::string_view part, std::uint32_t (&sequences)[kThreads], std::string& file) {
  if (part.empty()) return;
  const auto flags = static_cast<unsigned char>(part[0]);
  const std::string_view events = part.substr(1, record::kSlotBytes - sizeof(record::ChunkHead));
  record::ChunkHead head{};
  head.magic = record::kChunkMagic;
  head.thread = flags % kThreads;
  head.thread_id = 7 + head.thread;
  if ((flags & kIsLeftOut) != 0) ++sequences[head.thread];
  head.sequence = sequences[head.thread]++;
  const bool is_slot = (flags & kIsSlot) != 0;
  head.bytes =
      static_cast<std::uint32_t>(is_slot ? record::kSlotBytes : sizeof(head) + (events.size() + 7) / 8 * 8);
  const std::size_t at = file.size();
  const std::size_t pages = (head.bytes + record::kPageBytes - 1) / record::kPageBytes;
  file.resize(at + pages * record::kPageBytes);
  std::memcpy(file.data() + at, &head, sizeof(head));
  if (!events.empty()) std::memcpy(file.data() + at + sizeof(head), events.data(), events.size());
}

std::string file_of(std::string_view parts) {
  std::string file(record::kHeadBytes, '\0');
  std::uint32_t sequences[kThreads] = {};
  while (!parts.empty()) append_chunk(fuzz::take_part(parts), sequences, file);
  const record::FileHead head = head_of(file.size());
  std::memcpy(file.data(), &head, sizeof(head));
  return file;
}

void check(const std::vector<RecordingInput>& files) {
  Result<Timeline> read = read_recordings(files);
  if (!read) return;
  require(read->groups.size() == read->sources.size(), "each process has its tracks");
  fuzz::check_zones(*read);
  fuzz::check_order(*read);
  fuzz::check_sums(std::move(*read));
}

TTSCOPE_FUZZ_TARGET(timeline_recording) {
  const std::string made = is_recording(io::beginning_of("a.ttrec", text)) ? std::string() : file_of(text);
  const std::string_view file = made.empty() ? text : std::string_view(made);
  check({{file, "a.ttrec"}});
  if (text.size() % 4 != 0) return;  // the other way takes as long again
  bool has_grown = false;
  check({{file, "a.ttrec"}, {file.substr(0, file.size() / 2), "b.ttrec", &has_grown}});
}

}  // namespace
}  // namespace ttscope::timeline
