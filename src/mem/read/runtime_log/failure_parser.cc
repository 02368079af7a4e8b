// The sentences have grown over the years; people reflow them, quote them and put separators into numbers:
//   Not enough space to allocate 226,492,416 B DRAM buffer across 12 banks, where each bank needs to store
//   18874368 B, but bank size is 1071821792 B (allocated: 1046245472 B, free: 25576320 B, largest free block:
//   17575008 B)
#include "mem/read/runtime_log/failure_parser.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text_search.h"
#include "mem/model/line_prefix.h"
#include "mem/model/prefix_pieces.h"
#include "mem/model/tensor_type.h"

namespace ttscope::mem {
namespace {

/// Figures of one sentence stand so near to each other; what is farther belongs to another.
constexpr std::size_t kMostBetween = 80;

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789", at), text.size());
}

/// Behind the `12:` of grep -n that begins at `at`, or the `13-` of a line of context; 0 if it is something
/// else: `0-0 - 7-7]` are cores.
std::size_t line_number_end(std::string_view word, std::size_t at) {
  constexpr std::size_t kMostDigitsOfCore = 2;
  const std::size_t end = digits_end(word, at);
  if (end == at || end == word.size() || (word[end] != ':' && word[end] != '-')) return 0;
  const std::size_t second_end = digits_end(word, end + 1);
  const std::size_t digits_behind = second_end - end - 1;
  const bool is_core = word[end] == '-' && digits_behind > 0 && digits_behind <= kMostDigitsOfCore &&
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

/// A sentence on one line: single blanks, no colours, no separators inside numbers.
std::string joined(std::string_view text) {
  const std::string plain = without_colours(text);
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
  std::int64_t number_behind(std::string_view key, std::string_view unit) {
    const std::size_t found = text_.find(key, at_);
    if (found == kNoPlace || found - at_ > kMostBetween) return -1;
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

bool read_memory(std::string_view behind_size, Memory& memory) {
  for (const Memory candidate : {Memory::kL1Small, Memory::kDram, Memory::kL1, Memory::kTrace}) {
    const std::string name = " B " + std::string(name_of(candidate)) + " ";
    if (behind_size.starts_with(name)) {
      memory = candidate;
      return true;
    }
  }
  return false;
}

bool read_allocation(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kAllocation;
  failure.requested_bytes = sentence.number_behind("to allocate ", " B");
  if (failure.requested_bytes < 0 || !read_memory(sentence.rest(), failure.memory)) return false;
  failure.banks = sentence.number_behind(" across ", " bank");
  failure.per_bank_bytes = sentence.number_behind("needs to store ", " B");
  if (failure.per_bank_bytes < 0) failure.per_bank_bytes = sentence.number_behind(" banks (", " B");
  failure.bank_size_bytes = sentence.number_behind("bank size is only ", " B");
  if (failure.bank_size_bytes < 0) failure.bank_size_bytes = sentence.number_behind("bank size is ", " B");
  failure.allocated_bytes = sentence.number_behind("allocated: ", " B");
  failure.free_bytes = sentence.number_behind("free: ", " B");
  failure.largest_free_bytes = sentence.number_behind("largest free block: ", " B");
  failure.is_cut = sentence.is_cut();
  return true;
}

///   Not enough space to hold interleave 4096 bytes across DRAM channels
bool read_oldest_allocation(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kAllocation;
  failure.requested_bytes = sentence.number_behind("to hold interleave ", " bytes");
  if (failure.requested_bytes < 0) failure.requested_bytes = sentence.number_behind("to hold ", " bytes");
  failure.memory = sentence.has("DRAM") ? Memory::kDram : Memory::kL1;
  return failure.requested_bytes >= 0 && (sentence.has("DRAM") || sentence.has("L1"));
}

/// Between the brackets: `[(x=0,y=0) - (x=7,y=7)]`, later `[0-0 - 7-7]`; empty for anything else.
std::string core_range_of(std::string_view sentence) {
  constexpr std::size_t kLongest = 200;
  const std::size_t open = sentence.find('[');
  const std::size_t close = open == kNoPlace ? open : sentence.find(']', open);
  if (close == kNoPlace || close - open > kLongest) return {};
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
  constexpr std::size_t kMostBefore = 320;  // names of core ranges stand between
  const std::string_view head = sentence.text().substr(0, kMostBefore);
  const bool grows = head.find("grow to ") < head.find("clash with");
  failure.memory = Memory::kL1;
  failure.core_range = core_range_of(head);
  if (grows && sentence.skip_to("grow to ")) {
    failure.kind = FailureKind::kBuffersBeyondL1;
    failure.reached_bytes = sentence.number_behind("grow to ", " B");
    failure.limit_bytes = sentence.number_behind("max L1 size of ", " B");
    return failure.reached_bytes >= 0;
  }
  if (head.find("clash with") == kNoPlace || !sentence.skip_to("clash with")) return false;
  failure.kind = FailureKind::kBuffersClash;
  if (sentence.rest().substr(0, kMostBefore).find(']') != kNoPlace) sentence.skip_to("]");
  failure.limit_bytes = sentence.number_behind("allocated at ", {});
  if (failure.limit_bytes < 0)
    failure.limit_bytes = sentence.number_behind("lowest service allocation at ", {});
  failure.reached_bytes = sentence.number_behind("ends at ", {});
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
  failure.requested_bytes = sentence.number_behind("Program size (", ")");
  failure.limit_bytes = sentence.number_behind("kernel config buffer (", ")");
  return failure.requested_bytes >= 0 && sentence.has("too large");
}

///   region `TRISC1_CODE' overflowed by 1224 bytes
bool read_link_overflow(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kProgramSize;
  failure.memory = Memory::kL1;
  failure.requested_bytes = -1;
  failure.reached_bytes = sentence.number_behind("overflowed by ", " bytes");
  failure.limit_bytes = 0;  // of the region's rest
  return failure.reached_bytes >= 0 && sentence.rest().starts_with(" bytes");
}

///   Creating trace buffers of size 33554432B on MeshDevice 1, but only 0B is allocated for trace region.
bool read_trace_region(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kTraceRegion;
  failure.memory = Memory::kTrace;
  failure.requested_bytes = sentence.number_behind("trace buffers of size ", "B");
  failure.limit_bytes = sentence.number_behind("but only ", "B");
  return failure.requested_bytes >= 0;
}

bool read_trace_overlap(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kTraceOverlap;
  failure.memory = Memory::kTrace;
  failure.reached_bytes = sentence.number_behind("at address ", {});
  return sentence.has("overlaps with");
}

///   Cannot allocate at an address below 1073741792. Allocation at 1000
bool read_address_limit(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kAddressBelowLimit;
  failure.memory = Memory::kL1;  // only L1 has a lowest address to keep
  failure.limit_bytes = sentence.number_behind("address below ", {});
  failure.reached_bytes = sentence.number_behind("Allocation at ", {});
  return failure.limit_bytes >= 0;
}

///   terminate called after throwing an instance of 'std::bad_alloc'
///   DefaultCPUAllocator: can't allocate memory: you tried to allocate 4096 bytes
bool read_host(SentenceReader& sentence, OutOfMemory& failure) {
  failure.kind = FailureKind::kHostMemory;
  failure.requested_bytes = sentence.number_behind("you tried to allocate ", " bytes");
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

}  // namespace ttscope::mem
