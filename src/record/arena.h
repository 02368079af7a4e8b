#pragma once

#include <cstddef>

namespace ttscope::record {

/// Zeroed memory that is never given back, without locks and without malloc, which the program may have
/// replaced by one that records. Null where the system has none.
void* allocate_kept(std::size_t bytes);

}  // namespace ttscope::record
