#include "capture/trouble.h"

#include <cstring>
#include <optional>
#include <utility>

#include "base/text_search.h"
#include "mem/model/line_prefix.h"
#include "mem/read/runtime_log/crash.h"

namespace ttscope::capture {
namespace {

constexpr std::size_t kMostTroubles = 100;
constexpr std::size_t kMostTracebacks = 256;
/// Failures tell what they are at the beginning of a line; dumps have lines of many kilobytes.
constexpr std::size_t kSearchedBytes = 512;
constexpr std::string_view kTraceback = "Traceback (most recent call last):";
constexpr std::string_view kOutOfMemory = "Out of Memory: ";

bool holds(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

/// What ended a program, as whoever watches it looks for it.
TroubleKind kind_of(mem::CrashKind crash) {
  switch (crash) {
    case mem::CrashKind::kFatal:
    case mem::CrashKind::kThrow:
    case mem::CrashKind::kAssert:
      return TroubleKind::kFatal;
    case mem::CrashKind::kPythonError:
      return TroubleKind::kException;
    case mem::CrashKind::kSegmentationFault:
    case mem::CrashKind::kBusError:
    case mem::CrashKind::kTerminated:
    case mem::CrashKind::kReportedFailure:
    case mem::CrashKind::kAborted:
    case mem::CrashKind::kKilled:
    case mem::CrashKind::kHostMemory:
    case mem::CrashKind::kTimeout:
      break;
  }
  return TroubleKind::kCrash;
}

/// A line of the runtime's logger at column 0 whose level is below warning: nearly all lines of a log.
bool is_ordinary(std::string_view line) {
  constexpr std::size_t kPrefixBytes = 72;
  const std::string_view head = line.substr(0, kPrefixBytes);
  if (line[0] == '\x1b') {
    return head.starts_with("\x1b[32m") && (holds(head, "   DEBUG\x1b") || holds(head, "    INFO\x1b"));
  }
  if (line[0] != ' ') return false;
  constexpr std::size_t kTypeWidth = 23;
  constexpr std::size_t kLevelBegin = kTypeWidth + 3;
  if (head.size() > kLevelBegin + 8 && head.substr(kTypeWidth, 3) == " | ") {
    const std::string_view level = head.substr(kLevelBegin, 8);
    return level == "   DEBUG" || level == "    INFO" || level == "   TRACE";
  }
  // Ops and attributes of a module dump.
  const std::size_t first = head.find_first_not_of(' ');
  return first != kNoPlace && std::strchr("%#\"})", head[first]) != nullptr;
}

/// `E       RuntimeError: ...` of pytest and `RuntimeError: ...` are the same.
std::string plain_text(std::string_view line) {
  std::string text = mem::without_colours(line.substr(0, 4 * kTroubleTextBytes));
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  text.erase(0, begin);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.pop_back();
  return text;
}

/// What all prints of one allocation failure share: neither what a logger puts before it nor its own source
/// line `(assert.hpp:104)` behind it.
std::string_view sentence_of(std::string_view text) {
  const std::size_t at = text.find(kOutOfMemory);
  if (at != kNoPlace) text.remove_prefix(at);
  const std::size_t open = text.rfind(" (");
  const bool has_place = open != kNoPlace && text.back() == ')' && text.find(':', open) != kNoPlace &&
                         text.find(' ', open + 1) == kNoPlace;
  return has_place ? text.substr(0, open) : text;
}

}  // namespace

void TroubleFinder::add_line(std::string_view line, std::uint64_t number) {
  constexpr std::size_t kShortest = 8;
  if (line.empty() || (line.size() < kShortest && tracebacks_.empty()) || is_ordinary(line)) return;
  const std::string_view tag = mem::take_rank_tag(line);
  if (!tracebacks_.empty() && continue_traceback(tag, line)) return;
  const std::string_view head = line.substr(0, kSearchedBytes);
  if (holds(head, kOutOfMemory)) return add(TroubleKind::kOutOfMemory, number, line);
  const std::optional<mem::CrashKind> crash = mem::crash_told_by(line);
  if (!crash) return;
  if (*crash != mem::CrashKind::kPythonError) return add(kind_of(*crash), number, line);
  if (holds(head, kTraceback) && tracebacks_.size() < kMostTracebacks) {
    tracebacks_.emplace(std::string(tag), number);
  }
}

/// The exception stands in the first line after a traceback that is not indented.
bool TroubleFinder::continue_traceback(std::string_view tag, std::string_view line) {
  const auto open = tracebacks_.find(tag);
  if (open == tracebacks_.end()) return false;
  if (line.empty() || line[0] == ' ' || line[0] == '\t' || line[0] == '\r') return true;
  const std::uint64_t number = open->second;
  tracebacks_.erase(open);
  const bool is_out_of_memory = holds(line.substr(0, kSearchedBytes), kOutOfMemory);
  add(is_out_of_memory ? TroubleKind::kOutOfMemory : TroubleKind::kException, number, line);
  return true;
}

void TroubleFinder::add(TroubleKind kind, std::uint64_t number, std::string_view line) {
  std::string text = plain_text(line);
  if (kind == TroubleKind::kOutOfMemory) {
    text = sentence_of(text);  // before it is cut: the prints of one failure end differently
    forget_frame_of(number);
  }
  if (text.size() > kTroubleTextBytes) text.resize(kTroubleTextBytes);
  for (Trouble& known : troubles_) {
    if (known.kind != kind || known.text != text) continue;
    ++known.times;
    return;
  }
  ++count_;
  if (troubles_.size() < kMostTroubles) troubles_.push_back({kind, number, std::move(text), 1});
}

/// `TT_FATAL @ file:462: false`, `info:`, `Out of Memory: ...` are one failure: the last line tells it.
void TroubleFinder::forget_frame_of(std::uint64_t number) {
  constexpr std::uint64_t kFrameLines = 3;
  if (troubles_.empty() || troubles_.back().kind != TroubleKind::kFatal || troubles_.back().times > 1 ||
      troubles_.back().line + kFrameLines < number || count_ != troubles_.size()) {
    return;
  }
  troubles_.pop_back();
  --count_;
}

}  // namespace ttscope::capture
