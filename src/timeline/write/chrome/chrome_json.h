#pragma once

#include "base/writer.h"
#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// Writes the timeline as trace events in JSON, in the form that both Tracy's import-chrome and Perfetto
/// take: complete events, parents before what lies in them, earlier before later; process and thread numbers
/// that are unique in the file, a name for each; messages as instants, plots as counters whose key says their
/// unit, links as flows. Times are microseconds with three decimals.
void write_chrome(const Timeline& timeline, Writer& out);

}  // namespace ttscope::timeline
