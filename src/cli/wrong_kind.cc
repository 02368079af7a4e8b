#include "cli/wrong_kind.h"

#include <algorithm>

#include "app/identify.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"

namespace ttscope::cli {

int fail_reading(const Error& error, const std::vector<std::string>& paths, app::Subject subject) {
  bool is_told = false;
  for (const std::string& path : paths) {
    const std::string message = app::wrong_kind_message(path, subject);
    if (message.empty()) continue;
    complain(message);
    is_told = true;
  }
  if (is_told) return kFailed;
  if (std::any_of(paths.begin(), paths.end(), app::is_empty_input)) {
    return fail(nothing_found(error.message));
  }
  return fail(error);
}

}  // namespace ttscope::cli
