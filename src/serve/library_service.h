#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "serve/folder_scan.h"
#include "serve/handed_files.h"
#include "serve/library.h"

namespace ttscope::serve {

/// A log that is being uploaded: a file in a hidden folder of its own, both removed by the destructor. The
/// folder is locked as long, so that another server tells it from one that was left behind.
class UploadFile {
 public:
  /// `name` may be anything; the file is called as near to it as is safe. Fails when `base` has no room for
  /// `size_bytes`.
  static Result<std::unique_ptr<UploadFile>> create(const std::string& base, const std::string& name,
                                                    std::uint64_t size_bytes);
  ~UploadFile();
  UploadFile(const UploadFile&) = delete;
  UploadFile& operator=(const UploadFile&) = delete;

  Result<void> write(std::string_view bytes);
  /// Fails unless all announced bytes have come.
  Result<void> finish();

  /// The whole file for reading, wherever its name leads now.
  FileDescriptor reader() const;
  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }

 private:
  UploadFile() = default;

  FileDescriptor lock_;  ///< the folder
  std::string folder_;
  std::string path_;
  std::string name_;
  FileDescriptor file_;
  std::uint64_t announced_bytes_ = 0;
  std::uint64_t written_bytes_ = 0;
};

/// Removes upload folders of servers that did not come to their end; those that a server still holds stay.
void remove_stale_uploads(const std::string& base);

/// Runs a program (its path, the name it is called by, its arguments) and waits for it; the error is what it
/// said last on standard error. A log is profiled in a process of its own: one that cannot be read, shrinks
/// while it is read or needs all memory ends that process alone, and its memory is given back. Ended early,
/// with SIGTERM first, when `is_stopping` says so.
/// It works in the folder of `handed` and gets those descriptors, under their numbers, beside the usual
/// three; `good_code` is an exit code beside 0 that is no failure.
Result<void> run_child(const std::vector<std::string>& command, const HandedFiles& handed,
                       const std::function<bool()>& is_stopping, int good_code = 0);

struct ServiceOptions {
  ServeSettings settings{};
  std::string report_base{};              ///< folder that reports of uploads and of `first_logs` go to
  std::vector<std::string> first_logs{};  ///< profiled at once
  /// Profiles a log and writes its report folder into a base; called on a thread of the service. Ends early
  /// when the last argument says so.
  std::function<Result<void>(const HandedFiles& log, const std::string& base,
                             const std::function<bool()>& is_stopping)>
      profile{};
  /// Compares two inputs, paths in the folder of `handed`, and writes a report folder called `name` into a
  /// base, in the same way.
  std::function<Result<void>(const HandedFiles& handed, const std::vector<std::string>& inputs,
                             const std::string& name, const std::string& base,
                             const std::function<bool()>& is_stopping)>
      compare{};
  IsProfile is_profile{};  ///< which other files of the served folders are profiled; none: logs only
};

/// Keeps the library current while a server runs: looks at the served folders every second, profiles logs
/// that appear in them or are uploaded, one after the other, and tells who wants to know. Thread safe.
class LibraryService {
 public:
  LibraryService(std::vector<ServedPlace> places, ServiceOptions options);
  ~LibraryService();
  LibraryService(const LibraryService&) = delete;
  LibraryService& operator=(const LibraryService&) = delete;

  /// Starts the work; `on_change` is called from other threads, with nothing locked.
  void start(std::function<void()> on_change);
  /// Ends it, also a log that is being profiled; on_change is not called any more afterwards.
  void stop();

  std::shared_ptr<const Library> library() const;
  /// Opens a file that an answer names; closed when it is gone.
  FileDescriptor open_file(const FileReference& file) const;

  /// Makes room for an upload. The error is for the user.
  Result<std::unique_ptr<UploadFile>> begin_upload(const std::string& name, std::uint64_t size_bytes);
  /// A whole upload becomes a job. To be called for every upload that began, with null when it was cut off.
  Result<Job> end_upload(std::unique_ptr<UploadFile> upload);

  /// Two reports become a job; they are named by their ids.
  Result<Job> compare(const std::string& before_id, const std::string& after_id);

 private:
  /// A file that the user named, as it was then.
  struct GivenLog {
    std::string path;
    dev_t device = 0;
    ino_t inode = 0;
  };
  /// One of the files is set, or both of `compared`.
  struct Work {
    Job job;
    std::string base;
    GivenLog given;
    std::optional<FileReference> file;
    std::unique_ptr<UploadFile> upload;
    std::vector<std::vector<FileReference>> compared;
  };
  /// A log in a served folder, as it was when last looked at.
  struct Watched {
    std::uint64_t size_bytes = 0;
    std::int64_t time_ns = 0;
    bool is_taken = false;
  };

  void watch();
  void work();
  void refresh(bool thorough);
  /// Says of each report what a comparison reads of it, and where its page is shown.
  void complete(ScanResult& found);
  void find_input(Report& report, const std::map<std::string, FileReference>& logs) const;
  void consider(const FoundLog& log);
  void publish();
  Work& add_job(std::string name, std::string base);
  void add_given(const std::string& path);
  Result<void> run(Work& work, const std::function<bool()>& is_stopping) const;
  Result<FileDescriptor> open_log(const Work& work) const;
  Result<FileDescriptor> open_listed(const FileReference& file) const;
  Result<void> run_comparison(const Work& work, const std::function<bool()>& is_stopping) const;
  void set_state(std::uint64_t id, JobState state, std::string message);
  void forget_old_jobs();

  const ServiceOptions options_;
  std::mutex scan_mutex_;  ///< taken before mutex_
  FolderScan scan_;
  std::vector<std::string> real_places_;  ///< where the served folders lie, without links
  std::map<std::tuple<std::size_t, std::string, std::string>, std::string> page_tokens_;
  std::map<std::pair<std::size_t, std::string>, Watched> watched_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<const Library> library_;
  std::vector<Report> reports_;
  std::vector<Job> jobs_;
  std::deque<std::unique_ptr<Work>> waiting_;
  std::uint64_t next_job_ = 1;
  int uploads_ = 0;
  bool stopping_ = false;
  std::function<void()> on_change_;
  std::thread watcher_;
  std::thread worker_;
};

}  // namespace ttscope::serve
