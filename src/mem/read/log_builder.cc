#include "mem/read/log_builder.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numeric>
#include <set>

#include "base/text.h"
#include "mem/model/log_lines.h"
#include "mem/read/crashes.h"
#include "mem/read/failures.h"
#include "mem/read/mlir_text.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kMaxRanks = 4096;  // more tags than any cluster has: hostile text, put into one rank

constexpr std::size_t kPrefetchRecords = 8;

std::vector<int> ranks_in_process_label(std::string_view tag) {
  return process_of(tag) == tag ? std::vector<int>() : ranks_in_label(tag);
}

/// The number in the tag of a rank: 3 of `1,3`, `rank3`, `Worker_TP3 pid=31` and `3`; -1 where the tag is a
/// name (`pid=31`, `bh-glx-110`).
int number_of_tag(std::string_view tag) {
  if (const std::vector<int> numbers = ranks_in_process_label(tag); !numbers.empty())
    return numbers.size() == 1 ? numbers.front() : -1;  // of two dimensions, the order tells
  std::size_t begin = tag.find(',');
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  while (begin < tag.size() && is_letter(tag[begin])) ++begin;
  constexpr std::size_t kMaxDigits = 6;
  int number = -1;
  const char* const end = tag.data() + tag.size();
  const auto [stop, error] = std::from_chars(tag.data() + begin, end, number);
  const bool is_whole = error == std::errc() && stop == end && tag.size() - begin <= kMaxDigits;
  return is_whole ? number : -1;
}

}  // namespace

/// Logs whose texts never repeat fill tables far larger than the caches; what a record will look up is asked
/// for while those before it are handled.
void LogBuilder::prefetch(const LineRecord& record, const ChunkScan& scan) const {
  if (record.kind != LineKind::kOp) return;
  log_.op_bodies.prefetch(record.text_hash);
  if (record.has_loc) log_.locs.prefetch(record.loc_hash);
  if (record.parts != kNone) tables_.prefetch(scan.op_parts, scan.op_parts.ops[record.parts]);
}

void LogBuilder::begin_file(const std::string& path, std::uint64_t expected_bytes) {
  expected_bytes_ = expected_bytes;
  tables_.expect_bytes(expected_bytes);
  log_.files.push_back(path);
  rank_by_tag_.clear();
  first_line_ = 1;
  modules_.begin_file(static_cast<std::uint32_t>(log_.files.size() - 1));
}

std::uint32_t LogBuilder::rank_of(std::string_view tag) {
  const std::string_view process = process_of(tag);
  const auto found = rank_by_tag_.find(process);
  if (found != rank_by_tag_.end()) {
    std::string& known = ranks_[found->second]->rank().tag;
    if (tag != process && known == process) known = tag;  // by another name of it, its rank is told
    return found->second;
  }
  if (rank_by_tag_.size() >= kMaxRanks) return rank_by_tag_.begin()->second;
  const auto index = static_cast<std::uint32_t>(ranks_.size());
  ranks_.push_back(
      std::make_unique<RankBuilder>(log_, tables_, static_cast<std::uint32_t>(log_.files.size() - 1)));
  ranks_.back()->rank().tag = tag;
  if (rank_by_tag_.empty()) ranks_.back()->expect_bytes(expected_bytes_);  // the rank of untagged lines
  rank_by_tag_.emplace(process, index);
  return index;
}

void LogBuilder::add_chunk(const io::Chunk& chunk, const ChunkScan& scan) {
  std::vector<std::uint32_t> rank_of_tag;
  rank_of_tag.reserve(scan.tags.size());
  for (const std::string_view tag : scan.tags) rank_of_tag.push_back(rank_of(tag));
  continue_failures(chunk.bytes);
  continue_crash(chunk.bytes);
  modules_.set_first_line(first_line_);
  modules_.walk(chunk.bytes, chunk.stable, scan, rank_of_tag);
  for (std::size_t i = 0; i < scan.records.size(); ++i) {
    if (i + kPrefetchRecords < scan.records.size()) prefetch(scan.records[i + kPrefetchRecords], scan);
    const LineRecord& record = scan.records[i];
    add_record(record, scan, chunk.stable, *ranks_[rank_of_tag[record.tag]]);
  }
  settle_failures(false);
  first_line_ += scan.lines;
  log_.input_bytes += chunk.bytes.size();
  if (chunk.cut_line) {
    log_.problems.add(LogProblem::kLineTooLong,
                      {static_cast<std::uint32_t>(log_.files.size() - 1), first_line_ - 1});
  }
}

void LogBuilder::add_record(const LineRecord& record, const ChunkScan& scan, bool stable, RankBuilder& rank) {
  const std::uint32_t line = first_line_ + record.line;
  switch (record.kind) {
    case LineKind::kOp:
      return add_op(record, scan, stable, rank);
    case LineKind::kBlock:
      return rank.add_block(scan.blocks[record.block], first_line_);
    case LineKind::kProgramStart:
      return rank.start_program(record.text, line);
    case LineKind::kProgramEnd:
      return rank.end_program(record.text, line);
    case LineKind::kRetained:
      return rank.mark_retained();
    case LineKind::kCacheHit:
      return rank.mark_cache(true);
    case LineKind::kCacheMiss:
      return rank.mark_cache(false);
    case LineKind::kCacheHash:
      return rank.set_cache_key(record.text);
    case LineKind::kOutputMarker:
      return rank.add_output_marker(line);
    case LineKind::kFailure:
      return add_failure(record, rank);
    case LineKind::kCrash:
      return add_crash(record, rank);
    case LineKind::kFrame:
      return add_frame(record.text, line, rank);
    case LineKind::kBadView:
      return log_.problems.add(LogProblem::kBadMemoryNumber,
                               {static_cast<std::uint32_t>(log_.files.size() - 1), line});
    case LineKind::kModuleHeader:
    case LineKind::kModuleEnd:
      return;  // the collector's
  }
}

void LogBuilder::add_op(const LineRecord& record, const ChunkScan& scan, bool stable, RankBuilder& rank) {
  const std::uint32_t line = first_line_ + record.line;
  const std::uint32_t text = op_text_of(record, scan, stable);
  const auto bytes = stable ? StringPool::Bytes::kBorrow : StringPool::Bytes::kCopy;
  const std::uint32_t loc = record.has_loc ? log_.locs.intern(record.loc, record.loc_hash, bytes) : kNone;
  rank.add_op(text, loc, line);
  ++op_count_;
}

std::uint32_t LogBuilder::op_text_of(const LineRecord& record, const ChunkScan& scan, bool stable) {
  const Place place{static_cast<std::uint32_t>(log_.files.size() - 1), first_line_ + record.line};
  if (record.over_limit) log_.problems.add(LogProblem::kLineTooLong, place);
  const std::uint32_t id = known_text(record, scan, stable, place);
  const OpText& op = log_.op_texts[id];
  if (op.role == OpRole::kUnparsed) {
    log_.problems.add(LogProblem::kOpTextUnparsed, place);
  } else if (op.cut || !record.has_loc) {
    log_.problems.add(LogProblem::kOpTextCut, place);
  }
  return id;
}

/// A text that its thread has met before is found by its number: its bytes, which lie in another core's
/// cache, are not touched again.
std::uint32_t LogBuilder::known_text(const LineRecord& record, const ChunkScan& scan, bool stable,
                                     const Place& place) {
  if (record.number == kNone) return intern_text(record, scan, stable, place);
  if (scan.thread >= texts_of_thread_.size()) texts_of_thread_.resize(scan.thread + 1);
  std::vector<std::uint32_t>& texts = texts_of_thread_[scan.thread];
  if (record.number >= texts.size()) texts.resize(record.number + 1, kNone);
  if (texts[record.number] == kNone) texts[record.number] = intern_text(record, scan, stable, place);
  return texts[record.number];
}

std::uint32_t LogBuilder::intern_text(const LineRecord& record, const ChunkScan& scan, bool stable,
                                      const Place& place) {
  const auto bytes = stable ? StringPool::Bytes::kBorrow : StringPool::Bytes::kCopy;
  const std::uint32_t id = log_.op_bodies.intern(record.text, record.text_hash, bytes);
  if (id < log_.op_texts.size()) return id;
  const std::uint64_t unreadable_before = tables_.unreadable_types();
  log_.op_texts.push_back(new_op_text(record, scan, log_.op_bodies[id]));
  if (tables_.unreadable_types() != unreadable_before) log_.problems.add(LogProblem::kTypeUnparsed, place);
  return id;
}

OpText LogBuilder::new_op_text(const LineRecord& record, const ChunkScan& scan, std::string_view text) {
  if (record.parts != kNone) return intern_op(scan.op_parts.ops[record.parts], scan.op_parts, text, tables_);
  if (text.find('\x1b') != std::string_view::npos) text = log_.arena.copy(without_colors(text));
  return parse_op(text, tables_);
}

void LogBuilder::add_failure(const LineRecord& record, RankBuilder& rank) {
  OutOfMemory failure;
  failure.line = first_line_ + record.line;
  failure.from_logger = record.from_logger;
  rank.place_failure(failure);
  open_failures_.push_back({&rank, failure, std::string(record.text)});
}

/// Below the newest message of its rank, which may be waiting for the end of its sentence.
void LogBuilder::add_frame(std::string_view text, std::uint32_t line, RankBuilder& rank) {
  for (auto open = open_failures_.rbegin(); open != open_failures_.rend(); ++open) {
    if (open->rank != &rank) continue;
    if (rank.is_below(open->failure, line)) mem::add_frame(text, line, open->failure.backtrace);
    return;
  }
  OutOfMemory* const newest = rank.newest_print();
  if (newest != nullptr && rank.is_below(*newest, line)) mem::add_frame(text, line, newest->backtrace);
}

void LogBuilder::add_crash(const LineRecord& record, RankBuilder& rank) {
  const std::uint32_t line = first_line_ + record.line;
  if (!record.is_continued) return rank.add_crash(record.text, line);
  const std::string_view first_line = record.text.substr(0, record.text.find('\n'));
  rank.add_crash(first_line, line);
  open_crash_ = {&rank, line, std::string(record.text), first_line.size()};
}

/// Only the newest can be open: its reason is in the two lines behind it.
void LogBuilder::continue_crash(std::string_view bytes) {
  if (open_crash_.rank == nullptr) return;
  open_crash_.text += bytes.substr(0, kFailureTextBytes);
  const std::string_view text = open_crash_.text;
  const auto whole = with_reason(text.substr(0, open_crash_.line_bytes), text.substr(open_crash_.line_bytes));
  if (!whole) return;
  open_crash_.rank->complete_crash(*whole, open_crash_.line);
  open_crash_ = {};
}

void LogBuilder::continue_failures(std::string_view bytes) {
  for (OpenFailure& open : open_failures_) {
    open.text += bytes.substr(0, kFailureTextBytes - std::min(open.text.size(), kFailureTextBytes));
  }
}

/// Failures are added in order, as soon as their sentences are whole.
void LogBuilder::settle_failures(bool file_ends) {
  std::size_t settled = 0;
  for (; settled < open_failures_.size(); ++settled) {
    OpenFailure& open = open_failures_[settled];
    if (!file_ends && open.text.size() < kFailureTextBytes) break;
    if (parse_failure(open.text, open.failure)) open.rank->add_failure(open.failure);
  }
  open_failures_.erase(open_failures_.begin(), open_failures_.begin() + static_cast<std::ptrdiff_t>(settled));
}

void LogBuilder::note_wrapping(std::uint32_t line) {
  log_.problems.add(LogProblem::kLogWrapped, {static_cast<std::uint32_t>(log_.files.size() - 1), line});
}

void LogBuilder::end_file() {
  settle_failures(true);
  open_crash_ = {};
  modules_.end_file();
  log_.file_lines.push_back(first_line_ - 1);
}

void LogBuilder::add_warning(std::string warning) {
  if (!warning.empty()) log_.warnings.push_back(std::move(warning));
}

/// Ranks whose tags have a number keep it; hosts, processes and plain files are numbered in order. Returns
/// the new place of every rank.
std::vector<std::uint32_t> LogBuilder::number_and_sort_ranks() {
  std::set<int> used;
  for (RankLog& rank : log_.ranks) {
    rank.number = -1;
    const int number = number_of_tag(rank.tag);
    if (number >= 0 && used.insert(number).second) rank.number = number;
  }
  std::vector<RankLog*> others;
  for (RankLog& rank : log_.ranks) {
    if (rank.number < 0) others.push_back(&rank);
  }
  std::stable_sort(others.begin(), others.end(), [](const RankLog* a, const RankLog* b) {
    return ranks_in_process_label(a->tag) < ranks_in_process_label(b->tag);
  });
  int next = 0;
  for (RankLog* rank : others) {
    while (!used.insert(next).second) ++next;
    rank->number = next;
  }
  std::vector<std::uint32_t> order(log_.ranks.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [this](std::uint32_t a, std::uint32_t b) { return log_.ranks[a].number < log_.ranks[b].number; });
  std::vector<std::uint32_t> place(order.size());
  std::vector<RankLog> ranks;
  for (const std::uint32_t old : order) {
    place[old] = static_cast<std::uint32_t>(ranks.size());
    ranks.push_back(std::move(log_.ranks[old]));
  }
  log_.ranks = std::move(ranks);
  return place;
}

/// A shell and Python write without the tag of a rank: their lines are about the ranks of the same file.
void LogBuilder::adopt_crashes(RankLog& without_records) {
  if (without_records.crashes.empty()) return;
  for (RankLog& rank : log_.ranks) {
    if (rank.file != without_records.file) continue;
    const auto middle = static_cast<std::ptrdiff_t>(rank.crashes.size());
    std::move(without_records.crashes.begin(), without_records.crashes.end(),
              std::back_inserter(rank.crashes));
    std::inplace_merge(rank.crashes.begin(), rank.crashes.begin() + middle, rank.crashes.end(),
                       [](const Crash& a, const Crash& b) { return a.line < b.line; });
    return;
  }
}

/// The traceback of a process is often labeled where the lines of the runtime are not: a failure behind a
/// tag that has no ops is of the only rank of the file that has some.
void LogBuilder::adopt_failures() {
  for (const auto& stray : ranks_) {
    if (stray->has_records() || !stray->has_failures()) continue;
    RankBuilder* owner = nullptr;
    std::size_t owners = 0;
    for (const auto& other : ranks_) {
      if (!other->has_records() || other->rank().file != stray->rank().file) continue;
      owner = other.get();
      ++owners;
    }
    if (owners == 1) owner->adopt_failures(*stray);
  }
}

/// A text that holds nothing but crashes is a rank of its own.
void LogBuilder::keep_crashes(std::vector<RankLog>& without_records) {
  if (!log_.ranks.empty()) {
    for (RankLog& rank : without_records) adopt_crashes(rank);
    return;
  }
  for (RankLog& rank : without_records) {
    if (!rank.crashes.empty()) log_.ranks.push_back(std::move(rank));
  }
}

/// Where no rank has records, those that printed modules are told apart all the same.
std::vector<bool> LogBuilder::ranks_of_modules() const {
  std::vector<bool> has_modules(ranks_.size(), false);
  const bool has_records = std::any_of(ranks_.begin(), ranks_.end(), [](const auto& rank) {
    return rank->has_records() || rank->has_failures();
  });
  if (has_records) return has_modules;
  for (const ModuleDump& module : log_.modules) has_modules[module.rank] = true;
  return has_modules;
}

RuntimeLog LogBuilder::finish() {
  adopt_failures();
  std::vector<std::uint32_t> kept(ranks_.size(), kNone);  // builder -> rank, before sorting
  std::vector<RankLog> without_records;
  const std::vector<bool> has_modules = ranks_of_modules();
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const bool useful = ranks_[i]->has_records() || ranks_[i]->has_failures() || has_modules[i];
    RankLog rank = ranks_[i]->finish();
    if (!useful) {
      without_records.push_back(std::move(rank));
      continue;
    }
    kept[i] = static_cast<std::uint32_t>(log_.ranks.size());
    log_.ranks.push_back(std::move(rank));
  }
  keep_crashes(without_records);
  const std::vector<std::uint32_t> sorted = number_and_sort_ranks();
  for (ModuleDump& module : log_.modules) {
    module.rank = kept[module.rank] == kNone ? kNone : sorted[kept[module.rank]];
  }
  return std::move(log_);
}

void RankBuilder::expect_bytes(std::uint64_t log_bytes) {
  const std::size_t ops = expected_ops(log_bytes);
  rank_.ops.reserve(ops);
  rank_.blocks.reserve(ops);
}

void RankBuilder::add_op(std::uint32_t text, std::uint32_t loc, std::uint32_t line) {
  check_last_block();
  ExecutedOp op;
  op.text = text;
  op.loc = loc;
  op.line = line;
  op.instance = open_programs_.empty() ? kNone : open_programs_.back();
  if (pending_ops_.size() == kMaxPending) pending_ops_.pop_front();
  pending_ops_.push_back(op_count());
  rank_.ops.push_back(op);
  running_op_ = op_count() - 1;
  program_ended_since_op_ = false;
}

std::uint32_t RankBuilder::add_op_without_line(std::string_view op_type, std::uint32_t line) {
  ExecutedOp op;
  op.line = line;
  op.op_type = tables_.name(op_type);
  op.instance = open_programs_.empty() ? kNone : open_programs_.back();
  rank_.ops.push_back(op);
  program_ended_since_op_ = false;
  return running_op_ = op_count() - 1;
}

/// The op whose state a header announces. The newest op without a block is the rule; an older one of the
/// right type when lines were displaced; an op of its own when no op line fits (lost, or op lines are not
/// logged).
std::uint32_t RankBuilder::owner_of_block(const ScannedBlock& block, std::uint32_t line) {
  std::uint32_t owner = kNone;
  TypeFit best = TypeFit::kNo;
  for (auto it = pending_ops_.rbegin(); it != pending_ops_.rend() && best != TypeFit::kYes; ++it) {
    const TypeFit fit =
        block.op_type.empty() ? TypeFit::kYes : fit_of(log_.name_of(rank_.ops[*it]), block.op_type);
    if (fit > best) {
      best = fit;
      owner = *it;
    }
  }
  if (owner != kNone) {
    if (owner + 1 != op_count()) log_.problems.add(LogProblem::kBlockDisplaced, place(line));
    pending_ops_.erase(std::find(pending_ops_.begin(), pending_ops_.end(), owner));
    return make_room_for_block(owner);
  }
  if (block.op_type.empty()) return kNone;
  log_.problems.add(LogProblem::kBlockWithoutOp, place(line));
  return add_op_without_line(block.op_type, line);
}

/// Several op lines may come before their blocks. The blocks come in the order of the ops: when the ops
/// behind `owner` have blocks already, each of those is the op's before it, and the new one is the last op's.
std::uint32_t RankBuilder::make_room_for_block(std::uint32_t owner) {
  const std::uint32_t last = op_count() - 1;
  for (std::uint32_t i = owner; i < last; ++i) {
    const ExecutedOp& next = rank_.ops[i + 1];
    const bool fits = next.block != kNone && next.op_type != kNone &&
                      fit_of(log_.name_of(rank_.ops[i]), log_.names[next.op_type]) != TypeFit::kNo;
    if (!fits) return owner;
  }
  for (std::uint32_t i = owner; i < last; ++i) {
    rank_.ops[i].block = rank_.ops[i + 1].block;
    rank_.ops[i].op_type = rank_.ops[i + 1].op_type;
    rank_.blocks[rank_.ops[i].block].before_op = i;
  }
  return last;
}

/// Views without a header continue the open block, up to the first that it has already: a chunk may begin
/// inside a block. They are taken out of `block`; true when none is left.
bool RankBuilder::merge_into_last_block(ScannedBlock& block, std::uint32_t first_line) {
  MemoryBlock& last = rank_.blocks.back();
  std::uint32_t end = kNone;
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if ((block.present & last.present) >> m & 1) end = std::min(end, block.view_line[m]);
  }
  ScannedBlock head = block;
  block.line = end;
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    ScannedBlock& other = block.view_line[m] < end ? block : head;
    other.present = static_cast<std::uint8_t>(other.present & ~(1u << m));
  }
  copy_views(head, first_line, last);
  return block.present == 0;
}

void RankBuilder::add_block(const ScannedBlock& block, std::uint32_t first_line) {
  if (block.has_header || !block_open_) return store_block(block, first_line);
  ScannedBlock rest = block;
  if (!merge_into_last_block(rest, first_line)) store_block(rest, first_line);
}

void RankBuilder::store_block(const ScannedBlock& block, std::uint32_t first_line) {
  check_last_block();
  const std::uint32_t line = first_line + block.line;
  MemoryBlock stored;
  stored.geometry = kNone;
  stored.line = line;
  stored.moment = block.moment;
  stored.before_op = op_count();
  if (block.moment == MemoryBlock::Moment::kBeforeOp) {
    const std::uint32_t owner = owner_of_block(block, line);
    if (owner != kNone) {
      ExecutedOp& op = rank_.ops[owner];
      op.block = static_cast<std::uint32_t>(rank_.blocks.size());
      if (!block.op_type.empty()) op.op_type = tables_.name(block.op_type);
      stored.before_op = owner;
    }
  }
  if (!rank_.blocks.empty()) {  // views that are not printed repeat what is known
    const MemoryBlock& last = rank_.blocks.back();
    stored.geometry = last.geometry;
    stored.allocated = last.allocated;
    stored.free = last.free;
    stored.largest_free = last.largest_free;
  }
  copy_views(block, first_line, stored);
  rank_.blocks.push_back(stored);
  block_open_ = true;
}

void RankBuilder::copy_views(const ScannedBlock& from, std::uint32_t first_line, MemoryBlock& to) {
  for (const Memory memory : kMemories) {
    const std::size_t m = index_of(memory);
    if ((from.present >> m & 1) == 0) continue;
    to.allocated[m] = from.allocated[m];
    to.free[m] = from.free[m];
    to.largest_free[m] = from.largest_free[m];
    to.view_line[m] = first_line + from.view_line[m];
    const std::int64_t sum = std::int64_t{from.allocated[m]} + from.free[m];
    if (std::abs(sum - std::int64_t{from.total[m]}) > 2) {
      log_.problems.add(LogProblem::kViewInconsistent, place(to.view_line[m]));
    }
  }
  to.geometry = geometry_of(from, to);
  to.present = static_cast<std::uint8_t>(to.present | from.present);
}

std::uint32_t RankBuilder::geometry_of(const ScannedBlock& block, const MemoryBlock& to) {
  Geometry geometry;
  if (to.geometry < log_.geometries.size()) geometry = log_.geometries[to.geometry];
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if ((block.present >> m & 1) == 0) continue;
    geometry.banks[m] = block.banks[m];
    geometry.total[m] = block.total[m];
  }
  // A log has one or two geometries; the newest is nearly always the one.
  for (std::size_t i = log_.geometries.size(); i-- > 0;) {
    if (log_.geometries[i] == geometry) return static_cast<std::uint32_t>(i);
    if (log_.geometries.size() - i > 16) break;
  }
  log_.geometries.push_back(geometry);
  return static_cast<std::uint32_t>(log_.geometries.size() - 1);
}

/// Called when a block can get no more views.
void RankBuilder::check_last_block() {
  if (!block_open_) return;
  block_open_ = false;
  const MemoryBlock& block = rank_.blocks.back();
  if (block.present != 0xf) log_.problems.add(LogProblem::kBlockIncomplete, place(block.line));
}

/// A program runs inside another when its name says so, or when the op before it calls programs. Anything
/// else that starts while programs are open means that those were left by a crash.
bool RankBuilder::is_nested_start(std::string_view name) const {
  if (open_programs_.empty()) return false;
  if (name.find("_const_eval_") != std::string_view::npos) return true;
  const ProgramInstance& top = rank_.programs[open_programs_.back()];
  if (op_count() > top.first_op && !program_ended_since_op_) {
    const OpRole role = log_.role_of(rank_.ops.back());
    if (role == OpRole::kCall) return true;
    if (role == OpRole::kLoadCached) return is_callee(name, rank_.ops.back());
    if (role != OpRole::kUnparsed) return false;
  }
  return name.find("trace_") != std::string_view::npos;
}

/// A load_cached op runs the function that it names and no other.
bool RankBuilder::is_callee(std::string_view name, const ExecutedOp& op) const {
  const OpText* text = log_.text_of(op);
  return text == nullptr || text->callee == kNone || log_.names[text->callee] == name;
}

void RankBuilder::close_programs_down_to(std::size_t depth) {
  while (open_programs_.size() > depth) {
    ProgramInstance& program = rank_.programs[open_programs_.back()];
    program.end_op = op_count();
    rank_.events.push_back({op_count(), open_programs_.back(), false});
    log_.problems.add(LogProblem::kProgramLeftOpen, place(program.start_line));
    open_programs_.pop_back();
  }
}

void RankBuilder::start_program(std::string_view name, std::uint32_t line) {
  check_last_block();
  if (!is_nested_start(name)) close_programs_down_to(0);
  if (open_programs_.size() >= kMaxNested) {
    log_.problems.add(LogProblem::kProgramsTooDeep, place(line));
    close_programs_down_to(0);
  }
  ProgramInstance program;
  program.name = tables_.name(name);
  program.parent = open_programs_.empty() ? kNone : open_programs_.back();
  if (program.parent != kNone && !rank_.ops.empty() && rank_.ops.back().instance == program.parent) {
    program.caller_op = op_count() - 1;
  }
  if (program.parent == kNone) running_op_ = kNone;
  program.first_op = op_count();
  program.end_op = op_count();
  program.start_line = line;
  open_programs_.push_back(static_cast<std::uint32_t>(rank_.programs.size()));
  rank_.events.push_back({op_count(), open_programs_.back(), true});
  rank_.programs.push_back(program);
}

void RankBuilder::end_program(std::string_view name, std::uint32_t line) {
  check_last_block();
  const std::uint32_t id = tables_.name(name);
  std::size_t depth = open_programs_.size();
  while (depth > 0 && rank_.programs[open_programs_[depth - 1]].name != id) --depth;
  if (depth == 0) {
    log_.problems.add(LogProblem::kProgramEndUnmatched, place(line));
    return;
  }
  close_programs_down_to(depth);
  ProgramInstance& program = rank_.programs[open_programs_.back()];
  program.end_op = op_count();
  program.end_line = line;
  running_op_ = program.caller_op;  // which goes on behind it; kNone for an outermost program
  rank_.events.push_back({op_count(), open_programs_.back(), false});
  open_programs_.pop_back();
  program_ended_since_op_ = true;
}

/// Also printed when a buffer is destroyed outside any program; then no deallocate is the last op.
void RankBuilder::mark_retained() {
  ExecutedOp* op = last_op();
  if (op != nullptr && !program_ended_since_op_ && log_.role_of(*op) == OpRole::kDeallocate)
    op->retained = true;
}

void RankBuilder::mark_cache(bool hit) {
  ExecutedOp* op = last_op();
  if (op == nullptr || log_.role_of(*op) != OpRole::kLoadCached) return;
  (hit ? op->cache_hit : op->cache_miss) = true;
}

void RankBuilder::set_cache_key(std::string_view hash) {
  ExecutedOp* op = last_op();
  if (op == nullptr || log_.role_of(*op) != OpRole::kLoadCached) return;
  rank_.cache_keys.emplace_back(op_count() - 1, tables_.name(hash));
}

void RankBuilder::place_failure(OutOfMemory& failure) const {
  failure.last_op = running_op_;
  failure.before_op = op_count();
  failure.instance = open_programs_.empty() ? kNone : open_programs_.back();
}

void RankBuilder::place_by_line(OutOfMemory& failure) const {
  const auto next = std::upper_bound(rank_.ops.begin(), rank_.ops.end(), failure.line,
                                     [](std::uint32_t line, const ExecutedOp& op) { return line < op.line; });
  failure.before_op = static_cast<std::uint32_t>(next - rank_.ops.begin());
  failure.last_op = failure.before_op == 0 ? kNone : failure.before_op - 1;
  failure.instance = failure.last_op == kNone ? kNone : rank_.ops[failure.last_op].instance;
  while (failure.instance != kNone) {
    const ProgramInstance& program = rank_.programs[failure.instance];
    if (program.end_line == 0 || program.end_line > failure.line) break;
    failure.last_op = kNone;  // it had ended
    failure.instance = program.parent;
  }
}

void RankBuilder::adopt_failures(RankBuilder& stray) {
  std::vector<OutOfMemory> prints = failures_.take_prints();
  for (OutOfMemory& print : stray.failures_.take_prints()) {
    place_by_line(print);
    prints.push_back(std::move(print));
  }
  std::stable_sort(prints.begin(), prints.end(),
                   [](const OutOfMemory& a, const OutOfMemory& b) { return a.line < b.line; });
  for (const OutOfMemory& print : prints) failures_.add(print);
}

void RankBuilder::add_crash(std::string_view text, std::uint32_t line) {
  if (rank_.crashes.size() == kMaxCrashes) rank_.crashes.pop_back();
  const std::uint32_t started = rank_.ops.empty() ? kNone : op_count() - 1;
  rank_.crashes.push_back(
      {parse_crash_line(text).value_or(CrashKind::kAborted), line, started, crash_text(text)});
}

void RankBuilder::complete_crash(std::string_view text, std::uint32_t line) {
  if (!rank_.crashes.empty() && rank_.crashes.back().line == line)
    rank_.crashes.back().text = crash_text(text);
}

bool RankBuilder::is_below(const OutOfMemory& message, std::uint32_t line) const {
  constexpr std::uint32_t kMaxBacktraceLines = 200;
  if (line - message.line > kMaxBacktraceLines || message.before_op != op_count()) return false;
  for (auto crash = rank_.crashes.rbegin(); crash != rank_.crashes.rend() && crash->line > message.line;
       ++crash) {
    const bool is_other = crash->kind == CrashKind::kFatal || crash->kind == CrashKind::kThrow ||
                          crash->kind == CrashKind::kAssert;
    // The exception of a message may be told behind it: `TT_FATAL @ .../allocator/bank_manager.cpp:439`.
    const bool is_of_allocator =
        contains(crash->text, "bank_manager.cpp") || contains(crash->text, "program.cpp");
    if (is_other && !is_of_allocator) return false;
  }
  return true;
}

RankLog RankBuilder::finish() {
  check_last_block();
  close_programs_down_to(0);
  failures_.hand_over(rank_);
  if (!rank_.blocks.empty()) {
    for (const ExecutedOp& op : rank_.ops) {
      if (op.block == kNone) log_.problems.add(LogProblem::kBlockMissing, place(op.line));
    }
  }
  return std::move(rank_);
}

}  // namespace ttscope::mem
