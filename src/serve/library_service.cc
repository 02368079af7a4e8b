#include "serve/library_service.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "base/file_names.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "serve/request_checks.h"

namespace ttscope::serve {
namespace {

constexpr std::string_view kFolderStart = ".upload-";
constexpr std::string_view kFolderEnd = "XXXXXX";  ///< as many letters as mkdtemp puts there

/// The report needs room too.
constexpr std::uint64_t kSpareBytes = std::uint64_t{64} << 20;

Error problem(std::string_view what) {
  return write_failed(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// A new folder that is open and locked. A server that starts may remove it until it is; then the next one is
/// made.
Result<FileDescriptor> make_locked_folder(const std::string& base, std::string& path) {
  constexpr int kAttempts = 10;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    path = fmt::format("{}/{}{}", base, kFolderStart, kFolderEnd);
    if (mkdtemp(path.data()) == nullptr) return failure(problem("the log cannot be kept"));
    FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.is_open()) continue;
    // Some network file systems know no locks: there no server removes what another one left behind.
    (void)flock(folder.number(), LOCK_EX);
    struct stat facts {};
    if (fstat(folder.number(), &facts) == 0 && facts.st_nlink > 0) return folder;
  }
  return failure(write_failed("the log cannot be kept: its folder is removed again and again"));
}

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  DIR* entries = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (entries == nullptr) return names;
  while (const dirent* entry = readdir(entries)) names.emplace_back(entry->d_name);
  closedir(entries);
  return names;
}

bool is_upload_folder(std::string_view name) {
  return name.size() == kFolderStart.size() + kFolderEnd.size() && name.starts_with(kFolderStart);
}

}  // namespace

void remove_stale_uploads(const std::string& base) {
  const FileDescriptor place(::open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!place.is_open()) return;
  for (const std::string& name : names_in(place.number())) {
    if (!is_upload_folder(name)) continue;
    const FileDescriptor folder(
        openat(place.number(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat facts {};
    if (!folder.is_open() || fstat(folder.number(), &facts) != 0 || facts.st_uid != geteuid()) continue;
    if (flock(folder.number(), LOCK_EX | LOCK_NB) != 0) continue;  // a server is at work there
    for (const std::string& file : names_in(folder.number()))
      (void)unlinkat(folder.number(), file.c_str(), 0);
    (void)unlinkat(place.number(), name.c_str(), AT_REMOVEDIR);
  }
}

Result<std::unique_ptr<UploadFile>> UploadFile::create(const std::string& base, const std::string& name,
                                                       std::uint64_t size_bytes) {
  struct statvfs room {};
  if (statvfs(base.c_str(), &room) != 0) return failure(problem("no place for uploads"));
  if (room.f_bavail * room.f_frsize < size_bytes + kSpareBytes) {
    return failure(write_failed("the disk has no room for this log"));
  }
  std::unique_ptr<UploadFile> upload(new UploadFile);
  ASSIGN_OR_RETURN(FileDescriptor folder, make_locked_folder(base, upload->folder_));
  upload->lock_ = std::move(folder);
  // The report is called after the log without its ending; a name without one must not lose a part.
  const std::string safe = file_name_safe(name.substr(name.find_last_of("/\\") + 1));
  upload->name_ = safe.find('.') == std::string::npos ? safe + ".log" : safe;
  upload->path_ = upload->folder_ + "/" + upload->name_;
  upload->announced_bytes_ = size_bytes;
  upload->file_ = FileDescriptor(openat(upload->lock_.number(), upload->name_.c_str(),
                                        O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!upload->file_.is_open()) return failure(problem("the log cannot be kept"));
  return upload;
}

UploadFile::~UploadFile() {
  if (!path_.empty()) unlinkat(lock_.number(), name_.c_str(), 0);
  if (!folder_.empty()) rmdir(folder_.c_str());
}

Result<void> UploadFile::write(std::string_view bytes) {
  if (written_bytes_ + bytes.size() > announced_bytes_)
    return failure(write_failed("more bytes than announced"));
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failure(problem("the log cannot be kept"));
    bytes.remove_prefix(static_cast<std::size_t>(written));
    written_bytes_ += static_cast<std::uint64_t>(written);
  }
  return {};
}

Result<void> UploadFile::finish() {
  if (written_bytes_ != announced_bytes_) return failure(write_failed("the upload was cut off"));
  return {};
}

FileDescriptor UploadFile::reader() const {
  return FileDescriptor(
      ::open(fmt::format("/proc/self/fd/{}", file_.number()).c_str(), O_RDONLY | O_CLOEXEC));
}

namespace {

constexpr std::size_t kMaxMessageBytes = 2000;
constexpr int kPollMs = 50;
constexpr std::chrono::milliseconds kGrace{500};

struct Becoming {
  char* const* arguments;
  const char* folder;
  const std::vector<int>& descriptors;
  int error_pipe;
  pid_t parent;
};

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(const Becoming& child) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != child.parent || chdir(child.folder) != 0) _exit(127);
  setpgid(0, 0);  // Ctrl-C is for the server, which then ends this process
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(child.error_pipe, STDERR_FILENO);
  for (const int descriptor : child.descriptors) fcntl(descriptor, F_SETFD, 0);  // not closed by exec
  execv(child.arguments[0], child.arguments + 1);
  _exit(127);
}

void end(pid_t child) {
  kill(child, SIGTERM);
  const auto until = std::chrono::steady_clock::now() + kGrace;
  while (std::chrono::steady_clock::now() < until) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == child)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(child, SIGKILL);
}

/// The last lines are kept: progress may come before the complaint.
void keep(std::string& message, std::string_view more) {
  message += more;
  if (message.size() > 2 * kMaxMessageBytes) message.erase(0, message.size() - kMaxMessageBytes);
}

/// What the child says until it closes its end.
std::string listen_to(int pipe, pid_t child, const std::function<bool()>& is_stopping) {
  std::string message;
  while (true) {
    pollfd look{pipe, POLLIN, 0};
    const int ready = poll(&look, 1, kPollMs);
    if (is_stopping()) {
      end(child);
      return message;
    }
    if (ready <= 0) continue;
    std::array<char, 4096> piece{};
    const ssize_t got = read(pipe, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return message;
    keep(message, {piece.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace

Result<void> run_child(const std::vector<std::string>& command, const HandedFiles& handed,
                       const std::function<bool()>& is_stopping, int good_code) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return failure(bad_input(std::strerror(errno)));
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  const std::vector<int> descriptors = handed.descriptors();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return failure(bad_input(fmt::format("no process for the log: {}", std::strerror(errno))));
  if (child == 0) become({arguments.data(), handed.folder().c_str(), descriptors, to.number(), parent});
  to = FileDescriptor();
  std::string message = listen_to(from.number(), child, is_stopping);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == good_code)) return {};
  while (!message.empty() && message.back() == '\n') message.pop_back();
  if (message.empty()) {
    message = WIFSIGNALED(status) ? fmt::format("the profiler was ended by signal {}", WTERMSIG(status))
                                  : fmt::format("the profiler failed with code {}", WEXITSTATUS(status));
  }
  return failure(bad_input(std::move(message)));
}

namespace {

constexpr std::chrono::seconds kScanInterval{1};
constexpr int kScansPerThoroughScan = 10;  ///< looks
/// A log that grew a moment ago is still being written.
constexpr std::int64_t kRestNs = 1'500'000'000;
/// A program that is captured may be silent for long, and its report comes at its end.
constexpr std::int64_t kCapturedRestNs = 60'000'000'000;
constexpr std::size_t kMaxWaiting = 64;
constexpr std::size_t kMaxJobs = 100;  ///< finished ones included
constexpr int kMaxUploads = 4;

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

bool is_same(const Report& a, const Report& b) {
  return a.id == b.id && a.root == b.root && a.folder == b.folder && a.time_s == b.time_s &&
         a.size_bytes == b.size_bytes && a.files.size() == b.files.size() && a.page == b.page &&
         a.inputs == b.inputs;
}

bool is_finished(const Job& job) { return job.state == JobState::kDone || job.state == JobState::kFailed; }

}  // namespace

LibraryService::LibraryService(std::vector<ServedPlace> places, ServiceOptions options)
    : options_(std::move(options)), scan_(std::move(places), options_.is_profile) {
  for (const ServedPlace& place : scan_.places()) {
    std::error_code ignored;
    real_places_.push_back(std::filesystem::canonical(place.path, ignored).string());
  }
  if (!options_.report_base.empty()) remove_stale_uploads(options_.report_base);
  for (const std::string& log : options_.first_logs) add_given(log);
  ScanResult found = scan_.scan(true);
  complete(found);
  reports_ = std::move(found.reports);
  publish();
}

LibraryService::~LibraryService() { stop(); }

void LibraryService::start(std::function<void()> on_change) {
  on_change_ = std::move(on_change);
  watcher_ = std::thread([this] { watch(); });
  worker_ = std::thread([this] { work(); });
}

void LibraryService::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  if (worker_.joinable()) worker_.join();
  const std::lock_guard lock(mutex_);
  waiting_.clear();
}

std::shared_ptr<const Library> LibraryService::library() const {
  const std::lock_guard lock(mutex_);
  return library_;
}

FileDescriptor LibraryService::open_file(const FileReference& file) const {
  if (file.root >= scan_.places().size()) return FileDescriptor();
  const SafeFolder& root = scan_.places()[file.root].folder;
  if (file.folder.empty()) return root.file(file.name);
  const SafeFolder folder = root.folder(file.folder);
  return folder.is_open() ? folder.file(file.name) : FileDescriptor();
}

Result<std::unique_ptr<UploadFile>> LibraryService::begin_upload(const std::string& name,
                                                                 std::uint64_t size_bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (uploads_ >= kMaxUploads || waiting_.size() >= kMaxWaiting) {
      return failure(write_failed("too many logs are waiting; try again in a while"));
    }
    ++uploads_;
  }
  Result<std::unique_ptr<UploadFile>> upload = UploadFile::create(options_.report_base, name, size_bytes);
  if (!upload) {
    const std::lock_guard lock(mutex_);
    --uploads_;
  }
  return upload;
}

Result<Job> LibraryService::end_upload(std::unique_ptr<UploadFile> upload) {
  const Result<void> finished = upload ? upload->finish() : failure(write_failed("the upload was cut off"));
  Job job;
  {
    const std::lock_guard lock(mutex_);
    --uploads_;
    if (!finished) return failure(finished.error());
    Work& work = add_job(upload->name(), options_.report_base);
    work.upload = std::move(upload);
    job = work.job;
  }
  publish();
  wake_.notify_all();
  return job;
}

Result<Job> LibraryService::compare(const std::string& before_id, const std::string& after_id) {
  Job job;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= kMaxWaiting)
      return failure(write_failed("too many logs are waiting; try again in a while"));
    std::vector<const Report*> found;
    for (const std::string* id : {&before_id, &after_id}) {
      const auto report =
          std::find_if(reports_.begin(), reports_.end(), [&](const Report& one) { return one.id == *id; });
      if (report == reports_.end() || report->inputs.empty())
        return failure(write_failed(fmt::format("{} is gone", *id)));
      found.push_back(&*report);
    }
    Work& work = add_job(fmt::format("{} to {}", found[0]->name, found[1]->name), options_.report_base);
    work.compared = {found[0]->inputs, found[1]->inputs};
    job = work.job;
  }
  publish();
  wake_.notify_all();
  return job;
}

void LibraryService::find_input(Report& report, const std::map<std::string, FileReference>& logs) const {
  const auto is_named = [](const ReportFile& file, std::initializer_list<std::string_view> ends) {
    const std::string_view name = unpacked_name(file.name);
    return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
  };
  // The log tells most; of a report without one its files do, or a log beside it in the served folder.
  for (const std::string_view end : {std::string_view("_profile.log"), std::string_view("_memory.json")}) {
    for (const ReportFile& file : report.files) {
      if (report.inputs.empty() && is_named(file, {end}))
        report.inputs.push_back({report.root, report.folder, file.name});
    }
  }
  if (!report.inputs.empty()) {
    for (const ReportFile& file : report.files) {
      if (is_named(file, {"_operations.json", "_inputs_registry.json", "_ir.json"}))
        report.inputs.push_back({report.root, report.folder, file.name});
    }
    return;
  }
  if (report.source_log.empty()) return;
  // What a report names as its log is anybody's word: only a file that the scan found is taken.
  if (const auto log = logs.find(report.source_log); log != logs.end()) report.inputs = {log->second};
}

void LibraryService::complete(ScanResult& found) {
  std::map<std::string, FileReference> logs;
  for (const FoundLog& log : found.logs) {
    if (log.folder.empty())
      logs[real_places_[log.root] + "/" + log.name] = FileReference{log.root, {}, log.name};
  }
  for (Report& report : found.reports) {
    find_input(report, logs);
    std::string& token = page_tokens_[{report.root, report.folder, report.prefix}];
    // Without random numbers there is no page, rather than one whose address can be guessed.
    if (token.empty()) token = new_token().value_or(std::string());
    report.page_token = token;
  }
}

LibraryService::Work& LibraryService::add_job(std::string name, std::string base) {
  auto work = std::make_unique<Work>();
  work->job = {next_job_++, std::move(name), JobState::kWaiting, {}};
  work->base = std::move(base);
  forget_old_jobs();
  jobs_.push_back(work->job);
  waiting_.push_back(std::move(work));
  return *waiting_.back();
}

void LibraryService::add_given(const std::string& path) {
  Work& work = add_job(path.substr(path.rfind('/') + 1), options_.report_base);
  struct stat facts {};
  if (stat(path.c_str(), &facts) == 0) work.given = {path, facts.st_dev, facts.st_ino};
}

void LibraryService::forget_old_jobs() {
  while (jobs_.size() >= kMaxJobs) {
    const auto oldest = std::find_if(jobs_.begin(), jobs_.end(), is_finished);
    if (oldest == jobs_.end()) return;
    jobs_.erase(oldest);
  }
}

void LibraryService::set_state(std::uint64_t id, JobState state, std::string message) {
  const std::lock_guard lock(mutex_);
  for (Job& job : jobs_) {
    if (job.id != id) continue;
    job.state = state;
    job.message = std::move(message);
    return;
  }
}

/// Makes the next state of the library visible.
void LibraryService::publish() {
  auto next = std::make_shared<Library>();
  {
    const std::lock_guard lock(mutex_);
    next->settings = options_.settings;
    next->version = library_ ? library_->version + 1 : 1;
    next->reports = reports_;
    next->jobs = jobs_;
    next->json = std::make_shared<const std::string>(library_json(*next));
    library_ = std::move(next);
  }
  if (on_change_) on_change_();
}

void LibraryService::watch() {
  for (int look = 1;; ++look) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, kScanInterval, [&] { return stopping_; })) return;
    }
    refresh(look % kScansPerThoroughScan == 0);
  }
}

void LibraryService::refresh(bool thorough) {
  bool changed = false;
  {
    const std::lock_guard scanning(scan_mutex_);
    ScanResult found = scan_.scan(thorough);
    complete(found);
    const std::lock_guard lock(mutex_);
    changed =
        !std::equal(found.reports.begin(), found.reports.end(), reports_.begin(), reports_.end(), is_same);
    reports_ = std::move(found.reports);
    const std::size_t before = jobs_.size();
    for (const FoundLog& log : found.logs) consider(log);
    changed = changed || jobs_.size() != before;
  }
  if (!changed) return;
  publish();
  wake_.notify_all();
}

/// A log becomes work once it has rested; one that failed is tried again when it has changed.
void LibraryService::consider(const FoundLog& log) {
  Watched& watched = watched_[{log.root, log.path()}];
  const bool rests = watched.size_bytes == log.size_bytes && watched.time_ns == log.time_ns;
  if (!rests) watched = {log.size_bytes, log.time_ns, false};
  if (!rests || watched.is_taken || log.has_report || log.size_bytes == 0) return;
  if (now_ns() - log.time_ns < (log.folder.empty() ? kRestNs : kCapturedRestNs) ||
      waiting_.size() >= kMaxWaiting)
    return;
  watched.is_taken = true;
  add_job(log.name, scan_.places()[log.root].path).file = FileReference{log.root, log.folder, log.name};
}

Result<FileDescriptor> LibraryService::open_listed(const FileReference& file) const {
  FileDescriptor opened = open_file(file);
  if (!opened.is_open()) return failure(bad_input(fmt::format("{}: it is gone", file.name)));
  return opened;
}

/// Opened when its turn comes, and never through a link that has been put in its place since.
Result<FileDescriptor> LibraryService::open_log(const Work& work) const {
  if (work.upload) return work.upload->reader();
  if (work.file) return open_listed(*work.file);
  FileDescriptor opened(::open(work.given.path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat facts {};
  if (!opened.is_open() || fstat(opened.number(), &facts) != 0 || facts.st_dev != work.given.device ||
      facts.st_ino != work.given.inode)
    return failure(bad_input(fmt::format("{}: it is no longer the file that was named", work.job.name)));
  return opened;
}

Result<void> LibraryService::run_comparison(const Work& work,
                                            const std::function<bool()>& is_stopping) const {
  ASSIGN_OR_RETURN(HandedFiles handed, HandedFiles::make());
  std::vector<std::string> inputs;
  for (const std::vector<FileReference>& side : work.compared) {
    const std::string folder = inputs.empty() ? "before/" : "after/";
    inputs.push_back(folder + side.front().name);
    for (const FileReference& file : side) {
      ASSIGN_OR_RETURN(FileDescriptor opened, open_listed(file));
      if (Result<void> added = handed.add(std::move(opened), folder + file.name); !added) return added;
    }
  }
  return options_.compare(handed, inputs, work.job.name, work.base, is_stopping);
}

Result<void> LibraryService::run(Work& work, const std::function<bool()>& is_stopping) const {
  if (!work.compared.empty()) return run_comparison(work, is_stopping);
  ASSIGN_OR_RETURN(HandedFiles handed, HandedFiles::make());
  ASSIGN_OR_RETURN(FileDescriptor log, open_log(work));
  const std::string& name = work.file ? work.file->name : work.job.name;
  if (Result<void> added = handed.add(std::move(log), name); !added) return added;
  return options_.profile(handed, work.base, is_stopping);
}

void LibraryService::work() {
  const auto is_stopping = [this] {
    const std::lock_guard lock(mutex_);
    return stopping_;
  };
  while (true) {
    std::unique_ptr<Work> work;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
      if (stopping_) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    set_state(work->job.id, JobState::kRunning, {});
    publish();
    const Result<void> done = run(*work, is_stopping);
    if (is_stopping()) return;
    std::string why = done ? std::string() : done.error().message;
    work->upload.reset();
    set_state(work->job.id, done ? JobState::kDone : JobState::kFailed, std::move(why));
    refresh(false);
    publish();
  }
}

}  // namespace ttscope::serve
