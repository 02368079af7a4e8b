#pragma once

#include <functional>
#include <utility>

namespace ttscope {

/// Calls a function when it goes out of scope, unless it was released. What the function throws is dropped.
class [[nodiscard]] ScopeGuard {
 public:
  explicit ScopeGuard(std::function<void()> at_end) : at_end_(std::move(at_end)) {}
  ~ScopeGuard() {
    try {
      if (at_end_) at_end_();
    } catch (...) {  // a destructor has nobody to tell
    }
  }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

  void release() noexcept { at_end_ = nullptr; }

 private:
  std::function<void()> at_end_;
};

}  // namespace ttscope
