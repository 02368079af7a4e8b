#pragma once

#include <string>
#include <string_view>

namespace ttscope {

/// Base64 with the usual alphabet and padding, without line breaks.
std::string base64_of(std::string_view bytes);

}  // namespace ttscope
