#pragma once

#include <string>

#include "timeline/analyse/window.h"

namespace ttscope::timeline {

/// A window as the page takes it: `ttscope.timeline_window/1` (docs/serve_api.md).
std::string timeline_window_json(const WindowIndex& index, const WindowRequest& request,
                                 const Window& window);

/// Sums by name as JSON.
std::string sums_json(const WindowIndex& index, const std::vector<NameSum>& sums);

/// A zone that was looked for: its place, when it is, and where.
std::string hit_json(const WindowIndex& index, std::span<const std::uint32_t> hits, std::uint32_t place);

/// The track of a place and the row of it.
std::pair<std::uint32_t, std::uint32_t> row_of_place(const WindowIndex& index, std::uint32_t place);

}  // namespace ttscope::timeline
