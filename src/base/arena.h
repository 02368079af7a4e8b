#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace ttscope {

/// Owns copies of short texts in blocks, the first ones small: many arenas hold next to nothing. Views
/// returned by copy() stay valid as long as the arena lives, also when it is moved. Not thread safe.
class Arena {
 public:
  std::string_view copy(std::string_view text);

 private:
  static constexpr std::size_t kFirstBlockBytes = std::size_t{1} << 12;
  static constexpr std::size_t kLargestBlockBytes = std::size_t{1} << 18;

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t room_bytes_ = 0;
  std::size_t block_bytes_ = kFirstBlockBytes;  ///< of the next block
};

}  // namespace ttscope
