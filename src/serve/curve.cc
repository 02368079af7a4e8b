#include "serve/curve.h"

#include <algorithm>

namespace ttscope::serve {
namespace {
constexpr std::size_t kMostParts = 1024;
}

void Curve::add(std::int64_t value) {
  highest_ = std::max(highest_, value);
  if (parts_.empty() || in_last_ == part_size_) {
    if (parts_.size() == kMostParts) {
      for (std::size_t i = 0; i < kMostParts / 2; ++i) parts_[i] = std::max(parts_[2 * i], parts_[2 * i + 1]);
      parts_.resize(kMostParts / 2);
      part_size_ *= 2;
    }
    parts_.push_back(value);
    in_last_ = 1;
    return;
  }
  parts_.back() = std::max(parts_.back(), value);
  ++in_last_;
}

std::vector<std::int64_t> Curve::parts(std::size_t most) const {
  if (parts_.size() <= most) return parts_;
  std::vector<std::int64_t> fewer(most, 0);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    std::int64_t& part = fewer[i * most / parts_.size()];
    part = std::max(part, parts_[i]);
  }
  return fewer;
}

}  // namespace ttscope::serve
