#pragma once

#include <cstddef>

namespace ttscope::testing {

#if defined(__SANITIZE_THREAD__)
inline constexpr int kSlowness = 31;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int kSlowness = 7;
#else
inline constexpr int kSlowness = 1;
#endif
inline constexpr bool kSanitized = kSlowness > 1;

/// Steps of loops over every byte and over many seeds: with the sanitizers, which make a round far dearer, a
/// part of the rounds must do.
inline constexpr std::size_t kEveryByte = kSlowness;
inline constexpr unsigned kEverySeed = kSanitized ? 3 : 1;

}  // namespace ttscope::testing
