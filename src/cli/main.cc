// The program; nothing includes it.
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/program.h"
#include "cli/signals.h"
#include "cli/terminal.h"

int main(int argc, char** argv) {
  ttscope::cli::install_signal_handling();
  try {
    return ttscope::cli::run_program(argc > 0 ? argv[0] : "ttscope",
                                     {argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::bad_alloc&) {
    ttscope::cli::complain("out of memory");
  } catch (const std::exception& error) {
    ttscope::cli::complain(error.what());
  }
  return ttscope::cli::kFailed;
}
