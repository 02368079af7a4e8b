#include "perf/analyse/ops/op_gaps.h"

namespace ttscope::perf {
namespace {

/// Longer than any launch: the host was busy with other things.
constexpr double kLongHostUs = 1000;

bool is_replay(const OpRow& row) { return has_number(static_cast<double>(row.replay_session)); }

/// How long the host took between sending the two ops, in µs; kNoNumber when it is not recorded.
double host_pause_us(const OpRow& before, const OpRow& row) {
  const double end =
      before.host_start_ns + (has_number(before.host_duration_ns) ? before.host_duration_ns : 0);
  return (row.host_start_ns - end) / 1000;
}

GapCause cause_of(const ShownOp& shown, const OpRow& row, const OpRow* before, bool host_between) {
  if (!(shown.gap_us > kHighGapUs)) return GapCause::kNone;
  if (is_replay(row)) {
    const bool is_same = before != nullptr && before->replay_session == row.replay_session &&
                         before->trace_id == row.trace_id && shown.gap_us < kLongHostUs;
    return is_same ? GapCause::kTrace : GapCause::kSync;
  }
  if (is_compile_gap(shown)) return GapCause::kCompile;
  if (host_between) return GapCause::kSync;
  const double pause_us = before == nullptr ? kNoNumber : host_pause_us(*before, row);
  if (!has_number(pause_us)) return GapCause::kUnknown;
  if (pause_us > kLongHostUs && pause_us > shown.gap_us / 2) return GapCause::kSync;
  // The host runs ahead of the device: an op that was sent long before its turn did not wait for the host.
  return pause_us > shown.gap_us / 10 || shown.gap_us < kLongHostUs ? GapCause::kDispatch
                                                                    : GapCause::kUnknown;
}

void find_hidden_gaps(const OpsReport& table, const ShownOps& ops, const std::vector<bool>& holes,
                      OpGaps& gaps) {
  std::vector<const OpRow*> before(table.rows.size());
  for (const DeviceLane& lane : ops.clock.lanes) {
    for (std::size_t i = 1; i < lane.ops.size(); ++i)
      before[lane.ops[i].row] = &table.rows[lane.ops[i - 1].row];
  }
  for (std::uint32_t place = 0; place < ops.rows.size(); ++place) {
    const ShownOp& shown = ops.rows[place];
    if (shown.group == kNone || shown.gap_us > kHighGapUs) continue;
    for_each_member(table, ops, shown, [&](std::uint32_t row) {
      ShownOp own = shown;
      own.gap_us = table.rows[row].op_to_op_ns / 1000;
      own.waits_for_compile = ops.compile_rows[row];
      if (row == shown.row || before[row] == nullptr || holes[row] || !(own.gap_us > kHighGapUs)) return;
      gaps.hidden.push_back({place, row, cause_of(own, table.rows[row], before[row], false), own.gap_us});
    });
  }
}

}  // namespace

std::string_view key_of(GapCause cause) {
  constexpr std::array<std::string_view, kGapCauseCount> kKeys = {"none", "compile", "dispatch",   "trace",
                                                                  "sync", "unknown", "missing_ops"};
  return kKeys[static_cast<std::size_t>(cause)];
}

std::string_view sentence_of(GapCause cause) {
  constexpr std::array<std::string_view, kGapCauseCount> kSentences = {
      "usual launches, up to 6.5 μs",
      "first run of a program (cache miss or compile)",
      "host dispatch: the op was sent late",
      "inside a replayed trace",
      "host sync or other host work (read-back, start of a replay, ops on the host)",
      "unknown: the host had sent the op in time, or its times are not recorded",
      "no gap: ops ran here that the report lacks (lost markers, or a replay that is not whole)",
  };
  return kSentences[static_cast<std::size_t>(cause)];
}

OpGaps find_gap_causes(const OpsReport& table, const ShownOps& ops, const Replays& replays) {
  const std::vector<bool> holes = replays.find_holes(ops.clock);
  OpGaps gaps;
  gaps.causes.resize(ops.rows.size(), GapCause::kNone);
  const OpRow* before = nullptr;
  bool host_between = false;
  for (std::size_t i = 0; i < ops.rows.size(); ++i) {
    const ShownOp& shown = ops.rows[i];
    const OpRow& row = table.rows[shown.row];
    if (shown.is_signpost) continue;
    if (has_number(shown.gap_us)) {
      const bool is_hole = shown.gap_us > kHighGapUs && holes[shown.row];
      gaps.causes[i] = is_hole ? GapCause::kMissing : cause_of(shown, row, before, host_between);
      GapTotal& total = gaps.totals[static_cast<std::size_t>(gaps.causes[i])];
      total.gap_us += shown.gap_us;
      ++total.rows;
    }
    host_between = shown.is_host;
    if (!shown.is_host) before = &row;
  }
  find_hidden_gaps(table, ops, holes, gaps);
  return gaps;
}

}  // namespace ttscope::perf
