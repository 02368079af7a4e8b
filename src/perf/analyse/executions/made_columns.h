#pragma once

#include <set>
#include <vector>

#include "perf/analyse/executions/capture_rows.h"

namespace ttscope::perf {

/// Which columns the written form of a report has: what it leaves out does not count as known either.
class MadeColumns {
 public:
  MadeColumns(const std::vector<CaptureRows>& parts, const ReportForm& form);

  /// Names, programs, tensors and host times.
  bool has_host() const { return !form_.device_only; }
  /// Device ids, architectures, core counts, traces and NoC figures.
  bool has_devices() const { return !form_.device_only || form_.rules->shows_devices_without_host; }
  bool has_latency() const;
  bool has(Figure figure) const { return !form_.device_only || figures_.count(figure) > 0; }
  bool has_fw_duration() const { return !form_.quasar && has(Figure::kFwNs); }
  /// Of BRISC, NCRISC and so on.
  bool has_riscs() const { return !form_.quasar; }
  bool is_quasar() const { return form_.quasar; }
  /// The longest of these is the kernel duration.
  const std::vector<Figure>& kernel_durations() const { return kernel_durations_; }
  /// Whether there is any time in it.
  bool is_report() const { return any_rows_ && (!kernel_durations_.empty() || has_fw_duration()); }

 private:
  void find_figures(const ReportRows& report);
  void find_kernel_durations();

  const ReportForm& form_;
  std::set<Figure> figures_;  ///< that occur
  bool any_rows_ = true;
  std::vector<Figure> kernel_durations_;
};

}  // namespace ttscope::perf
