#pragma once

#include "base/json_writer.h"
#include "perf/analyse/ops/op_reading.h"

namespace ttscope::perf {

/// `advice[]`: each as figures and as words.
void write_advice_json(const OpsReport& table, const OpReading& reading, JsonWriter& json);
/// `movement`: what computes and what only moves data, and the costliest conversions.
void write_movement_json(const OpsReport& table, const OpReading& reading, JsonWriter& json);

}  // namespace ttscope::perf
