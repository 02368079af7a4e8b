#pragma once

#include "app/timeline/device_clocks.h"
#include "perf/analyse/profile.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// Adds what devices did: their ops, and the zones of every processor, with links from the host's zones of an op
/// to it and between the parts of a collective. Zones of threads whose text names an op (`id:1024`) get it.
void add_device_tracks(const perf::Profile& run, unsigned threads, timeline::Timeline& timeline);

}  // namespace ttscope::app
