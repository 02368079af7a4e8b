#include "app/served_places.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "app/identify.h"
#include "app/library_reports.h"
#include "mem/load.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;

Result<serve::ServedPlace> place_at(const std::string& path, std::string only_file) {
  Result<serve::SafeFolder> folder = serve::SafeFolder::open(path);
  if (!folder) return failure(folder.error());
  return serve::ServedPlace{path, std::move(*folder), std::move(only_file)};
}

bool has_name_of_page(const std::string& path) { return fs::path(path).extension() == ".html"; }

/// What is served is what the list of formats says: a page of ours, or an input of any subject, of which a
/// page can be made.
/// What nobody knows may be a log whose telling lines are still to come.
Result<void> check_kind(const std::string& path) {
  const Result<Identified> found = identify(path, 0);
  if (!found) return failure(found.error());
  if (found->format == nullptr || found->format->key == "own_page") return {};
  const std::string other =
      wrong_kind_message(path, found->format, found->format->subject.value_or(Subject::kMem));
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
  if (!has_name_of_page(path)) {
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

Result<void> add_library(const std::vector<std::string>& environment, ServePlaces& found) {
  Result<serve::ServedPlace> place = library_place(environment);
  if (!place) return failure(place.error());
  found.report_base = place->path;
  found.places.push_back(std::move(*place));
  return {};
}

}  // namespace

Result<ServePlaces> find_places(const std::vector<std::string>& arguments,
                                const std::vector<std::string>& environment) {
  ServePlaces found;
  for (const std::string& argument : arguments) {
    if (Result<void> added = add_argument(argument, found); !added) return failure(added.error());
  }
  const bool needs_library = found.places.empty() || (!found.logs.empty() && found.report_base.empty());
  if (needs_library) {
    if (Result<void> added = add_library(environment, found); !added) return failure(added.error());
  }
  return found;
}

Result<ServePlaces> find_report_place(const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& environment) {
  const bool is_name = !arguments.empty() && arguments[0].find('/') == std::string::npos;
  if (!is_name) return find_places(arguments, environment);
  const Result<LibraryReports> library = read_library_reports(environment);
  if (!library) return failure(library.error());
  const Result<std::vector<serve::Report>> named = reports_named({arguments[0]}, *library);
  std::error_code ignored;
  if (!named && fs::exists(arguments[0], ignored)) return find_places(arguments, environment);
  if (!named) return failure(named.error());
  ServePlaces found;
  if (Result<void> added = add_library(environment, found); !added) return failure(added.error());
  found.shown_report = named->front().id;
  return found;
}

}  // namespace ttscope::app
