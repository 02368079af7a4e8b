#include "perf/analyse/capture.h"

#include <algorithm>

namespace ttscope::perf {

std::int64_t Capture::devices() const {
  std::int64_t most = -1;
  for (const HostOp& op : host.ops) most = std::max(most, op.device);
  for (const Execution& execution : report.executions) {
    most = std::max(most, std::int64_t{execution.key.device});
  }
  return most + 1;
}

std::vector<CaptureRows> rows_of(const std::vector<Capture>& captures) {
  std::vector<CaptureRows> parts;
  parts.reserve(captures.size());
  for (const Capture& capture : captures) {
    parts.push_back({&capture.report, &capture.host, &capture.counters, &capture.network, capture.host_name,
                     capture.device_offset, &capture.noc, capture.files.name});
  }
  return parts;
}

ReportForm form_of(const std::vector<Capture>& captures, const Rules& rules) {
  ReportForm form{&rules, true, false};
  for (const Capture& capture : captures) {
    form.device_only &= capture.device_only;
    form.quasar |= capture.log && capture.log->quasar;
  }
  return form;
}

bool has_report(const std::vector<Capture>& captures, const Rules& rules) {
  return !rules.tells_zones_without_ops ||
         std::any_of(captures.begin(), captures.end(), [](const Capture& one) {
           if (one.files.is_noc_alone()) return false;
           return !one.lacks_op_ids() || !one.report.rows.empty();
         });
}

}  // namespace ttscope::perf
