#include "timeline/read/tracy/device_context.h"

#include <fmt/format.h>

#include <array>

#include "base/number_text.h"

namespace ttscope::timeline {

std::optional<CoreName> core_of_context(std::string_view name) {
  constexpr std::string_view kDevice = "Device: ";
  if (!name.starts_with(kDevice)) return std::nullopt;
  std::string_view core;
  for (const std::string_view mark : {"Physical (", "Core ("}) {
    const std::size_t at = name.find(mark);
    if (core.empty() && at != std::string_view::npos) core = name.substr(at + mark.size());
  }
  const std::string_view device = name.substr(kDevice.size(), name.find(',') - kDevice.size());
  const std::size_t comma = core.find(',');
  const std::size_t bracket = core.find(')');
  if (comma == std::string_view::npos || bracket == std::string_view::npos || bracket < comma) {
    return std::nullopt;
  }
  const auto id = parse_unsigned(device);
  const auto x = parse_unsigned(core.substr(0, comma));
  const auto y = parse_unsigned(core.substr(comma + 1, bracket - comma - 1));
  if (!id || !x || !y || *id >= kNone || *x > UINT16_MAX || *y > UINT16_MAX) return std::nullopt;
  return CoreName{static_cast<std::uint32_t>(*id), static_cast<std::uint16_t>(*x),
                  static_cast<std::uint16_t>(*y)};
}

std::optional<WholeDevice> device_of_context(std::string_view name) {
  constexpr std::string_view kDevice = "Device: ";
  constexpr std::string_view kSeparator = ", ";
  if (!name.starts_with(kDevice)) return std::nullopt;
  for (const TrackKind kind : {TrackKind::kOps, TrackKind::kGaps}) {
    if (!name.ends_with(key_of(kind))) continue;
    std::string_view id_text =
        name.substr(kDevice.size(), name.size() - kDevice.size() - key_of(kind).size());
    if (!id_text.ends_with(kSeparator)) continue;
    id_text.remove_suffix(kSeparator.size());
    const auto id = parse_unsigned(id_text);
    if (id && *id < kNone) return WholeDevice{static_cast<std::uint32_t>(*id), kind};
  }
  return std::nullopt;
}

std::string lane_name(std::uint64_t lane, bool of_core) {
  constexpr std::array<std::string_view, 6> kProcessors = {"BRISC",   "NCRISC",  "TRISC_0",
                                                           "TRISC_1", "TRISC_2", "ERISC"};
  if (of_core && (lane & 7) < kProcessors.size()) return std::string(kProcessors[lane & 7]);
  return fmt::format("lane {}", lane);
}

std::string track_name(const WholeDevice& whole, std::uint64_t number) {
  const std::string name = whole.kind == TrackKind::kOps ? "Ops" : "Gaps";
  return number == 0 ? name : fmt::format("{} {}", name, number + 1);
}

}  // namespace ttscope::timeline
