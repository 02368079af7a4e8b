#include "phases/load.h"

#include <utility>

#include "phases/formats.h"
#include "phases/read/phase_log/classic_log.h"
#include "phases/read/phase_log/phase_log_reader.h"

namespace ttscope::phases {

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
