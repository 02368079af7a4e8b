#include "app/delete_report.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include "app/report_library.h"
#include "base/file_descriptor.h"

namespace ttscope::app {
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

}  // namespace ttscope::app
