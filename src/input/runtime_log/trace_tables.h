#pragma once

#include <string_view>
#include <vector>

#include "model/runtime_trace.h"

namespace ttscope::input {

/// Interns names and tensor types of a trace while it is filled: a distinct text is parsed once. Types that cannot be
/// read are counted in unreadable_types() and kept as tensors of 0 bytes.
class TraceTables {
 public:
  explicit TraceTables(RuntimeTrace& trace) : trace_(trace) {}

  std::uint32_t name(std::string_view text) { return trace_.names.intern(text); }
  std::uint32_t type(std::string_view text);
  /// Appends a list of name or type ids.
  IdRange store(const std::vector<std::uint32_t>& ids);
  std::uint64_t unreadable_types() const { return unreadable_types_; }

 private:
  RuntimeTrace& trace_;
  std::uint64_t unreadable_types_ = 0;
};

}  // namespace ttscope::input
