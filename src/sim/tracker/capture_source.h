#pragma once

#include <memory>

#include <ttscope/run_mode.h>
#include "base/result.h"
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

}  // namespace ttscope::tracker
