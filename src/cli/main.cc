// The program; nothing includes it.
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/writer.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace {

/// Says a message without allocating anything.
void complain_without_memory(std::string_view message) {
  for (const std::string_view part : {std::string_view(ttscope::cli::program_name()), message}) {
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0) return;
  }
}

/// simdjson chooses its code for the processor in functions that must not throw, and allocates for that: such
/// an end is a sentence too. What else is not caught is a mistake of ours and aborts as usual.
[[noreturn]] void on_terminate() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    complain_without_memory(": ended inside of a library, as happens without memory\n");
  } catch (const std::bad_alloc&) {
    complain_without_memory(": out of memory\n");
  } catch (...) {
    std::abort();
  }
  ttscope::remove_unfinished_files();
  ::_exit(ttscope::cli::kFailed);
}

std::string message_of(const std::system_error& error) {
  // Only the start of a thread tells this; its message names no thread.
  if (error.code() != std::errc::resource_unavailable_try_again) return error.what();
  return "a thread cannot be started: " + error.code().message() +
         " (`ulimit -u` and the limits of the container bound their number)";
}

int run(int argc, char** argv) {
  try {
    ttscope::cli::install_signal_handling();
    return ttscope::cli::run_program(argc > 0 ? argv[0] : "ttscope",
                                     {argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::system_error& error) {
    ttscope::cli::complain(message_of(error));
  } catch (const std::bad_alloc&) {
    complain_without_memory(": out of memory\n");
  } catch (const std::exception& error) {
    ttscope::cli::complain(error.what());
  }
  return ttscope::cli::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(on_terminate);
  try {
    return run(argc, argv);
  } catch (...) {  // even the complaint found no memory
    complain_without_memory(": out of memory\n");
  }
  return ttscope::cli::kFailed;
}
