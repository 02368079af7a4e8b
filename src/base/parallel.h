#pragma once

#include <cstddef>
#include <functional>

namespace ttscope {

/// Calls job(0) ... job(count - 1), each once, on up to `threads` threads, the caller's being one of them.
/// They are started in order. The first exception of a job is thrown again once all threads have stopped.
void run_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job);

}  // namespace ttscope
