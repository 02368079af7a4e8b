#include "timeline/write/terminal/loss_text.h"

#include <fmt/format.h>

namespace ttscope::timeline {

std::vector<std::string> shift_texts(std::int64_t shift_ns) {
  if (shift_ns == 0) return {};
  return {fmt::format("all times are {} ns later, so that they fit", shift_ns)};
}

std::vector<std::string> loss_texts(const TracyLosses& losses) {
  std::vector<std::string> texts;
  if (losses.ops) texts.emplace_back("too many ops for a .tracy file: zones do not name theirs");
  if (losses.links > 0) texts.push_back(fmt::format("Tracy has no arrows; {} left out", losses.links));
  for (std::string& text : shift_texts(losses.shift_ns)) texts.push_back(std::move(text));
  return texts;
}

}  // namespace ttscope::timeline
