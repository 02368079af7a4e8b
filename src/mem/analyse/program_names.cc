#include "mem/analyse/program_names.h"

#include <algorithm>

namespace ttscope::mem {

void ProgramNames::open(std::uint32_t new_instance, std::uint32_t new_graph, bool is_const_eval) {
  instance = new_instance;
  graph = new_graph;
  const_eval = is_const_eval;
  names_.clear();
  next_order_ = 0;
}

void ProgramNames::bind(BufferPool& pool, std::uint32_t name, Binding binding) {
  if (binding.buffer != kNone) ++pool.state(binding.buffer).names;
  binding.order = next_order_++;
  Binding& place = names_.at(name);
  const std::uint32_t old = place.buffer;  // bound twice only in damaged logs
  place = binding;
  if (old != kNone && --pool.state(old).names == 0) pool.release(old, false);
}

std::uint32_t ProgramNames::unbind(BufferPool& pool, std::uint32_t name) {
  Binding* const binding = names_.find(name);
  if (binding == nullptr) return kNone;
  const std::uint32_t buffer = binding->buffer;
  *binding = {};
  if (buffer == kNone || --pool.state(buffer).names > 0) return kNone;
  return buffer;
}

std::vector<std::pair<std::uint32_t, Binding>> ProgramNames::in_order() {
  std::vector<std::pair<std::uint32_t, Binding>> all;
  names_.for_each([&](std::uint32_t name, const Binding& binding) { all.emplace_back(name, binding); });
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.second.order < b.second.order; });
  return all;
}

}  // namespace ttscope::mem
