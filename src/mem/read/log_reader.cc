#include "mem/read/log_reader.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "io/chunk_source.h"
#include "mem/model/log_lines.h"
#include "mem/read/chunk_scan.h"
#include "mem/read/failures.h"
#include "mem/read/log_builder.h"

namespace ttscope::mem {
namespace {

/// One chunk on its way: filled by the source, scanned by any worker, taken in order by the builder.
struct Job {
  io::Chunk chunk;
  ChunkScan scan;
  bool done = false;
  std::exception_ptr failed;  ///< no memory, as a rule
};

/// Scans chunks on worker threads. submit() and take_oldest() are called by one thread; results come in the
/// order of submission.
class ScanPool {
 public:
  explicit ScanPool(const ReadOptions& options) : is_other_(options.is_other_kind) {
    try {
      for (unsigned i = 0; i < options.threads; ++i) workers_.emplace_back([this, i] { work(i + 1); });
    } catch (const std::system_error&) {
      // No further thread can be started; whoever takes the chunks scans them too.
    }
  }
  ~ScanPool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    work_ready_.notify_all();
  }
  ScanPool(const ScanPool&) = delete;
  ScanPool& operator=(const ScanPool&) = delete;

  std::size_t in_flight() const { return order_.size(); }

  void submit(io::Chunk chunk) {
    auto job = std::make_unique<Job>();
    job->chunk = std::move(chunk);
    Job* raw = job.get();
    order_.push_back(std::move(job));
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(raw);
    }
    work_ready_.notify_one();
  }

  /// While the oldest chunk is still being scanned, the caller's thread scans the next ones.
  std::unique_ptr<Job> take_oldest() {
    std::unique_ptr<Job> job = std::move(order_.front());
    order_.pop_front();
    std::unique_lock lock(mutex_);
    while (!job->done) {
      if (waiting_.empty()) {
        job_done_.wait(lock);
      } else {
        scan_next(lock, recent_);
      }
    }
    if (job->failed) std::rethrow_exception(job->failed);
    return job;
  }

 private:
  void work(std::uint32_t thread) {
    std::optional<RecentTexts> made;
    try {
      made.emplace(thread);
    } catch (const std::bad_alloc&) {
      return;  // the others do its work
    }
    RecentTexts& recent = *made;
    std::unique_lock lock(mutex_);
    for (;;) {
      work_ready_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      if (stopping_) return;
      scan_next(lock, recent);
      job_done_.notify_one();
    }
  }

  /// Scans the chunk that waits longest, outside the lock.
  void scan_next(std::unique_lock<std::mutex>& lock, RecentTexts& recent) {
    Job* const job = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    try {
      job->scan = scan_chunk(job->chunk.bytes, {&recent, job->chunk.stable, is_other_});
    } catch (...) {
      job->failed = std::current_exception();
    }
    lock.lock();
    job->done = true;
  }

  const IsOtherLine is_other_;
  std::mutex mutex_;
  std::condition_variable work_ready_;
  std::condition_variable job_done_;
  std::deque<Job*> waiting_;                ///< guarded by mutex_
  bool stopping_ = false;                   ///< guarded by mutex_
  std::deque<std::unique_ptr<Job>> order_;  ///< the submitting thread's
  RecentTexts recent_;                      ///< the submitting thread's
  std::vector<std::jthread> workers_;       ///< last: joined before the rest goes
};

class FileReader {
 public:
  FileReader(ScanPool& pool, LogBuilder& builder, const ReadOptions& options)
      : pool_(pool), builder_(builder), options_(options) {}

  Result<void> read(const std::string& path) {
    auto opened = io::open_source(path, options_.source);
    if (!opened) return failure(opened.error());
    UnwrappedSource source(std::make_unique<DockerSource>(std::move(*opened)));
    builder_.begin_file(path, source.total_bytes());
    if (auto backing = source.backing()) builder_.keep_alive(std::move(backing));
    const std::size_t window = 2 * options_.threads + 1;
    for (bool more = true; more || pool_.in_flight() > 0;) {
      while (more && pool_.in_flight() < window) {
        auto chunk = source.next();
        if (!chunk) return drain_and_fail(chunk.error());
        more = !chunk->bytes.empty();
        if (more) pool_.submit(std::move(*chunk));
      }
      if (pool_.in_flight() == 0) continue;
      const std::unique_ptr<Job> job = pool_.take_oldest();
      if (job->scan.has_other) return drain_and_fail({ErrorCode::kOtherKind, path + ": not a runtime log"});
      builder_.add_chunk(job->chunk, job->scan);
      report(source);
    }
    if (source.first_joined_line() != 0) builder_.note_wrapping(source.first_joined_line());
    builder_.end_file();
    builder_.add_warning(source.warning());
    return {};
  }

 private:
  Result<void> drain_and_fail(Error error) {
    while (pool_.in_flight() > 0) pool_.take_oldest();
    return failure(std::move(error));
  }

  void report(const io::ChunkSource& source) {
    if (options_.progress)
      options_.progress({source.consumed_bytes(), source.total_bytes(), builder_.op_count()});
  }

  ScanPool& pool_;
  LogBuilder& builder_;
  const ReadOptions& options_;
};

}  // namespace

Result<RuntimeLog> read_runtime_logs(const std::vector<std::string>& paths, const ReadOptions& options) {
  LogBuilder builder;
  ScanPool pool(options);
  FileReader reader(pool, builder, options);
  for (const std::string& path : paths) {
    RETURN_IF_ERROR(reader.read(path));
  }
  return builder.finish();
}

namespace {

bool holds(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

}  // namespace

bool has_runtime_lines(std::string_view text) {
  return holds(text, "Executing operation:") || holds(text, " memory state: MemoryView{");
}

bool has_compiler_lines(std::string_view text) { return holds(text, "END OF MLIR MODULE"); }

bool has_failure(std::string_view text) {
  for (std::size_t at = find_failure_marker(text, 0); at != std::string_view::npos;
       at = find_failure_marker(text, at + 1)) {
    const std::string_view message = text.substr(at);
    OutOfMemory failure;
    if (!is_host_marker(message) && parse_failure(message, failure)) return true;
  }
  return false;
}

void DockerSource::end_line(OpenLine& line, std::string& out) {
  if (line.pieces == 0 && line.text.empty()) return;
  out += line.text;
  out.append(std::max<std::size_t>(line.pieces, 1), '\n');
  line = {};
}

void DockerSource::add_record(std::string_view record, std::string& out) {
  const bool is_error = is_docker_error(record);
  OpenLine& line = open_[is_error ? 1 : 0];
  OpenLine& other = open_[is_error ? 0 : 1];
  // The lines of the other stream's pieces go before this one, so that this keeps its number.
  out.append(std::exchange(other.pieces, 0), '\n');
  ++line.pieces;
  const bool is_whole = append_docker_text(record, line.text);
  if (is_whole || line.text.size() >= io::ChunkSource::kLineLimitBytes) end_line(line, out);
}

std::string DockerSource::unpacked(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    add_record(bytes.substr(0, newline), out);
    bytes.remove_prefix(newline == std::string_view::npos ? bytes.size() : newline + 1);
  }
  return out;
}

Result<io::Chunk> DockerSource::next() {
  while (true) {
    Result<io::Chunk> chunk = source_->next();
    if (!chunk) return chunk;
    if (!is_begun_ && !chunk->bytes.empty()) {
      is_begun_ = true;
      is_docker_ = is_docker_line(chunk->bytes);
    }
    if (!is_docker_) return chunk;
    const bool is_end = chunk->bytes.empty();
    std::string text = unpacked(chunk->bytes);
    if (is_end) {
      for (OpenLine& line : open_) end_line(line, text);
    }
    if (!text.empty() || is_end) return rewritten(*chunk, std::move(text));
  }
}

namespace {

constexpr std::size_t kLookedAtBytes = std::size_t{2} << 20;  // dumps of modules come first
constexpr std::size_t kMinWidth = 58;  // op lines and memory lines are recognized in so many columns
constexpr std::size_t kMaxWidth = 2000;
constexpr std::size_t kMaxLabelsLength = 256;
/// Asked again with each piece that a line gets, so no more of it is looked at than a location has.
constexpr std::size_t kMaxLocationLength = std::size_t{8} << 10;
constexpr std::size_t kMinEvidence = 4;
constexpr std::size_t kMaxLostBlanks = 2;  // copies of a terminal lose the blanks at the ends of its lines

std::string_view without_return(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// Characters on the screen: colors take no room, a character of several bytes takes one column.
std::size_t seen_columns(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\x1b' && line.substr(at + 1, 1) == "[") {
      at = std::min(line.find_first_not_of("0123456789;", at + 2), line.size());
      continue;
    }
    if ((static_cast<unsigned char>(line[at]) & 0xc0) != 0x80) ++columns;
  }
  return columns;
}

std::size_t columns_of(std::string_view line, bool counts_bytes) {
  return counts_bytes ? line.size() : seen_columns(line);
}

enum class Ending { kUnknown, kMissing, kThere };

/// Whether a line of the runtime's logger ends inside of the words that its message begins with.
bool ends_in_first_words(std::string_view line) {
  constexpr std::array<std::string_view, 8> kFirstWords = {"Executing operation: ",
                                                           "Device DRAM memory state: MemoryView{",
                                                           "Device L1 memory state: MemoryView{",
                                                           "Device L1_SMALL memory state: MemoryView{",
                                                           "Device TRACE memory state: MemoryView{",
                                                           "Device memory state before operation ",
                                                           "Starting execution of program: ",
                                                           "Finished execution of program: "};
  constexpr std::size_t kMaxLength = 48;
  if (line.size() > kMinWidth + kMaxLabelsLength) return false;
  take_rank_tag(line);
  const std::size_t start = runtime_message_start(line);
  if (start == kNoPlace) {  // behind a label, a narrow line ends before the colored prefix does
    constexpr std::size_t kColoredPrefix = 72;
    return line.starts_with("\x1b[32m") && line.size() < kColoredPrefix && has_logger_prefix(line);
  }
  if (line.size() - start > kMaxLength) return false;
  const std::string_view message = without_trailing_color(line.substr(start));
  return std::any_of(kFirstWords.begin(), kFirstWords.end(), [&](std::string_view words) {
    return message.size() < words.size() && words.starts_with(message);
  });
}

/// Of `Executing operation: ... loc(...)` and `... MemoryView{... MB}`.
Ending ending_of(std::string_view line) {
  const std::string_view head = line.substr(0, kMinWidth + kMaxLabelsLength);
  line = without_trailing_color(line);
  if (contains(head, " memory state: MemoryView{")) {
    return line.ends_with("MB}") ? Ending::kThere : Ending::kMissing;
  }
  if (!contains(head, "Executing operation: "))
    return ends_in_first_words(line) ? Ending::kMissing : Ending::kUnknown;
  line.remove_prefix(line.size() - std::min(line.size(), kMaxLocationLength));
  const std::size_t loc = line.rfind(" loc(");
  if (loc == kNoPlace || !line.ends_with(')')) return Ending::kMissing;
  const std::string_view inner = line.substr(loc);  // `loc("a"("b"))` may be cut behind each of its ends
  const auto opened = std::count(inner.begin(), inner.end(), '(');
  return opened == std::count(inner.begin(), inner.end(), ')') ? Ending::kThere : Ending::kMissing;
}

/// Lines of a dump are indented by two blanks and more, which stand nowhere else; aliases are `#name = `.
bool begins_line_of_dump(std::string_view line) {
  if (line.empty() || line.starts_with("  ") || line.starts_with("module ") || line.starts_with("----") ||
      line == "}" || line.starts_with("} loc(")) {
    return true;
  }
  const std::size_t name_end = line.find(' ');
  return line[0] == '#' && name_end != kNoPlace && line.substr(name_end, 3) == " = ";
}

bool begins_line_of_logger(std::string_view line) {
  take_rank_tag(line);
  return runtime_message_start(line) != kNoPlace || has_logger_prefix(line);
}

template <typename Visit>
void for_each_line(std::string_view bytes, Visit visit) {
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    visit(without_return(bytes.substr(0, newline)));
    bytes.remove_prefix(newline == kNoPlace ? bytes.size() : newline + 1);
  }
}

/// `%0 = "ttnn.add"(%1) <{...}> : (tensor<...>) -> tensor<...>`: written so, an op ends with its result
/// types.
bool lacks_result_types(std::string_view op) {
  const std::size_t name = op[0] == '"' ? 0 : op.find(" = \"");
  return name != kNoPlace && !contains(op, " -> ");
}

/// Whether the line of an op or an alias in a dump ends before all that it opened is closed. What ends with
/// `{` opens a region, whose lines follow by themselves.
bool is_broken_in_dump(std::string_view line) {
  const std::size_t start = line.find_first_not_of(' ');
  const bool is_op = start != kNoPlace && start >= 2 && (line[start] == '%' || line[start] == '"');
  const bool is_alias = !line.empty() && line[0] == '#';
  if (!(is_op || is_alias) || !begins_line_of_dump(line) || line.ends_with('{')) return false;
  std::int64_t open = 0;
  for (const char c : line) {
    if (c == '(' || c == '[' || c == '{') ++open;
    if (c == ')' || c == ']' || c == '}') --open;
  }
  return open > 0 || (is_op && lacks_result_types(line.substr(start)));
}

struct BrokenLine {
  std::string_view line;
  std::string_view next;
};

/// Lines of the runtime whose ends are missing and may stand in the next line.
std::vector<BrokenLine> broken_lines(std::string_view bytes) {
  std::vector<BrokenLine> broken;
  std::string_view before;
  for_each_line(bytes, [&](std::string_view line) {
    if (!before.empty() && !begins_line_of_logger(line)) broken.push_back({before, line});
    before = ending_of(line) == Ending::kMissing ? line : std::string_view();
  });
  return broken;
}

/// The same of dumps, for logs that have no op lines and no memory lines.
std::vector<BrokenLine> broken_lines_of_dumps(std::string_view bytes) {
  std::vector<BrokenLine> broken;
  std::string_view before;
  for_each_line(bytes, [&](std::string_view line) {
    const bool is_followed = !before.empty() && !begins_line_of_logger(line) && !begins_line_of_dump(line);
    if (is_followed) broken.push_back({before, line});
    before = is_broken_in_dump(line) ? line : std::string_view();
  });
  return broken;
}

/// The column at which nearly all broken lines end; 0 unless hardly any line of the log is wider.
std::size_t common_width(const std::vector<BrokenLine>& broken, std::string_view bytes, bool counts_bytes) {
  std::map<std::size_t, std::size_t> ends;
  for (const BrokenLine& pair : broken) ++ends[columns_of(pair.line, counts_bytes)];
  std::size_t width = 0;
  std::size_t most = 0;
  for (auto end = ends.begin(); end != ends.end(); ++end) {
    std::size_t count = 0;
    const std::size_t least = end->first - std::min(end->first, kMaxLostBlanks);
    for (auto near = ends.lower_bound(least); near != std::next(end); ++near) count += near->second;
    if (count < most) continue;
    most = count;
    width = end->first;
  }
  if (width < kMinWidth || width > kMaxWidth || most * 5 < broken.size() * 4) return 0;
  std::size_t lines = 0;
  std::size_t wider = 0;
  for_each_line(bytes, [&](std::string_view line) {
    ++lines;
    if (columns_of(line, counts_bytes) > width) ++wider;
  });
  return wider * 50 <= lines ? width : 0;
}

/// Columns of the first word of a line with the blank behind it, which stays on its line.
std::size_t word_columns(std::string_view line, bool counts_bytes) {
  const std::size_t blank = line.find(' ');
  return columns_of(line.substr(0, blank == kNoPlace ? blank : blank + 1), counts_bytes);
}

/// The width of a log that is broken in front of words: that of its widest lines, beyond which nearly every
/// line that goes on would have got with one more word; 0 if it is none.
std::size_t width_at_blanks(const std::vector<BrokenLine>& broken, std::string_view bytes,
                            bool counts_bytes) {
  std::vector<std::size_t> widths;
  for_each_line(bytes, [&](std::string_view line) { widths.push_back(columns_of(line, counts_bytes)); });
  const std::size_t few = widths.size() / 50;
  std::nth_element(widths.begin(), widths.end() - 1 - static_cast<std::ptrdiff_t>(few), widths.end());
  const std::size_t width = widths[widths.size() - 1 - few];
  if (width < kMinWidth || width > kMaxWidth) return 0;
  const auto had_no_room = std::count_if(broken.begin(), broken.end(), [&](const BrokenLine& pair) {
    const std::size_t columns = columns_of(pair.line, counts_bytes);
    return columns <= width && columns + word_columns(pair.next, counts_bytes) + 1 > width;
  });
  return static_cast<std::size_t>(had_no_room) * 5 >= broken.size() * 4 ? width : 0;
}

bool keep_blanks(const std::vector<BrokenLine>& broken) {
  const auto kept = std::count_if(broken.begin(), broken.end(),
                                  [](const BrokenLine& pair) { return pair.line.ends_with(' '); });
  return static_cast<std::size_t>(kept) * 5 >= broken.size() * 4;
}

/// What a terminal broke has rows of bytes that are too wide, and the other way round.
LineWrapping wrapping_at_column(const std::vector<BrokenLine>& broken, std::string_view bytes) {
  for (const bool counts_bytes : {false, true}) {
    const std::size_t columns = common_width(broken, bytes, counts_bytes);
    if (columns != 0) return {columns, counts_bytes, false, false};
  }
  return {};
}

LineWrapping wrapping_at_blanks(const std::vector<BrokenLine>& broken, std::string_view bytes) {
  for (const bool counts_bytes : {true, false}) {
    const std::size_t columns = width_at_blanks(broken, bytes, counts_bytes);
    if (columns != 0) return {columns, counts_bytes, true, !keep_blanks(broken)};
  }
  return {};
}

}  // namespace

LineWrapping find_wrapping(std::string_view beginning) {
  beginning = beginning.substr(0, kLookedAtBytes);
  beginning = beginning.substr(0, beginning.rfind('\n') + 1);
  std::vector<BrokenLine> broken = broken_lines(beginning);
  if (broken.size() < kMinEvidence) broken = broken_lines_of_dumps(beginning);
  if (broken.size() < kMinEvidence) return {};
  const LineWrapping at_column = wrapping_at_column(broken, beginning);
  const LineWrapping at_blanks = wrapping_at_blanks(broken, beginning);
  // Lines that are broken at a column seldom end with a blank there.
  const bool is_at_blanks = at_column.columns == 0 || (at_blanks.columns != 0 && !at_blanks.loses_blanks);
  return is_at_blanks ? at_blanks : at_column;
}

bool UnwrappedSource::continues(std::string_view line) const {
  const bool has_no_room = wrapping_.at_blanks && pieces_ > 0 &&
                           last_columns_ + word_columns(line, wrapping_.counts_bytes) + 1 > wrapping_.columns;
  if (!(may_continue_ || has_no_room) || open_.size() >= io::ChunkSource::kLineLimitBytes ||
      begins_line_of_logger(line))
    return false;
  const bool is_program =
      contains(std::string_view(open_).substr(0, kMinWidth + kMaxLabelsLength), " execution of program: ");
  if (is_program && contains(line, " ")) return false;  // a name has no blanks
  const Ending ending = ending_of(open_);
  return ending == Ending::kMissing || (ending == Ending::kUnknown && !begins_line_of_dump(line));
}

void UnwrappedSource::end_line(std::string& out) {
  if (pieces_ == 0) return;
  if (pieces_ > 1 && first_joined_line_ == 0) first_joined_line_ = lines_ - pieces_ + 1;
  out += open_;
  out.append(pieces_, '\n');
  open_.clear();
  pieces_ = 0;
}

/// A label that stands before every piece is the line's only once.
void UnwrappedSource::add_line(std::string_view line, std::string& out) {
  if (!continues(line)) end_line(out);
  const bool ends_word = wrapping_.loses_blanks ? last_has_blank_ : !may_continue_;
  const bool lost_blank = wrapping_.at_blanks && pieces_ > 0 && ends_word && !open_.ends_with(' ');
  if (lost_blank) open_ += ' ';
  std::string_view rest = line;
  take_rank_tag(rest);
  const std::size_t label_bytes = line.size() - rest.size();
  const bool repeats_label = pieces_ > 0 && label_bytes == open_label_bytes_;
  if (pieces_ == 0) open_label_bytes_ = label_bytes;
  open_ += repeats_label ? rest : line;
  ++pieces_;
  ++lines_;
  const std::size_t columns = columns_of(line, wrapping_.counts_bytes);
  last_columns_ = columns;
  last_has_blank_ = contains(line, " ");
  may_continue_ = columns == wrapping_.columns;
  if (wrapping_.at_blanks) return;
  const bool lost_blanks = columns < wrapping_.columns && columns + kMaxLostBlanks >= wrapping_.columns;
  if (lost_blanks && ending_of(open_) == Ending::kMissing) {
    open_.append(wrapping_.columns - columns, ' ');
    may_continue_ = true;
  }
}

std::string UnwrappedSource::joined(std::string_view bytes, bool is_end) {
  std::string out;
  out.reserve(bytes.size() + open_.size());
  for_each_line(bytes, [&](std::string_view line) { add_line(line, out); });
  if (is_end) end_line(out);
  return out;
}

/// Reads so much that the decision does not depend on the size of the chunks.
Result<void> UnwrappedSource::begin() {
  is_begun_ = true;
  std::string beginning;
  std::size_t bytes = 0;
  while (bytes < kLookedAtBytes) {
    ASSIGN_OR_RETURN(io::Chunk chunk, source_->next());
    if (chunk.bytes.empty()) break;
    bytes += chunk.bytes.size();
    first_.push_back(std::move(chunk));
  }
  if (first_.size() == 1) {
    wrapping_ = find_wrapping(first_.front().bytes);
    return {};
  }
  for (const io::Chunk& chunk : first_) beginning += chunk.bytes.substr(0, kLookedAtBytes - beginning.size());
  wrapping_ = find_wrapping(beginning);
  return {};
}

Result<io::Chunk> UnwrappedSource::next_of_source() {
  if (first_.empty()) return source_->next();
  io::Chunk chunk = std::move(first_.front());
  first_.pop_front();
  return chunk;
}

Result<io::Chunk> UnwrappedSource::next() {
  if (!is_begun_) {
    RETURN_IF_ERROR(begin());
  }
  while (true) {
    Result<io::Chunk> chunk = next_of_source();
    if (!chunk || wrapping_.columns == 0) return chunk;
    const bool is_end = chunk->bytes.empty();
    std::string text = joined(chunk->bytes, is_end);
    if (!text.empty() || is_end) return rewritten(*chunk, std::move(text));
  }
}

}  // namespace ttscope::mem
