#pragma once

#include <cstdint>
#include <vector>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

struct MemoryProfile;

/// Follows tensors back to the program argument that they are made of alone: through ops of one tensor, and
/// from const-eval programs to those that called them.
class OriginFinder {
 public:
  /// `rank` is in RuntimeTrace::ranks.
  OriginFinder(const RuntimeTrace& trace, const MemoryProfile& profile, std::uint32_t rank);

  /// The argument of what an op of the rank is given, in MemoryProfile::arguments; kNone where several
  /// tensors are made into one, or a line is missing.
  std::uint32_t find(std::uint32_t op) const { return find(only_tensor_of(op), op); }

  /// The same of one operand of the op; `name` is in RuntimeTrace::names.
  std::uint32_t find(std::uint32_t name, std::uint32_t op) const;

 private:
  std::uint32_t only_tensor_of(std::uint32_t op) const;
  std::uint32_t maker_of(std::uint32_t name, std::uint32_t op) const;
  std::uint32_t passed_as(std::uint32_t name, std::uint32_t call) const;
  std::uint32_t described(std::uint32_t name, std::uint32_t instance) const;

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  std::uint32_t rank_number_ = 0;
  const RankTrace& rank_;
  // The ops that make a tensor of name n, in order: makers_[first_maker_[n] .. first_maker_[n + 1]).
  std::vector<std::uint32_t> first_maker_;
  std::vector<std::uint32_t> makers_;
};

}  // namespace ttscope::mem
