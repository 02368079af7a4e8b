#pragma once

#include <string>
#include <string_view>

namespace ttscope {

/// The bytes as one gzip member.
std::string gzip_of(std::string_view bytes);

/// Base64 with the usual alphabet and padding, without line breaks.
std::string base64_of(std::string_view bytes);

}  // namespace ttscope
