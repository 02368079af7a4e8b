#include "cli/signals.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <string_view>
#include <thread>

#include "base/files.h"
#include "base/writer.h"
#include "cli/command_line.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

volatile sig_atomic_t pipe_closed = 0;
pthread_t watcher;

/// Who is told of a signal instead of the program's end.
struct Relay {
  std::mutex mutex;
  std::function<void(int)> call;
  SignalRelay::Signals taken = SignalRelay::Signals::kAll;
  int last = 0;          ///< signal that was taken
  std::string farewell;  ///< said before an end by Ctrl-C
};

Relay& relay() {
  static Relay instance;
  return instance;
}

/// True when somebody has taken the signal.
bool relayed(int signal_number) {
  const std::lock_guard lock(relay().mutex);
  if (!relay().call) return false;
  if (relay().taken == SignalRelay::Signals::kCtrlC && signal_number != SIGINT) return false;
  relay().last = signal_number;
  relay().call(signal_number);
  return true;
}

void on_closed_pipe(int) { pipe_closed = 1; }

/// A file size limit: the write fails. Not ignored, because programs that we start would ignore it too.
void on_file_limit(int) {}

/// Runs in the thread that touched the missing page, anywhere in a reader or writer: the cleaning up is left
/// to the watcher, this thread never goes on.
void on_lost_page(int) {
  constexpr std::string_view kMessage =
      ": the input shrank while it was being read; run again when it is complete\n";
  static std::atomic_flag is_reported;  // several reading threads may come here
  if (!is_reported.test_and_set()) {
    const std::string& name = program_name();  // made and set before: only read here, as a handler may
    if (write(STDERR_FILENO, name.data(), name.size()) < 0) _exit(kFailed);
    if (write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0) _exit(kFailed);
    pthread_kill(watcher, SIGUSR1);
  }
  while (true) pause();
}

/// Waits for a signal that ends the program. A thread may do what a handler may not: take locks, walk
/// folders.
[[noreturn]] void watch(sigset_t signals) {
  int signal_number = 0;
  do {
    sigwait(&signals, &signal_number);
  } while (signal_number != SIGUSR1 && relayed(signal_number));
  if (signal_number == SIGINT) {
    const std::lock_guard lock(relay().mutex);
    say(relay().farewell);
  }
  remove_unfinished_files();
  remove_temporary_folders();
  _exit(signal_number == SIGUSR1 ? static_cast<int>(kFailed) : 128 + signal_number);
}

void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(signal_number, &action, nullptr);
}

/// A signal that the parent ignores (nohup, a background job) stays ignored.
bool is_ignored(int signal_number) {
  struct sigaction action {};
  return sigaction(signal_number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void install_signal_handling() {
  static_cast<void>(program_name());
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal_number)) sigaddset(&signals, signal_number);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread thread(watch, signals);
  watcher = thread.native_handle();
  thread.detach();
  handle(SIGPIPE, on_closed_pipe);
  handle(SIGBUS, on_lost_page);
  handle(SIGXFSZ, on_file_limit);
}

SignalRelay::SignalRelay(std::function<void(int)> call, Signals taken) {
  const std::lock_guard lock(relay().mutex);
  relay().taken = taken;
  relay().call = std::move(call);
}

SignalRelay::~SignalRelay() {
  const std::lock_guard lock(relay().mutex);
  relay().call = nullptr;
}

int last_relayed_signal() {
  const std::lock_guard lock(relay().mutex);
  return relay().last;
}

void set_interrupt_message(std::string text) {
  const std::lock_guard lock(relay().mutex);
  relay().farewell = std::move(text);
}

bool pipe_was_closed() { return pipe_closed != 0; }

}  // namespace ttscope::cli
