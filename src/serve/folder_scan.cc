#include "serve/folder_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/packed_name.h"
#include "serve/folder_reports.h"

namespace ttscope::serve {
namespace {

constexpr std::size_t kMostEntries = 20000;
constexpr std::size_t kMostReports = 5000;

std::string facts_of(const std::vector<SafeFolder::Entry>& entries) {
  std::string facts;
  for (const SafeFolder::Entry& entry : entries) {
    if (!entry.is_folder)
      facts += fmt::format("{}\n{} {} {}\n", entry.name, entry.size_bytes, entry.time_ns, entry.inode);
  }
  return facts;
}

/// `my_model_profile.log.gz` gives `my-model`, as the reports of logs are called.
std::string name_of_log(const std::string& file_name) {
  std::string_view plain = unpacked_name(file_name);
  for (const std::string_view end : {".log", "_profile"}) {
    if (plain.size() > end.size() && plain.ends_with(end)) plain.remove_suffix(end.size());
  }
  std::string name(plain);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

bool is_report_of(const Report& report, const FoundLog& log, const std::string& real_path) {
  if (report.time_s < log.time_ns / kNsPerSecond) return false;
  if (!report.source_log.empty() || !log.folder.empty()) return report.source_log == real_path;
  std::string prefix = report.prefix;
  std::replace(prefix.begin(), prefix.end(), '_', '-');
  return report.root == log.root && report.folder.empty() && prefix == name_of_log(log.name);
}

/// Logs that `ttscope run` left in a folder of its own.
std::vector<FoundLog> captured_logs(std::size_t root, const std::string& folder,
                                    const std::vector<SafeFolder::Entry>& entries) {
  std::vector<FoundLog> logs;
  for (const SafeFolder::Entry& entry : entries) {
    if (entry.is_folder || !unpacked_name(entry.name).ends_with("_profile.log")) continue;
    logs.push_back({root, entry.name, entry.size_bytes, entry.time_ns, false, folder});
  }
  return logs;
}

}  // namespace

bool is_log_name(std::string_view name) {
  constexpr std::string_view kEnd = ".log";
  const std::string_view unpacked = unpacked_name(name);
  return unpacked.size() > kEnd.size() && unpacked.ends_with(kEnd);
}

const std::vector<Report>& FolderScan::reports_in(const Key& key, const SafeFolder& folder,
                                                  const std::vector<SafeFolder::Entry>& entries) {
  Known& known = known_[key];
  known.seen = number_;
  std::string facts = facts_of(entries);
  if (known.facts == facts) return known.reports;
  known.reports = find_reports(folder, entries);
  for (Report& report : known.reports) {
    report.root = key.first;
    report.folder = key.second;
  }
  known.facts = std::move(facts);
  return known.reports;
}

bool FolderScan::is_profile(std::size_t root, const SafeFolder::Entry& entry) {
  if (!is_profile_ || is_report_file(entry.name) || entry.size_bytes == 0) return false;
  Told& told = told_[{root, entry.name}];
  if (told.seen == 0 || told.size_bytes != entry.size_bytes || told.time_ns != entry.time_ns) {
    const FileDescriptor file = places_[root].folder.file(entry.name);
    const bool is_one = file.is_open() && is_profile_(fmt::format("/proc/self/fd/{}", file.number()));
    told = {entry.size_bytes, entry.time_ns, is_one, 0};
  }
  told.seen = number_;
  return told.is_profile;
}

void FolderScan::look_into(std::size_t root, const SafeFolder::Entry& entry, Known& known) {
  known.inode = entry.inode;
  known.time_ns = entry.time_ns;
  known.logs.clear();
  const SafeFolder folder = places_[root].folder.folder(entry.name);
  if (!folder.is_open()) return;
  const std::vector<SafeFolder::Entry> inside = folder.entries(kMostEntries);
  if (!reports_in({root, entry.name}, folder, inside).empty()) return;
  known.logs = captured_logs(root, entry.name, inside);
}

void FolderScan::scan_place(std::size_t root, bool thorough, ScanResult& result) {
  const ServedPlace& place = places_[root];
  const std::vector<SafeFolder::Entry> entries = place.folder.entries(kMostEntries);
  std::vector<SafeFolder::Entry> own;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(own), [&](const SafeFolder::Entry& entry) {
    return !entry.is_folder && (place.only_file.empty() || entry.name == place.only_file);
  });
  const auto add = [&](const std::vector<Report>& found) {
    result.reports.insert(result.reports.end(), found.begin(), found.end());
  };
  add(reports_in({root, ""}, place.folder, own));
  if (!place.only_file.empty()) return;
  for (const SafeFolder::Entry& entry : entries) {
    if (!entry.is_folder) {
      if (is_log_name(entry.name) || is_profile(root, entry))
        result.logs.push_back({root, entry.name, entry.size_bytes, entry.time_ns, false, {}});
      continue;
    }
    Known& known = known_[{root, entry.name}];
    // A log that may still grow does not change its folder.
    if (thorough || !known.logs.empty() || known.inode != entry.inode || known.time_ns != entry.time_ns) {
      look_into(root, entry, known);
    }
    known.seen = number_;
    add(known.reports);
    result.logs.insert(result.logs.end(), known.logs.begin(), known.logs.end());
  }
}

namespace {

/// What the scan of that number did not see is gone.
template <typename Map>
void forget_unseen(Map& map, std::uint64_t number) {
  for (auto at = map.begin(); at != map.end();)
    at = at->second.seen == number ? std::next(at) : map.erase(at);
}

}  // namespace

ScanResult FolderScan::scan(bool thorough) {
  ++number_;
  ScanResult result;
  for (std::size_t root = 0; root < places_.size(); ++root) scan_place(root, thorough, result);
  forget_unseen(known_, number_);
  forget_unseen(told_, number_);
  number_reports(result.reports);
  if (result.reports.size() > kMostReports) result.reports.resize(kMostReports);
  for (FoundLog& log : result.logs) {
    std::error_code ignored;
    const std::string real =
        std::filesystem::canonical(places_[log.root].path + "/" + log.path(), ignored).string();
    log.has_report = std::any_of(result.reports.begin(), result.reports.end(),
                                 [&](const Report& report) { return is_report_of(report, log, real); });
  }
  std::sort(result.logs.begin(), result.logs.end(),
            [](const FoundLog& a, const FoundLog& b) { return a.time_ns > b.time_ns; });
  return result;
}

}  // namespace ttscope::serve
