#include "cli/inputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/number_text.h"
#include "base/result.h"
#include "cli/command_line.h"
#include "cli/terminal.h"
#include "io/input_files.h"
#include "io/open_input.h"
#include "mem/read/ttmem_files.h"

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
  constexpr int kMax = 1 << 20;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const auto number = parse_whole(std::string_view(path).substr(folder.size()));
    if (number && *number >= 0 && *number < kMax) return static_cast<int>(*number);
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

CommandInputs::CommandInputs(std::vector<std::string> paths, app::Wanted wanted)
    : paths_(std::move(paths)),
      wanted_(wanted),
      standard_input_(std::find(paths_.begin(), paths_.end(), "-") == paths_.end() ? "" : "-"),
      watch_(wanted.subject) {}

io::SourceOptions CommandInputs::watched() {
  io::SourceOptions options;
  options.watch = [this](const std::string& path, std::string_view lines) { watch_.see(path, lines); };
  return options;
}

std::optional<app::Detected> CommandInputs::look_at(const std::string& path, app::LogSearch search) const {
  if (app::Detected seen = watch_.detected(); seen.path == path) return seen;
  if (path == "-") {
    if (!standard_input_.is_kept()) return std::nullopt;
    standard_input_.restore();
  }
  Result<app::Detected> found = app::detect(path, search);
  if (!found) return std::nullopt;
  return std::move(*found);
}

std::string CommandInputs::archive_message() const {
  for (const std::string& path : paths_) {
    const std::optional<app::Detected> found = look_at(path, app::LogSearch::kBeginning);
    if (found && found->is_archive()) return app::kind_text(*found);
  }
  return {};
}

bool CommandInputs::is_read_as_report(const Error& error) const {
  const bool is_named_so = wanted_.subject == app::Subject::kMem && paths_.size() == 1 &&
                           mem::run_file_of(paths_.front()).has_value();
  if (!is_named_so || error.code == ErrorCode::kNothingFound) return is_named_so;
  const Result<app::Detected> found = app::detect(paths_.front());
  return found && found->format != nullptr && found->format->subject == app::Subject::kMem;
}

int CommandInputs::fail(const Error& error) const {
  if (is_read_as_report(error)) return cli::fail(error);
  std::string empty;
  bool is_explained = false;
  for (const std::string& path : paths_) {
    const std::optional<app::Detected> found = look_at(path, app::LogSearch::kFurther);
    if (!found) continue;
    if (found->is("empty") && empty.empty()) empty = path == "-" ? "standard input" : path;
    const std::string message = app::wrong_kind(*found, wanted_);
    if (message.empty()) continue;
    complain(message);
    is_explained = true;
  }
  if (is_explained) return kFailed;
  return cli::fail(empty.empty() ? error : nothing_found(empty + ": the file is empty"));
}

int fail_reading(const Error& error, const std::string& log) {
  if (log == "-") return fail(error);
  return CommandInputs({log}, {app::Subject::kMem}).fail(error);
}

Result<std::vector<std::string>> hold_streams(std::vector<std::string> paths) {
  for (std::string& path : paths) {
    if (!is_stream(path)) continue;
    ASSIGN_OR_RETURN(std::string place, held(path));
    path = std::move(place);
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
  ASSIGN_OR_RETURN(const std::vector<std::string> held, hold_streams(paths));
  ProgressBar bar;
  Result<std::vector<app::Profile>> profiles = app::open_each(held, shown_on(bar));
  if (!profiles) return profiles;
  for (const app::Profile& profile : *profiles) {
    for (const std::string& warning : profile.tables().warnings) complain(warning);
  }
  return profiles;
}

}  // namespace ttscope::cli
