#include "app/library_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/report_library.h"
#include "base/edit_distance.h"
#include "base/private_files.h"

namespace ttscope::app {
namespace {

Error no_such_report(const std::string& name, const LibraryReports& library) {
  std::vector<std::string_view> ids;
  for (const serve::Report& report : library.reports) ids.push_back(report.id);
  const std::string_view near = nearest_name(name, ids);
  return bad_input(fmt::format("{}: no report of that name in {}{}; `ttmem list` shows them", name,
                               library.path,
                               near.empty() ? std::string() : fmt::format(", did you mean {}?", near)));
}

}  // namespace

Result<serve::ServedPlace> library_place(const std::vector<std::string>& environment) {
  const Result<std::string> library = library_folder(environment);
  if (!library) return failure(library.error());
  const PrivateFiles keeps_private;
  std::error_code error;
  std::filesystem::create_directories(*library, error);
  if (error)
    return failure(write_failed(fmt::format("{}: cannot make the folder: {}", *library, error.message())));
  Result<serve::SafeFolder> folder = serve::SafeFolder::open(*library);
  if (!folder) return failure(folder.error());
  return serve::ServedPlace{*library, std::move(*folder), {}};
}

Result<LibraryReports> read_library_reports(const std::vector<std::string>& environment) {
  Result<serve::ServedPlace> place = library_place(environment);
  if (!place) return failure(place.error());
  LibraryReports library;
  library.path = place->path;
  std::vector<serve::ServedPlace> places;
  places.push_back(std::move(*place));
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
    if (!is_known) return failure(no_such_report(name, library));
  }
  return found;
}

}  // namespace ttscope::app
