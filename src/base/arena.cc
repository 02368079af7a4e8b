#include "base/arena.h"

#include <algorithm>
#include <cstring>

namespace ttscope {

std::string_view Arena::copy(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > kLargestBlockBytes / 4) {  // a block of its own, so that the current one is not wasted
    blocks_.push_back(std::make_unique<char[]>(text.size()));
    std::memcpy(blocks_.back().get(), text.data(), text.size());
    return {blocks_.back().get(), text.size()};
  }
  if (text.size() > room_bytes_) {
    while (block_bytes_ < 4 * text.size()) block_bytes_ *= 2;
    blocks_.push_back(std::make_unique<char[]>(block_bytes_));
    next_ = blocks_.back().get();
    room_bytes_ = block_bytes_;
    block_bytes_ = std::min(2 * block_bytes_, kLargestBlockBytes);
  }
  char* place = next_;
  std::memcpy(place, text.data(), text.size());
  next_ += text.size();
  room_bytes_ -= text.size();
  return {place, text.size()};
}

}  // namespace ttscope
