#include "cli/inputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/number_text.h"
#include "cli/command_line.h"
#include "cli/terminal.h"
#include "io/input_files.h"
#include "io/open_input.h"

namespace ttscope::cli {
namespace {

bool is_stream(const std::string& path) {
  struct stat facts {};
  const int found = path == "-" ? ::fstat(STDIN_FILENO, &facts) : ::stat(path.c_str(), &facts);
  return found == 0 && (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode) || S_ISCHR(facts.st_mode));
}

/// The number of a descriptor that a path names; none: it names no descriptor.
std::optional<int> descriptor_of(const std::string& path) {
  if (path == "-" || path == "/dev/stdin") return STDIN_FILENO;
  constexpr int kMost = 1 << 20;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const auto number = parse_whole(std::string_view(path).substr(folder.size()));
    if (number && *number >= 0 && *number < kMost) return static_cast<int>(*number);
  }
  return std::nullopt;
}

/// Whether a file is a database, packed or not: SQLite opens what it reads by its name, and a pipe has none.
bool is_database(const std::string& path) {
  const Result<io::Beginning> beginning = io::read_beginning(path);
  return beginning && beginning->bytes.starts_with("SQLite format 3");
}

/// Where the bytes of a stream can be read again, for as long as the program runs.
Result<std::string> held(const std::string& path) {
  const Result<FileDescriptor> kept = io::keep_stream(path);
  if (!kept) return failure(kept.error());
  const std::optional<int> same = descriptor_of(path);
  const int number = same ? ::dup2(kept->number(), *same) : ::dup(kept->number());
  if (number < 0) return failure(bad_input(path + ": cannot be kept for reading"));
  std::string place = fmt::format("/dev/fd/{}", number);
  if (is_database(place)) {
    return failure(
        bad_input(path + ": a database cannot be read from a pipe; save it as a file and give that"));
  }
  return same ? path : place;
}

}  // namespace

GivenInputs::GivenInputs(std::vector<std::string> paths, app::Subject subject, app::OnlyFormat only)
    : paths_(std::move(paths)),
      subject_(subject),
      only_(only),
      standard_input_(std::find(paths_.begin(), paths_.end(), "-") == paths_.end() ? "" : "-"),
      watch_(subject) {}

io::SourceOptions GivenInputs::watched() {
  io::SourceOptions options;
  options.watch = [this](const std::string& path, std::string_view lines) { watch_.see(path, lines); };
  return options;
}

std::string GivenInputs::wrong_kind_of(const std::string& path) const {
  if (path == watch_.path()) return app::wrong_kind_message(path, watch_.format(), subject_);
  if (path == "-") {
    if (!standard_input_.is_kept()) return {};
    standard_input_.restore();
  }
  return app::wrong_format_message(path, subject_, only_);
}

bool GivenInputs::is_empty(const std::string& path) const {
  if (path == "-") {
    if (!standard_input_.is_kept()) return false;
    standard_input_.restore();
  }
  return app::is_empty_input(path);
}

std::string GivenInputs::archive_message() const {
  for (const std::string& path : paths_) {
    if (path == "-" && standard_input_.is_kept()) standard_input_.restore();
    std::string message =
        path == watch_.path() ? app::archive_message(path, watch_.format()) : app::archive_message(path);
    if (!message.empty()) return message;
  }
  return {};
}

bool GivenInputs::is_read_as_report() const {
  if (!only_.key.empty()) return false;
  const Result<app::Identified> found = app::identify(paths_.front());
  return found && found->format != nullptr && found->format->subject == app::Subject::kMem;
}

int GivenInputs::fail(const Error& error) const {
  const bool is_report =
      subject_ == app::Subject::kMem && paths_.size() == 1 && app::is_named_as_report(paths_.front());
  if (is_report && (error.code == ErrorCode::kNothingFound || is_read_as_report())) return cli::fail(error);
  bool is_told = false;
  for (const std::string& path : paths_) {
    const std::string message = wrong_kind_of(path);
    if (message.empty()) continue;
    complain(message);
    is_told = true;
  }
  if (is_told) return kFailed;
  const auto empty =
      std::find_if(paths_.begin(), paths_.end(), [this](const std::string& path) { return is_empty(path); });
  if (empty == paths_.end()) return cli::fail(error);
  const std::string shown = *empty == "-" ? "standard input" : *empty;
  return cli::fail(nothing_found(shown + ": the file is empty"));
}

int fail_reading(const Error& error, const std::vector<std::string>& paths, app::Subject subject) {
  std::vector<std::string> files;
  std::copy_if(paths.begin(), paths.end(), std::back_inserter(files),
               [](const std::string& path) { return path != "-"; });
  return GivenInputs(std::move(files), subject).fail(error);
}

Result<std::vector<std::string>> hold_streams(std::vector<std::string> paths) {
  for (std::string& path : paths) {
    if (!is_stream(path)) continue;
    Result<std::string> place = held(path);
    if (!place) return failure(place.error());
    path = std::move(*place);
  }
  return paths;
}

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
