#pragma once

#include <cstddef>
#include <cstdint>

#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// Puts what another source tells behind what is there, all of its times moved by `shift_ns`. Returns by how
/// much the numbers of its zones grew. Messages are in order of time again; the span is not found anew.
std::size_t append_timeline(Timeline more, std::int64_t shift_ns, Timeline& into);

}  // namespace ttscope::timeline
