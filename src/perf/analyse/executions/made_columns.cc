#include "perf/analyse/executions/made_columns.h"

#include <algorithm>
#include <initializer_list>

namespace ttscope::perf {

MadeColumns::MadeColumns(const std::vector<CaptureRows>& parts, const ReportForm& form) : form_(form) {
  if (form.device_only) {
    for (const CaptureRows& part : parts) find_figures(*part.report);
  }
  // The reference writes not even a header for a device without rows.
  if (!form.rules->writes_header_without_rows && form.device_only) {
    any_rows_ = std::any_of(parts.begin(), parts.end(),
                            [](const CaptureRows& part) { return !part.report->rows.empty(); });
  }
  find_kernel_durations();
}

bool MadeColumns::has_latency() const {
  return form_.quasar ? has(Figure::kQuasarDmLatencyNs) : has(Figure::kKernelNs);
}

void MadeColumns::find_figures(const ReportRows& report) {
  for (const ReportRow& row : report.rows) {
    if (row.execution == kNone) continue;
    const Figures& figures = report.executions[row.execution].figures;
    for (std::size_t i = 0; i < kFigureCount; ++i) {
      if (figures.has(static_cast<Figure>(i))) figures_.insert(static_cast<Figure>(i));
    }
  }
}

void MadeColumns::find_kernel_durations() {
  const auto take = [this](std::initializer_list<Figure> figures) {
    if (!kernel_durations_.empty()) return;
    for (const Figure figure : figures) {
      if (has(figure)) kernel_durations_.push_back(figure);
    }
  };
  take({Figure::kKernelNs});
  if (form_.quasar) {
    take({Figure::kQuasarDmNs, Figure::kQuasarTriscNs});
    take({Figure::kQuasarDmFwNs, Figure::kQuasarTriscFwNs});
  } else {
    take({Figure::kFwNs});
  }
}

}  // namespace ttscope::perf
