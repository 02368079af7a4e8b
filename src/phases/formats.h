#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/chunk_source.h"
#include "io/format.h"
#include "phases/model/phase_log.h"

namespace ttscope::phases {

/// How a kind of log is told, and what reads several of it together. A new one is a line in formats.cc.
struct Format {
  io::Format told;
  Result<PhaseLog> (*read)(const std::vector<std::string>& paths, const io::SourceOptions& options);
};

/// All formats; what none of them tells may have lines of the first.
const std::vector<Format>& formats();

}  // namespace ttscope::phases
