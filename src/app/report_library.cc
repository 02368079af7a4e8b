#include "app/report_library.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>  // NOLINT(modernize-deprecated-headers): renameat2
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "app/report_name.h"
#include "app/run_report.h"
#include "base/json_writer.h"
#include "base/private_files.h"
#include "base/temporary_folder.h"
#include "base/writer.h"
#include "capture/log_variables.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNames = 100000;

/// What tells whose report a folder holds. Standard input is nobody's.
std::string source_text(const std::string& log_path) {
  std::error_code ignored;
  const fs::path real = log_path == "-" ? fs::path() : fs::canonical(log_path, ignored);
  StringWriter text;
  JsonWriter json(text, {.indented = true});
  json.begin_object();
  json.field("schema", "ttscope.report-source/1");
  json.field("log", real.empty() ? std::string_view("-") : std::string_view(real.native()));
  json.end_object();
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

/// The first of NAME, NAME-2, NAME-3 ... that is free or holds a report of the same log.
std::string choose_name(const fs::path& base, const std::string& name, const std::string& source,
                        bool has_identity) {
  std::error_code ignored;
  for (int number = 1; number < kMostNames; ++number) {
    std::string candidate = number == 1 ? name : fmt::format("{}-{}", name, number);
    const fs::path folder = base / candidate;
    const bool is_free = !fs::exists(fs::symlink_status(folder, ignored)) ||
                         (fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored));
    if (is_free || (has_identity && is_report_of(folder, source))) return candidate;
  }
  return {};
}

/// Puts the filled folder in its place. False when another process was quicker with this name.
Result<bool> put_in_place(TemporaryFolder& filled, const fs::path& place, const std::string& source) {
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
  if (capture::find_variable(environment, "TTMEM_HOME", home) && !home.empty()) return home + "/reports";
  if (capture::find_variable(environment, "HOME", home) && !home.empty()) {
    close_to_others(home + "/.ttmem");
    return home + "/.ttmem/reports";
  }
  return failure(write_failed("no place for the report: neither TTMEM_HOME nor HOME is set"));
}

Result<ReportFolder> write_report_folder(const mem::Profile& log, const ReportPlace& place,
                                         const mem::MemPageOptions& page) {
  return write_report_folder(place, [&](const std::string& folder, const std::string& name) {
    mem::MemPageOptions named_page = page;
    named_page.name = name;
    return write_run_report(log, folder, named_page);
  });
}

Result<ReportFolder> write_report_folder(const ReportPlace& wanted, const FillReport& fill) {
  const std::string& log_path = wanted.log_path;
  std::optional<PrivateFiles> keeps_private;
  if (wanted.is_private) keeps_private.emplace();
  fs::path place = fs::path(wanted.base).lexically_normal();
  if (place.filename().empty()) place = place.parent_path();  // it ended with a slash
  const auto folders = MadeFolders::make(place.string());
  if (!folders) return failure(folders.error());
  const std::string source = source_text(log_path);
  constexpr int kAttempts = 5;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    ReportFolder report;
    report.name = choose_name(place, report_name(log_path), source, log_path != "-");
    if (report.name.empty()) break;
    report.path = (place / report.name).string();
    Result<TemporaryFolder> filling = TemporaryFolder::create(place.string(), report.name);
    if (!filling) return failure(filling.error());
    const std::string filled_path = filling->path();
    auto files = fill_folder(filled_path, report.name, fill, source);
    if (!files) return failure(files.error());
    report.files = std::move(*files);
    const Result<bool> placed = put_in_place(*filling, report.path, source);
    if (!placed) return failure(placed.error());
    if (!*placed) continue;
    rename_files(report, filled_path);
    report.page = page_path(report.path, report.name);
    return report;
  }
  return failure(write_failed(fmt::format("{}: no free name for the report of {}", wanted.base, log_path)));
}

}  // namespace ttscope::app
