#pragma once

#include <map>
#include <string>

#include "mem/model/recorded_run.h"

namespace ttscope::mem {

/// The sections of a report page that the files of a run cannot fill, for MemPageOptions::absent.
std::map<std::string, std::string> recorded_absence(const RecordedFiles& files);

}  // namespace ttscope::mem
