#pragma once

#include "base/writer.h"
#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// What is added to all times, which are not below zero there.
std::int64_t perfetto_shift_ns(const Timeline& timeline);

/// Writes the timeline as a trace of Perfetto: track descriptors nested as the groups are, slices as track
/// events with interned names and source places, messages as instants, plots as counters, links as flows.
/// docs/formats/timeline_files.md has the fields. A zone that reaches beyond the one around it is cut to it.
void write_perfetto(const Timeline& timeline, Writer& out);

}  // namespace ttscope::timeline
