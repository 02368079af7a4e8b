// Its header is public: include/ttscope.
#include <ttscope/memory_owner.h>

#include <array>
#include <utility>

#include "sim/device/device_state.h"

namespace ttscope::sim {
namespace {

MemoryOwner& current_owner() {
  static thread_local MemoryOwner owner;
  return owner;
}

}  // namespace

std::string_view name_of(MemoryKind kind) {
  static constexpr std::array<std::string_view, 6> kNames{"activation", "weight", "gradient",
                                                          "moment",     "input",  "binary"};
  return kNames[static_cast<std::size_t>(kind)];
}

const MemoryOwner* owner_of(const Tensor& tensor) {
  return tensor.is_initialized() ? tensor.state().buffer->owner().get() : nullptr;
}

void set_owner(const Tensor& tensor, MemoryOwner owner) {
  if (tensor.is_initialized()) *tensor.state().buffer->owner() = std::move(owner);
}

OwnerScope::OwnerScope(MemoryKind kind, std::string_view name) : before_(current_owner()) {
  MemoryOwner& owner = current_owner();
  owner.kind = kind;
  if (!name.empty()) owner.name = name;
}

OwnerScope::~OwnerScope() { current_owner() = std::move(before_); }

const MemoryOwner& OwnerScope::current() { return current_owner(); }

}  // namespace ttscope::sim
