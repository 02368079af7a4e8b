#pragma once

#include <cstddef>
#include <string_view>

namespace ttscope::timeline {

/// Unpacks a block of LZ4 that is cut, up to the cut, into `to`; the number of bytes. Matches may lie in the
/// block `before`. The library gives up on a part of a block, or ends it with bytes that were not there.
std::size_t unpack_cut_lz4(std::string_view packed, std::string_view before, char* to, std::size_t most);

}  // namespace ttscope::timeline
