#include "mem/read/runtime_log/mlir_text.h"

#include <algorithm>
#include <array>

namespace ttscope::mem {

namespace {

/// Characters that next_token does not just step over.
constexpr std::array<bool, 256> structural_characters() {
  std::array<bool, 256> is{};
  for (const char c : std::string_view("\"-<({[>)}]")) is[static_cast<unsigned char>(c)] = true;
  return is;
}
constexpr std::array<bool, 256> kStructural = structural_characters();

std::size_t skip_plain(std::string_view text, std::size_t at) {
  while (at < text.size() && !kStructural[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

}  // namespace

std::size_t find_closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); at = skip_plain(text, at)) {
    const std::size_t here = at;
    at = next_token(text, at, depth);
    if (depth <= 0) return here;
  }
  return std::string_view::npos;
}

std::size_t find_at_depth(std::string_view text, std::string_view wanted, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < text.size();) {
    if (depth == 0 && text.substr(at, wanted.size()) == wanted) return at;
    at = next_token(text, at, depth);
    if (depth < 0) return std::string_view::npos;
    if (depth > 0) at = skip_plain(text, at);
  }
  return std::string_view::npos;
}

std::size_t location_start(std::string_view text) {
  if (text.empty() || text.back() != ')') return kNoPlace;
  std::size_t at = text.rfind(" loc(");
  // A string never holds a quote itself.
  while (at != kNoPlace &&
         std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '"') % 2 != 0) {
    at = at == 0 ? kNoPlace : text.rfind(" loc(", at - 1);
  }
  return at;
}

}  // namespace ttscope::mem
