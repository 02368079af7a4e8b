#pragma once

#include <cstdint>
#include <vector>

namespace ttscope::serve {

/// The highest value in each of a bounded number of equal parts of a sequence whose length is not known
/// beforehand.
class Curve {
 public:
  void add(std::int64_t value);
  /// At most `most` values; the highest of all is among them.
  std::vector<std::int64_t> parts(std::size_t most) const;
  std::int64_t highest() const { return highest_; }

 private:
  std::vector<std::int64_t> parts_;
  std::uint64_t part_size_ = 1;  ///< how many values a part stands for
  std::uint64_t in_last_ = 0;
  std::int64_t highest_ = -1;
};

}  // namespace ttscope::serve
