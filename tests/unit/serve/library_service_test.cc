#include "serve/library_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace ttscope::serve {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LibraryServiceTest : public ::testing::Test {
 protected:
  void make(std::vector<std::string> logs = {}) {
    std::vector<ServedPlace> places;
    places.push_back({root_, std::move(*SafeFolder::open(root_)), {}});
    ServiceOptions options;
    options.report_base = root_;
    options.first_logs = std::move(logs);
    options.profile = [this](const HandedFiles& handed, const std::string& base,
                             const std::function<bool()>& is_stopping) -> Result<void> {
      const std::string log = handed.folder() + "/" + handed.paths().front();
      {
        const std::lock_guard lock(mutex_);
        read_ += std::string{std::istreambuf_iterator<char>(std::ifstream(log).rdbuf()), {}};
      }
      if (log.find("bad") != std::string::npos) return failure(bad_input("no op lines"));
      if (log.find("endless") != std::string::npos) {
        while (!is_stopping()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return {};
      }
      const std::string name = fs::path(log).stem().string();
      fs::create_directories(base + "/" + name);
      std::ofstream(base + "/" + name + "/" + name + "_memory.json") << "[]";
      ++profiled_;
      return {};
    };
    service_ = std::make_unique<LibraryService>(std::move(places), std::move(options));
    service_->start([this] { ++changes_; });
  }

  template <typename Condition>
  bool wait_for(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < until) {
      if (condition(*service_->library())) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  ttscope::testing::TempFolder folder_;
  std::string root_ = std::string(folder_.path());
  ttscope::testing::TempFolder others_;
  std::string logs_ = std::string(others_.path());
  std::mutex mutex_;
  std::string read_;  ///< of all logs that were profiled
  std::atomic<int> changes_ = 0;
  std::atomic<int> profiled_ = 0;
  std::unique_ptr<LibraryService> service_;
};

TEST_F(LibraryServiceTest, AnUploadBecomesAReportAndLeavesNothingElse) {
  make();
  const std::uint64_t before = service_->library()->version;
  auto upload = service_->begin_upload("../../my run.log", 3);
  ASSERT_TRUE(upload);
  EXPECT_EQ(fs::path((*upload)->path()).parent_path().parent_path(), fs::path(root_));
  ASSERT_TRUE((*upload)->write("abc"));
  const Result<Job> job = service_->end_upload(std::move(*upload));
  ASSERT_TRUE(job);
  ASSERT_TRUE(wait_for([&](const Library& library) {
    return !library.jobs.empty() && library.jobs[0].state == JobState::kDone;
  }));
  EXPECT_EQ(service_->library()->reports.size(), 1U) << "the report is there when the job is done";
  EXPECT_GT(service_->library()->version, before);
  EXPECT_GT(changes_, 0);
  service_->stop();
  EXPECT_EQ(std::distance(fs::directory_iterator(root_), fs::directory_iterator()), 1);
}

TEST_F(LibraryServiceTest, ACutUploadLeavesNothing) {
  make();
  {
    auto upload = service_->begin_upload("x.log", 3);
    ASSERT_TRUE(upload);
    ASSERT_TRUE((*upload)->write("ab"));
    EXPECT_FALSE((*upload)->write("cd")) << "more than announced";
    EXPECT_FALSE(service_->end_upload(std::move(*upload)));
  }
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(LibraryServiceTest, UploadsAtOnceAreLimited) {
  make();
  std::vector<std::unique_ptr<UploadFile>> uploads;
  while (true) {
    auto upload = service_->begin_upload("x.log", 1);
    if (!upload) break;
    uploads.push_back(std::move(*upload));
    ASSERT_LT(uploads.size(), 100U);
  }
  uploads.clear();
  EXPECT_FALSE(service_->begin_upload("x.log", 1));
  EXPECT_FALSE(service_->end_upload(nullptr));
  EXPECT_TRUE(service_->begin_upload("x.log", 1)) << "one has ended";
}

TEST_F(LibraryServiceTest, NoRoomOnTheDiskIsSaid) {
  make();
  const auto upload = service_->begin_upload("x.log", std::uint64_t{1} << 60);
  ASSERT_FALSE(upload);
  EXPECT_THAT(upload.error().message, HasSubstr("no room"));
}

TEST_F(LibraryServiceTest, ALogAddedToTheFolderIsProfiledOnce) {
  make();
  std::ofstream(root_ + "/run.log") << "x";
  ASSERT_TRUE(wait_for([&](const Library& library) { return library.reports.size() == 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  EXPECT_EQ(profiled_, 1);
}

TEST_F(LibraryServiceTest, ACapturedLogWithoutAReportIsProfiledOnceItHasRested) {
  const std::string old = root_ + "/llama_20260122_143957";
  const std::string fresh = root_ + "/bert_20260122_143957";
  fs::create_directories(old);
  fs::create_directories(fresh);
  std::ofstream(old + "/llama_profile.log") << "x";
  std::ofstream(fresh + "/bert_profile.log") << "x";
  fs::last_write_time(old + "/llama_profile.log", fs::file_time_type::clock::now() - std::chrono::hours(1));
  make();
  ASSERT_TRUE(wait_for([&](const Library& library) { return library.reports.size() == 1; }));
  EXPECT_EQ(service_->library()->reports[0].folder, "llama_profile");
  EXPECT_EQ(service_->library()->jobs.at(0).name, "llama_profile.log");
  EXPECT_EQ(profiled_, 1);
}

TEST_F(LibraryServiceTest, AFailureIsKeptForTheReader) {
  std::ofstream(logs_ + "/bad.log") << "x";
  make({logs_ + "/bad.log"});
  ASSERT_TRUE(wait_for([&](const Library& library) { return library.jobs[0].state == JobState::kFailed; }));
  EXPECT_EQ(service_->library()->jobs[0].message, "no op lines");
  EXPECT_EQ(service_->library()->jobs[0].name, "bad.log");
}

TEST_F(LibraryServiceTest, StopsInTheMiddleOfALog) {
  for (const char* name : {"/endless.log", "/next.log"}) std::ofstream(logs_ + name) << "x";
  make({logs_ + "/endless.log", logs_ + "/next.log"});
  ASSERT_TRUE(wait_for([&](const Library& library) { return library.jobs[0].state == JobState::kRunning; }));
  const auto begin = std::chrono::steady_clock::now();
  service_->stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(profiled_, 0);
}

}  // namespace
}  // namespace ttscope::serve
