#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ttscope::perf {

// Attributes of an op as the report has them, `,` written as `;`:
// {'config': 'SlidingWindowConfig(batch_size=1; window_hw=(7;7); padding=((3; 0); (3; 3)); ...)'; 'groups':
// '1'}

/// The whole number right behind `key`; nothing when the key is missing or no number follows.
std::optional<std::int64_t> number_behind(std::string_view attributes, std::string_view key);
/// What stands behind `key` up to a `;` for the `parts`-th time, with `,` for `;`: `((3, 0), (3, 3))`. `x` if
/// there is none.
std::string parts_behind(std::string_view attributes, std::string_view key, std::size_t parts);
/// What stands behind `key` up to `end`; nothing when the key is missing.
std::optional<std::string_view> text_behind(std::string_view attributes, std::string_view key, char end);

/// `window_hw=(7;7)` as 7, 7.
struct KernelWindow {
  std::int64_t height = 0;
  std::int64_t width = 0;
};
std::optional<KernelWindow> window_of(std::string_view attributes);

/// `w=(3,3) s=(2,2) p=((1, 1), (1, 1)) d=(1,1) | HEIGHT_SHARDED`
std::string halo_config(std::string_view attributes);
/// `[ABH=192|1 ADB SR]`
std::string conv_config(std::string_view attributes);

}  // namespace ttscope::perf
