#include "perf/analyse/ops/op_reading.h"

namespace ttscope::perf {

Result<OpReading> read_ops(const OpsReport& table, const ShownOptions& options) {
  Result<ShownOps> ops = find_shown_ops(table, options);
  if (!ops) return failure(ops.error());
  OpReading reading;
  reading.ops = std::move(*ops);
  const Replays replays(table);
  reading.iterations = find_iterations(table, reading.ops.clock, replays);
  reading.bounds = find_bounds(table, reading.ops);
  if (reading.bounds.refuted > 0 && options.rules->notes_refuted_bounds) {
    reading.ops.notes.push_back(
        {NoteKind::kRefutedBounds, {}, {static_cast<double>(reading.bounds.refuted)}});
  }
  reading.gaps = find_gap_causes(table, reading.ops, replays);
  reading.skew = find_skew(table, reading.ops);
  reading.advice = find_advice({table, reading.ops, reading.bounds, reading.gaps});
  reading.movement = find_movement(table, reading.ops);
  reading.categories = stack_ops(table, reading.ops, {StackBy::kCategory, false, false});
  return reading;
}

}  // namespace ttscope::perf
