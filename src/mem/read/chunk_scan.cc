#include "mem/read/chunk_scan.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/string_pool.h"
#include "base/text.h"
#include "mem/model/log_lines.h"
#include "mem/read/crashes.h"
#include "mem/read/failures.h"
#include "mem/read/mlir_text.h"

namespace ttscope::mem {
namespace {

// Finds the lines of interest of a chunk. Nearly all lines of a memory log have the runtime logger's prefix
// at column 0, or behind what a tool writes before every line, so the message is found by position and told
// apart by its first word. Every other line is searched for the markers wherever they stand.

constexpr std::size_t kOpTextLimit = std::size_t{1} << 20;  // the longest real op line has 15 KB
constexpr std::size_t kShortTextLimit = 4096;               // names, hashes, types
constexpr std::size_t kMinLineLength = 12;                  // shorter ones tell of ends only
constexpr std::size_t kMaxTags = 4096;  // ranks of one chunk; more are taken for untagged lines

constexpr std::string_view kExecuting = "Executing operation:";
constexpr std::string_view kStarting = "Starting execution of program:";
constexpr std::string_view kFinished = "Finished execution of program:";
constexpr std::string_view kRetained = "Tensor is retained thus not deallocating";
constexpr std::string_view kCacheHit = "Cache hit for function:";
constexpr std::string_view kCacheMiss = "Cache miss or invalid cache for function:";
constexpr std::string_view kRunningCached = "Running LoadCachedOp for function";
constexpr std::string_view kHash = " with hash:";
constexpr std::string_view kStateBefore = "Device memory state ";
constexpr std::string_view kOutputShape = "Got output shape:";
constexpr std::string_view kModuleEnd = "END OF MLIR MODULE";

std::size_t find(std::string_view text, std::string_view wanted) {
  const void* hit = ::memmem(text.data(), text.size(), wanted.data(), wanted.size());
  return hit == nullptr ? kNoPlace : static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
}

/// First word behind a marker: `main_const_eval_3`.
std::string_view first_word(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == kNoPlace) return {};
  text = text.substr(begin, kShortTextLimit);
  return text.substr(0, text.find_first_of(" \t\r\x1b"));
}

bool stage_named(std::string_view header, Stage& stage) {
  constexpr std::array<std::pair<std::string_view, Stage>, 9> kOld = {{
      {"VHLO Module:", Stage::kVhlo},
      {"SHLO StableHLO Pipeline Module:", Stage::kShloCompiler},
      {"SHLO Module after frontend StableHLO pipeline:", Stage::kShloFrontend},
      {"SHLO Module after compiler StableHLO pipeline:", Stage::kShloCompiler},
      {"SHLO Module:", Stage::kShlo},
      {"TTIR Module:", Stage::kTtir},
      {"TTNN Module:", Stage::kTtnn},
      {"StableHLO Module:", Stage::kShlo},
      {"TTNN Runtime Module:", Stage::kTtnnRuntime},
  }};
  constexpr std::string_view kNew = "MLIR Module ";
  const std::size_t at = header.rfind(kNew);
  if (at != kNoPlace) {
    const std::string_view name = header.substr(at + kNew.size(), header.size() - at - kNew.size() - 1);
    for (std::size_t i = 0; i <= static_cast<std::size_t>(Stage::kTtnnRuntime); ++i) {
      stage = static_cast<Stage>(i);
      if (ttscope::mem::name_of(stage) == name) return true;
    }
    return false;
  }
  for (const auto& [text, old_stage] : kOld) {
    stage = old_stage;
    if (header.size() >= text.size() && header.substr(header.size() - text.size()) == text) return true;
  }
  return false;
}

class ChunkScanner {
 public:
  ChunkScanner(std::string_view bytes, const ScanContext& context) : bytes_(bytes), context_(context) {
    if (context.recent != nullptr) scan_.thread = context.recent->thread();
    scan_.tags.emplace_back();
    const std::size_t expected_ops = bytes.size() / 1500;  // an op with its block takes about 1.7 KB
    scan_.records.reserve(2 * expected_ops);
    scan_.blocks.reserve(expected_ops);
  }

  ChunkScan scan() {
    const char* at = bytes_.data();
    const char* const end = at + bytes_.size();
    while (at < end) {
      const auto* newline =
          static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      const char* const line_end = newline == nullptr ? end : newline;
      scan_line({at, static_cast<std::size_t>(line_end - at)});
      ++scan_.lines;
      if (newline == nullptr) break;
      at = newline + 1;
    }
    return std::move(scan_);
  }

 private:
  void scan_line(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) return;
    std::size_t message = runtime_message_start(line);
    if (message == kNoPlace) {
      set_tag(take_rank_tag(line));
      if (line.size() < kMinLineLength) return scan_failures(line);
      message = runtime_message_start(line);
    } else {
      tag_ = 0;
    }
    if (message == kNoPlace) {
      scan_foreign_line(line);
    } else if (!scan_message(line.substr(message))) {
      scan_unknown_line(line);
    }
  }

  void set_tag(std::string_view tag) {
    tag_ = 0;
    if (tag.empty()) return;
    for (std::size_t i = 1; i < scan_.tags.size(); ++i) {
      if (scan_.tags[i] == tag) {
        tag_ = static_cast<std::uint16_t>(i);
        return;
      }
    }
    if (scan_.tags.size() >= kMaxTags) return;
    scan_.tags.push_back(tag);
    open_blocks_.resize(scan_.tags.size(), kNone);
    tag_ = static_cast<std::uint16_t>(scan_.tags.size() - 1);
  }

  /// A line without the prefix at column 0: other programs' text, module dumps, a prefix glued behind
  /// something.
  void scan_foreign_line(std::string_view line) {
    line = without_trailing_color(line);
    if (line.empty()) return;
    if (line.back() == ':' && scan_module_header(line)) return;
    if (line.back() == '-' && find(line, kModuleEnd) != kNoPlace) return add(LineKind::kModuleEnd, {});
    if (std::memchr(line.data(), '|', line.size()) != nullptr) {
      for (const std::string_view marker : {kExecuting, kStarting, kFinished, kRetained, kCacheHit,
                                            kCacheMiss, kRunningCached, kStateBefore}) {
        const std::size_t at = find(line, marker);
        if (at != kNoPlace) return static_cast<void>(scan_message(line.substr(at)));
      }
    }
    const std::size_t view = find(line, " memory state: MemoryView{");
    if (view != kNoPlace) {
      const std::size_t device = line.substr(0, view).rfind("Device ");
      if (device != kNoPlace) return static_cast<void>(scan_message(line.substr(device)));
    }
    const std::size_t op = find(line, kExecuting);
    if (op != kNoPlace) return add_op(line.substr(op + kExecuting.size()));
    if (find(line, kOutputShape) != kNoPlace) return add(LineKind::kOutputMarker, {});
    scan_unknown_line(line);
  }

  bool scan_module_header(std::string_view line) {
    Stage stage = Stage::kTtnn;
    if (line.size() > kShortTextLimit || find(line, "Module") == kNoPlace || !stage_named(line, stage))
      return false;
    add(LineKind::kModuleHeader, line);
    scan_.records.back().stage = stage;
    return true;
  }

  void scan_unknown_line(std::string_view line) {
    if (context_.is_other != nullptr && context_.is_other(line)) scan_.has_other = true;
    scan_failures(line);
  }

  void scan_failures(std::string_view line) {
    constexpr std::size_t kMaxInLine = 16;
    if (is_module_text(line) || is_quiet_line(line)) return;
    std::size_t at = find_failure_marker(line, 0);
    if (at == kNoPlace || is_host_marker(line.substr(at))) {
      if (parse_crash_line(line)) add_crash(line);
      if (may_be_frame(line)) add(LineKind::kFrame, line);
    }
    const std::size_t first = at;
    for (std::size_t n = 0; at != kNoPlace && n < kMaxInLine; ++n) {
      const char* begin = line.data() + at;
      const auto room = static_cast<std::size_t>(bytes_.data() + bytes_.size() - begin);
      add(LineKind::kFailure, {begin, std::min(room, kFailureTextBytes)});
      const std::string_view head = line.substr(0, at);
      scan_.records.back().from_logger =
          find(head, "| critical |") != kNoPlace || find(head, "FATAL    | ") != kNoPlace;
      // A line tells of the host's memory once: `DefaultCPUAllocator: ... (Cannot allocate memory)`.
      if (is_host_marker(line.substr(at))) return;
      constexpr std::size_t kPastMarker = 20;  // `Out of Memory: Not enough space` is one mark
      at = at + kPastMarker < line.size() ? find_failure_marker(line, at + kPastMarker) : kNoPlace;
    }
    if (first != kNoPlace && may_be_frame(line.substr(first))) add(LineKind::kFrame, line.substr(first));
  }

  void add_crash(std::string_view line) {
    const auto room = static_cast<std::size_t>(bytes_.data() + bytes_.size() - line.data());
    const std::string_view text(line.data(), room);
    const std::optional<std::string_view> whole = with_reason(line, text.substr(line.size()));
    add(LineKind::kCrash, whole.value_or(text));
    scan_.records.back().is_continued = !whole;
  }

  /// A message told by its first word; false if it is of no interest.
  bool scan_message(std::string_view message) {
    if (message.empty()) return false;
    switch (message[0]) {
      case 'D':
        return scan_device_message(message);
      case 'E':
        if (!message.starts_with(kExecuting)) return false;
        add_op(message.substr(kExecuting.size()));
        return true;
      case 'S':
        return add_if(message, kStarting, LineKind::kProgramStart);
      case 'F':
        return add_if(message, kFinished, LineKind::kProgramEnd);
      case 'T':
        return add_if(message, kRetained, LineKind::kRetained);
      case 'C':
        return add_if(message, kCacheHit, LineKind::kCacheHit) ||
               add_if(message, kCacheMiss, LineKind::kCacheMiss);
      case 'R':
        return scan_cache_hash(message);
      default:
        return false;
    }
  }

  bool add_if(std::string_view message, std::string_view marker, LineKind kind) {
    if (!message.starts_with(marker)) return false;
    add(kind, first_word(message.substr(marker.size())));
    return true;
  }

  bool scan_cache_hash(std::string_view message) {
    if (!message.starts_with(kRunningCached)) return false;
    const std::size_t at = find(message, kHash);
    if (at == kNoPlace) return false;
    add(LineKind::kCacheHash, first_word(message.substr(at + kHash.size())));
    return true;
  }

  bool scan_device_message(std::string_view message) {
    if (message.starts_with(kStateBefore)) {
      const std::string_view rest = message.substr(kStateBefore.size());
      if (rest.starts_with("before operation")) {
        begin_headed_block(MemoryBlock::Moment::kBeforeOp, first_word(rest.substr(16)));
      } else if (rest.starts_with("before submit")) {
        begin_headed_block(MemoryBlock::Moment::kBeforeSubmit, {});
      } else if (rest.starts_with("after submit")) {
        begin_headed_block(MemoryBlock::Moment::kAfterSubmit, {});
      } else {
        return false;
      }
      return true;
    }
    return scan_view(message);
  }

  /// `Device L1_SMALL memory state: MemoryView{...}`; once spelled `L1 SMALL`.
  bool scan_view(std::string_view message) {
    constexpr std::string_view kDevice = "Device ";
    constexpr std::string_view kState = " memory state: ";
    const std::string_view head = message.substr(0, 40);
    const std::size_t state = head.find(kState);
    if (!message.starts_with(kDevice) || state == kNoPlace) return false;
    const std::string_view name = message.substr(kDevice.size(), state - kDevice.size());
    for (const Memory memory : kMemories) {
      if (ttscope::mem::name_of(memory) == name || (memory == Memory::kL1Small && name == "L1 SMALL")) {
        add_view(memory, message.substr(state + kState.size()));
        return true;
      }
    }
    return false;
  }

  void begin_headed_block(MemoryBlock::Moment moment, std::string_view op_type) {
    begin_block(moment, op_type).has_header = true;
  }

  ScannedBlock& begin_block(MemoryBlock::Moment moment, std::string_view op_type) {
    ScannedBlock block;
    block.moment = moment;
    block.op_type = op_type;
    block.line = scan_.lines;
    add(LineKind::kBlock, {});
    scan_.records.back().block = static_cast<std::uint32_t>(scan_.blocks.size());
    open_blocks_[tag_] = static_cast<std::uint32_t>(scan_.blocks.size());
    scan_.blocks.push_back(block);
    return scan_.blocks.back();
  }

  void add_view(Memory memory, std::string_view text) {
    MemoryView view;
    if (!parse_memory_view(text, view)) return add(LineKind::kBadView, {});
    const std::size_t m = index_of(memory);
    const std::uint32_t open = open_blocks_[tag_];
    const bool continues = open != kNone && (scan_.blocks[open].present >> m & 1) == 0;
    ScannedBlock& block = continues ? scan_.blocks[open] : begin_block(MemoryBlock::Moment::kBeforeOp, {});
    block.view_line[m] = scan_.lines;
    block.present = static_cast<std::uint8_t>(block.present | 1u << m);
    block.banks[m] = view.banks;
    block.total[m] = view.total;
    block.allocated[m] = view.allocated;
    block.free[m] = view.free;
    block.largest_free[m] = view.largest_free;
  }

  void add_op(std::string_view text) {
    if (!text.empty() && text[0] == ' ') text.remove_prefix(1);
    text = without_trailing_color(text);
    const bool over_limit = text.size() > kOpTextLimit;
    if (over_limit) text = text.substr(0, kOpTextLimit);
    add(LineKind::kOp, text);
    LineRecord& record = scan_.records.back();
    record.over_limit = over_limit;
    const std::size_t at = location_start(text);
    if (at != kNoPlace) {
      record.text = text.substr(0, at);
      record.loc = text.substr(at + 5, text.size() - at - 6);
      record.loc_hash = hash_text(record.loc);
      record.has_loc = true;
    }
    record.text_hash = hash_text(record.text);
    if (context_.recent != nullptr) split_op_record(record);
  }

  void split_op_record(LineRecord& record) {
    const RecentTexts::Lookup met = context_.recent->look_up(record.text, record.text_hash, context_.stable);
    record.number = met.number;
    if (met.before || record.text.find('\x1b') != kNoPlace) return;  // colors inside: the reader copies it
    record.parts = static_cast<std::uint32_t>(scan_.op_parts.ops.size());
    split_op(record.text, scan_.op_parts);
  }

  void add(LineKind kind, std::string_view text) {
    LineRecord record;
    record.kind = kind;
    record.tag = tag_;
    record.line = scan_.lines;
    record.text = text;
    scan_.records.push_back(record);
    // The same lines end a block in RankBuilder, so that it does not matter where chunks end.
    const bool ends_block =
        kind == LineKind::kOp || kind == LineKind::kProgramStart || kind == LineKind::kProgramEnd;
    if (ends_block) open_blocks_[tag_] = kNone;
  }

  std::string_view bytes_;
  ScanContext context_;
  ChunkScan scan_;
  std::uint16_t tag_ = 0;
  std::vector<std::uint32_t> open_blocks_ = {kNone};  ///< by tag: the block that takes further views
};

}  // namespace

RecentTexts::Lookup RecentTexts::look_up(std::string_view text, std::uint64_t hash, bool stable) {
  Entry* const pair = &entries_[(hash & (entries_.size() / 2 - 1)) * 2];
  for (const Entry* entry : {pair, pair + 1}) {
    if (entry->hash != hash) continue;
    if (!stable) return {kNone, true};
    if (entry->text == text && entry->number != kNone) return {entry->number, true};
  }
  pair[1] = pair[0];
  pair[0] = {hash, stable ? text : std::string_view(), stable ? next_number_++ : kNone};
  return {pair[0].number, false};
}

ChunkScan scan_chunk(std::string_view bytes, const ScanContext& context) {
  return ChunkScanner(bytes, context).scan();
}

namespace {

/// A cursor over one view; every step fails for good once one has failed.
class ViewReader {
 public:
  explicit ViewReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool skip(std::string_view literal) {
    if (static_cast<std::size_t>(end_ - at_) < literal.size() ||
        std::memcmp(at_, literal.data(), literal.size()) != 0) {
      return false;
    }
    at_ += literal.size();
    return true;
  }

  bool read_count(std::uint32_t& value) {
    const auto [end, error] = std::from_chars(at_, end_, value);
    at_ = end;
    return error == std::errc();
  }

  /// `1021.169` as 1021169; digits past the third are dropped, missing ones are zero.
  bool read_milli(MilliMib& value) {
    std::uint64_t number = 0;
    const char* begin = at_;
    while (at_ < end_ && is_digit(*at_) && number < kLimit) number = number * 10 + digit();
    if (at_ == begin) return false;
    int decimals = 0;
    if (at_ < end_ && *at_ == '.') {
      for (++at_; at_ < end_ && is_digit(*at_); ++decimals) {
        if (decimals < 3) {
          number = number * 10 + digit();
        } else {
          ++at_;
        }
      }
    }
    for (; decimals < 3; ++decimals) number *= 10;
    value = static_cast<MilliMib>(number);
    return number < kLimit;
  }

 private:
  static constexpr std::uint64_t kLimit = 0xffffffff;
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  std::uint64_t digit() { return static_cast<std::uint64_t>(*at_++ - '0'); }

  const char* at_;
  const char* end_;
};

}  // namespace

bool parse_memory_view(std::string_view text, MemoryView& view) {
  ViewReader reader(text);
  return reader.skip("MemoryView{numBanks: ") && reader.read_count(view.banks) &&
         reader.skip(", totalBytesPerBank: ") && reader.read_milli(view.total) &&
         reader.skip(" MB, totalBytesAllocatedPerBank: ") && reader.read_milli(view.allocated) &&
         reader.skip(" MB, totalBytesFreePerBank: ") && reader.read_milli(view.free) &&
         reader.skip(" MB, largestContiguousBytesFreePerBank: ") && reader.read_milli(view.largest_free) &&
         reader.skip(" MB}");
}

}  // namespace ttscope::mem
