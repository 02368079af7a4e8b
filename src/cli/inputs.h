#pragma once

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
class GivenInputs {
 public:
  /// `only`: the command does not read all formats of the subject.
  GivenInputs(std::vector<std::string> paths, app::Subject subject, app::OnlyFormat only = {});

  /// For readers that go through a stream once: what it is is seen on the way. Must outlive the reading.
  io::SourceOptions watched();
  /// Complains of inputs that the command could do nothing with; the exit code. Inputs of another kind are
  /// told what they are and which command reads them, an empty one that it is empty, else `error` stands.
  int fail(const Error& error) const;
  /// What the first input is that is an archive, although it could be read; empty: none is. Of streams it is
  /// known after the reading.
  std::string archive_message() const;

 private:
  /// Empty: it is of the subject, or nobody knows.
  std::string wrong_kind_of(const std::string& path) const;
  bool is_empty(const std::string& path) const;
  /// Whether the one file, by its name of a memory report, is of one: it was read with the others of that
  /// name, and what is said of them stands.
  bool is_read_as_report() const;

  std::vector<std::string> paths_;
  app::Subject subject_;
  app::OnlyFormat only_;
  app::KeptPosition standard_input_;
  app::KindWatch watch_;
};

/// The same where nothing of the inputs was kept before reading.
int fail_reading(const Error& error, const std::vector<std::string>& paths, app::Subject subject);

/// Makes pipes among the paths files that can be looked into and read twice. Returns where they are now: `-`
/// and /dev/fd/N stay what they are, other pipes become a /dev/fd/N.
Result<std::vector<std::string>> hold_streams(std::vector<std::string> paths);

/// Shows on the bar how far the reading is.
app::OpenOptions shown_on(ProgressBar& bar);

/// Opens a profile for each path with a progress bar on standard error, and says what of them could not be
/// used.
Result<std::vector<app::Profile>> open_profiles(const std::vector<std::string>& paths);

}  // namespace ttscope::cli
