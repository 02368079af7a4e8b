#pragma once

#include <ttscope/run_mode.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "graph/analyze/figures.h"
#include "graph/model/graph_trace.h"

namespace ttscope::tracker {

/// Where captures come from: the simulated device, or a runtime that is driven from Python.
class CaptureSource {
 public:
  CaptureSource() = default;
  virtual ~CaptureSource() = default;
  CaptureSource(const CaptureSource&) = delete;
  CaptureSource& operator=(const CaptureSource&) = delete;

  virtual Result<void> begin(RunMode mode) = 0;
  /// Ends the capture that begin() started last, on the same thread.
  virtual Result<graph::GraphTrace> end() = 0;
};

/// The simulated device's, of the calling thread.
std::unique_ptr<CaptureSource> make_simulated_source();

/// The one session of a process: an active capture, and the segments so far. Its functions throw
/// std::runtime_error with the texts of the original tracker. Thread safe; a capture belongs to the thread
/// that began it.
class Session {
 public:
  static Session& global();

  /// For the captures that begin from now on.
  void set_source(std::function<std::unique_ptr<CaptureSource>()> make_source);

  void begin(RunMode mode);
  void end(const std::string& name);
  void snapshot(const std::string& name);
  void clear();
  /// The end of a guard: end() and clear(), and a note if that drops what nobody has read.
  void end_and_clear();

  graph::DramUsage dram_usage(const std::string& name);
  graph::L1Usage l1_usage(const std::string& name, const graph::Rules& rules);
  std::vector<graph::SegmentFigures> figures(const graph::Rules& rules);
  std::vector<std::string> names() const;
  std::vector<std::string> notes() const;
  /// The summary, and below it the notes when the figures are corrected.
  std::string summary(const graph::Rules& rules);
  void save(const std::string& path);

 private:
  using Lock = std::lock_guard<std::mutex>;
  void store(CaptureSource& source, const std::string& name);
  void check_thread() const;
  const graph::GraphTrace& find(const std::string& name) const;
  std::vector<std::string> notes_locked() const;
  std::vector<graph::SegmentFigures> figures_locked(const graph::Rules& rules) const;

  mutable std::mutex mutex_;
  std::function<std::unique_ptr<CaptureSource>()> make_source_ = make_simulated_source;
  std::unique_ptr<CaptureSource> source_;  ///< of the active capture
  std::thread::id thread_;                 ///< that began it
  RunMode mode_ = RunMode::NORMAL;
  std::vector<graph::GraphSegment> segments_;
  bool read_ = true;       ///< somebody has looked at the segments since the last was added
  std::string lost_note_;  ///< what a guard cleared unread
};

}  // namespace ttscope::tracker
