#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "serve/library.h"

namespace ttscope::serve {

inline constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// An open folder whose contents are reached by single names only. Neither `..` nor a symbolic link leads out
/// of it: every step is opened by itself, below the descriptor of the one before, without following links.
class SafeFolder {
 public:
  /// The place that the user named; a link in the way there is the user's own.
  static Result<SafeFolder> open(const std::string& path);

  /// A folder in it; closed when there is none of that name.
  SafeFolder folder(const std::string& name) const;
  /// A regular file in it, for reading; closed when there is none of that name.
  FileDescriptor file(const std::string& name) const;

  bool is_open() const { return descriptor_.is_open(); }

  struct Entry {
    std::string name;
    bool is_folder = false;
    std::uint64_t size_bytes = 0;
    std::int64_t time_ns = 0;  ///< of the last change, since 1970
    std::uint64_t inode = 0;
  };
  /// Regular files and folders, hidden ones and links left out, in the order of their names; at most `most`.
  std::vector<Entry> entries(std::size_t most) const;

 private:
  explicit SafeFolder(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}

  FileDescriptor descriptor_;
};

/// A folder that is served, or one page in it.
struct ServedPlace {
  std::string path;  ///< of the folder
  SafeFolder folder;
  std::string only_file;  ///< not empty: this page alone
};

/// A log that lies in a served folder, or another file of which a report can be made.
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

/// Whether a file that is no log by its name is a profile; asked once for each state of a file. The path
/// leads to a descriptor, and does not end with the file's name.
using IsProfile = std::function<bool(const std::string& path)>;

/// Finds reports in the served places: in the folder itself and in the folders directly below it; also logs
/// and other profiles: in the folder itself, and captured ones (`NAME_profile.log`) in the folders below it
/// that hold no report.
/// What has not changed since the last scan is not read again. Used by one thread at a time.
class FolderScan {
 public:
  /// Without `is_profile` only logs are found.
  explicit FolderScan(std::vector<ServedPlace> places, IsProfile is_profile = {})
      : places_(std::move(places)), is_profile_(std::move(is_profile)) {}

  /// With `thorough` also files that were changed in place are looked for, not only folders that changed.
  ScanResult scan(bool thorough);

  const std::vector<ServedPlace>& places() const { return places_; }

 private:
  /// What was found in a folder when it was as `inode` and `time_ns` say.
  struct KnownFolder {
    std::uint64_t inode = 0;
    std::int64_t time_ns = 0;
    std::string facts;  ///< names, sizes and times of its files
    std::vector<Report> reports;
    std::vector<FoundLog> logs;  ///< of a run that was captured and has no report yet
    std::uint64_t seen = 0;      ///< number of the last scan that saw it
  };
  /// A file that is no log by its name, as it was when its content was looked at.
  struct CheckedFile {
    std::uint64_t size_bytes = 0;
    std::int64_t time_ns = 0;
    bool is_profile = false;
    std::uint64_t seen = 0;
  };
  using Key = std::pair<std::size_t, std::string>;  ///< root, and folder or file

  void scan_place(std::size_t root, bool thorough, ScanResult& result);
  /// A folder below a place that may have changed.
  void scan_folder(std::size_t root, const SafeFolder::Entry& entry, KnownFolder& known);
  bool is_profile(std::size_t root, const SafeFolder::Entry& entry);
  const std::vector<Report>& reports_in(const Key& key, const SafeFolder& folder,
                                        const std::vector<SafeFolder::Entry>& entries);

  std::vector<ServedPlace> places_;
  IsProfile is_profile_;
  std::map<Key, KnownFolder> known_folders_;
  std::map<Key, CheckedFile> checked_files_;
  std::uint64_t number_ = 0;
};

/// Whether a file is taken for a log by its name.
bool is_log_name(std::string_view name);

}  // namespace ttscope::serve
