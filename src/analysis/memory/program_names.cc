#include "analysis/memory/program_names.h"

#include <algorithm>

namespace ttscope::analysis {

void ProgramNames::open(std::uint32_t new_instance, std::uint32_t new_graph, bool is_const_eval) {
  instance = new_instance;
  graph = new_graph;
  const_eval = is_const_eval;
  names_.clear();
  next_order_ = 0;
}

void ProgramNames::bind(BufferPool& pool, std::uint32_t name, Binding binding) {
  if (binding.buffer != kNoId) ++pool.state(binding.buffer).names;
  const std::uint32_t old = unbind(pool, name);  // bound twice only in damaged logs
  if (old != kNoId) pool.release(old, false);
  binding.order = next_order_++;
  names_.set(name, binding);
}

std::uint32_t ProgramNames::unbind(BufferPool& pool, std::uint32_t name) {
  const Binding* binding = names_.find(name);
  if (binding == nullptr) return kNoId;
  const std::uint32_t buffer = binding->buffer;
  names_.erase(name);
  if (buffer == kNoId || --pool.state(buffer).names > 0) return kNoId;
  return buffer;
}

std::vector<std::pair<std::uint32_t, Binding>> ProgramNames::in_order() {
  std::vector<std::pair<std::uint32_t, Binding>> all;
  all.reserve(names_.size());
  names_.for_each([&](std::uint32_t name, const Binding& binding) { all.emplace_back(name, binding); });
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.second.order < b.second.order; });
  return all;
}

}  // namespace ttscope::analysis
