#include "phases/load.h"

#include <utility>

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
  Result<PhaseLog> log = formats().front().read(paths, options.source);
  if (!log) return failure(log.error());
  return profile_of(std::move(*log), options.analysis);
}

Result<ClassicLog> load_classic(const std::string& path) {
  const Result<std::string> text = read_log_text(path);
  if (!text) return failure(text.error());
  return read_classic_log(*text);
}

}  // namespace ttscope::phases
