#include "app/report_library.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>  // NOLINT(modernize-deprecated-headers): renameat2
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/formats.h"
#include "base/file_names.h"
#include "base/files.h"
#include "base/json_writer.h"
#include "base/result.h"
#include "base/text.h"
#include "base/writer.h"
#include "launch/runtime_logging.h"
#include "mem/fit.h"
#include "mem/load.h"
#include "mem/write/markdown.h"
#include "mem/write/page.h"
#include "mem/write/ttmem_files.h"

namespace ttscope::app {
namespace {

bool take_suffix(std::string& text, std::string_view suffix) {
  if (text.size() < suffix.size() || text.compare(text.size() - suffix.size(), suffix.size(), suffix) != 0)
    return false;
  text.resize(text.size() - suffix.size());
  return true;
}

}  // namespace

std::string report_name(const std::string& log_path) {
  if (log_path == "-") return "stdin";
  std::string name(unpacked_name(std::filesystem::path(log_path).filename().string()));
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos && dot != 0) name.resize(dot);
  take_suffix(name, "_profile");
  std::replace(name.begin(), name.end(), '_', '-');
  return file_name_safe(name);
}

bool is_plain_name(const std::string& name) { return !name.empty() && file_name_safe(name) == name; }

std::string page_path(const std::string& folder, const std::string& name) {
  return fmt::format("{}/{}_report.html", folder, name);
}

Result<std::vector<std::string>> write_run_report(const mem::Profile& profile, const std::string& folder,
                                                  const mem::MemPageOptions& page_options) {
  const std::string& name = page_options.name;
  auto files = mem::write_ttmem_files(profile.log, profile.memory, {folder, name});
  if (!files) return files;
  const std::string markdown = fmt::format("{}/{}_report.md", folder, name);
  Result<void> written = write_file(
      markdown, [&](Writer& out) { mem::write_mem_markdown(profile.log, profile.memory, name, out); });
  if (!written) return failure(written.error());
  files->push_back(markdown);
  const std::string page = page_path(folder, name);
  mem::MemPageOptions with_fit = page_options;
  with_fit.fit = mem::fit_for_page(profile);
  written = write_file(page, [&](Writer& out) { mem::write_mem_page(profile, out, with_fit); });
  if (!written) return failure(written.error());
  files->push_back(page);
  return files;
}

namespace {

namespace fs = std::filesystem;

constexpr int kMaxNames = 100000;

/// What tells whose report a folder holds. Standard input is nobody's.
std::string source_text(const std::string& log_path) {
  std::error_code ignored;
  const fs::path real = log_path == "-" ? fs::path() : fs::canonical(log_path, ignored);
  StringWriter text;
  JsonWriter json(text, {.indented = true});
  json.object([&] {
    json.field("schema", "ttscope.report-source/1");
    json.field("log", real.empty() ? std::string_view("-") : std::string_view(real.native()));
  });
  text.write('\n');
  return text.finish() ? text.text() : std::string();
}

bool is_report_of(const fs::path& folder, const std::string& source) {
  std::ifstream file(folder / kSourceFile, std::ios::binary);
  const std::string found{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return found == source;
}

Result<std::vector<std::string>> fill_folder(const std::string& folder, const std::string& name,
                                             const FillReport& fill, const std::string& source) {
  auto files = fill(folder, name);
  if (!files) return files;
  const Result<void> written =
      write_file(fmt::format("{}/{}", folder, kSourceFile), [&](Writer& out) { out.write(source); });
  if (!written) return failure(written.error());
  return files;
}

bool is_own_folder(const fs::path& path) {
  struct stat facts {};
  return lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid();
}

/// The first of NAME, NAME-2, NAME-3 ... that is free or holds a report of the same log. `only_own`: what
/// others made is never free.
std::string choose_name(const fs::path& base, const std::string& name, const std::string& source,
                        bool has_identity, bool only_own) {
  std::error_code ignored;
  for (int number = 1; number < kMaxNames; ++number) {
    std::string candidate = number == 1 ? name : fmt::format("{}-{}", name, number);
    const fs::path folder = base / candidate;
    const bool is_new = !fs::exists(fs::symlink_status(folder, ignored));
    if (!is_new && only_own && !is_own_folder(folder)) continue;
    const bool is_free = is_new || (fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored));
    if (is_free || (has_identity && is_report_of(folder, source))) return candidate;
  }
  return {};
}

/// Puts the filled folder in its place. False when another process was quicker with this name.
Result<bool> publish_folder(TemporaryFolder& filled, const fs::path& place, const std::string& source) {
  if (rename(filled.path().c_str(), place.c_str()) == 0) {
    filled.release();
    return true;
  }
  const int reason = errno;
  if ((reason == ENOTEMPTY || reason == EEXIST) && is_report_of(place, source)) {
    // The old report is what the temporary folder holds after the exchange; its destructor removes it.
    if (renameat2(AT_FDCWD, filled.path().c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0)
      return true;
    const std::string aside = filled.path() + ".old";
    if (rename(place.c_str(), aside.c_str()) == 0 && rename(filled.path().c_str(), place.c_str()) == 0) {
      std::error_code ignored;
      fs::remove_all(aside, ignored);
      filled.release();
      return true;
    }
  }
  if (reason == ENOTEMPTY || reason == EEXIST || reason == ENOTDIR) return false;
  return failure(
      write_failed(fmt::format("{}: cannot put the report here: {}", place.string(), std::strerror(reason))));
}

bool is_same_folder(int base, const std::string& name, int folder) {
  struct stat there {};
  struct stat held {};
  return fstatat(base, name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 && fstat(folder, &held) == 0 &&
         there.st_dev == held.st_dev && there.st_ino == held.st_ino;
}

/// Replaces our own report of the same log, and removes the old one.
bool exchange_held(const TemporaryFolder& filled, int base, const std::string& name,
                   const std::string& source) {
  const FileDescriptor old(openat(base, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts {};
  if (!old.is_open() || fstat(old.number(), &facts) != 0 || facts.st_uid != geteuid()) return false;
  if (!is_report_of(fmt::format("/proc/self/fd/{}", old.number()), source)) return false;
  const std::string& hidden = filled.hidden_name();
  std::string left = hidden;
  if (renameat2(base, hidden.c_str(), base, name.c_str(), RENAME_EXCHANGE) != 0) {
    left = hidden + ".old";
    if (renameat(base, name.c_str(), base, left.c_str()) != 0) return false;
    if (renameat(base, hidden.c_str(), base, name.c_str()) != 0) return false;
  }
  empty_folder(old.number());
  unlinkat(base, left.c_str(), AT_REMOVEDIR);
  return true;
}

/// The same as publish_folder() where others can rename what they like: by descriptors alone.
Result<bool> publish_held(TemporaryFolder& filled, int base, const fs::path& place,
                          const std::string& source) {
  const std::string name = place.filename().string();
  filled.share();
  if (renameat(base, filled.hidden_name().c_str(), base, name.c_str()) != 0) {
    const int reason = errno;
    const bool is_taken = reason == ENOTEMPTY || reason == EEXIST || reason == ENOTDIR;
    if (!is_taken) {
      return failure(write_failed(
          fmt::format("{}: cannot put the report here: {}", place.string(), std::strerror(reason))));
    }
    if (!exchange_held(filled, base, name, source)) return false;
  }
  if (!is_same_folder(base, name, filled.descriptor())) {
    return failure(write_failed(fmt::format(
        "{}: cannot put the report here: somebody else put another folder in its place", place.string())));
  }
  filled.release();
  return true;
}

/// Errors tell the user where the report was to be, and not through which descriptor.
Error with_path(Error error, const std::string& from, const std::string& to) {
  for (std::size_t at = error.message.find(from); at != std::string::npos;
       at = error.message.find(from, at + to.size()))
    error.message.replace(at, from.size(), to);
  return error;
}

void rename_files(ReportFolder& report, const std::string& from) {
  for (std::string& file : report.files) {
    if (file.compare(0, from.size(), from) == 0) file.replace(0, from.size(), report.path);
  }
}

/// Earlier versions made it as the umask had it.
void close_to_others(const std::string& folder) {
  struct stat facts {};
  if (lstat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode) || facts.st_uid != geteuid()) return;
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) (void)chmod(folder.c_str(), S_IRWXU);
}

}  // namespace

Result<std::string> library_folder(const std::vector<std::string>& environment) {
  std::string home;
  if (launch::find_variable(environment, "TTMEM_HOME", home) && !home.empty()) return home + "/reports";
  if (launch::find_variable(environment, "HOME", home) && !home.empty()) {
    close_to_others(home + "/.ttmem");
    return home + "/.ttmem/reports";
  }
  return failure(write_failed("no place for the report: neither TTMEM_HOME nor HOME is set"));
}

Result<ReportFolder> write_report_folder(const mem::Profile& profile, const ReportTarget& place,
                                         const mem::MemPageOptions& page) {
  return write_report_folder(place, [&](const std::string& folder, const std::string& name) {
    mem::MemPageOptions named_page = page;
    named_page.name = name;
    return write_run_report(profile, folder, named_page);
  });
}

Result<ReportFolder> write_report_folder(const ReportTarget& wanted, const FillReport& fill) {
  const std::string& log_path = wanted.log_path;
  std::optional<PrivateFiles> keeps_private;
  if (wanted.is_private) keeps_private.emplace();
  fs::path place = fs::path(wanted.base).lexically_normal();
  if (place.filename().empty()) place = place.parent_path();  // it ended with a slash
  const auto folders = CreatedFolders::make(place.string());
  if (!folders) return failure(folders.error());
  const FileDescriptor base(::open(place.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!base.is_open())
    return failure(
        write_failed(fmt::format("{}: cannot open the folder: {}", place.string(), std::strerror(errno))));
  const bool is_shared = is_open_to_others(base.number());
  const fs::path found_at = is_shared ? fs::path(fmt::format("/proc/self/fd/{}", base.number())) : place;
  const std::string source = source_text(log_path);
  constexpr int kAttempts = 5;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    ReportFolder report;
    report.name = choose_name(found_at, report_name(log_path), source, log_path != "-", is_shared);
    if (report.name.empty()) break;
    report.path = (place / report.name).string();
    auto made = is_shared ? TemporaryFolder::create_held(base.number(), report.name)
                          : TemporaryFolder::create(place.string(), report.name);
    if (!made)
      return failure(is_shared ? write_failed(fmt::format("{}: {}", place.string(), made.error().message))
                               : made.error());
    TemporaryFolder filling = std::move(*made);
    const std::string filled_path = filling.path();
    auto files = fill_folder(filled_path, report.name, fill, source);
    if (!files)
      return failure(is_shared ? with_path(files.error(), filled_path, report.path) : files.error());
    report.files = std::move(*files);
    ASSIGN_OR_RETURN(const bool is_placed, is_shared
                                               ? publish_held(filling, base.number(), report.path, source)
                                               : publish_folder(filling, report.path, source));
    if (!is_placed) continue;
    rename_files(report, filled_path);
    report.page = page_path(report.path, report.name);
    return report;
  }
  return failure(write_failed(fmt::format("{}: no free name for the report of {}", wanted.base, log_path)));
}

namespace {

Error report_not_found(const std::string& name, const LibraryReports& library) {
  std::vector<std::string_view> ids;
  for (const serve::Report& report : library.reports) ids.push_back(report.id);
  const std::string_view near = nearest_name(name, ids);
  return bad_input(fmt::format("{}: no report of that name in {}{}; `ttmem list` shows them", name,
                               library.path,
                               near.empty() ? std::string() : fmt::format(", did you mean {}?", near)));
}

}  // namespace

Result<serve::ServedPlace> library_place(const std::vector<std::string>& environment) {
  ASSIGN_OR_RETURN(const std::string library, library_folder(environment));
  const PrivateFiles keeps_private;
  std::error_code error;
  std::filesystem::create_directories(library, error);
  if (error)
    return failure(write_failed(fmt::format("{}: cannot make the folder: {}", library, error.message())));
  ASSIGN_OR_RETURN(serve::SafeFolder folder, serve::SafeFolder::open(library));
  return serve::ServedPlace{library, std::move(folder), {}};
}

Result<LibraryReports> read_library_reports(const std::vector<std::string>& environment) {
  ASSIGN_OR_RETURN(serve::ServedPlace place, library_place(environment));
  LibraryReports library;
  library.path = place.path;
  std::vector<serve::ServedPlace> places;
  places.push_back(std::move(place));
  library.reports = serve::FolderScan(std::move(places)).scan(true).reports;
  return library;
}

std::string label_of(const serve::Report& report) {
  if (report.folder.empty()) return report.prefix;
  return report.folder == report.prefix ? report.folder : report.folder + "/" + report.prefix;
}

bool is_called(const serve::Report& report, const std::string& name) {
  return report.folder == name || report.id == name || report.name == name || label_of(report) == name;
}

Result<std::vector<serve::Report>> reports_named(const std::vector<std::string>& names,
                                                 const LibraryReports& library) {
  std::vector<serve::Report> found;
  for (const serve::Report& report : library.reports) {
    const bool is_wanted = std::any_of(names.begin(), names.end(),
                                       [&](const std::string& name) { return is_called(report, name); });
    if (is_wanted) found.push_back(report);
  }
  for (const std::string& name : names) {
    const bool is_known = std::any_of(found.begin(), found.end(),
                                      [&](const serve::Report& report) { return is_called(report, name); });
    if (!is_known) return failure(report_not_found(name, library));
  }
  return found;
}

namespace {

bool is_single_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

/// Whether a folder holds no more than the file that says whose report it is.
bool has_only_source(int folder) {
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const auto close_folder = [](DIR* open_folder) { closedir(open_folder); };
  const std::unique_ptr<DIR, decltype(close_folder)> entries(copy < 0 ? nullptr : fdopendir(copy),
                                                             close_folder);
  if (!entries) return false;
  while (const dirent* entry = readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && name != kSourceFile) return false;
  }
  return true;
}

Error cannot(const std::string& what, const std::string& path) {
  return write_failed(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

}  // namespace

Result<DeletedReport> delete_report(const std::string& library, const serve::Report& report) {
  if (!is_single_name(report.folder)) {
    return failure(bad_input(
        fmt::format("{}: not in a folder of its own in {}; delete its files by hand", report.name, library)));
  }
  const std::string path = library + "/" + report.folder;
  const FileDescriptor base(::open(library.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!base.is_open()) return failure(cannot("cannot open", library));
  const FileDescriptor folder(
      openat(base.number(), report.folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.is_open()) return failure(cannot("cannot open", path));
  DeletedReport deleted;
  for (const serve::ReportFile& file : report.files) {
    if (!is_single_name(file.name)) continue;
    if (unlinkat(folder.number(), file.name.c_str(), 0) != 0) {
      if (errno == ENOENT) continue;
      return failure(cannot("cannot delete", path + "/" + file.name));
    }
    ++deleted.files;
  }
  // Another report in the same folder still needs what says whose they are.
  const bool is_last = has_only_source(folder.number());
  if (is_last && unlinkat(folder.number(), kSourceFile.data(), 0) == 0) ++deleted.files;
  deleted.folder_is_left = unlinkat(base.number(), report.folder.c_str(), AT_REMOVEDIR) != 0;
  return deleted;
}

std::vector<serve::Report> old_reports(std::vector<serve::Report> reports, const Retention& retention) {
  std::stable_sort(reports.begin(), reports.end(),
                   [](const serve::Report& a, const serve::Report& b) { return a.time_s > b.time_s; });
  const std::size_t kept = std::min(retention.newest, reports.size());
  reports.erase(reports.begin(), reports.begin() + static_cast<std::ptrdiff_t>(kept));
  std::erase_if(reports, [&](const serve::Report& report) {
    return report.time_s >= retention.oldest_time_s || report.folder.empty();
  });
  return reports;
}

namespace {

Result<serve::ServedPlace> place_at(const std::string& path, std::string only_file) {
  ASSIGN_OR_RETURN(serve::SafeFolder folder, serve::SafeFolder::open(path));
  return serve::ServedPlace{path, std::move(folder), std::move(only_file)};
}

bool has_name_of_page(const std::string& path) { return fs::path(path).extension() == ".html"; }

/// What is served is what the list of formats says: a page of ours, or an input of any subject, of which a
/// page can be made.
/// What nobody knows may be a log whose telling lines are still to come.
Result<void> check_kind(const std::string& path) {
  ASSIGN_OR_RETURN(const Detected found, detect(path, LogSearch::kFirstLine));
  if (found.format == nullptr || found.is("own_page")) return {};
  const std::string other = wrong_kind(found, {found.format->subject.value_or(Subject::kMem)});
  if (!other.empty()) return failure(bad_input(other));
  return {};
}

Result<void> add_argument(const std::string& path, ServeTargets& found) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    ASSIGN_OR_RETURN(serve::ServedPlace place, place_at(path, {}));
    if (found.report_base.empty()) found.report_base = path;
    found.places.push_back(std::move(place));
    return {};
  }
  if (Result<void> checked = mem::check_log(path); !checked) return checked;
  if (path == "-") return failure(bad_input("standard input cannot be served; give a file or a folder"));
  if (Result<void> checked = check_kind(path); !checked) return checked;
  if (!has_name_of_page(path)) {
    found.logs.push_back(fs::absolute(path, ignored).string());
    return {};
  }
  const fs::path parent = fs::path(path).parent_path();
  ASSIGN_OR_RETURN(serve::ServedPlace place,
                   place_at(parent.empty() ? "." : parent.string(), fs::path(path).filename().string()));
  found.places.push_back(std::move(place));
  return {};
}

Result<void> add_library(const std::vector<std::string>& environment, ServeTargets& found) {
  ASSIGN_OR_RETURN(serve::ServedPlace place, library_place(environment));
  found.report_base = place.path;
  found.places.push_back(std::move(place));
  return {};
}

}  // namespace

Result<ServeTargets> find_places(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& environment) {
  ServeTargets found;
  for (const std::string& argument : arguments) {
    RETURN_IF_ERROR(add_argument(argument, found));
  }
  const bool needs_library = found.places.empty() || (!found.logs.empty() && found.report_base.empty());
  if (needs_library) {
    RETURN_IF_ERROR(add_library(environment, found));
  }
  return found;
}

Result<ServeTargets> find_report_place(const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& environment) {
  const bool is_name = !arguments.empty() && arguments[0].find('/') == std::string::npos;
  if (!is_name) return find_places(arguments, environment);
  ASSIGN_OR_RETURN(const LibraryReports library, read_library_reports(environment));
  const Result<std::vector<serve::Report>> named = reports_named({arguments[0]}, library);
  std::error_code ignored;
  if (!named && fs::exists(arguments[0], ignored)) return find_places(arguments, environment);
  if (!named) return failure(named.error());
  ServeTargets found;
  RETURN_IF_ERROR(add_library(environment, found));
  found.shown_report = named->front().id;
  return found;
}

}  // namespace ttscope::app
