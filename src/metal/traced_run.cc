#include "metal/traced_run.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

namespace ttscope::metal {

/// Zero in a run that has just begun.
struct TracedRun::Shared {
  std::uint32_t device_calls;
  std::uint32_t host_calls;
  std::uint64_t nanoseconds;
  std::uint64_t sync_start_ns;
};

namespace {

constexpr const char* kRunFile = "/devices_of_run.bin";

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

struct flock lock_of(short kind) {
  struct flock lock {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

TracedRun* TracedRun::current() {
  // Never closed: locks of a process end with the first descriptor of their file that it closes.
  static TracedRun* const kRun = [] {
    const std::string logs = setting("TTSCOPE_TRACED_LOGS");
    const bool is_here = !logs.empty() && setting("TT_METAL_PROFILER_DIR") + "/.logs" == logs;
    return is_here ? open(logs) : nullptr;
  }();
  return kRun;
}

TracedRun* TracedRun::open(const std::string& logs) {
  std::error_code ignored;
  std::filesystem::create_directories(logs, ignored);
  const int file = ::open((logs + kRunFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return nullptr;
  void* shared = MAP_FAILED;
  if (::ftruncate(file, sizeof(Shared)) == 0)
    shared = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared != MAP_FAILED) return new TracedRun(file, static_cast<Shared*>(shared));
  ::close(file);
  return nullptr;
}

std::uint32_t TracedRun::next_device_call() { return ++std::atomic_ref(shared_->device_calls); }

std::uint32_t TracedRun::next_host_call() { return ++std::atomic_ref(shared_->host_calls); }

bool TracedRun::take_devices() {
  struct flock lock = lock_of(F_WRLCK);
  if (::fcntl(file_, F_SETLK, &lock) == 0) {
    owner_ = ::getpid();
    return true;
  }
  owner_ = ::fcntl(file_, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? lock.l_pid : 0;
  return false;
}

void TracedRun::give_devices_back() {
  if (!has_devices()) return;
  struct flock lock = lock_of(F_UNLCK);
  ::fcntl(file_, F_SETLK, &lock);
  owner_ = 0;
}

bool TracedRun::has_devices() const { return owner_ == ::getpid(); }

std::uint64_t TracedRun::nanoseconds() const { return std::atomic_ref(shared_->nanoseconds).load(); }

void TracedRun::came_to(std::uint64_t nanoseconds) {
  std::atomic_ref(shared_->nanoseconds).store(nanoseconds);
}

std::uint64_t TracedRun::sync_start(std::uint64_t own) {
  std::uint64_t known = 0;
  return std::atomic_ref(shared_->sync_start_ns).compare_exchange_strong(known, own) ? own : known;
}

}  // namespace ttscope::metal
