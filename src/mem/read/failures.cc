#include "mem/read/failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/text.h"
#include "mem/model/log_lines.h"
#include "mem/model/tensor_type.h"

namespace ttscope::mem {
namespace {

/// How messages begin. `Out of Memory:` that ends its line is none: the sentence is in the next.
constexpr std::array<std::string_view, 17> kMarks = {
    "Out of Memory: Not",
    "Not enough space",
    "Statically allocated",
    "statically allocated circular",
    "Circular buffers on service-core",
    "Cannot allocate at an address",
    "Cannot allocate memory",
    "Creating trace buffers of size",
    "Program size (",
    "Trace buffer at address",
    "' overflowed by ",
    "bad_alloc",
    "MemoryError",
    "DefaultCPUAllocator: ",
    "Out of memory: Killed process",
    "Memory cgroup out of memory",
    "OOMKilled",
};

constexpr std::array<bool, 256> first_letters() {
  std::array<bool, 256> is_first{};
  for (const std::string_view mark : kMarks) is_first[static_cast<std::uint8_t>(mark[0])] = true;
  return is_first;
}

bool starts_with_marker(std::string_view text) {
  for (const std::string_view mark : kMarks) {
    if (text.starts_with(mark)) return true;
  }
  return false;
}

}  // namespace

std::size_t find_failure_marker(std::string_view line, std::size_t from) {
  static constexpr std::array<bool, 256> kIsFirst = first_letters();
  for (std::size_t at = from; at < line.size(); ++at) {
    if (kIsFirst[static_cast<std::uint8_t>(line[at])] && starts_with_marker(line.substr(at))) return at;
  }
  return kNoPlace;
}

bool is_host_marker(std::string_view text) {
  return text.starts_with("bad_alloc") || text.starts_with("MemoryError") || text.starts_with("Default") ||
         text.starts_with("Out of memory") || text.starts_with("Memory cgroup") ||
         text.starts_with("OOMKilled") || text.starts_with("Cannot allocate memory");
}

///   2025-09-15 15:40:51.673 (   0.000s) [        F073E000]      dylib_platform.cc:47       1| DylibPlatform
///   2025-10-20 19:58:07.146 | trace    |           Metal | Closing mesh device 1 (mesh_device.cpp:593)
bool is_quiet_line(std::string_view line) {
  constexpr std::size_t kPrefixBytes = 128;
  if (line.empty() || line[0] < '0' || line[0] > '9') return false;
  const std::size_t bar = line.substr(0, kPrefixBytes).find('|');
  if (bar == kNoPlace || bar < 2) return false;
  if (line[bar - 2] == ' ' && (line[bar - 1] == '1' || line[bar - 1] == '2')) return true;
  const std::string_view level = line.substr(bar + 1, 7);
  return level.starts_with(" trace ") || level.starts_with(" debug ") || level.starts_with(" info  ");
}

bool is_module_text(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == kNoPlace) return true;
  const std::string_view text = line.substr(first);
  switch (text[0]) {
    case '%':
    case '}':
      return true;
    case '#':
      return text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';
    case '"':
      return text.starts_with("\"tt") || text.starts_with("\"stablehlo.");
    default:
      return false;
  }
}

namespace {

// The sentences have grown over the years; people reflow them, quote them and put separators into numbers:
//   Not enough space to allocate 226,492,416 B DRAM buffer across 12 banks, where each bank needs to store
//   18874368 B, but bank size is 1071821792 B (allocated: 1046245472 B, free: 25576320 B, largest free block:
//   17575008 B)

/// Figures of one sentence stand so near to each other; what is farther belongs to another.
constexpr std::size_t kMaxBetween = 80;

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789", at), text.size());
}

/// Behind the `12:` of grep -n that begins at `at`, or the `13-` of a line of context; 0 if it is something
/// else: `0-0 - 7-7]` are cores.
std::size_t line_number_end(std::string_view word, std::size_t at) {
  constexpr std::size_t kMaxDigitsOfCore = 2;
  const std::size_t end = digits_end(word, at);
  if (end == at || end == word.size() || (word[end] != ':' && word[end] != '-')) return 0;
  const std::size_t second_end = digits_end(word, end + 1);
  const std::size_t digits_after = second_end - end - 1;
  const bool is_core = word[end] == '-' && digits_after > 0 && digits_after <= kMaxDigitsOfCore &&
                       (second_end == word.size() || word[second_end] == ']');
  return is_core ? 0 : end + 1;
}

/// Takes what take_rank_tag() leaves where anything may follow, which in a message it may not: `12:` and
/// `run.log:12:` of grep -n, the time of ts.
void take_number_or_time(std::string_view& line) {
  if (has_shape(line, "0000-00-00 00:00:00")) {
    constexpr std::size_t kTimeBytes = 19;
    return line.remove_prefix(std::min(line.find(' ', kTimeBytes), line.size()));
  }
  const std::string_view word = line.substr(0, line.find(' '));
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t end = line_number_end(word, at);
    if (end != 0 && (at == 0 || word[at - 1] == word[end - 1])) return line.remove_prefix(end);
    const std::size_t next = word.find_first_of(":-", at);
    at = next == kNoPlace ? word.size() : next + 1;
  }
}

/// What stands before the words of a line that continues a message: ranks and times, pytest's `E   `, the
/// `> ` of a quotation, the bar of a column.
std::string_view without_line_head(std::string_view line) {
  take_rank_tag(line);
  take_number_or_time(line);
  const auto skip_blanks = [&line] {
    const std::size_t first = line.find_first_not_of(" \t\r");
    line.remove_prefix(first == kNoPlace ? line.size() : first);
  };
  skip_blanks();
  while (line.starts_with("E  ") || line.starts_with("> ") || line.starts_with("| ")) {
    line.remove_prefix(1);
    skip_blanks();
  }
  return line;
}

/// A sentence on one line: single blanks, no colors, no separators inside numbers.
std::string joined(std::string_view text) {
  const std::string plain = without_colors(text);
  std::string_view rest = plain;
  std::string out;
  bool had_blank = false;  // at the end of the line before
  for (bool first_line = true; !rest.empty(); first_line = false) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == kNoPlace ? std::string_view() : rest.substr(end + 1);
    if (!first_line) line = without_line_head(line);
    // A number never follows another: what stands in two lines was broken inside.
    const bool in_number = !line.empty() && is_decimal(line[0]) && out.size() > 1 && out.back() == ' ' &&
                           is_decimal(out[out.size() - 2]) && !had_blank;
    if (in_number) out.pop_back();
    had_blank = line.ends_with(' ');
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      const bool separates =
          c == ',' && i > 0 && is_decimal(line[i - 1]) && i + 1 < line.size() && is_decimal(line[i + 1]);
      if (separates) continue;
      if (c != ' ' && c != '\t' && c != '\r') {
        out += c;
      } else if (!out.empty() && out.back() != ' ') {
        out += ' ';
      }
    }
    if (!out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

/// The text up to where another message or the backtrace begins.
std::string_view first_sentence(std::string_view text) {
  constexpr std::array<std::string_view, 9> kOthers = {
      "Out of Memory", "Not enough space", "Statically allocated", "statically allocated circular",
      "TT_FATAL",      "TT_THROW",         "backtrace:",           "RuntimeError: ",
      "Traceback ("};
  constexpr std::string_view kHead = "Out of Memory: ";
  const std::size_t begin = text.starts_with(kHead) ? kHead.size() + 1 : 1;
  std::size_t end = text.size();
  for (const std::string_view other : kOthers) end = std::min(end, text.find(other, begin));
  return text.substr(0, std::min(end, text.size()));
}

/// Takes figures out of a sentence in the order in which they stand there.
class SentenceReader {
 public:
  explicit SentenceReader(std::string_view text) : text_(text) {}

  /// The number between `key`, which must come soon, and `unit`; -1 if there is none, and nothing is passed
  /// over. A number that its unit does not follow was cut inside.
  std::int64_t number_after_key(std::string_view key, std::string_view unit) {
    const std::size_t found = text_.find(key, at_);
    if (found == kNoPlace || found - at_ > kMaxBetween) return -1;
    std::size_t digit = found + key.size();
    if (digit >= text_.size() || !is_decimal(text_[digit])) return -1;
    std::int64_t value = 0;
    for (; digit < text_.size() && is_decimal(text_[digit]); ++digit) {
      value = saturating_add(saturating_multiply(value, 10), text_[digit] - '0');
    }
    if (!text_.substr(digit).starts_with(unit)) {
      is_cut_ = true;
      return -1;
    }
    at_ = digit;
    return value;
  }
  bool is_cut() const { return is_cut_; }
  /// Passes over what stands before `words`; false when they do not come.
  bool skip_to(std::string_view words) {
    const std::size_t found = text_.find(words, at_);
    if (found == kNoPlace) return false;
    at_ = found;
    return true;
  }
  std::string_view rest() const { return text_.substr(at_); }
  std::string_view text() const { return text_; }
  bool has(std::string_view words) const { return text_.find(words) != kNoPlace; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool is_cut_ = false;
};

bool read_memory(std::string_view after_size, Memory& memory) {
  for (const Memory candidate : {Memory::kL1Small, Memory::kDram, Memory::kL1, Memory::kTrace}) {
    const std::string name = " B " + std::string(name_of(candidate)) + " ";
    if (after_size.starts_with(name)) {
      memory = candidate;
      return true;
    }
  }
  return false;
}

bool read_allocation(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kAllocation;
  failure.requested_bytes = sentence.number_after_key("to allocate ", " B");
  if (failure.requested_bytes < 0 || !read_memory(sentence.rest(), failure.memory)) return false;
  failure.banks = sentence.number_after_key(" across ", " bank");
  failure.per_bank_bytes = sentence.number_after_key("needs to store ", " B");
  if (failure.per_bank_bytes < 0) failure.per_bank_bytes = sentence.number_after_key(" banks (", " B");
  failure.bank_size_bytes = sentence.number_after_key("bank size is only ", " B");
  if (failure.bank_size_bytes < 0) failure.bank_size_bytes = sentence.number_after_key("bank size is ", " B");
  failure.allocated_bytes = sentence.number_after_key("allocated: ", " B");
  failure.free_bytes = sentence.number_after_key("free: ", " B");
  failure.largest_free_bytes = sentence.number_after_key("largest free block: ", " B");
  failure.is_cut = sentence.is_cut();
  return true;
}

///   Not enough space to hold interleave 4096 bytes across DRAM channels
bool read_oldest_allocation(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kAllocation;
  failure.requested_bytes = sentence.number_after_key("to hold interleave ", " bytes");
  if (failure.requested_bytes < 0) failure.requested_bytes = sentence.number_after_key("to hold ", " bytes");
  failure.memory = sentence.has("DRAM") ? Memory::kDram : Memory::kL1;
  return failure.requested_bytes >= 0 && (sentence.has("DRAM") || sentence.has("L1"));
}

/// Between the brackets: `[(x=0,y=0) - (x=7,y=7)]`, later `[0-0 - 7-7]`; empty for anything else.
std::string core_range_of(std::string_view sentence) {
  constexpr std::size_t kMaxLength = 200;
  const std::size_t open = sentence.find('[');
  const std::size_t close = open == kNoPlace ? open : sentence.find(']', open);
  if (close == kNoPlace || close - open > kMaxLength) return {};
  const std::string_view range = sentence.substr(open + 1, close - open - 1);
  return range.find_first_not_of("0123456789xy=,() -") == kNoPlace ? std::string(range) : std::string();
}

/// `in program 77`, not `in program N`.
bool names_program(std::string_view words) {
  constexpr std::string_view kProgram = "in program ";
  const std::size_t at = words.find(kProgram);
  return at != kNoPlace && at + kProgram.size() < words.size() && is_decimal(words[at + kProgram.size()]);
}

///   Statically allocated circular buffers on core range [...] grow to 2239776 B which is beyond max L1 size
///   of 1499136 B
///   Statically allocated circular buffers in program 77 clash with L1 buffers on core range [...]. L1 buffer
///   allocated at 974336 and static circular buffer region ends at 1089536
bool read_circular_buffers(SentenceReader& sentence, OutOfMemory& failure) {
  if (!sentence.has("circular buffers") && !sentence.has("Circular buffers") &&
      !sentence.has("dataflow buffers")) {
    return false;
  }
  constexpr std::size_t kMaxBefore = 320;  // names of core ranges stand between
  const std::string_view head = sentence.text().substr(0, kMaxBefore);
  const bool grows = head.find("grow to ") < head.find("clash with");
  failure.memory = Memory::kL1;
  failure.core_range = core_range_of(head);
  if (grows && sentence.skip_to("grow to ")) {
    failure.kind = FailureKind::kBuffersBeyondL1;
    failure.reached_bytes = sentence.number_after_key("grow to ", " B");
    failure.limit_bytes = sentence.number_after_key("max L1 size of ", " B");
    return failure.reached_bytes >= 0;
  }
  if (head.find("clash with") == kNoPlace || !sentence.skip_to("clash with")) return false;
  failure.kind = FailureKind::kBuffersClash;
  if (sentence.rest().substr(0, kMaxBefore).find(']') != kNoPlace) sentence.skip_to("]");
  failure.limit_bytes = sentence.number_after_key("allocated at ", {});
  if (failure.limit_bytes < 0)
    failure.limit_bytes = sentence.number_after_key("lowest service allocation at ", {});
  failure.reached_bytes = sentence.number_after_key("ends at ", {});
  // They clash because they end above the tensor: an end below it was cut inside.
  if (failure.reached_bytes >= 0 && failure.reached_bytes < failure.limit_bytes) {
    failure.reached_bytes = -1;
    failure.is_cut = true;
  }
  // People quote it without the addresses; prose about such failures names no program.
  return failure.limit_bytes >= 0 || failure.reached_bytes >= 0 || names_program(head);
}

///   Program size (71680) too large for kernel config buffer (70656) on TENSIX
bool read_program_size(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kProgramSize;
  failure.memory = Memory::kL1;
  failure.requested_bytes = sentence.number_after_key("Program size (", ")");
  failure.limit_bytes = sentence.number_after_key("kernel config buffer (", ")");
  return failure.requested_bytes >= 0 && sentence.has("too large");
}

///   region `TRISC1_CODE' overflowed by 1224 bytes
bool read_link_overflow(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kProgramSize;
  failure.memory = Memory::kL1;
  failure.requested_bytes = -1;
  failure.reached_bytes = sentence.number_after_key("overflowed by ", " bytes");
  failure.limit_bytes = 0;  // of the region's rest
  return failure.reached_bytes >= 0 && sentence.rest().starts_with(" bytes");
}

///   Creating trace buffers of size 33554432B on MeshDevice 1, but only 0B is allocated for trace region.
bool read_trace_region(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kTraceRegion;
  failure.memory = Memory::kTrace;
  failure.requested_bytes = sentence.number_after_key("trace buffers of size ", "B");
  failure.limit_bytes = sentence.number_after_key("but only ", "B");
  return failure.requested_bytes >= 0;
}

bool read_trace_overlap(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kTraceOverlap;
  failure.memory = Memory::kTrace;
  failure.reached_bytes = sentence.number_after_key("at address ", {});
  return sentence.has("overlaps with");
}

///   Cannot allocate at an address below 1073741792. Allocation at 1000
bool read_address_limit(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kAddressBelowLimit;
  failure.memory = Memory::kL1;  // only L1 has a lowest address to keep
  failure.limit_bytes = sentence.number_after_key("address below ", {});
  failure.reached_bytes = sentence.number_after_key("Allocation at ", {});
  return failure.limit_bytes >= 0;
}

///   terminate called after throwing an instance of 'std::bad_alloc'
///   DefaultCPUAllocator: can't allocate memory: you tried to allocate 4096 bytes
bool read_host(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kHostMemory;
  failure.requested_bytes = sentence.number_after_key("you tried to allocate ", " bytes");
  return true;
}

/// `MemoryError` ends the line or has a reason behind it; a name that holds the word is none.
bool is_memory_error(std::string_view text) {
  constexpr std::string_view kWord = "MemoryError";
  const std::string_view behind = text.substr(kWord.size(), 1);
  return behind.empty() || behind == ":" || behind == "\n" || behind == "\r";
}

}  // namespace

bool parse_failure(std::string_view text, OutOfMemory& failure) {
  const std::string line = joined(text.substr(0, kFailureTextBytes));
  SentenceReader sentence(first_sentence(line));
  const std::string_view words = sentence.text();
  if (words.starts_with("Out of Memory: Not") || words.starts_with("Not enough space")) {
    return sentence.has("Not enough space to hold") ? read_oldest_allocation(sentence, failure)
                                                    : read_allocation(sentence, failure);
  }
  if (words.starts_with("Statically allocated") || words.starts_with("statically allocated") ||
      words.starts_with("Circular buffers"))
    return read_circular_buffers(sentence, failure);
  if (words.starts_with("Program size")) return read_program_size(sentence, failure);
  if (words.starts_with("' overflowed")) return read_link_overflow(sentence, failure);
  if (words.starts_with("Creating trace")) return read_trace_region(sentence, failure);
  if (words.starts_with("Trace buffer at")) return read_trace_overlap(sentence, failure);
  if (words.starts_with("Cannot allocate at")) return read_address_limit(sentence, failure);
  if (words.starts_with("MemoryError") && !is_memory_error(text)) return false;
  constexpr std::array<std::string_view, 7> kHost = {
      "MemoryError",           "bad_alloc", "Cannot allocate memory",     "DefaultCPUAllocator",
      "Out of memory: Killed", "OOMKilled", "Memory cgroup out of memory"};
  for (const std::string_view start : kHost) {
    if (words.starts_with(start)) return read_host(sentence, failure);
  }
  return false;
}

namespace {

/// An exception with its backtrace follows the logger's line so closely; further away it is another failure.
constexpr std::uint32_t kNearbyLines = 100;

/// What two prints of one failure have in common. The state of the bank, where it is told, is exact to the
/// byte and tells failures apart; a cut print may lack the figures that follow it.
std::string figures_of(const OutOfMemory& f) {
  const auto kind = static_cast<int>(f.kind);
  if (f.allocated_bytes >= 0)
    return fmt::format("{} {} {} {}", kind, f.requested_bytes, f.allocated_bytes, f.free_bytes);
  return fmt::format("{} {} {} {} {} {} {} {}", kind, static_cast<int>(f.memory), f.requested_bytes, f.banks,
                     f.per_bank_bytes, f.bank_size_bytes, f.reached_bytes, f.limit_bytes);
}

bool agree(std::int64_t a, std::int64_t b) { return a < 0 || b < 0 || a == b; }

/// Whether a print right behind another can be of the same failure: nothing in it says otherwise.
bool can_be_same(const OutOfMemory& a, const OutOfMemory& b) {
  return a.kind == b.kind && a.memory == b.memory && a.last_op == b.last_op &&
         a.requested_bytes == b.requested_bytes && agree(a.per_bank_bytes, b.per_bank_bytes) &&
         agree(a.banks, b.banks) && agree(a.bank_size_bytes, b.bank_size_bytes) &&
         agree(a.allocated_bytes, b.allocated_bytes) && agree(a.free_bytes, b.free_bytes) &&
         agree(a.largest_free_bytes, b.largest_free_bytes) && agree(a.reached_bytes, b.reached_bytes) &&
         agree(a.limit_bytes, b.limit_bytes);
}

void take_missing(std::int64_t& known, std::int64_t other) {
  if (known < 0) known = other;
}

void complete(OutOfMemory& failure, const OutOfMemory& print) {
  take_missing(failure.banks, print.banks);
  take_missing(failure.per_bank_bytes, print.per_bank_bytes);
  take_missing(failure.bank_size_bytes, print.bank_size_bytes);
  take_missing(failure.allocated_bytes, print.allocated_bytes);
  take_missing(failure.free_bytes, print.free_bytes);
  take_missing(failure.largest_free_bytes, print.largest_free_bytes);
  take_missing(failure.reached_bytes, print.reached_bytes);
  take_missing(failure.limit_bytes, print.limit_bytes);
  failure.is_cut &= print.is_cut;
}

}  // namespace

/// In which failures_ a print belongs, kNone for a new one. The logger prints a failure when it happens, so
/// its line at another op is another failure; what tests and Python print again comes at any time.
std::uint32_t FailureCollector::failure_of(const OutOfMemory& printed, const std::string& figures) const {
  const auto found = newest_by_figures_.find(figures);
  if (found != newest_by_figures_.end()) {
    const OutOfMemory& known = failures_[found->second];
    if (!printed.from_logger || known.last_op == printed.last_op) return found->second;
  }
  if (messages_.empty()) return kNone;
  const FailureMessage& last = messages_.back();
  const bool follows =
      last.printed.from_logger && !printed.from_logger && printed.line - last.printed.line <= kNearbyLines;
  return follows && can_be_same(last.printed, printed) ? last.failure : kNone;
}

void FailureCollector::add(const OutOfMemory& printed) {
  const std::string figures = figures_of(printed);
  std::uint32_t failure = failure_of(printed, figures);
  if (failure == kNone) {
    failure = static_cast<std::uint32_t>(failures_.size());
    failures_.push_back(printed);
  } else {
    complete(failures_[failure], printed);
  }
  newest_by_figures_[figures] = failure;
  messages_.push_back({printed, failure});
}

std::vector<OutOfMemory> FailureCollector::take_prints() {
  std::vector<OutOfMemory> prints;
  for (FailureMessage& message : messages_) prints.push_back(std::move(message.printed));
  *this = {};
  return prints;
}

/// Of the prints of a failure, the first with frames below it tells for all.
void FailureCollector::hand_over(RankLog& rank) {
  for (const FailureMessage& message : messages_) {
    Backtrace& known = failures_[message.failure].backtrace;
    if (known.empty()) known = message.printed.backtrace;
  }
  rank.failures = std::move(failures_);
  rank.failure_messages = std::move(messages_);
}

namespace {

// The runtime's functions are named after the ops that they run, so that a backtrace names the op even where
// no op line was printed; tt-metal's own functions name the device operation. Innermost first:
//    --- ttnn::prim::conv3d(tt::tt_metal::Tensor const&, ...)
//    --- /lib/_ttnncpp.so(_ZN4ttnn16device_operation6detail6launchI...4prim21Conv3dDeviceOperationEEE...)
//    [0x7d]
//    --- tt::runtime::ttnn::operations::conv::run(tt::target::ttnn::Conv3dOp const*, ...)
//    --- tt::runtime::ttnn::operations::cache::run(tt::target::ttnn::LoadCachedOp const*, ...)
// People write the same as a chain, outermost first: cache::run(LoadCachedOp) -> layout::run(ToDeviceOp).

constexpr std::size_t kMaxNameLength = 96;
constexpr std::string_view kLoadCached = "LoadCachedOp";
constexpr std::string_view kDeviceOperation = "DeviceOperation";

bool holds(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_op_type(std::string_view name) { return name.size() > 2 && name.ends_with("Op"); }

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && end < at + kMaxNameLength && is_of_word(text[end])) ++end;
  return text.substr(at, end - at);
}

/// The name behind its length, as in `8Conv3dOpE`.
std::string_view mangled_at(std::string_view text, std::size_t at) {
  std::size_t length = 0;
  std::size_t begin = at;
  for (; begin < text.size() && begin < at + 3 && text[begin] >= '0' && text[begin] <= '9'; ++begin)
    length = 10 * length + static_cast<std::size_t>(text[begin] - '0');
  return length <= kMaxNameLength && begin + length <= text.size() ? text.substr(begin, length)
                                                                   : std::string_view();
}

/// `Conv3dOp` of `tt::target::ttnn::Conv3dOp const*`, of the same mangled, or of `conv::run(Conv3dOp)`; the
/// next at or behind `at`, which is set behind it.
std::string_view next_op_type(std::string_view text, std::size_t& at) {
  constexpr std::array<std::string_view, 3> kBefore = {"target::ttnn::", "6target4ttnn", "::run("};
  while (at < text.size()) {
    std::size_t found = kNoPlace;
    std::string_view before;
    for (const std::string_view words : kBefore) {
      const std::size_t place = text.find(words, at);
      if (place < found) {
        found = place;
        before = words;
      }
    }
    if (found == kNoPlace) break;
    at = found + before.size();
    const std::string_view name = before[0] == '6' ? mangled_at(text, at) : word_at(text, at);
    if (is_op_type(name)) return name;
  }
  return {};
}

/// `Conv3dDeviceOperation`, written out or mangled; templates of tt-metal that have the word in their names
/// are none.
std::string_view device_operation(std::string_view text) {
  for (std::size_t at = text.find(kDeviceOperation); at != kNoPlace;
       at = text.find(kDeviceOperation, at + 1)) {
    const std::size_t end = at + kDeviceOperation.size();
    std::size_t word = at;
    while (word > 0 && is_of_word(text[word - 1])) --word;
    for (std::size_t digit = word; digit < at; ++digit) {
      const std::string_view name = mangled_at(text, digit);
      if (name.size() > kDeviceOperation.size() && name.data() + name.size() == text.data() + end)
        return name;
    }
    const bool is_whole = word < at && (end == text.size() || !is_of_word(text[end]));
    const bool is_mangled = text[word] == '_' && text.substr(word, 2) == "_Z";
    if (is_whole && !is_mangled && at - word <= kMaxNameLength) return text.substr(word, end - word);
  }
  return {};
}

/// Moving an input to the device runs no op.
bool moves_input(std::string_view text) {
  return holds(text, "toLayout") || holds(text, "BufferInstance") || holds(text, "prepareInputTensor");
}

}  // namespace

bool may_be_frame(std::string_view line) {
  return holds(line, "tt::runtime::") || holds(line, kDeviceOperation) || holds(line, "tt::pjrt::") ||
         holds(line, "6target4ttnn") || holds(line, "target::ttnn::");
}

void add_frame(std::string_view text, std::uint32_t line, Backtrace& backtrace) {
  std::size_t at = 0;
  std::string_view op;
  for (std::string_view type = next_op_type(text, at); !type.empty(); type = next_op_type(text, at)) {
    if (type == kLoadCached && backtrace.const_eval_line == 0) backtrace.const_eval_line = line;
    op = type;  // the last of a chain is the innermost
  }
  const bool names_none = backtrace.op.empty() || !is_op_type(backtrace.op);
  const bool is_around = op == kLoadCached && !backtrace.op.empty();
  if (!op.empty() && names_none && !is_around) {
    backtrace.op = op;
    backtrace.op_line = line;
  }
  if (!op.empty() || !backtrace.op.empty()) return;
  if (const std::string_view device = device_operation(text); !device.empty()) {
    backtrace.op = device;
    backtrace.op_line = line;
  } else if (backtrace.transfer_line == 0 && moves_input(text)) {
    backtrace.transfer_line = line;
  }
}

}  // namespace ttscope::mem
