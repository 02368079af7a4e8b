#include "cli/open_profiles.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/progress_bar.h"
#include "cli/terminal.h"
#include "io/whole_text.h"

namespace ttscope::cli {

Result<void> hold_standard_input(const std::vector<std::string>& paths) {
  if (std::find(paths.begin(), paths.end(), "-") == paths.end()) return {};
  if (::lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0) return {};
  const Result<FileDescriptor> held = io::keep_stream("-");
  if (!held) return failure(held.error());
  if (::dup2(held->number(), STDIN_FILENO) >= 0) return {};
  return failure(bad_input("standard input: cannot be kept for reading"));
}

Result<std::vector<app::Profile>> open_profiles(const std::vector<std::string>& paths) {
  if (const Result<void> held = hold_standard_input(paths); !held) return failure(held.error());
  ProgressBar bar;
  app::OpenOptions options;
  options.progress = [&bar](const app::OpenProgress& progress) {
    bar.show({progress.bytes_done, progress.bytes_total, progress.ops});
  };
  Result<std::vector<app::Profile>> profiles = app::open_each(paths, options);
  if (!profiles) return profiles;
  for (const app::Profile& profile : *profiles) {
    for (const std::string& warning : profile.tables().warnings) complain(warning);
  }
  return profiles;
}

}  // namespace ttscope::cli
