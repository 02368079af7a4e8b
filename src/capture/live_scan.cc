#include "capture/live_scan.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"

namespace ttscope::capture {
namespace {

constexpr std::size_t kOpenLineLimit = std::size_t{1} << 20;
constexpr std::size_t kMostRanks = 4096;
constexpr std::size_t kMostNested = 64;
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
  if (ranks_.size() >= kMostRanks) return nullptr;
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
      if (rank.programs.size() < kMostNested) {
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

}  // namespace ttscope::capture
