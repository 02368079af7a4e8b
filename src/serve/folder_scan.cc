#include "serve/folder_scan.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_names.h"
#include "base/text.h"
#include "serve/library.h"
#include "serve/report_summary.h"

namespace ttscope::serve {
namespace {

bool is_single_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

Result<SafeFolder> SafeFolder::open(const std::string& path) {
  FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) return failure(bad_input(fmt::format("{}: {}", path, std::strerror(errno))));
  return SafeFolder(std::move(descriptor));
}

SafeFolder SafeFolder::folder(const std::string& name) const {
  if (!is_single_name(name)) return SafeFolder(FileDescriptor());
  return SafeFolder(FileDescriptor(
      openat(descriptor_.number(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)));
}

FileDescriptor SafeFolder::file(const std::string& name) const {
  if (!is_single_name(name)) return FileDescriptor();
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  FileDescriptor opened(
      openat(descriptor_.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat facts {};
  if (!opened.is_open() || fstat(opened.number(), &facts) != 0 || !S_ISREG(facts.st_mode))
    return FileDescriptor();
  return opened;
}

std::vector<SafeFolder::Entry> SafeFolder::entries(std::size_t most) const {
  std::vector<Entry> found;
  // A descriptor of its own: reading moves its position, and several threads may read.
  const int own = openat(descriptor_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (own < 0) return found;
  const std::unique_ptr<DIR, CloseFolder> folder(fdopendir(own));
  if (!folder) {
    ::close(own);
    return found;
  }
  while (const dirent* entry = readdir(folder.get())) {
    if (entry->d_name[0] == '.' || found.size() >= most) continue;
    struct stat facts {};
    if (fstatat(own, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) continue;
    found.push_back({entry->d_name, S_ISDIR(facts.st_mode), static_cast<std::uint64_t>(facts.st_size),
                     facts.st_mtim.tv_sec * kNsPerSecond + facts.st_mtim.tv_nsec, facts.st_ino});
  }
  std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return found;
}

namespace {

constexpr std::string_view kPageEnd = "_report.html";
constexpr std::string_view kMemoryEnd = "_memory.json";
constexpr std::string_view kLogEnd = "_profile.log";  ///< packed or not
constexpr std::string_view kSourceFile = "source.json";
/// A memory file beyond this takes seconds to read; reports of ours have a page, whose head says the same.
constexpr std::uint64_t kMaxMemoryFileBytes = std::uint64_t{256} << 20;

/// How the files of a report end, besides its log; any page may be one.
constexpr std::array<std::string_view, 7> kEnds = {
    kPageEnd, kMemoryEnd, "_operations.json", "_inputs_registry.json", "_ir.json", "_report.md", ".html"};

/// The report that a file belongs to and how it ends; no end when it is no file of a report.
std::pair<std::string, std::string_view> split_name(const std::string& name) {
  const std::string_view unpacked = unpacked_name(name);
  if (unpacked.ends_with(kLogEnd)) return {name.substr(0, unpacked.size() - kLogEnd.size()), kLogEnd};
  for (const std::string_view end : kEnds) {
    if (name.ends_with(end)) return {name.substr(0, name.size() - end.size()), end};
  }
  return {name, {}};
}

struct Group {
  Report report;
  std::string memory_file;
  std::uint64_t memory_file_bytes = 0;
  bool is_foreign = false;  ///< a page whose name does not say that it is one
};

void add_file(Group& group, const SafeFolder::Entry& entry, std::string_view end) {
  Report& report = group.report;
  if (end == kPageEnd || (end == ".html" && report.page.empty())) {
    report.page = entry.name;
    group.is_foreign = end == ".html";
  } else if (end == ".html") {
    return;
  }
  if (end == kMemoryEnd) {
    group.memory_file = entry.name;
    group.memory_file_bytes = entry.size_bytes;
  }
  report.files.push_back({entry.name, entry.size_bytes});
  report.size_bytes += entry.size_bytes;
  if (end.find("_profile.log") != 0) report.time_s = std::max(report.time_s, entry.time_ns / kNsPerSecond);
}

/// Reads what the list shows. False when this is no report after all.
bool fill(Group& group, const SafeFolder& folder) {
  Report& report = group.report;
  if (!report.page.empty()) {
    const FileDescriptor file = folder.file(report.page);
    PageFacts facts = file.is_open() ? read_page_facts(file) : PageFacts();
    if (group.is_foreign && !facts.is_page) {
      report.page.clear();
      if (group.memory_file.empty()) return false;
    }
    report.script_hash = facts.script_hash;
    report.summary = std::move(facts.summary);
  }
  if (report.page.empty() && group.memory_file.empty()) return false;
  if (!report.summary.known && !group.memory_file.empty() && group.memory_file_bytes <= kMaxMemoryFileBytes) {
    const FileDescriptor file = folder.file(group.memory_file);
    if (file.is_open()) report.summary = read_memory_file(file);
  }
  return true;
}

std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;  // FNV-1a: only to tell names apart
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

std::string id_of(const std::string& name) {
  std::string id;
  bool exact = !name.empty();
  for (const char c : name) {
    const bool keeps = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
    id += keeps ? c : '-';
    exact = exact && keeps;
  }
  return exact ? id : fmt::format("{}~{:08x}", id, hash_of(name));
}

/// Whether a file belongs to a report, by its name.
bool is_report_file(const std::string& name) {
  return name == kSourceFile || !split_name(name).second.empty();
}

/// The reports whose files lie in one folder; root, folder and id are left to the caller.
std::vector<Report> find_reports(const SafeFolder& folder, const std::vector<SafeFolder::Entry>& entries) {
  std::map<std::string, Group> groups;
  std::string source_log;
  for (const SafeFolder::Entry& entry : entries) {
    if (entry.is_folder) continue;
    if (entry.name == kSourceFile) {
      if (const FileDescriptor file = folder.file(entry.name); file.is_open())
        source_log = read_source_log(file);
      continue;
    }
    const auto [prefix, end] = split_name(entry.name);
    if (!end.empty()) add_file(groups[prefix], entry, end);
  }
  std::vector<Report> reports;
  for (auto& [prefix, group] : groups) {
    if (!fill(group, folder)) continue;
    group.report.prefix = prefix;
    group.report.source_log = source_log;
    reports.push_back(std::move(group.report));
  }
  return reports;
}

/// Gives every report its id and puts the newest first.
void number_reports(std::vector<Report>& reports) {
  std::map<std::pair<std::size_t, std::string>, std::size_t> in_folder;
  for (const Report& report : reports) ++in_folder[{report.root, report.folder}];
  std::set<std::string> taken;
  for (Report& report : reports) {
    const bool alone = !report.folder.empty() && in_folder[{report.root, report.folder}] == 1;
    const std::string base = report.folder.empty() || alone ? "" : id_of(report.folder) + "~";
    const std::string id = alone ? id_of(report.folder) : base + id_of(report.prefix);
    report.id = id;
    for (int number = 2; !taken.insert(report.id).second; ++number)
      report.id = fmt::format("{}~{}", id, number);
    const std::string& own = report.summary.name.empty() ? report.prefix : report.summary.name;
    report.name = utf8_repaired(own.empty() ? report.folder : own);
  }
  std::stable_sort(reports.begin(), reports.end(),
                   [](const Report& a, const Report& b) { return a.time_s > b.time_s; });
}

constexpr std::size_t kMaxEntries = 20000;
constexpr std::size_t kMaxReports = 5000;

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
  KnownFolder& known = known_folders_[key];
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
  CheckedFile& checked = checked_files_[{root, entry.name}];
  if (checked.seen == 0 || checked.size_bytes != entry.size_bytes || checked.time_ns != entry.time_ns) {
    const FileDescriptor file = places_[root].folder.file(entry.name);
    const bool is_one = file.is_open() && is_profile_(fmt::format("/proc/self/fd/{}", file.number()));
    checked = {entry.size_bytes, entry.time_ns, is_one, 0};
  }
  checked.seen = number_;
  return checked.is_profile;
}

void FolderScan::scan_folder(std::size_t root, const SafeFolder::Entry& entry, KnownFolder& known) {
  known.inode = entry.inode;
  known.time_ns = entry.time_ns;
  known.logs.clear();
  const SafeFolder folder = places_[root].folder.folder(entry.name);
  if (!folder.is_open()) return;
  const std::vector<SafeFolder::Entry> inside = folder.entries(kMaxEntries);
  if (!reports_in({root, entry.name}, folder, inside).empty()) return;
  known.logs = captured_logs(root, entry.name, inside);
}

void FolderScan::scan_place(std::size_t root, bool thorough, ScanResult& result) {
  const ServedPlace& place = places_[root];
  const std::vector<SafeFolder::Entry> entries = place.folder.entries(kMaxEntries);
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
    KnownFolder& known = known_folders_[{root, entry.name}];
    // A log that may still grow does not change its folder.
    if (thorough || !known.logs.empty() || known.inode != entry.inode || known.time_ns != entry.time_ns) {
      scan_folder(root, entry, known);
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
  forget_unseen(known_folders_, number_);
  forget_unseen(checked_files_, number_);
  number_reports(result.reports);
  if (result.reports.size() > kMaxReports) result.reports.resize(kMaxReports);
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
