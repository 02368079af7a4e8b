#include "record/session.h"

#include <pthread.h>
#include <sys/mman.h>
#include <ttscope/record.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "record/recording.h"
#include "record/thread_buffer.h"

std::uint32_t ttscope_record_generation = 0;

namespace ttscope::record {

bool uses_counter = false;

namespace {

constexpr std::uint64_t kBytesPerMb = std::uint64_t{1} << 20;
constexpr std::uint64_t kDefaultMb = 1024;

std::atomic<Recording*> current{nullptr};
std::atomic<std::uint32_t> last_generation{0};
char folder[3072];
std::uint64_t most_bytes = kDefaultMb * kBytesPerMb;
ClockPair loaded_at;
pthread_key_t end_of_thread;

std::atomic_ref<std::uint32_t> generation() { return std::atomic_ref(ttscope_record_generation); }

void begin_generation() {
  std::uint32_t next = last_generation.fetch_add(1, std::memory_order_relaxed) + 1;
  if (next == 0) next = last_generation.fetch_add(1, std::memory_order_relaxed) + 1;
  generation().store(next, std::memory_order_release);
}

/// The one thing that is ever printed: who asked for a recording would look for it in vain.
void report_failure(int why) {
  char line[4096];
  const int size =
      std::snprintf(line, sizeof(line), "ttscope: nothing is recorded: %s cannot be written: %s\n", folder,
                    std::strerror(why));
  if (size > 0 &&
      write(STDERR_FILENO, line, std::min<std::size_t>(static_cast<std::size_t>(size), sizeof(line))) < 0)
    return;
}

bool set_folder(const char* path) {
  // A program may change its folder later.
  if (path[0] == '/') return std::snprintf(folder, sizeof(folder), "%s", path) < int{sizeof(folder)};
  char here[2048];
  if (getcwd(here, sizeof(here)) == nullptr) return false;
  return std::snprintf(folder, sizeof(folder), "%s/%s", here, path) < int{sizeof(folder)};
}

Recording* make_recording() {
  Recording* made = Recording::create({folder, most_bytes, uses_counter, loaded_at});
  if (made == nullptr) return nullptr;
  Recording* other = nullptr;
  if (current.compare_exchange_strong(other, made, std::memory_order_acq_rel)) return made;
  made->discard();
  return other;
}

/// The child of a fork has the buffers of its parent, which goes on with them.
void restart_in_child() {
  if (Recording* recording = current.exchange(nullptr)) recording->abandon();
  if (this_thread.slot != nullptr) munmap(this_thread.slot, kSlotBytes);
  this_thread = {};
  if (current_generation() != 0) begin_generation();
}

void end_thread(void* buffer) { detach(*static_cast<ThreadBuffer*>(buffer)); }

void end_recording() {
  Recording* recording = current.exchange(nullptr, std::memory_order_acq_rel);
  if (recording == nullptr) return;
  recording->note_end();
  recording->let_go();
}

void set_limit() {
  const char* most = std::getenv("TTSCOPE_RECORD_MB");
  const std::uint64_t mb = most == nullptr ? 0 : std::strtoull(most, nullptr, 10);
  constexpr std::uint64_t kMaxMb = std::uint64_t{1} << 30;
  most_bytes = (mb == 0 || mb > kMaxMb ? kDefaultMb : mb) * kBytesPerMb;
}

__attribute__((constructor)) void read_environment() {
  uses_counter = is_counter_usable();
  loaded_at = read_clock_pair(uses_counter);
  pthread_key_create(&end_of_thread, end_thread);
  pthread_atfork(nullptr, nullptr, restart_in_child);
  set_limit();
  const char* path = std::getenv("TTSCOPE_RECORD");
  if (path != nullptr && *path != '\0' && set_folder(path)) begin_generation();
}

__attribute__((destructor)) void note_end_of_process() {
  if (Recording* recording = current.load(std::memory_order_acquire)) recording->note_end();
}

}  // namespace

std::uint32_t current_generation() { return generation().load(std::memory_order_acquire); }

Recording* held_recording() {
  Recording* recording = current.load(std::memory_order_acquire);
  if (recording == nullptr) recording = make_recording();
  if (recording == nullptr) {
    if (generation().exchange(0, std::memory_order_acq_rel) != 0) report_failure(errno);
    return nullptr;
  }
  return recording->hold() ? recording : nullptr;
}

void note_attached(ThreadBuffer& buffer) { pthread_setspecific(end_of_thread, &buffer); }

}  // namespace ttscope::record

using namespace ttscope::record;

int ttscope_record_start(const char* path) {
  if (path == nullptr || *path == '\0' || current_generation() != 0 || !set_folder(path)) return 0;
  end_recording();  // one that a thread made while it was stopped
  set_limit();
  if (make_recording() == nullptr) return 0;
  begin_generation();
  return 1;
}

void ttscope_record_stop(void) {
  generation().store(0, std::memory_order_release);
  end_recording();
}

void ttscope_record_flush(void) {
  if (const Recording* recording = current.load(std::memory_order_acquire)) recording->sync();
}

size_t ttscope_record_file(char* path, size_t size) {
  const Recording* recording = current.load(std::memory_order_acquire);
  if (recording == nullptr) return 0;
  if (size > 0) std::snprintf(path, size, "%s", recording->path());
  return std::strlen(recording->path());
}

uint64_t ttscope_record_dropped(void) {
  const Recording* recording = current.load(std::memory_order_acquire);
  return recording == nullptr ? 0 : recording->dropped();
}
