#include "base/lost_pages.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <mutex>

namespace ttscope {
namespace {

/// A signal handler can take no lock and reach no object of the heap: hence a table of fixed size. What is
/// mapped beyond it is not watched.
struct Mapping {
  std::atomic<std::uintptr_t> begin = 0;  ///< 0: free
  std::atomic<std::uintptr_t> end = 0;
};
std::array<Mapping, 4096> mappings;
std::atomic<std::uint64_t> lost = 0;
std::atomic<bool> is_on = false;
std::uintptr_t page_bytes = 0;
struct sigaction before {};

/// A file that ends here has lost all that follows: the rest of the mapping becomes memory without a file.
bool replace_lost(std::uintptr_t address) {
  for (const Mapping& mapping : mappings) {
    const std::uintptr_t begin = mapping.begin;
    const std::uintptr_t end = mapping.end;
    if (begin == 0 || address < begin || address >= end) continue;
    const std::uintptr_t page = address / page_bytes * page_bytes;
    void* const place = reinterpret_cast<void*>(page);  // NOLINT(performance-no-int-to-ptr)
    const void* made = ::mmap(place, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (made == MAP_FAILED) return false;
    ++lost;
    return true;
  }
  return false;
}

void on_bus_error(int signal_number, siginfo_t* info, void* context) {
  if (replace_lost(reinterpret_cast<std::uintptr_t>(info->si_addr))) return;
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal_number, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal_number);
  } else {
    ::sigaction(SIGBUS, &before, nullptr);  // the read is tried again, and ends the process as it would have
  }
}

}  // namespace

void survive_lost_pages() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    is_on = ::sigaction(SIGBUS, &action, &before) == 0;
  });
}

std::uint64_t lost_pages() { return lost; }

void watch_mapping(const void* data, std::size_t size_bytes) {
  if (!is_on) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  for (Mapping& mapping : mappings) {
    std::uintptr_t expected = 0;
    if (!mapping.begin.compare_exchange_strong(expected, begin)) continue;
    mapping.end = begin + size_bytes;
    return;
  }
}

void forget_mapping(const void* data) {
  if (!is_on) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  for (Mapping& mapping : mappings) {
    if (mapping.begin != begin) continue;
    mapping.end = 0;
    mapping.begin = 0;
    return;
  }
}

}  // namespace ttscope
