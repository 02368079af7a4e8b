#pragma once

#include <ttscope/device.h>

#include <functional>
#include <memory>

/// Under the device profiler (`ttscope trace -r`) each op of the simulated device also runs as a program of
/// about its length on simulated chips, so that the ops report has a row of it and its kernels their zones.
/// Without the device profiler nothing is opened and nothing is told. Chips that cannot be had (no compiler
/// of kernels) are said once on standard error: the training goes on without them.
class ChipOps {
 public:
  explicit ChipOps(const ttscope::sim::Device& device);
  ~ChipOps();
  ChipOps(const ChipOps&) = delete;
  ChipOps& operator=(const ChipOps&) = delete;

  /// Takes the profiler's markers from the chips, whose buffers have room for some hundred ops.
  void read_profiler();

 private:
  class Chips;

  void attempt(const std::function<void()>& action);
  void tell(const char* problem);

  ttscope::sim::Device device_;
  std::unique_ptr<Chips> chips_;  ///< null: not profiled
  bool gave_up_ = false;          ///< a problem of the chips was told
};
