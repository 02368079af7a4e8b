#include "base/resources.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <fstream>
#include <limits>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace ttscope {

void run_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex mutex;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) job(i);
    } catch (...) {
      next = count;  // the others stop early
      const std::lock_guard lock(mutex);
      if (!failed) failed = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned i = 1; i < threads && i < count; ++i) others.emplace_back(work);
    } catch (const std::system_error&) {
      // No further thread can be started: those that run do all of the work.
    }
    work();
  }
  if (failed) std::rethrow_exception(failed);
}

std::optional<std::uint64_t> group_limit_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (problem != std::errc() || bytes == 0) return std::nullopt;  // "max"
  return bytes;
}

std::uint64_t usable_memory_bytes() {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0)
    least = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
  // Inside of a container these are its own.
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::string text;
    if (std::getline(file, text)) least = std::min(least, group_limit_bytes(text).value_or(least));
  }
  struct rlimit own {};
  if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
    least = std::min<std::uint64_t>(least, own.rlim_cur);
  return least;
}

}  // namespace ttscope
