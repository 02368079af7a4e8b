#include "record/recording.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace ttscope::record {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

/// A block begins with how much of it is taken.
struct Block {
  std::atomic<std::size_t> taken;
};

std::atomic<Block*> current{nullptr};

void* map_pages(std::size_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

}  // namespace

void* allocate_kept(std::size_t bytes) {
  constexpr std::size_t kAlignment = alignof(std::max_align_t);
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes > kBlockBytes / 4) return map_pages(bytes);
  for (;;) {
    Block* block = current.load(std::memory_order_acquire);
    if (block != nullptr) {
      const std::size_t at = block->taken.fetch_add(bytes, std::memory_order_relaxed);
      if (at + bytes <= kBlockBytes) return reinterpret_cast<char*>(block) + at;
    }
    auto* fresh = static_cast<Block*>(map_pages(kBlockBytes));
    if (fresh == nullptr) return nullptr;
    fresh->taken.store(kAlignment, std::memory_order_relaxed);
    if (!current.compare_exchange_strong(block, fresh, std::memory_order_acq_rel)) munmap(fresh, kBlockBytes);
  }
}

bool is_counter_usable() {
  const char* wished = std::getenv("TTSCOPE_RECORD_CLOCK");
  if (wished != nullptr && std::strcmp(wished, "system") == 0) return false;
#if defined(__x86_64__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned kPowerLeaf = 0x80000007;
  constexpr unsigned kIsInvariant = 1u << 8;
  return __get_cpuid(kPowerLeaf, &eax, &ebx, &ecx, &edx) != 0 && (edx & kIsInvariant) != 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

ClockPair read_clock_pair(bool is_counter) {
  ClockPair best;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t before = ticks_of(is_counter);
    const std::int64_t mono_ns = clock_ns(CLOCK_MONOTONIC);
    const std::uint64_t took = ticks_of(is_counter) - before;
    if (took >= least) continue;
    least = took;
    best = {before + took / 2, mono_ns};
  }
  return best;
}

double measured_rate(const ClockPair& earlier, bool is_counter) {
  constexpr double kNsPerS = 1e9;
  if (!is_counter) return kNsPerS;
  constexpr std::int64_t kMinNs = 1'000'000;
  ClockPair now = read_clock_pair(is_counter);
  while (now.mono_ns - earlier.mono_ns < kMinNs) now = read_clock_pair(is_counter);
  return static_cast<double>(now.ticks - earlier.ticks) * kNsPerS /
         static_cast<double>(now.mono_ns - earlier.mono_ns);
}

namespace {

/// The first line of a file of the kernel; empty where it cannot be read.
void read_line(const char* path, char* line, std::size_t size) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  const ssize_t got = read(fd, line, size - 1);
  close(fd);
  line[std::max<ssize_t>(got, 0)] = '\0';
  line[std::strcspn(line, "\n")] = '\0';
}

/// The last part of the program's path, as a part of a file name.
void short_program_name(const char* program, char* name, std::size_t size) {
  const char* slash = std::strrchr(program, '/');
  std::snprintf(name, size, "%.*s", static_cast<int>(size - 1), slash == nullptr ? program : slash + 1);
  for (char* at = name; *at != '\0'; ++at) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(*at)) != 0 || *at == '.' || *at == '_' || *at == '+';
    if (!is_plain) *at = '_';
  }
  if (*name == '\0') std::snprintf(name, size, "program");
}

/// Makes all folders of a path.
void make_folders(const char* folder) {
  char path[4096];
  std::snprintf(path, sizeof(path), "%s", folder);
  for (char* at = path + 1; *at != '\0'; ++at) {
    if (*at != '/') continue;
    *at = '\0';
    mkdir(path, 0777);
    *at = '/';
  }
  mkdir(path, 0777);
}

void* map_file(int fd, std::size_t from, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(from));
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

Recording* Recording::create(const Options& options) {
  void* memory = allocate_kept(sizeof(Recording));
  if (memory == nullptr) return nullptr;
  auto* recording = new (memory) Recording;
  recording->is_counter_ = options.is_counter;
  if (recording->make_file(options)) return recording;
  const int why = errno;
  if (recording->fd_ >= 0) close(recording->fd_);
  errno = why;
  return nullptr;
}

/// The file gets its name when its head is complete, where the file system can do that: nobody finds half of
/// one.
bool Recording::make_file(const Options& options) {
  make_folders(options.folder);
  fd_ = open(options.folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  const bool is_nameless = fd_ >= 0;
  if (!is_nameless && !name_file(options.folder, is_nameless)) return false;
  if (reserve(0, kHeadBytes)) head_ = static_cast<FileHead*>(map_file(fd_, 0, kHeadBytes));
  if (head_ != nullptr) {
    fill_head(options);
    if (!is_nameless || name_file(options.folder, is_nameless)) return true;
  }
  if (!is_nameless) unlink(path_);
  return false;
}

/// Gives the file the first free name of this process, or makes it under that name.
bool Recording::name_file(const char* folder, bool is_nameless) {
  char program[1024] = "program";
  const ssize_t size = readlink("/proc/self/exe", program, sizeof(program) - 1);
  if (size > 0) program[size] = '\0';
  char name[64];
  short_program_name(program, name, sizeof(name));
  char own[64];
  std::snprintf(own, sizeof(own), "/proc/self/fd/%d", fd_);
  constexpr int kMaxTries = 10000;
  for (int i = 1; i < kMaxTries; ++i) {
    char again[16] = "";
    if (i > 1) std::snprintf(again, sizeof(again), "-%d", i);
    std::snprintf(path_, sizeof(path_), "%s/%s-%d%s%s", folder, name, static_cast<int>(getpid()), again,
                  kFileEnding);
    if (is_nameless) {
      if (linkat(AT_FDCWD, own, AT_FDCWD, path_, AT_SYMLINK_FOLLOW) == 0) return true;
    } else {
      fd_ = open(path_, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd_ >= 0) return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

/// Takes the blocks of a range on the disk: a mapped page without one would end the program when the disk is
/// full.
bool Recording::reserve(std::size_t from, std::size_t bytes) const {
  rlimit most{};
  // Beyond this limit the system would send a signal.
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY && from + bytes > most.rlim_cur) {
    errno = EFBIG;
    return false;
  }
  int result = 0;
  do {
    result = fallocate(fd_, 0, static_cast<off_t>(from), static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  if (result == 0) return true;
  if (errno != EOPNOTSUPP && errno != ENOSYS) return false;
  static constexpr char kZeros[4096] = {};
  for (std::size_t at = from; at < from + bytes; at += sizeof(kZeros)) {
    if (pwrite(fd_, kZeros, sizeof(kZeros), static_cast<off_t>(at)) != ssize_t{sizeof(kZeros)}) return false;
  }
  return true;
}

void Recording::fill_head(const Options& options) {
  FileHead& head = *head_;
  head.version = kFileVersion;
  head.head_bytes = kHeadBytes;
  head.slot_bytes = kSlotBytes;
  head.process = static_cast<std::uint64_t>(getpid());
  head.parent = static_cast<std::uint64_t>(getppid());
  head.clock = options.is_counter ? ClockKind::kCounter : ClockKind::kSystem;
  head.most_bytes = options.most_bytes;
  head.ticks_per_s = measured_rate(options.earlier, options.is_counter);
  read_line("/proc/sys/kernel/random/boot_id", head.boot, sizeof(head.boot));
  gethostname(head.host, sizeof(head.host) - 1);
  if (readlink("/proc/self/exe", head.program, sizeof(head.program) - 1) < 0) head.program[0] = '\0';
  const ClockPair now = read_clock_pair(options.is_counter);
  head.first_ticks = now.ticks;
  head.first_mono_ns = now.mono_ns;
  head.first_real_ns = clock_ns(CLOCK_REALTIME) - (clock_ns(CLOCK_MONOTONIC) - now.mono_ns);
  std::uint64_t magic = 0;
  static_assert(sizeof(magic) == sizeof(kFileMagic));
  std::memcpy(&magic, kFileMagic, sizeof(magic));
  std::atomic_ref(*reinterpret_cast<std::uint64_t*>(head.magic)).store(magic, std::memory_order_release);
}

/// Sees to it that the disk has room up to there. The steps grow with the file, so that those of short
/// programs stay small.
bool Recording::grow(std::uint64_t end) {
  std::uint64_t reserved = reserved_.load(std::memory_order_acquire);
  constexpr std::uint64_t kLargestStep = std::uint64_t{1} << 22;
  while (reserved < end) {
    const std::uint64_t wished = std::min(reserved + std::min(reserved, kLargestStep), head_->most_bytes);
    const std::uint64_t next = std::max(end, wished);
    // Others may do the same at this moment, which does no harm.
    if (!reserve(reserved, next - reserved)) return false;
    while (reserved < next && !reserved_.compare_exchange_weak(reserved, next, std::memory_order_acq_rel)) {
    }
  }
  return true;
}

/// The place of so many bytes, whole pages, at the end of the file; 0: no room.
std::uint64_t Recording::allocate(std::size_t bytes) {
  std::uint64_t at = end_.load(std::memory_order_relaxed);
  do {
    if (at + bytes > head_->most_bytes) return 0;
  } while (!end_.compare_exchange_weak(at, at + bytes, std::memory_order_relaxed));
  if (grow(at + bytes)) {
    std::uint64_t used = std::atomic_ref(head_->used_bytes).load(std::memory_order_relaxed);
    while (used < at + bytes && !std::atomic_ref(head_->used_bytes)
                                     .compare_exchange_weak(used, at + bytes, std::memory_order_relaxed)) {
    }
    return at;
  }
  std::atomic_ref(head_->is_disk_full).store(1, std::memory_order_relaxed);
  end_.store(head_->most_bytes, std::memory_order_relaxed);  // nobody tries again and again
  return 0;
}

ChunkHead* Recording::take_slot(std::uint32_t thread) {
  ChunkHead* slot = nullptr;
  for (std::atomic<ChunkHead*>& free : free_slots_) {
    if (free.load(std::memory_order_relaxed) != nullptr)
      slot = free.exchange(nullptr, std::memory_order_acq_rel);
    if (slot != nullptr) break;
  }
  if (slot == nullptr) {
    const std::uint64_t at = allocate(kSlotBytes);
    if (at == 0) return nullptr;
    slot = static_cast<ChunkHead*>(map_file(fd_, at, kSlotBytes));
    if (slot == nullptr) return nullptr;
#ifdef MADV_POPULATE_WRITE
    madvise(slot, kSlotBytes, MADV_POPULATE_WRITE);  // one call instead of a fault for each page
#endif
  }
  slot->bytes = kSlotBytes;
  slot->thread = thread;
  slot->sequence = 0;
  slot->thread_id = static_cast<std::uint64_t>(syscall(SYS_gettid));
  std::atomic_ref(slot->magic).store(kChunkMagic, std::memory_order_release);
  return slot;
}

bool Recording::spill(const ChunkHead* slot, const std::uint64_t* end) {
  const auto used =
      static_cast<std::size_t>(reinterpret_cast<const char*>(end) - reinterpret_cast<const char*>(slot));
  const std::size_t bytes = (used + kPageBytes - 1) / kPageBytes * kPageBytes;
  const std::uint64_t at = allocate(bytes);
  if (at == 0) return false;
  ChunkHead head = *slot;
  head.bytes = static_cast<std::uint32_t>(bytes);
  // Readers may look at any moment: a chunk that has its magic word is there as a whole.
  constexpr std::size_t kMagicBytes = sizeof(head.magic);
  const iovec parts[] = {{reinterpret_cast<char*>(&head) + kMagicBytes, sizeof(head) - kMagicBytes},
                         {const_cast<ChunkHead*>(slot) + 1, used - sizeof(head)}};
  return pwritev(fd_, parts, 2, static_cast<off_t>(at + kMagicBytes)) ==
             static_cast<ssize_t>(used - kMagicBytes) &&
         pwrite(fd_, &head.magic, kMagicBytes, static_cast<off_t>(at)) == ssize_t{kMagicBytes};
}

void Recording::give_back(ChunkHead* slot, bool is_empty) {
  for (std::atomic<ChunkHead*>& free : free_slots_) {
    ChunkHead* none = nullptr;
    if (!is_empty) break;
    if (free.compare_exchange_strong(none, slot, std::memory_order_acq_rel)) return;
  }
  munmap(slot, kSlotBytes);
}

bool Recording::hold() {
  std::uint32_t holders = holders_.load(std::memory_order_relaxed);
  do {
    if (holders == 0) return false;
  } while (!holders_.compare_exchange_weak(holders, holders + 1, std::memory_order_acq_rel));
  return true;
}

void Recording::let_go() {
  if (holders_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  close(fd_);
}

void Recording::abandon() { close(fd_); }

void Recording::note_end() {
  const ClockPair now = read_clock_pair(is_counter_);
  head_->last_ticks = now.ticks - head_->first_ticks;
  head_->last_mono_ns = now.mono_ns;
  std::atomic_ref(head_->end).store(EndKind::kEnded, std::memory_order_release);
}

void Recording::discard() {
  unlink(path_);
  let_go();
}

void Recording::sync() const { fdatasync(fd_); }

std::uint64_t Recording::dropped() const {
  std::uint64_t sum = 0;
  for (DropCounter& counter : head_->dropped)
    sum += std::atomic_ref(counter.count).load(std::memory_order_relaxed);
  return sum;
}

}  // namespace ttscope::record
