#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/input_files.h"
#include "mem/load.h"

namespace ttscope::mem {

/// How a kind of input is told, and what makes a profile of it. A new one is a line in formats.cc.
struct Format {
  io::Format detector;
  Result<Profile> (*read)(const std::vector<std::string>& paths, const LoadOptions& options);
};

/// All formats; of several that fit, the first counts.
const std::vector<Format>& formats();
/// The format that the beginnings of all these files tell; null: they may be logs, or nothing of ours.
const Format* format_of(const std::vector<std::string>& paths);

}  // namespace ttscope::mem
