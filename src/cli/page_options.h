#pragma once

#include <string>

#include "mem/write/page/mem_page.h"

namespace ttscope::cli {

/// How the program writes a report page: its version and the time of day, threads as the machine has them.
mem::MemPageOptions page_options(const std::string& name);

}  // namespace ttscope::cli
