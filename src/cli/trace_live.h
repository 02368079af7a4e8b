#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>

#include "capture/trace_folders.h"
#include "timeline/write/page/timeline_page.h"

namespace ttscope::cli {

/// The page of a run at one moment.
struct LivePageText {
  std::string text;
  std::string problem;  ///< why it shows nothing of the run; empty: it does
};
/// The last one stands still, others are got anew by the browser. Above `most_bytes` it is empty and says so.
LivePageText live_page_text(const timeline::Profile& profile, bool is_last,
                            std::size_t most_bytes = timeline::kMostPageBytes);

/// The page of a run that goes on, made anew every few seconds, on loopback and under an address with a
/// token.
class LivePage {
 public:
  /// Starts to serve and says where. `port`: empty for the next free one.
  LivePage(const capture::TraceFolders& folders, const std::string& port);
  /// Makes the last page and ends.
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  /// Why there is no page; empty: there is one.
  const std::string& problem() const { return problem_; }
  bool is_usage_problem() const { return is_usage_problem_; }

 private:
  struct Served;
  void start(const std::string& port);
  /// Writes the page of what was recorded until now; false: it does not show the run, and `problem_` says
  /// why.
  bool write_page(bool is_last);

  std::string recording_;
  std::string folder_;
  std::string problem_;
  bool is_usage_problem_ = false;
  std::unique_ptr<Served> served_;
  std::atomic<bool> is_over_ = false;
  std::thread writer_;
};

}  // namespace ttscope::cli
