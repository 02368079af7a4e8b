#include "phases/load.h"

#include <utility>

#include "base/result.h"
#include "phases/classic_analysis.h"
#include "phases/read/phase_log_reader.h"

namespace ttscope::phases {

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {{"phase_log", "a training log with memory summaries", {}, nullptr, has_summary_lines},
       read_phase_logs},
  };
  return kFormats;
}

Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options) {
  ASSIGN_OR_RETURN(PhaseLog log, formats().front().read(paths, options.source));
  return profile_of(std::move(log), options.analysis);
}

Result<ClassicLog> load_classic(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, read_log_text(path));
  return read_classic_log(text);
}

}  // namespace ttscope::phases
