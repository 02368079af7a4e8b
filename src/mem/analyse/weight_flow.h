#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// Which model weights an op reads, by data flow: arguments among its own operands; inside const-eval also
/// those that its operands were made from, where the arguments are what the calling load_cached passed. The
/// trace and the profile outlive it. Not thread safe.
class WeightFlow {
 public:
  WeightFlow(const RuntimeTrace& trace, const MemoryProfile& profile);

  /// The ops of a rank are then asked for in their order.
  void use_rank(std::uint32_t rank);
  /// Indices in MemoryProfile::arguments, without repeats. Valid until the next call.
  std::span<const std::uint32_t> weights_of(std::uint32_t op);

 private:
  using Weights = std::vector<std::uint32_t>;
  /// What is known of the values of one running const-eval program.
  struct Scope {
    std::uint32_t instance = kNone;
    std::vector<Weights> arguments;                     ///< by position
    std::unordered_map<std::uint32_t, Weights> values;  ///< by name id
  };

  bool inside_const_eval(std::uint32_t instance) const;
  bool is_ancestor(std::uint32_t ancestor, std::uint32_t instance) const;
  void enter(std::uint32_t instance);
  const Weights* find(const Scope& scope, std::uint32_t name) const;
  void add_argument(Weights& to, std::uint32_t instance, std::uint32_t name) const;

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  std::vector<std::uint32_t> positions_;  ///< by name id: 3 for `%arg3`, kNone for other names
  std::unordered_map<std::uint64_t, std::uint32_t> arguments_;  ///< weights by graph and name
  std::uint32_t rank_ = 0;
  std::uint32_t instance_ = kNone;
  bool in_const_eval_ = false;  ///< instance_ is, or is called by, a const-eval program
  std::vector<Scope> scopes_;   ///< open const-eval programs, outermost first
  Weights weights_;
};

/// 3 for `%arg3`, kNone for other names.
std::uint32_t argument_number(std::string_view name);

}  // namespace ttscope::mem
