#include "timeline/read/recording/recording_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace ttscope::timeline {
namespace {

using record::ChunkHead;
using record::EventKind;
using record::FileHead;

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

std::string text_in(const char* field, std::size_t size) { return {field, strnlen(field, size)}; }

/// How many words stand behind the first of an event, without its text.
std::size_t fixed_words(EventKind kind) {
  switch (kind) {
    case EventKind::kSync:
    case EventKind::kZoneValue:
    case EventKind::kMessage:
    case EventKind::kPlot:
    case EventKind::kFree:
      return 1;
    case EventKind::kAlloc:
    case EventKind::kPlace:
      return 2;
    default:
      return 0;
  }
}

bool has_text(EventKind kind) {
  return kind == EventKind::kTextPart || kind == EventKind::kZoneText || kind == EventKind::kZoneName ||
         kind == EventKind::kMessage || kind == EventKind::kPlace || kind == EventKind::kThreadName;
}

/// The words in their order: the program may be writing, and an event counts from its first word on. memcpy
/// would copy them in any.
void copy_in_order(const char* from, std::uint64_t* words, std::size_t count) {
  const bool is_mapped = reinterpret_cast<std::uintptr_t>(from) % kWordBytes == 0;
  if (!is_mapped) {  // so nobody writes it
    if (count > 0) std::memcpy(words, from, count * kWordBytes);
    return;
  }
  auto* const source = reinterpret_cast<std::uint64_t*>(const_cast<char*>(from));  // only read
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = std::atomic_ref(source[i]).load(std::memory_order_acquire);
  }
}

/// How many words are events.
std::size_t written_words(const std::vector<std::uint64_t>& chunk) {
  std::size_t at = 0;
  RecordedEvent event;
  bool is_bad = false;
  while (next_event(chunk, at, event, is_bad)) {
  }
  return at;
}

/// The words of a slot that may be written at this moment. The latest event may still be replaced: a zone
/// that begins, by the same zone whole. So what was written is read again, and the rest is left for later.
void copy_slot(const char* from, std::vector<std::uint64_t>& words) {
  copy_in_order(from, words.data(), words.size());
  const std::size_t written = written_words(words);
  copy_in_order(from, words.data(), written);
  std::fill(words.begin() + static_cast<std::ptrdiff_t>(written), words.end(), 0);
}

ChunkHead copied_head(const char* from) {
  static_assert(sizeof(ChunkHead) % kWordBytes == 0);
  std::uint64_t words[sizeof(ChunkHead) / kWordBytes];
  copy_in_order(from, words, std::size(words));
  ChunkHead head;
  std::memcpy(&head, words, sizeof(head));
  return head;
}

/// The words of a chunk. The program may begin to fill its slot anew while it is copied; then it is another
/// chunk, and is copied again.
std::optional<std::pair<ChunkHead, std::vector<std::uint64_t>>> copied_chunk(std::string_view bytes) {
  constexpr int kMostTries = 3;
  for (int i = 0; i < kMostTries; ++i) {
    const ChunkHead head = copied_head(bytes.data());
    const std::size_t size = std::min<std::size_t>(head.bytes, bytes.size());
    std::vector<std::uint64_t> words((size - sizeof(head)) / kWordBytes);
    const char* const from = bytes.data() + sizeof(head);
    if (head.bytes == record::kSlotBytes) {
      copy_slot(from, words);
    } else {
      copy_in_order(from, words.data(), words.size());
    }
    const ChunkHead after = copied_head(bytes.data());
    if (std::memcmp(&head, &after, sizeof(head)) == 0) return std::pair(head, std::move(words));
  }
  return std::nullopt;
}

struct FoundChunk {
  std::vector<std::uint64_t> words;
  /// It is no slot, which may have been filled further since it was copied.
  bool is_whole = false;
};

struct FoundThread {
  std::uint64_t thread_id = 0;
  std::map<std::uint32_t, FoundChunk> chunks;  ///< by number
};

/// A program that ends while a slot is emptied leaves its content twice, once perhaps cut.
void keep_longer(std::vector<std::uint64_t> words, bool is_whole, FoundChunk& kept) {
  kept.is_whole |= is_whole;
  if (kept.words.empty() || written_words(words) > written_words(kept.words)) kept.words = std::move(words);
}

std::map<std::uint32_t, FoundThread> found_threads(std::string_view bytes, RecordedProcess& process) {
  std::map<std::uint32_t, FoundThread> threads;
  // Behind a page that is not written yet stand pages of the same chunk, while the process goes on.
  bool is_unfinished = false;
  for (std::size_t at = record::kHeadBytes; at + sizeof(ChunkHead) <= bytes.size();) {
    ChunkHead head;
    std::memcpy(&head, bytes.data() + at, sizeof(head));
    if (head.magic != record::kChunkMagic) {
      if (head.magic == 0) is_unfinished = !process.is_ended;
      if (head.magic != 0 && !is_unfinished) ++process.bad_chunks;
      at += record::kPageBytes;
      continue;
    }
    is_unfinished = false;
    const bool is_possible = head.bytes >= sizeof(ChunkHead) && head.bytes <= record::kSlotBytes;
    auto copied = is_possible ? copied_chunk(bytes.substr(at)) : std::nullopt;
    if (!copied) {
      process.bad_chunks += is_possible ? 0 : 1;
      at += record::kPageBytes;
      continue;
    }
    FoundThread& thread = threads[copied->first.thread];
    thread.thread_id = copied->first.thread_id;
    // The file may be cut, or have grown since it was opened: its end is in a chunk then, and cuts no event.
    const bool is_cut = copied->first.bytes > bytes.size() - at;
    if (is_cut) copied->second.resize(written_words(copied->second));
    if (!copied->second.empty() && copied->second.front() != 0) {
      keep_longer(std::move(copied->second), !is_cut && copied->first.bytes < record::kSlotBytes,
                  thread.chunks[copied->first.sequence]);
    }
    at += (head.bytes + record::kPageBytes - 1) / record::kPageBytes * record::kPageBytes;
  }
  return threads;
}

/// The latest moment that is known on both clocks, in ticks since the beginning.
std::pair<std::uint64_t, std::int64_t> latest_pair(const FileHead& head, const RecordedProcess& process) {
  std::pair<std::uint64_t, std::int64_t> latest{head.last_ticks, head.last_mono_ns};
  for (const RecordedThread& thread : process.threads) {
    for (const std::vector<std::uint64_t>& chunk : thread.chunks) {
      if (chunk.size() < 2 || chunk[0] >> record::kKindShift != static_cast<std::uint64_t>(EventKind::kSync))
        continue;
      const std::uint64_t ticks = chunk[0] & record::kTicksMask;
      if (ticks > latest.first) latest = {ticks, static_cast<std::int64_t>(chunk[1])};
    }
  }
  return latest;
}

/// Measured over the whole recording where it lasted, else what was measured when it began.
double rate_of(const FileHead& head, const RecordedProcess& process) {
  constexpr double kNsPerS = 1e9;
  constexpr double kFastest = 1e12;
  constexpr double kSlowest = 1e5;
  if (head.clock != record::ClockKind::kCounter) return 1;
  const bool is_sound = head.ticks_per_s >= kSlowest && head.ticks_per_s <= kFastest;
  const double first = is_sound ? kNsPerS / head.ticks_per_s : 1;
  const auto [ticks, mono_ns] = latest_pair(head, process);
  constexpr double kLongEnoughNs = 1e7;
  const double passed_ns = static_cast<double>(mono_ns) - static_cast<double>(head.first_mono_ns);
  if (ticks == 0 || passed_ns < kLongEnoughNs) return first;
  const double measured = passed_ns / static_cast<double>(ticks);
  constexpr double kMostDifference = 1e-2;
  return std::abs(measured / first - 1) < kMostDifference ? measured : first;
}

void take_head(const FileHead& head, RecordedProcess& process) {
  process.process = head.process;
  process.parent = head.parent;
  process.first_mono_ns = head.first_mono_ns;
  process.first_real_ns = head.first_real_ns;
  process.is_ended = head.end == record::EndKind::kEnded;
  process.is_disk_full = head.is_disk_full != 0;
  for (const record::DropCounter& counter : head.dropped) process.dropped += counter.count;
  process.most_bytes = head.most_bytes;
  process.used_bytes = head.used_bytes;
  process.boot = text_in(head.boot, sizeof(head.boot));
  process.host = text_in(head.host, sizeof(head.host));
  process.program = text_in(head.program, sizeof(head.program));
}

}  // namespace

std::int64_t RecordedProcess::since_start_ns(std::uint64_t ticks) const {
  constexpr double kMost = 4e18;
  return static_cast<std::int64_t>(std::min(static_cast<double>(ticks) * ns_per_tick, kMost));
}

bool next_event(const std::vector<std::uint64_t>& chunk, std::size_t& at, RecordedEvent& event,
                bool& is_bad) {
  if (at >= chunk.size() || chunk[at] == 0) return false;
  const std::uint64_t word = chunk[at];
  event = {};
  event.word = word;
  if ((word & record::kShortZone) != 0) {
    event.is_short_zone = true;
    ++at;
    return true;
  }
  const std::uint64_t kind = word >> record::kKindShift;
  is_bad = kind == 0 || kind > record::kLastEventKind;
  if (is_bad) return false;
  event.kind = static_cast<EventKind>(kind);
  event.field = word >> record::kFieldShift & record::kFieldMask;
  event.rest = word & record::kRestMask;
  const std::size_t fixed = fixed_words(event.kind);
  const std::size_t text_bytes = has_text(event.kind) ? event.field : 0;
  const std::size_t words = 1 + fixed + (text_bytes + kWordBytes - 1) / kWordBytes;
  is_bad = words > chunk.size() - at;
  if (is_bad) return false;
  event.words = chunk.data() + at + 1;
  if (text_bytes > 0) event.text = {reinterpret_cast<const char*>(event.words + fixed), text_bytes};
  at += words;
  return true;
}

Result<RecordedProcess> take_apart(std::string_view bytes, const std::string& name) {
  FileHead head;
  if (bytes.size() < sizeof(head) ||
      std::memcmp(bytes.data(), record::kFileMagic, sizeof(record::kFileMagic)) != 0) {
    return failure(bad_input(fmt::format("{}: not a recording, or its first page is not there", name)));
  }
  std::memcpy(&head, bytes.data(), sizeof(head));
  if (head.version != record::kFileVersion || head.head_bytes != record::kHeadBytes) {
    return failure(bad_input(fmt::format("{}: a recording of version {}; version {} is read", name,
                                         head.version, record::kFileVersion)));
  }
  RecordedProcess process;
  take_head(head, process);
  process.file_bytes = bytes.size();
  for (auto& [number, found] : found_threads(bytes, process)) {
    RecordedThread thread{number, found.thread_id, {}};
    std::uint32_t expected = 0;
    bool is_whole = true;
    for (auto& [sequence, chunk] : found.chunks) {
      // Behind a gap it is not known which zones are open. While a file is written, the gap is what came in
      // the meantime.
      if (sequence != expected || !is_whole) {
        ++process.cut_threads;
        break;
      }
      ++expected;
      is_whole = chunk.is_whole;
      thread.chunks.push_back(std::move(chunk.words));
    }
    process.threads.push_back(std::move(thread));
  }
  process.ns_per_tick = rate_of(head, process);
  return process;
}

}  // namespace ttscope::timeline
