#include "serve/folder_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "base/packed_name.h"
#include "base/utf8.h"
#include "serve/report_summary.h"

namespace ttscope::serve {
namespace {

constexpr std::string_view kPageEnd = "_report.html";
constexpr std::string_view kMemoryEnd = "_memory.json";
constexpr std::string_view kLogEnd = "_profile.log";  ///< packed or not
constexpr std::string_view kSourceFile = "source.json";
/// A memory file beyond this takes seconds to read; reports of ours have a page, whose head says the same.
constexpr std::uint64_t kMostMemoryFileBytes = std::uint64_t{256} << 20;

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
  if (!report.summary.known && !group.memory_file.empty() &&
      group.memory_file_bytes <= kMostMemoryFileBytes) {
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

}  // namespace

bool is_report_file(const std::string& name) {
  return name == kSourceFile || !split_name(name).second.empty();
}

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

}  // namespace ttscope::serve
