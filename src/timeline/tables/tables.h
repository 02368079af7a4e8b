#pragma once

#include <memory>
#include <vector>

#include "table/table.h"
#include "timeline/analyse/profile.h"

namespace ttscope::timeline {

/// The tables of a timeline: tracks, timeline_zones, zone_stats, messages, plots, plot_points, alignments,
/// problems.
table::TableSet tables_of(const std::shared_ptr<const Profile>& profile);

/// Their declarations, for documents and `--schema`.
std::vector<const table::TableSpec*> table_specs();

/// Queries over them.
std::vector<table::View> views();

}  // namespace ttscope::timeline
