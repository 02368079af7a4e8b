#pragma once

#include <cstdint>
#include <vector>

#include "base/paged_map.h"
#include "mem/analyse/buffer_pool.h"

namespace ttscope::mem {

/// What a value depends on, weakest first: nothing but constants, weights, a program input.
enum class Flow : std::uint8_t { kConstant, kWeight, kActivation };

/// What a name of an open program stands for.
struct Binding {
  std::uint32_t buffer = kNone;  ///< kNone: a host tensor, or not known
  std::uint32_t type = kNone;
  Flow flow = Flow::kActivation;
  std::uint32_t order = kNone;  ///< of binding, within the program; set by bind()
  bool is_set() const { return order != kNone; }
};

/// The names of one open program instance: SSA names restart in every program, so each has a table of its
/// own.
class ProgramNames {
 public:
  void open(std::uint32_t instance, std::uint32_t graph, bool const_eval);

  void bind(BufferPool& pool, std::uint32_t name, Binding binding);
  /// Takes a name away; returns its buffer when no other name has it, else kNone.
  std::uint32_t unbind(BufferPool& pool, std::uint32_t name);
  const Binding* find(std::uint32_t name) { return names_.find(name); }
  /// (name, binding) in order of binding.
  std::vector<std::pair<std::uint32_t, Binding>> in_order();

  std::uint32_t instance = kNone;
  std::uint32_t graph = kNone;
  bool const_eval = false;

 private:
  PagedMap<Binding> names_;
  std::uint32_t next_order_ = 0;
};

}  // namespace ttscope::mem
