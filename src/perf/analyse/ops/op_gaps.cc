#include "perf/analyse/ops/op_gaps.h"

#include "perf/analyse/ops/host_lead.h"

namespace ttscope::perf {
namespace {

/// Longer than any launch: the host was busy with other things.
constexpr double kLongHostUs = 1000;
/// A host that sends all at once has a lead of nearly all time since the first op.
constexpr double kSurelySeen = 1.1;

bool is_replay(const OpRow& row) { return has_number(static_cast<double>(row.replay_session)); }

/// How long the host took between sending the two ops, in µs; kNoNumber when it is not recorded.
double host_pause_us(const OpRow& before, const OpRow& row) {
  const double end =
      before.host_start_ns + (has_number(before.host_duration_ns) ? before.host_duration_ns : 0);
  return (row.host_start_ns - end) / 1000;
}

/// Whether the device had the op long before its turn. What an idle device takes from the sending of an op to
/// its start is 10 to 30 us.
/// Where the record has just begun, nothing could show that: then it is not known who was late.
bool may_be_sent_in_time(const HostLead& lead, double gap_us) {
  constexpr double kMostLaunchUs = 100;
  const double enough_us = kMostLaunchUs + gap_us / 2;
  return lead.us > enough_us || lead.most_us < enough_us * kSurelySeen;
}

/// What is known of the device and the host before an op.
struct BeforeOp {
  const OpRow* op = nullptr;     ///< the one before it on the device
  bool is_host_between = false;  ///< an op of the host stands between the two
  HostLead lead;                 ///< how long the op had been sent
};

GapCause cause_of(const ShownOp& shown, const OpRow& row, const BeforeOp& before) {
  if (!(shown.gap_us > kHighGapUs)) return GapCause::kLaunch;
  if (is_replay(row)) {
    const bool is_same = before.op != nullptr && before.op->replay_session == row.replay_session &&
                         before.op->trace_id == row.trace_id && shown.gap_us < kLongHostUs;
    return is_same ? GapCause::kTrace : GapCause::kSync;
  }
  if (is_compile_gap(shown)) return GapCause::kCompile;
  if (before.is_host_between) return GapCause::kSync;
  const double pause_us = before.op == nullptr ? kNoNumber : host_pause_us(*before.op, row);
  if (!has_number(pause_us) || may_be_sent_in_time(before.lead, shown.gap_us)) return GapCause::kUnknown;
  return pause_us > kLongHostUs && pause_us > shown.gap_us / 2 ? GapCause::kSync : GapCause::kDispatch;
}

/// Asked for only where a device waited: most reports are long and have few gaps.
class HostLeads {
 public:
  explicit HostLeads(const OpsReport& table) : table_(table) {}
  const HostLead& before(std::uint32_t row) {
    if (leads_.empty()) leads_ = find_host_leads(table_);
    return leads_[row];
  }

 private:
  const OpsReport& table_;
  std::vector<HostLead> leads_;
};

struct GapInput {
  const OpsReport& table;
  const ShownOps& ops;
  const std::vector<bool>& holes;
  HostLeads& leads;
};

void find_hidden_gaps(const GapInput& input, OpGaps& gaps) {
  const OpsReport& table = input.table;
  const ShownOps& ops = input.ops;
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
      if (row == shown.row || before[row] == nullptr || input.holes[row] || !(own.gap_us > kHighGapUs))
        return;
      const BeforeOp seen{before[row], false, input.leads.before(row)};
      gaps.hidden.push_back({place, row, cause_of(own, table.rows[row], seen), own.gap_us});
    });
  }
}

}  // namespace

std::string_view key_of(GapCause cause) {
  constexpr std::array<std::string_view, kGapCauseCount> kKeys = {"launch", "compile", "dispatch",   "trace",
                                                                  "sync",   "unknown", "missing_ops"};
  return kKeys[static_cast<std::size_t>(cause)];
}

OpGaps find_gap_causes(const OpsReport& table, const ShownOps& ops, const Replays& replays) {
  const std::vector<bool> holes = replays.find_holes(ops.clock);
  HostLeads leads(table);
  OpGaps gaps;
  gaps.causes.resize(ops.rows.size(), GapCause::kLaunch);
  BeforeOp before;
  for (std::size_t i = 0; i < ops.rows.size(); ++i) {
    const ShownOp& shown = ops.rows[i];
    const OpRow& row = table.rows[shown.row];
    if (shown.is_signpost) continue;
    if (has_number(shown.gap_us)) {
      const bool is_long = shown.gap_us > kHighGapUs;
      if (is_long) before.lead = leads.before(shown.row);
      gaps.causes[i] = is_long && holes[shown.row] ? GapCause::kMissing : cause_of(shown, row, before);
      GapTotal& total = gaps.totals[static_cast<std::size_t>(gaps.causes[i])];
      total.gap_us += shown.gap_us;
      ++total.rows;
    }
    before.is_host_between = shown.is_host;
    if (!shown.is_host) before.op = &row;
  }
  find_hidden_gaps({table, ops, holes, leads}, gaps);
  return gaps;
}

}  // namespace ttscope::perf
