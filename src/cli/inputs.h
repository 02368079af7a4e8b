#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/formats.h"
#include "app/open.h"
#include "base/result.h"
#include "cli/terminal.h"
#include "io/chunk_source.h"

namespace ttscope::cli {

/// The inputs of a command, which can be told apart after a reading that came to nothing: made before they
/// are read.
class CommandInputs {
 public:
  CommandInputs(std::vector<std::string> paths, app::Wanted wanted);

  /// For readers that go through a stream once: what it is is seen on the way. Must outlive the reading.
  io::SourceOptions watched();
  /// Complains of inputs that the command could do nothing with; the exit code. Inputs of another kind are
  /// told what they are and which command reads them, an empty one that it is empty, else `error` stands.
  int fail(const Error& error) const;
  /// What the first input is that is an archive, although it could be read; empty: none is. Of streams it is
  /// known after the reading.
  std::string archive_message() const;

 private:
  /// None: it cannot be looked at again, and was not seen.
  std::optional<app::Detected> look_at(const std::string& path, app::LogSearch search) const;
  /// Whether the one file is called like those of a memory report, and is of one or holds nothing: it was
  /// read with the others of that name, and what is said of them stands.
  bool is_read_as_report(const Error& error) const;

  std::vector<std::string> paths_;
  app::Wanted wanted_;
  app::SavedPosition standard_input_;
  app::KindDetector watch_;
};

/// The same for a log of `ttscope mem` that was read without.
int fail_reading(const Error& error, const std::string& log);

/// Makes pipes among the paths files that can be looked into and read twice. Returns where they are now: `-`
/// and /dev/fd/N stay what they are, other pipes become a /dev/fd/N.
Result<std::vector<std::string>> hold_streams(std::vector<std::string> paths);

/// Shows on the bar how far the reading is.
app::OpenOptions shown_on(ProgressBar& bar);

/// Opens a profile for each path with a progress bar on standard error, and says what of them could not be
/// used.
Result<std::vector<app::Profile>> open_profiles(const std::vector<std::string>& paths);

}  // namespace ttscope::cli
