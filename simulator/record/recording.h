#pragma once

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>

#include "timeline/read/recording_format.h"

namespace ttscope::record {

/// Zeroed memory that is never given back, without locks and without malloc, which the program may have
/// replaced by one that records. Null where the system has none.
void* allocate_kept(std::size_t bytes);

/// Whether the CPU's counter runs at one rate whatever the CPU does and may be read by programs;
/// TTSCOPE_RECORD_CLOCK=system says no.
bool is_counter_usable();

inline std::int64_t clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  constexpr std::int64_t kNsPerS = 1'000'000'000;
  return std::int64_t{time.tv_sec} * kNsPerS + time.tv_nsec;
}

/// The time in ticks: of the counter, or nanoseconds where it cannot be used.
inline std::uint64_t ticks_of(bool is_counter) {
#if defined(__x86_64__)
  if (is_counter) [[likely]]
    return __rdtsc();
#elif defined(__aarch64__)
  if (is_counter) [[likely]] {
    std::uint64_t ticks = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#else
  static_cast<void>(is_counter);
#endif
  return static_cast<std::uint64_t>(clock_ns(CLOCK_MONOTONIC));
}

/// One moment on both clocks.
struct ClockPair {
  std::uint64_t ticks = 0;
  std::int64_t mono_ns = 0;
};
/// Of several tries the one that was interrupted least.
ClockPair read_clock_pair(bool is_counter);

/// Ticks per second between an earlier pair and now; waits until they are a millisecond apart.
double measured_rate(const ClockPair& earlier, bool is_counter);

/// The file of this process. Threads take chunks of it without locks; each that has one holds the file open.
class Recording {
 public:
  struct Options {
    const char* folder;
    std::uint64_t most_bytes;
    bool is_counter;
    ClockPair earlier;  ///< some time ago, for the rate of the counter
  };

  /// Makes the file; null where that is not possible: `errno` says why. Lives in memory that is never given
  /// back.
  static Recording* create(const Options& options);

  /// A mapped chunk of kSlotBytes without events, for the calling thread; null where there is no room.
  ChunkHead* take_slot(std::uint32_t thread);
  /// Writes what is in a slot behind all other chunks. False where there is no room; the slot stays as it is
  /// then.
  bool spill(const ChunkHead* slot, const std::uint64_t* end);
  /// Other threads may have an empty slot; one with content stays in the file.
  void give_back(ChunkHead* slot, bool is_empty);
  std::uint32_t next_thread() { return threads_.fetch_add(1, std::memory_order_relaxed); }

  /// Threads that write into it hold it. False where it was given up already.
  bool hold();
  /// Closes the file with the last one.
  void let_go();
  /// In a forked child, whose parent goes on with it.
  void abandon();
  /// Notes when recording ended.
  void note_end();
  /// Takes the file away again: another thread made one at the same time.
  void discard();
  void sync() const;

  void count_dropped(std::uint32_t thread) {
    std::atomic_ref(head_->dropped[thread % kCounterCount].count).fetch_add(1, std::memory_order_relaxed);
  }
  /// Of all threads so far.
  std::uint64_t dropped() const;
  std::uint64_t first_ticks() const { return head_->first_ticks; }
  const char* path() const { return path_; }

 private:
  bool make_file(const Options& options);
  bool name_file(const char* folder, bool is_nameless);
  std::uint64_t allocate(std::size_t bytes);
  bool grow(std::uint64_t end);
  bool reserve(std::size_t from, std::size_t bytes) const;
  void fill_head(const Options& options);

  int fd_ = -1;
  FileHead* head_ = nullptr;
  bool is_counter_ = false;
  std::atomic<std::uint64_t> end_{kHeadBytes};       ///< of what is given out
  std::atomic<std::uint64_t> reserved_{kHeadBytes};  ///< what the disk has room for
  std::atomic<ChunkHead*> free_slots_[64]{};
  std::atomic<std::uint32_t> threads_{0};
  std::atomic<std::uint32_t> holders_{1};  ///< the recorder itself is the first
  char path_[4096]{};
};

}  // namespace ttscope::record
