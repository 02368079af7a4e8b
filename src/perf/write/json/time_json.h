#pragma once

#include <memory>

#include "base/json_writer.h"
#include "perf/tables/table_source.h"

namespace ttscope::perf {

/// `devices[]`: wall, busy and idle time of each device of the window; null where the rows have no cycles.
void write_devices_json(const OpsReport& table, const OpReading& reading, JsonWriter& json);
/// `iterations[]`: replays of traces and what signposts repeat, with mean and spread.
void write_iterations_json(const std::shared_ptr<const TableSource>& source, JsonWriter& json);
/// `critical_path`: the parts that decide the wall time, which are listed only where asked for; null without
/// cycles.
void write_path_json(const std::shared_ptr<const TableSource>& source, bool lists_parts, JsonWriter& json);

}  // namespace ttscope::perf
