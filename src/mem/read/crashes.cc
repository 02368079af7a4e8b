// A crash is told by whoever sees it, each in its own words:
//   2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: message (assert.hpp:104)
//   TT_THROW @ /tt-metal/impl/program.cpp:12: tt::exception
//               RuntimeTTNN |    FATAL | message
//   Segmentation fault (core dumped)
//   ERROR: Job failed: exit code 137
//   FAILED tests/test_model.py::test_llama - RuntimeError: Bad StatusOr access
//   bash: line 1:  4711 Killed                  python model.py
//   Traceback (most recent call last):
//   RuntimeError: Bad StatusOr access: INTERNAL: Error code: 13
//   double free or corruption (!prev)
//   slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-05-14T01:00:31 DUE TO TIME LIMIT ***
#include "mem/read/crashes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "mem/model/log_lines.h"

namespace ttscope::mem {
namespace {

/// Failures tell what they are at the beginning of a line; dumps have lines of many kilobytes.
constexpr std::size_t kCrashSearchBytes = 320;

/// The first that a line holds counts.
constexpr std::array<std::pair<std::string_view, CrashKind>, 55> kCrashMarkers = {{
    {"TT_FATAL", CrashKind::kFatal},
    {"TT_THROW", CrashKind::kThrow},
    {"TT_ASSERT", CrashKind::kAssert},
    {"LOG_ASSERT @", CrashKind::kAssert},
    {"DEBUG_ASSERT @", CrashKind::kAssert},
    {"LOG_FATAL @", CrashKind::kFatal},
    {"Segmentation fault", CrashKind::kSegmentationFault},
    {"SIGSEGV", CrashKind::kSegmentationFault},
    {"segmentation fault", CrashKind::kSegmentationFault},
    {"segfault at ", CrashKind::kSegmentationFault},
    {"Bus error", CrashKind::kBusError},
    {"SIGBUS", CrashKind::kBusError},
    {"std::bad_alloc", CrashKind::kHostMemory},
    {"MemoryError", CrashKind::kHostMemory},
    {"Killed process", CrashKind::kKilled},
    {"oom-kill:", CrashKind::kKilled},
    {"oom-kill event", CrashKind::kKilled},
    {"oom_kill event", CrashKind::kKilled},
    {"OOMKilled", CrashKind::kKilled},
    {"SIGKILL", CrashKind::kKilled},
    {"SIGTERM", CrashKind::kTerminated},
    {"KeyboardInterrupt", CrashKind::kTerminated},
    {"DUE TO TIME LIMIT", CrashKind::kTerminated},
    {"exceeded the maximum execution time", CrashKind::kTerminated},
    {"The operation was canceled", CrashKind::kTerminated},
    {"execution took longer than ", CrashKind::kTerminated},
    {"from pytest-timeout", CrashKind::kTerminated},
    {"++ Timeout ++", CrashKind::kTerminated},
    {"Timeout (0:", CrashKind::kTerminated},
    {"terminate called ", CrashKind::kAborted},
    {"Fatal Python error", CrashKind::kAborted},
    {"core dumped", CrashKind::kAborted},
    {"*** Aborted at ", CrashKind::kAborted},
    {"AddressSanitizer", CrashKind::kAborted},
    {"SIGABRT", CrashKind::kAborted},
    {"libc++abi: ", CrashKind::kAborted},
    {"Illegal instruction", CrashKind::kAborted},
    {"Floating point exception", CrashKind::kAborted},
    {": Assertion `", CrashKind::kAborted},
    {"double free or corruption", CrashKind::kAborted},
    {"corrupted size vs. prev_size", CrashKind::kAborted},
    {"free(): ", CrashKind::kAborted},
    {"malloc(): ", CrashKind::kAborted},
    {"realloc(): ", CrashKind::kAborted},
    {"munmap_chunk(): ", CrashKind::kAborted},
    {"stack smashing detected", CrashKind::kAborted},
    {"pure virtual method called", CrashKind::kAborted},
    {"TIMEOUT: device timeout", CrashKind::kTimeout},
    {"potential hang detected", CrashKind::kTimeout},
    {"Traceback (most recent call last)", CrashKind::kPythonError},
    {"| critical |", CrashKind::kFatal},
    {"|    FATAL", CrashKind::kFatal},
    {"m   FATAL", CrashKind::kFatal},  // behind a color
    {"| FATAL ", CrashKind::kFatal},
    {"FATAL | ", CrashKind::kFatal},
}};

/// Letters that markers have at their first three places: a filter that nearly nothing else passes.
using MarkerLetters = std::array<std::array<bool, 256>, 3>;

constexpr MarkerLetters marker_letters() {
  MarkerLetters letters{};
  for (const auto& [marker, kind] : kCrashMarkers) {
    for (std::size_t k = 0; k < letters.size(); ++k) letters[k][static_cast<std::uint8_t>(marker[k])] = true;
  }
  return letters;
}

/// The marker that stands first in the list of those that the text holds; past the list when it holds none.
/// One walk over the text: most lines hold no marker.
std::size_t first_marker(std::string_view text) {
  static constexpr MarkerLetters kLetters = marker_letters();
  const auto fits = [&text](std::size_t place, std::size_t at) {
    return kLetters[place][static_cast<std::uint8_t>(text[at + place])];
  };
  std::size_t first = kCrashMarkers.size();
  for (std::size_t at = 0; at + kLetters.size() <= text.size(); ++at) {
    if (!fits(0, at) || !fits(1, at) || !fits(2, at)) continue;
    for (std::size_t i = 0; i < first; ++i) {
      if (text.substr(at).starts_with(kCrashMarkers[i].first)) first = i;
    }
  }
  return first;
}

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter_or_dot(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || (c >= '0' && c <= '9');
}

/// `RuntimeError: text`, `jaxlib.xla_extension.XlaRuntimeError: text`, pytest's `E       RuntimeError: text`;
/// an exception without a text is the name alone.
bool is_python_error(std::string_view line) {
  if (line.starts_with("E  ")) line = trimmed(line.substr(1));
  std::size_t end = 0;
  while (end < line.size() && is_letter_or_dot(line[end])) ++end;
  const std::string_view name = line.substr(0, end);
  constexpr std::size_t kMaxNameLength = 100;
  const bool is_named = end == line.size() || line[end] == ':';
  if (end == 0 || end > kMaxNameLength || !is_named) return false;
  return name.ends_with("Error") || name.ends_with("Exception");
}

/// How whoever started a program tells of its end; a shell's code is 128 and the signal.
///   Process completed with exit code 137.
///   ERROR: Job failed: exit code 1
///   container exited with code 139
///   srun: error: n1: task 0: Exited with exit code 1
std::optional<CrashKind> crash_of_exit_code(std::string_view line) {
  constexpr std::array<std::string_view, 4> kWords = {"exit code ", "exited with code ", "exit status ",
                                                      "Exit Code: "};
  constexpr std::array<std::pair<int, CrashKind>, 6> kCodes = {{{134, CrashKind::kAborted},
                                                                {135, CrashKind::kBusError},
                                                                {137, CrashKind::kKilled},
                                                                {139, CrashKind::kSegmentationFault},
                                                                {143, CrashKind::kTerminated},
                                                                {124, CrashKind::kTerminated}}};
  if (!contains(line, "xit")) return std::nullopt;  // as nearly every line
  for (const std::string_view words : kWords) {
    const std::size_t at = line.find(words);
    if (at == kNoPlace) continue;
    int code = 0;
    std::size_t digit = at + words.size();
    for (; digit < line.size() && is_decimal_digit(line[digit]) && code < 1000; ++digit)
      code = 10 * code + (line[digit] - '0');
    for (const auto& [known, kind] : kCodes) {
      if (code == known) return kind;
    }
    constexpr std::array<std::string_view, 5> kJobs = {
        "Process completed with ", "Job failed", "command terminated", "script returned ", "srun: error: "};
    const bool is_of_job = std::any_of(kJobs.begin(), kJobs.end(),
                                       [&](std::string_view words) { return contains(line, words); });
    if (is_of_job && code != 0) return CrashKind::kReportedFailure;
  }
  return std::nullopt;
}

/// mpirun and launchers of workers tell the signal by its number: `exited on signal 11`, `died with signal
/// 9`.
std::optional<CrashKind> crash_of_signal_number(std::string_view line) {
  constexpr std::array<std::string_view, 4> kWords = {"exited on signal ", "died with signal ",
                                                      "killed by signal ", "terminated by signal "};
  constexpr std::array<std::pair<std::string_view, CrashKind>, 5> kSignals = {
      {{"6", CrashKind::kAborted},
       {"7", CrashKind::kBusError},
       {"9", CrashKind::kKilled},
       {"11", CrashKind::kSegmentationFault},
       {"15", CrashKind::kTerminated}}};
  if (!contains(line, " signal ")) return std::nullopt;  // as nearly every line
  for (const std::string_view words : kWords) {
    const std::size_t at = line.find(words);
    if (at == kNoPlace) continue;
    const std::string_view number = line.substr(at + words.size());
    const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
    for (const auto& [signal, kind] : kSignals) {
      if (number.substr(0, digits) == signal) return kind;
    }
    return CrashKind::kAborted;
  }
  return std::nullopt;
}

/// mpirun and Jenkins, which tell no code.
bool is_failed_job(std::string_view line) {
  if (line == "Finished: FAILURE") return true;
  return contains(line, "non-zero ") &&
         (contains(line, "returned a non-zero exit code") || contains(line, "exited with non-zero status"));
}

/// `FAILED tests/a.py::test_b - RuntimeError: ...`, `tests/a.py::test_b FAILED [100%]`, `==== 1 failed in 2s
/// ====`.
bool is_failed_test(std::string_view line) {
  if (line.starts_with("==")) {
    const bool is_bad =
        contains(line, " failed") || contains(line, " error in ") || contains(line, " errors in ");
    return is_bad && contains(line, " in ");
  }
  if (!contains(line, "::")) return false;
  if (line.starts_with("FAILED ") || line.starts_with("ERROR ")) return true;
  for (const std::string_view word : {" FAILED", " ERROR"}) {
    const std::size_t at = line.rfind(word);
    if (at == kNoPlace) continue;
    const std::string_view behind = trimmed(line.substr(at + word.size()));
    if (behind.empty() || behind.starts_with("[")) return true;
  }
  return false;
}

/// `Killed`, `Aborted`, and what a shell prints before the command line: `line 1:  4711 Killed    python
/// ...`.
std::optional<CrashKind> crash_of_shell_message(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, CrashKind>, 3> kWords = {
      {{"Killed", CrashKind::kKilled},
       {"Aborted", CrashKind::kAborted},
       {"Terminated", CrashKind::kTerminated}}};
  for (const auto& [word, kind] : kWords) {
    if (line == word) return kind;
    const std::size_t at = line.find(word);
    if (at == kNoPlace || at == 0) continue;
    const bool after_process = at >= 2 && line[at - 1] == ' ' && line[at - 2] >= '0' && line[at - 2] <= '9';
    if (after_process && line.substr(at + word.size(), 2) == "  ") return kind;
  }
  return std::nullopt;
}

/// Ops and attributes of a module dump: the most frequent lines that no logger wrote.
bool is_of_a_module(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == kNoPlace) return false;
  // `#loc1 = `; GitHub marks its lines with `##[error]`.
  if (line[first] == '#') return line.substr(first + 1, 1) != "#" && line.substr(first + 1, 1) != " ";
  return std::strchr("%\"})", line[first]) != nullptr;
}

/// Behind ` | level | type | ` of the loggers, where there are such columns.
std::string_view after_prefix(std::string_view text) {
  if (!has_logger_prefix(text)) return text;
  constexpr std::size_t kPrefixBytes = 96;
  const std::size_t bar = text.substr(0, kPrefixBytes).rfind(" | ");
  return bar == kNoPlace ? text : text.substr(bar + 3);
}

}  // namespace

std::optional<CrashKind> parse_crash_line(std::string_view line) {
  if (is_of_a_module(line)) return std::nullopt;
  const std::string_view head = line.substr(0, kCrashSearchBytes);
  if (const std::size_t marker = first_marker(head); marker < kCrashMarkers.size())
    return kCrashMarkers[marker].second;
  if (is_python_error(head)) return CrashKind::kPythonError;
  if (is_failed_test(head) || is_failed_job(head)) return CrashKind::kReportedFailure;
  if (const std::optional<CrashKind> kind = crash_of_exit_code(head)) return kind;
  if (const std::optional<CrashKind> kind = crash_of_signal_number(head)) return kind;
  return crash_of_shell_message(trimmed(head));
}

std::optional<std::string_view> with_reason(std::string_view line, std::string_view rest) {
  if (!contains(line.substr(0, kCrashSearchBytes), " @ ")) return line;
  const char* end = nullptr;
  rest.remove_prefix(std::min(rest.find('\n'), rest.size()));  // colors may end behind the line
  for (const bool is_reason : {false, true}) {
    if (rest.empty()) return line;
    rest.remove_prefix(1);
    if (rest.empty()) return std::nullopt;
    std::string_view next = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(next.size());
    if (next.ends_with('\r')) next.remove_suffix(1);
    end = next.data() + next.size();
    take_rank_tag(next);
    next = trimmed(without_trailing_color(next));
    if (is_reason ? next.empty() : next != "info:") return line;
  }
  return std::string_view(line.data(), static_cast<std::size_t>(end - line.data()));
}

std::string crash_text(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::string plain = without_colors(line.substr(0, 4 * kCrashTextBytes));
  std::string_view said = trimmed(after_prefix(plain));
  if (said.starts_with("E  ")) said = trimmed(said.substr(1));
  if (line.size() == text.size()) return std::string(said.substr(0, kCrashTextBytes));
  std::string_view reason = text.substr(text.rfind('\n') + 1);
  take_rank_tag(reason);
  std::string both = without_colors(trimmed(reason.substr(0, kCrashTextBytes)));
  both.append(" (").append(said.substr(0, kCrashTextBytes)).append(")");
  return both.substr(0, kCrashTextBytes);
}

}  // namespace ttscope::mem
