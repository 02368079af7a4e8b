#include "phases/formats.h"

#include "phases/read/phase_log/phase_log_reader.h"
#include "phases/read/phase_log/sniff.h"

namespace ttscope::phases {

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {{"phase_log", "a training log with memory summaries", {}, nullptr, has_summary_lines},
       read_phase_logs},
  };
  return kFormats;
}

}  // namespace ttscope::phases
