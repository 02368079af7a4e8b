#pragma once

#include <cstddef>
#include <string_view>

#include "terminal/key.h"

namespace ttscope::terminal {

struct DecodedKey {
  Key key{};
  std::size_t size_bytes = 0;  ///< how much of the input it takes; 0: the rest of it is still to come
};

/// The first key in what a terminal in raw mode sent, which must not be empty. The Esc key and the first byte
/// of an arrow key are the same byte: only time tells them apart. So a start of a sequence takes nothing
/// unless `nothing_follows`, when the caller has waited long enough.
DecodedKey decode_key(std::string_view bytes, bool nothing_follows);

}  // namespace ttscope::terminal
