#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "capture/live_scan.h"

namespace ttscope::capture {

/// Room that output is read into. Pieces of it are scanned by another thread while the rest is being filled.
class Block {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 20;
  char* data() { return bytes_.get(); }

 private:
  std::unique_ptr<char[]> bytes_{new char[kBytes]};
};

/// Scans what is captured on a thread of its own, so that the copying never waits for it, but for a scan that
/// is far behind. The bytes are not copied: the blocks are shared.
class LiveThread {
 public:
  LiveThread();
  ~LiveThread();
  LiveThread(const LiveThread&) = delete;
  LiveThread& operator=(const LiveThread&) = delete;

  /// A block to read into; one that was scanned is used again.
  std::shared_ptr<Block> take_block();
  /// `bytes` lie in `block` and are not changed any more.
  void add(std::shared_ptr<Block> block, std::string_view bytes);
  LiveState state() const;
  /// Scans all that is left; nothing can be added afterwards.
  LiveState finish();

 private:
  struct Piece {
    std::shared_ptr<Block> block;
    std::string_view bytes;
  };
  void work();
  void scan(std::string_view bytes);
  void join();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> pieces_;
  std::size_t waiting_bytes_ = 0;
  bool finishing_ = false;
  std::deque<std::shared_ptr<Block>> free_;
  mutable std::mutex scan_mutex_;
  LiveScan scan_;
  bool has_no_memory_ = false;  ///< since then nothing is scanned
  std::thread thread_;
};

}  // namespace ttscope::capture
