#include "capture/live_thread.h"

#include <chrono>
#include <new>
#include <system_error>

namespace ttscope::capture {
namespace {

/// The scan looks at what has come so often; a child that prints little wakes nobody.
constexpr std::chrono::milliseconds kPause{50};
constexpr std::size_t kWakeBytes = std::size_t{4} << 20;
constexpr std::size_t kMostWaitingBytes = std::size_t{32} << 20;
constexpr std::size_t kMostFreeBlocks = 32;

}  // namespace

LiveThread::LiveThread() {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    // No thread can be started: what comes is scanned when it comes.
  }
}

LiveThread::~LiveThread() { join(); }

std::shared_ptr<Block> LiveThread::take_block() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_shared<Block>();
  std::shared_ptr<Block> block = std::move(free_.front());
  free_.pop_front();
  return block;
}

void LiveThread::add(std::shared_ptr<Block> block, std::string_view bytes) {
  if (!thread_.joinable()) return scan(bytes);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_bytes_ < kMostWaitingBytes; });
  const bool continues = !pieces_.empty() && pieces_.back().block == block &&
                         pieces_.back().bytes.data() + pieces_.back().bytes.size() == bytes.data();
  if (continues) {
    std::string_view& last = pieces_.back().bytes;
    last = {last.data(), last.size() + bytes.size()};
  } else {
    pieces_.push_back({std::move(block), bytes});
  }
  const bool was_low = waiting_bytes_ < kWakeBytes;
  waiting_bytes_ += bytes.size();
  if (was_low && waiting_bytes_ >= kWakeBytes) changed_.notify_all();
}

/// Without memory the state stands still; the log is not touched by that.
void LiveThread::scan(std::string_view bytes) {
  const std::lock_guard scanning(scan_mutex_);
  if (has_no_memory_) return;
  try {
    scan_.add(bytes);
  } catch (const std::bad_alloc&) {
    has_no_memory_ = true;
  }
}

LiveState LiveThread::state() const {
  const std::lock_guard lock(scan_mutex_);
  return scan_.state();
}

LiveState LiveThread::finish() {
  join();
  scan_.finish();
  return scan_.state();
}

void LiveThread::join() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LiveThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait_for(lock, kPause, [this] { return finishing_ || waiting_bytes_ >= kWakeBytes; });
    if (pieces_.empty()) {
      if (finishing_) return;
      continue;
    }
    std::deque<Piece> taken;
    taken.swap(pieces_);
    lock.unlock();
    std::size_t done = 0;
    for (const Piece& piece : taken) {
      scan(piece.bytes);
      done += piece.bytes.size();
    }
    lock.lock();
    waiting_bytes_ -= done;
    for (Piece& piece : taken) {
      // The newest block may still be in the hands of the reader.
      if (piece.block.use_count() == 1 && free_.size() < kMostFreeBlocks)
        free_.push_back(std::move(piece.block));
    }
    changed_.notify_all();
  }
}

}  // namespace ttscope::capture
