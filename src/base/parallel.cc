#include "base/parallel.h"

#include <atomic>
#include <exception>
#include <mutex>
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

}  // namespace ttscope
