#pragma once

// Whose memory a buffer is. Captures say it of each buffer, and a failure of everything that was live.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <ttscope/tensor.h>

namespace ttscope::sim {

enum class MemoryKind : std::uint8_t { kActivation, kWeight, kGradient, kMoment, kInput, kBinary };
/// `activation`, `weight`, `gradient`, `moment`, `input`, `binary`.
std::string_view name_of(MemoryKind kind);

/// Of one buffer. It may change while the buffer lives: a layer learns its full name only when the model that
/// holds it is complete.
struct MemoryOwner {
  MemoryKind kind = MemoryKind::kActivation;
  std::string name;  ///< `layers.0.mlp.w1/weight`; the module for activations; empty: not known
};

/// Null for a tensor that was never made.
const MemoryOwner* owner_of(const Tensor& tensor);
/// Says of the tensor's memory, and so of all its views, whose it is.
void set_owner(const Tensor& tensor, MemoryOwner owner);

/// What is made while it lives, on this thread, has this kind, and this name unless it is empty.
class OwnerScope {
 public:
  explicit OwnerScope(MemoryKind kind, std::string_view name = {});
  ~OwnerScope();
  OwnerScope(const OwnerScope&) = delete;
  OwnerScope& operator=(const OwnerScope&) = delete;

  /// What a buffer that is made now gets.
  static const MemoryOwner& current();

 private:
  MemoryOwner before_;
};

/// The same with the kind as it is: the parts of a model name what they make.
class ModuleScope {
 public:
  explicit ModuleScope(std::string_view name) : scope_(OwnerScope::current().kind, name) {}

 private:
  OwnerScope scope_;
};

}  // namespace ttscope::sim
