#pragma once

#include <string>

#include "mem/write/page/mem_page.h"

namespace ttscope::cli {

/// How the program writes a report page: its version and the time of day, threads as the machine has them.
mem::MemPageOptions page_options(const std::string& name);

/// The same with what of the profile only other stages know.
mem::MemPageOptions page_options(const std::string& name, const mem::Profile& profile);

}  // namespace ttscope::cli
