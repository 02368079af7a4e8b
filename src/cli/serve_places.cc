#include "cli/serve_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/identify.h"
#include "app/report_library.h"
#include "base/edit_distance.h"
#include "cli/environment.h"
#include "cli/profile_run.h"

namespace ttscope::cli {
namespace {

namespace fs = std::filesystem;

Result<serve::ServedPlace> place_at(const std::string& path, std::string only_file) {
  Result<serve::SafeFolder> folder = serve::SafeFolder::open(path);
  if (!folder) return failure(folder.error());
  return serve::ServedPlace{path, std::move(*folder), std::move(only_file)};
}

bool is_page(const std::string& path) { return fs::path(path).extension() == ".html"; }

/// What is served is what the list of formats says: a page of ours, or an input of any subject, of which a
/// page can be made.
/// What nobody knows may be a log whose telling lines are still to come.
Result<void> check_kind(const std::string& path) {
  const Result<app::Identified> found = app::identify(path, 0);
  if (!found) return failure(found.error());
  if (found->format == nullptr || found->format->key == "own_page") return {};
  const std::string other =
      app::wrong_kind_message(path, found->format, found->format->subject.value_or(app::Subject::kMem));
  if (!other.empty()) return failure(bad_input(other));
  return {};
}

Result<void> add_argument(const std::string& path, ServePlaces& found) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    Result<serve::ServedPlace> place = place_at(path, {});
    if (!place) return failure(place.error());
    if (found.report_base.empty()) found.report_base = path;
    found.places.push_back(std::move(*place));
    return {};
  }
  if (Result<void> checked = mem::check_log(path); !checked) return checked;
  if (path == "-") return failure(bad_input("standard input cannot be served; give a file or a folder"));
  if (Result<void> checked = check_kind(path); !checked) return checked;
  if (!is_page(path)) {
    found.logs.push_back(fs::absolute(path, ignored).string());
    return {};
  }
  const fs::path parent = fs::path(path).parent_path();
  Result<serve::ServedPlace> place =
      place_at(parent.empty() ? "." : parent.string(), fs::path(path).filename().string());
  if (!place) return failure(place.error());
  found.places.push_back(std::move(*place));
  return {};
}

Result<void> add_library(ServePlaces& found) {
  Result<serve::ServedPlace> place = library_place();
  if (!place) return failure(place.error());
  found.report_base = place->path;
  found.places.push_back(std::move(*place));
  return {};
}

}  // namespace

Result<serve::ServedPlace> library_place() {
  const Result<std::string> library = app::library_folder(own_environment());
  if (!library) return failure(library.error());
  std::error_code error;
  fs::create_directories(*library, error);
  if (error)
    return failure(write_failed(fmt::format("{}: cannot make the folder: {}", *library, error.message())));
  return place_at(*library, {});
}

Result<ServePlaces> find_places(const std::vector<std::string>& arguments) {
  ServePlaces found;
  for (const std::string& argument : arguments) {
    if (Result<void> added = add_argument(argument, found); !added) return failure(added.error());
  }
  const bool needs_library = found.places.empty() || (!found.logs.empty() && found.report_base.empty());
  if (needs_library) {
    if (Result<void> added = add_library(found); !added) return failure(added.error());
  }
  return found;
}

Result<ServePlaces> find_report_place(const std::vector<std::string>& arguments) {
  std::error_code ignored;
  const bool is_name = !arguments.empty() && arguments[0].find('/') == std::string::npos;
  if (!is_name) return find_places(arguments);
  ServePlaces found;
  if (Result<void> added = add_library(found); !added) return failure(added.error());
  Result<serve::ServedPlace> again = library_place();
  if (!again) return failure(again.error());
  std::vector<serve::ServedPlace> places;
  places.push_back(std::move(*again));
  const serve::ScanResult scan = serve::FolderScan(std::move(places)).scan(true);
  std::vector<std::string_view> names;
  for (const serve::Report& report : scan.reports) {
    if (report.folder == arguments[0] || report.id == arguments[0] || report.name == arguments[0]) {
      found.shown_report = report.id;
      return found;
    }
    names.push_back(report.id);
  }
  if (fs::exists(arguments[0], ignored)) return find_places(arguments);
  const std::string_view near = nearest_name(arguments[0], names);
  return failure(bad_input(fmt::format(
      "{}: no report of that name in {}{}; `ttmem list` shows them", arguments[0], found.report_base,
      near.empty() ? std::string() : fmt::format(", did you mean {}?", near))));
}

}  // namespace ttscope::cli
