#pragma once

#include <cstddef>

namespace ttscope::testing {

// g++ says it by names of its own, clang by features.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#elif __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

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
