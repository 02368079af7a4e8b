#include "cli/open_profiles.h"

#include "cli/given_inputs.h"
#include "cli/terminal.h"

namespace ttscope::cli {

app::OpenOptions shown_on(ProgressBar& bar) {
  app::OpenOptions options;
  options.progress = [&bar](const app::OpenProgress& progress) {
    bar.show({progress.bytes_done, progress.bytes_total, progress.ops});
  };
  return options;
}

Result<std::vector<app::Profile>> open_profiles(const std::vector<std::string>& paths) {
  const Result<std::vector<std::string>> held = hold_streams(paths);
  if (!held) return failure(held.error());
  ProgressBar bar;
  Result<std::vector<app::Profile>> profiles = app::open_each(*held, shown_on(bar));
  if (!profiles) return profiles;
  for (const app::Profile& profile : *profiles) {
    for (const std::string& warning : profile.tables().warnings) complain(warning);
  }
  return profiles;
}

}  // namespace ttscope::cli
