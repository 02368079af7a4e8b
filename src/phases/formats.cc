#include "phases/formats.h"

#include "phases/read/phase_log/sniff.h"

namespace ttscope::phases {

const std::vector<io::Format>& formats() {
  static const std::vector<io::Format> kFormats = {
      {"phase_log", "a training log with memory summaries", {}, nullptr, has_summary_lines},
  };
  return kFormats;
}

}  // namespace ttscope::phases
