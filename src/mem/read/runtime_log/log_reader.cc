#include "mem/read/runtime_log/log_reader.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include "io/chunk_source.h"
#include "mem/read/runtime_log/chunk_scan.h"
#include "mem/read/runtime_log/docker_source.h"
#include "mem/read/runtime_log/trace_builder.h"
#include "mem/read/runtime_log/unwrapped_source.h"

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
  FileReader(ScanPool& pool, TraceBuilder& builder, const ReadOptions& options)
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
  TraceBuilder& builder_;
  const ReadOptions& options_;
};

}  // namespace

Result<RuntimeTrace> read_runtime_logs(const std::vector<std::string>& paths, const ReadOptions& options) {
  TraceBuilder builder;
  ScanPool pool(options);
  FileReader reader(pool, builder, options);
  for (const std::string& path : paths) {
    if (auto read = reader.read(path); !read) return failure(read.error());
  }
  return builder.finish();
}

}  // namespace ttscope::mem
