#include "base/unfinished_file.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "base/writer.h"

namespace ttscope {
namespace {

/// Whoever exchanges a path for null owns it, so that a signal handler and a writer in another thread never
/// use one that the other frees. A signal handler can take no lock and reach no object of the heap: hence a
/// table of fixed size.
using PathSlot = std::atomic<char*>;
static_assert(PathSlot::is_always_lock_free);
std::array<PathSlot, 64> path_slots{};

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) {
  char* copy = ::strdup(path.c_str());
  if (copy == nullptr) return;
  for (std::size_t slot = 0; slot < path_slots.size(); ++slot) {
    char* expected = nullptr;
    if (path_slots[slot].compare_exchange_strong(expected, copy)) {
      slot_ = static_cast<int>(slot);
      return;
    }
  }
  std::free(copy);
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ >= 0) std::free(path_slots[static_cast<std::size_t>(slot_)].exchange(nullptr));
}

void remove_unfinished_files() noexcept {
  for (PathSlot& slot : path_slots) {
    char* path = slot.exchange(nullptr);
    if (path == nullptr) continue;
    ::unlink(path);
    char* expected = nullptr;  // given back for its owner to free: a signal handler must not
    slot.compare_exchange_strong(expected, path);
  }
}

}  // namespace ttscope
