#include "launch/live_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "mem/model/log_lines.h"
#include "mem/read/crashes.h"
#include "ui/text.h"

namespace ttscope::launch {
namespace {

Error problem(const std::string& path, int error_number) {
  return bad_input(fmt::format("{}: {}", path, std::generic_category().message(error_number)));
}

}  // namespace

Result<FileFollower> FileFollower::open(const std::string& path) {
  FileFollower follower(path);
  if (!follower.reopen()) return failure(problem(path, errno));
  struct stat facts {};
  if (::fstat(follower.file_.number(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
    return failure(bad_input(fmt::format("{}: is not a file that can be followed", path)));
  }
  return follower;
}

bool FileFollower::reopen() {
  FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts {};
  if (!file.is_open() || ::fstat(file.number(), &facts) != 0) return false;
  file_ = std::move(file);
  device_ = facts.st_dev;
  inode_ = facts.st_ino;
  offset_ = 0;
  return true;
}

std::uint64_t FileFollower::size() const {
  struct stat facts {};
  return ::fstat(file_.number(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

Result<FileFollower::Step> FileFollower::next(char* to, std::size_t room) {
  if (size() < offset_) {
    offset_ = 0;
    return Step{Event::kRestarted, 0};
  }
  const ssize_t got = ::pread(file_.number(), to, room, static_cast<off_t>(offset_));
  if (got < 0 && errno != EINTR) return failure(problem(path_, errno));
  if (got > 0) {
    offset_ += static_cast<std::uint64_t>(got);
    return Step{Event::kData, static_cast<std::size_t>(got)};
  }
  // All of the old file is read before the new one of its name is taken.
  struct stat facts {};
  if (::stat(path_.c_str(), &facts) != 0) return Step{errno == ENOENT ? Event::kGone : Event::kNothing, 0};
  if (facts.st_dev == device_ && facts.st_ino == inode_) return Step{};
  return Step{reopen() ? Event::kRestarted : Event::kGone, 0};
}

namespace {

constexpr std::size_t kMaxTroubles = 100;
constexpr std::size_t kMaxTracebacks = 256;
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
  std::string text = mem::without_colors(line.substr(0, 4 * kTroubleTextBytes));
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
  constexpr std::size_t kMinLength = 8;
  if (line.empty() || (line.size() < kMinLength && tracebacks_.empty()) || is_ordinary(line)) return;
  const std::string_view tag = mem::take_rank_tag(line);
  if (!tracebacks_.empty() && continue_traceback(tag, line)) return;
  const std::string_view head = line.substr(0, kSearchedBytes);
  if (holds(head, kOutOfMemory)) return add(TroubleKind::kOutOfMemory, number, line);
  const std::optional<mem::CrashKind> crash = mem::parse_crash_line(line);
  if (!crash) return;
  if (*crash != mem::CrashKind::kPythonError) return add(kind_of(*crash), number, line);
  if (holds(head, kTraceback) && tracebacks_.size() < kMaxTracebacks) {
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
  if (troubles_.size() < kMaxTroubles) troubles_.push_back({kind, number, std::move(text), 1});
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

namespace {

constexpr std::size_t kOpenLineLimit = std::size_t{1} << 20;
constexpr std::size_t kMaxRanks = 4096;
constexpr std::size_t kMaxNested = 64;
constexpr std::size_t kProgramNameBytes = 200;

/// `"ttnn.deallocate"(%0)` and `%1 = "ttnn.get_device"()`: run, but not counted among the ops of a report.
bool is_counted(std::string_view op) {
  constexpr std::size_t kNameEnd = 96;
  const std::string_view head = op.substr(0, std::min(op.find('('), kNameEnd));
  return head.find("ttnn.deallocate") == std::string_view::npos &&
         head.find("ttnn.get_device") == std::string_view::npos;
}

double fullness(const LiveMemory& memory) {
  return memory.total == 0 ? 0.0 : static_cast<double>(memory.allocated) / memory.total;
}

}  // namespace

void LiveScan::add(std::string_view bytes) {
  bytes_ += bytes.size();
  const std::size_t first = bytes.find('\n');
  const std::string_view head = bytes.substr(0, first);
  if (!open_line_.empty() || first == std::string_view::npos) {
    const std::size_t room = kOpenLineLimit - std::min(open_line_.size(), kOpenLineLimit);
    open_line_.append(head.substr(0, room));
    if (first == std::string_view::npos) return;
    add_lines(open_line_);
    open_line_.clear();
    bytes.remove_prefix(first + 1);
  }
  const std::size_t last = bytes.rfind('\n');
  if (last == std::string_view::npos) {
    open_line_ = bytes.substr(0, kOpenLineLimit);
    return;
  }
  add_lines(bytes.substr(0, last));
  open_line_ = bytes.substr(last + 1).substr(0, kOpenLineLimit);
}

void LiveScan::finish() {
  if (!open_line_.empty()) add_lines(open_line_);
  open_line_.clear();
}

/// Whole lines, without the newline of the last.
void LiveScan::add_lines(std::string_view text) {
  if (lines_ == 0) text = without_byte_order_mark(text);
  const mem::ChunkScan scan = mem::scan_chunk(text);
  std::vector<Rank*> ranks(scan.tags.size(), nullptr);
  for (const mem::LineRecord& record : scan.records) {
    Rank*& rank = ranks[record.tag];
    if (rank == nullptr) rank = rank_of(scan.tags[record.tag]);
    if (rank != nullptr) add_record(record, scan, *rank);
  }
  while (true) {
    const auto* newline = static_cast<const char*>(std::memchr(text.data(), '\n', text.size()));
    const std::size_t size =
        newline == nullptr ? text.size() : static_cast<std::size_t>(newline - text.data());
    troubles_.add_line(text.substr(0, size), ++lines_);
    if (newline == nullptr) break;
    text.remove_prefix(size + 1);
  }
}

LiveScan::Rank* LiveScan::rank_of(std::string_view tag) {
  const auto known = ranks_.find(tag);
  if (known != ranks_.end()) return &known->second;
  if (ranks_.size() >= kMaxRanks) return nullptr;
  return &ranks_[std::string(tag)];
}

void LiveScan::add_record(const mem::LineRecord& record, const mem::ChunkScan& scan, Rank& rank) {
  switch (record.kind) {
    case mem::LineKind::kOp:
      if (is_counted(record.text)) ++ops_;
      break;
    case mem::LineKind::kBlock:
      add_block(scan.blocks[record.block], rank);
      break;
    case mem::LineKind::kProgramStart:
      if (rank.programs.empty()) ++program_runs_;
      if (rank.programs.size() < kMaxNested) {
        rank.programs.emplace_back(record.text.substr(0, kProgramNameBytes));
      }
      program_ = record.text.substr(0, kProgramNameBytes);
      break;
    case mem::LineKind::kProgramEnd:
      // A crash may have left programs open: everything down to the one that ends is over.
      while (!rank.programs.empty()) {
        const bool is_it = rank.programs.back() == record.text.substr(0, kProgramNameBytes);
        rank.programs.pop_back();
        if (is_it) break;
      }
      if (!rank.programs.empty()) program_ = rank.programs.back();
      break;
    default:
      break;
  }
}

void LiveScan::add_block(const mem::ScannedBlock& block, Rank& rank) {
  if (block.has_header) ++blocks_;
  for (const mem::Memory memory : mem::kTensorMemories) {
    const std::size_t m = mem::index_of(memory);
    if ((block.present >> m & 1) == 0) continue;
    LiveMemory& live = rank.memory[m];
    if (!live.is_known) live.first = block.allocated[m];
    live.is_known = true;
    live.banks = block.banks[m];
    live.total = block.total[m];
    live.allocated = block.allocated[m];
    live.peak = std::max(live.peak, live.allocated);
  }
}

LiveState LiveScan::state() const {
  LiveState state;
  state.bytes = bytes_;
  state.lines = lines_;
  state.ops = ops_;
  state.blocks = blocks_;
  state.ranks = ranks_.size();
  state.program = program_;
  state.program_runs = program_runs_;
  const Rank* fullest = nullptr;
  for (const auto& [tag, rank] : ranks_) {
    if (fullest == nullptr || fullness(rank.memory[0]) > fullness(fullest->memory[0])) fullest = &rank;
  }
  if (fullest != nullptr) state.memory = fullest->memory;
  state.troubles = troubles_.troubles();
  state.trouble_count = troubles_.count();
  return state;
}

namespace {

constexpr std::size_t kGaugeCells = 8;
constexpr std::size_t kMaxProgramColumns = 28;
constexpr std::size_t kMaxTroublesShown = 8;

double fraction_of(const LiveMemory& memory) {
  return memory.total == 0 ? 0.0 : static_cast<double>(memory.allocated) / memory.total;
}

/// `DRAM 512.00 MB/bank of 1021.17 ██████▌  50.1%`
std::string memory_text(std::string_view name, const LiveMemory& memory, bool with_gauge) {
  if (!memory.is_known) return {};
  std::string text = fmt::format("{} {} of {} MB/bank", name, ui::mb_text(mem::bytes_of(memory.allocated)),
                                 ui::mb_text(mem::bytes_of(memory.total)));
  if (memory.total == 0) return text;
  text += fmt::format(" {}", ui::percent_text(fraction_of(memory)));
  if (with_gauge) text += " " + ui::gauge(std::min(fraction_of(memory), 1.0), kGaugeCells);
  return text;
}

std::string growth_text(const LiveMemory& memory) {
  if (!memory.is_known) return {};
  return ui::signed_size_text(mem::bytes_between(memory.first, memory.allocated)) + " since start";
}

std::string program_text(const LiveState& state) {
  if (state.program.empty()) return {};
  const std::string name = ui::fit(terminal_safe(state.program), kMaxProgramColumns);
  return state.program_runs > 1 ? fmt::format("{} (run {})", name, ui::count_text(state.program_runs)) : name;
}

}  // namespace

std::string status_text(const LiveState& state, std::size_t width) {
  const LiveMemory& dram = state.memory[mem::index_of(mem::Memory::kDram)];
  std::string ops = ui::counted(state.ops, "op");
  if (state.ranks > 1) ops += fmt::format(" of {} ranks", state.ranks);
  std::vector<std::string> parts = {ops, memory_text("DRAM", dram, true), growth_text(dram),
                                    memory_text("L1", state.memory[mem::index_of(mem::Memory::kL1)], false),
                                    program_text(state)};
  if (state.ops == 0 && !dram.is_known) {
    parts = {fmt::format("{}, no op or memory line yet", ui::counted(state.lines, "line"))};
  }
  if (state.trouble_count > 0) {
    parts.insert(parts.begin() + 1, ui::counted(state.trouble_count, "failure"));
  }
  std::string line;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    const std::string longer = line.empty() ? part : fmt::format("{} | {}", line, part);
    if (ui::display_width(longer) > width) {
      if (line.empty()) line = ui::fit(part, width);
      continue;
    }
    line = longer;
  }
  return line;
}

std::string_view name_of(TroubleKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"out of memory", "fatal error", "exception", "crash"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string troubles_text(const LiveState& state, std::size_t width) {
  constexpr std::size_t kMinWidth = 40;
  constexpr std::size_t kIndent = 4;
  ui::Painter painter(false, std::max(width, kMinWidth));
  const std::size_t shown = std::min(state.troubles.size(), kMaxTroublesShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const Trouble& trouble = state.troubles[i];
    painter.line(fmt::format("  line {}: {}{}", trouble.line, name_of(trouble.kind),
                             trouble.times > 1 ? fmt::format(", {} times", trouble.times) : ""));
    painter.paragraph(kIndent, terminal_safe(trouble.text));
  }
  if (state.trouble_count > shown) painter.line(fmt::format("  and {} more", state.trouble_count - shown));
  return painter.take();
}

}  // namespace ttscope::launch
