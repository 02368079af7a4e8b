#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include <ttscope/record.h>

#include "support/temp_folder.h"
#include "timeline/load.h"

namespace ttscope::record {

/// A test that records into a folder of its own.
class RecordCase : public ::testing::Test {
 protected:
  void TearDown() override {
    ttscope_record_stop();
    unsetenv("TTSCOPE_RECORD_MB");
  }

  void start() { ASSERT_EQ(ttscope_record_start(folder_.path().c_str()), 1); }
  /// All files of the folder.
  timeline::Timeline read() const {
    Result<timeline::Timeline> timeline = timeline::load_timeline({folder_.path()});
    EXPECT_TRUE(timeline) << timeline.error().message;
    return timeline ? std::move(*timeline) : timeline::Timeline();
  }
  timeline::Timeline stop_and_read() const {
    ttscope_record_stop();
    return read();
  }
  /// A zone that is known at run time only.
  static std::uint32_t begin(const char* name) {
    const ttscope_record_place place = {name, "function", "file.cc", 7, 0};
    return ttscope_record_zone_begin_at(&place);
  }

  testing::TempFolder folder_;
};

/// Runs a function in a child, which ends without what the parent does at its end.
inline pid_t forked(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child != 0) return child;
  body();
  _exit(0);
}

inline int waited(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/// `name/depth` of the zones of a track.
inline std::vector<std::string> zones_of(const timeline::Timeline& timeline, const timeline::Track& track) {
  std::vector<std::string> zones;
  for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
    zones.push_back(std::string(timeline.name_of_zone(zone)) + "/" +
                    std::to_string(timeline.zones.depth[zone]));
  }
  return zones;
}

}  // namespace ttscope::record
