#include "cli/version.h"

namespace ttscope::cli {

std::string_view version_text() { return TTSCOPE_VERSION; }

}  // namespace ttscope::cli
