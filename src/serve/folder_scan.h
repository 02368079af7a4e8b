#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "serve/library.h"
#include "serve/safe_open.h"

namespace ttscope::serve {

/// A folder that is served, or one page in it.
struct ServedPlace {
  std::string path;  ///< of the folder
  SafeFolder folder;
  std::string only_file;  ///< not empty: this page alone
};

/// A log that lies in a served folder.
struct FoundLog {
  std::size_t root = 0;
  std::string name;
  std::uint64_t size_bytes = 0;
  std::int64_t time_ns = 0;
  bool has_report = false;  ///< and the report is newer
  std::string folder{};     ///< of a captured run, below the root; empty: the root itself

  std::string path() const { return folder.empty() ? name : folder + "/" + name; }
};

struct ScanResult {
  std::vector<Report> reports;  ///< newest first
  std::vector<FoundLog> logs;   ///< newest first
};

/// Finds reports in the served places: in the folder itself and in the folders directly below it; also logs:
/// in the folder itself, and captured ones (`NAME_profile.log`) in the folders below it that hold no report.
/// What has not changed since the last scan is not read again. Used by one thread at a time.
class FolderScan {
 public:
  explicit FolderScan(std::vector<ServedPlace> places) : places_(std::move(places)) {}

  /// With `thorough` also files that were changed in place are looked for, not only folders that changed.
  ScanResult scan(bool thorough);

  const std::vector<ServedPlace>& places() const { return places_; }

 private:
  /// What was found in a folder when it was as `inode` and `time_ns` say.
  struct Known {
    std::uint64_t inode = 0;
    std::int64_t time_ns = 0;
    std::string facts;  ///< names, sizes and times of its files
    std::vector<Report> reports;
    std::vector<FoundLog> logs;  ///< of a run that was captured and has no report yet
    std::uint64_t seen = 0;      ///< number of the last scan that saw it
  };
  using Key = std::pair<std::size_t, std::string>;  ///< root and folder

  void scan_place(std::size_t root, bool thorough, ScanResult& result);
  const std::vector<Report>& reports_in(const Key& key, const SafeFolder& folder,
                                        const std::vector<SafeFolder::Entry>& entries);

  std::vector<ServedPlace> places_;
  std::map<Key, Known> known_;
  std::uint64_t number_ = 0;
};

/// Whether a file is taken for a log by its name.
bool is_log_name(std::string_view name);

}  // namespace ttscope::serve
