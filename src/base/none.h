#pragma once

#include <cstdint>

namespace ttscope {

/// The one value of an index, an id or a 32-bit figure that is not there.
inline constexpr std::uint32_t kNone = 0xffffffff;

}  // namespace ttscope
