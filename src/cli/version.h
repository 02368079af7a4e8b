#pragma once

#include <string_view>

namespace ttscope::cli {

/// `0.1.0`
std::string_view version_text();

}  // namespace ttscope::cli
