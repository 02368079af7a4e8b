#pragma once
// Signposts of C++ code, as tracy.signpost() makes them in Python: reports and timelines show them, and
// reports are cut at them.

#include <tracy/Tracy.hpp>

#include <string>
#include <string_view>

namespace ttscope {

/// Marks a moment of the run. Goes where Tracy's messages go: to the recorder, or to Tracy's client in a
/// build with one; without TRACY_ENABLE nowhere.
inline void signpost(std::string_view header, std::string_view message = {}) {
#if defined(TRACY_ENABLE)
  std::string text = "`TT_SIGNPOST: ";
  text += header;
  if (!message.empty()) text.append("\n").append(message);
  text += '`';
  TracyMessage(text.c_str(), text.size());
#else
  static_cast<void>(header);
  static_cast<void>(message);
#endif
}

}  // namespace ttscope
