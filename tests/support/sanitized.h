#pragma once

#include <cstddef>

namespace ttscope::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Step of a loop over every byte: the sanitizers make each round ten times as dear, so they see a part of
/// them.
inline constexpr std::size_t kEveryByte = kSanitized ? 7 : 1;

}  // namespace ttscope::testing
