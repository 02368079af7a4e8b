#include "serve/library_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/packed_name.h"

namespace ttscope::serve {
namespace {

constexpr std::chrono::seconds kLookEvery{1};
constexpr int kThoroughEvery = 10;  ///< looks
/// A log that grew a moment ago is still being written.
constexpr std::int64_t kRestNs = 1'500'000'000;
/// A program that is captured may be silent for long, and its report comes at its end.
constexpr std::int64_t kCapturedRestNs = 60'000'000'000;
constexpr std::size_t kMostWaiting = 64;
constexpr std::size_t kMostJobs = 100;  ///< finished ones included
constexpr int kMostUploads = 4;

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

bool is_same(const Report& a, const Report& b) {
  return a.id == b.id && a.root == b.root && a.folder == b.folder && a.time_s == b.time_s &&
         a.size_bytes == b.size_bytes && a.files.size() == b.files.size() && a.page == b.page;
}

/// An upload is called what its user calls it: where it lay is gone when the message is read.
std::string with_name(std::string message, const std::string& path, const std::string& name) {
  for (std::size_t at = message.find(path); !path.empty() && at != std::string::npos;
       at = message.find(path, at + name.size())) {
    message.replace(at, path.size(), name);
  }
  return message;
}

bool is_finished(const Job& job) { return job.state == JobState::kDone || job.state == JobState::kFailed; }

}  // namespace

LibraryService::LibraryService(std::vector<ServedPlace> places, ServiceOptions options)
    : options_(std::move(options)), scan_(std::move(places), options_.is_profile) {
  for (const std::string& log : options_.first_logs) {
    add_job(log.substr(log.rfind('/') + 1), log, options_.report_base);
  }
  reports_ = scan_.scan(true).reports;
  find_inputs(reports_);
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
    if (uploads_ >= kMostUploads || waiting_.size() >= kMostWaiting) {
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
    job = add_job(upload->name(), upload->path(), options_.report_base);
    waiting_.back()->upload = std::move(upload);
  }
  publish();
  wake_.notify_all();
  return job;
}

Result<Job> LibraryService::compare(const std::string& before_id, const std::string& after_id) {
  Job job;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= kMostWaiting)
      return failure(write_failed("too many logs are waiting; try again in a while"));
    std::vector<const Report*> found;
    for (const std::string* id : {&before_id, &after_id}) {
      const auto report =
          std::find_if(reports_.begin(), reports_.end(), [&](const Report& one) { return one.id == *id; });
      if (report == reports_.end() || report->input.empty())
        return failure(write_failed(fmt::format("{} is gone", *id)));
      found.push_back(&*report);
    }
    job = add_job(fmt::format("{} to {}", found[0]->name, found[1]->name), {}, options_.report_base);
    waiting_.back()->compared = {found[0]->input, found[1]->input};
  }
  publish();
  wake_.notify_all();
  return job;
}

void LibraryService::find_inputs(std::vector<Report>& reports) const {
  for (Report& report : reports) {
    const std::string& root = scan_.places()[report.root].path;
    const std::string folder = report.folder.empty() ? root : root + "/" + report.folder;
    // The log tells most; of a report without one its files do, or a log beside it in the served folder.
    for (const std::string_view end : {std::string_view("_profile.log"), std::string_view("_memory.json")}) {
      for (const ReportFile& file : report.files) {
        if (report.input.empty() && unpacked_name(file.name).ends_with(end))
          report.input = folder + "/" + file.name;
      }
    }
    const bool is_beside = report.source_log.starts_with(root + "/") &&
                           report.source_log.find('/', root.size() + 1) == std::string::npos;
    if (report.input.empty() && is_beside) report.input = report.source_log;
  }
}

Job& LibraryService::add_job(std::string name, std::string log, std::string base) {
  auto work = std::make_unique<Work>();
  work->job = {next_job_++, std::move(name), JobState::kWaiting, {}};
  work->log = std::move(log);
  work->base = std::move(base);
  forget_old_jobs();
  jobs_.push_back(work->job);
  waiting_.push_back(std::move(work));
  return jobs_.back();
}

void LibraryService::forget_old_jobs() {
  while (jobs_.size() >= kMostJobs) {
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
      if (wake_.wait_for(lock, kLookEvery, [&] { return stopping_; })) return;
    }
    refresh(look % kThoroughEvery == 0);
  }
}

void LibraryService::refresh(bool thorough) {
  bool changed = false;
  {
    const std::lock_guard scanning(scan_mutex_);
    ScanResult found = scan_.scan(thorough);
    find_inputs(found.reports);
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
      waiting_.size() >= kMostWaiting)
    return;
  watched.is_taken = true;
  const std::string& folder = scan_.places()[log.root].path;
  add_job(log.name, folder + "/" + log.path(), folder);
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
    const Result<void> done = work->compared.empty()
                                  ? options_.profile(work->log, work->base, is_stopping)
                                  : options_.compare(work->compared, work->job.name, work->base, is_stopping);
    if (is_stopping()) return;
    std::string why = done ? std::string() : done.error().message;
    if (work->upload) why = with_name(std::move(why), work->log, work->job.name);
    work->upload.reset();
    set_state(work->job.id, done ? JobState::kDone : JobState::kFailed, std::move(why));
    refresh(false);
    publish();
  }
}

}  // namespace ttscope::serve
