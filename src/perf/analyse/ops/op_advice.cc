#include "perf/analyse/ops/op_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "perf/analyse/ops/matmul_advice.h"

namespace ttscope::perf {
namespace {

constexpr std::size_t kMostKinds = 50;
constexpr double kLeastGainUs = 0.5;

class Adviser {
 public:
  explicit Adviser(const AdviceInput& input) : in_(input) {}

  std::vector<OpAdvice> advise() {
    advise_on_gaps();
    advise_on_host_ops();
    advise_on_bounds();
    advise_on_fidelity();
    advise_on_layouts();
    advise_on_skew();
    std::stable_sort(found_.begin(), found_.end(), [](const OpAdvice& a, const OpAdvice& b) {
      return a.once != b.once ? b.once : a.gain_us > b.gain_us;
    });
    return std::move(found_);
  }

 private:
  static void add_row(OpAdvice& advice, std::size_t row, double gain_us) {
    advice.gain_us += gain_us;
    if (advice.row_count++ < OpAdvice::kRowsKept) advice.rows.push_back(static_cast<std::uint32_t>(row));
  }
  void keep(OpAdvice advice) {
    if (advice.gain_us >= kLeastGainUs) found_.push_back(std::move(advice));
  }
  /// Keeps those of many with the largest gains.
  template <typename Key>
  void keep_largest(std::map<Key, OpAdvice>& by_key) {
    std::vector<OpAdvice> all;
    for (auto& [key, advice] : by_key) all.push_back(std::move(advice));
    std::stable_sort(all.begin(), all.end(),
                     [](const OpAdvice& a, const OpAdvice& b) { return a.gain_us > b.gain_us; });
    if (all.size() > kMostKinds) all.resize(kMostKinds);
    for (OpAdvice& advice : all) keep(std::move(advice));
  }
  const KindFacts& facts(std::size_t row) const { return in_.ops.facts_of(in_.table, in_.ops.rows[row]); }
  std::uint32_t kind(std::size_t row) const { return in_.table.rows[in_.ops.rows[row].row].kind; }

  void advise_on_gaps();
  void advise_on_host_ops();
  void advise_on_bounds();
  void advise_on_fidelity();
  void advise_on_layouts();
  void advise_on_skew();
  OpAdvice empty_advice(GapCause cause) const;
  void describe_bound(std::size_t row, OpAdvice& advice) const;

  const AdviceInput& in_;
  std::vector<OpAdvice> found_;
};

/// Without rows yet.
OpAdvice Adviser::empty_advice(GapCause cause) const {
  switch (cause) {
    case GapCause::kSync:
      return {
          "avoid_sync", "Keep the host from stopping the device",
          "Read back later or not at all, start the next replay early, keep ops between device ops off the "
          "host."};
    case GapCause::kCompile:
      return {"warm_cache", "Warm the program cache before measuring",
              "These gaps come before the first run of a program and are gone when it runs again; run once "
              "before the part that counts.",
              0, true};
    case GapCause::kTrace:
      return {
          "trace_gaps",
          "Gaps inside replayed traces",
          "The device's own dispatch takes longer than usual here: many or large runtime arguments, or cores "
          "that wait for each other.",
          0,
          false,
          GainBasis::kMeasured};
    case GapCause::kUnknown:
      return {
          "unknown_gaps",
          "Look into gaps without a known cause",
          std::string(in_.table.has_host_start ? "The host had sent these ops in time."
                                               : "The report does not say when the host sent these ops.") +
              " Dispatch profiling (--profile-dispatch-cores) says more.",
          0,
          false,
          GainBasis::kMeasured};
    case GapCause::kNone:
    case GapCause::kDispatch:
      break;
  }
  return {"use_trace", "Run from a trace: the device waits for the host between ops",
          "Capture the ops as a trace and replay it. The gain takes 6 μs as the gap that stays."};
}

void Adviser::advise_on_gaps() {
  for (const GapCause cause :
       {GapCause::kDispatch, GapCause::kSync, GapCause::kCompile, GapCause::kUnknown, GapCause::kTrace}) {
    OpAdvice advice = empty_advice(cause);
    for (std::size_t i = 0; i < in_.ops.rows.size(); ++i) {
      if (in_.gaps.causes[i] == cause) add_row(advice, i, in_.ops.rows[i].gap_us - kTypicalGapUs);
    }
    keep(std::move(advice));
  }
}

void Adviser::advise_on_host_ops() {
  OpAdvice advice{"move_to_device",
                  "Move ops from the host to the device",
                  "These ops run on the host; the gain is their time there.",
                  0,
                  false,
                  GainBasis::kMeasured,
                  {},
                  0};
  for (std::size_t i = 0; i < in_.ops.rows.size(); ++i) {
    if (!in_.ops.rows[i].is_host) continue;
    const double ns = in_.table.rows[in_.ops.rows[i].row].host_duration_ns;
    add_row(advice, i, has_number(ns) ? ns / 1000 : 0);
  }
  keep(std::move(advice));
}

void Adviser::describe_bound(std::size_t row, OpAdvice& advice) const {
  const OpBound& bound = in_.bounds.rows[row];
  const KindFacts& op = facts(row);
  advice.key = op.is_matmul ? "matmul_below_peak" : "op_below_peak";
  advice.basis = GainBasis::kModelled;
  const std::string percent = bound.percent < 1 ? "under 1" : fmt::format("{:.0f}", bound.percent);
  advice.title =
      fmt::format("{} is at {} % of what its {} bound allows", op.label, percent, key_of(bound.limit));
  for (const std::string& item : matmul_advice(in_.table, in_.ops, in_.ops.rows[row], own_rules())) {
    advice.detail.append(advice.detail.empty() ? "" : ". ").append(item);
  }
  const double cores = in_.ops.peaks.worker_cores;
  if (!op.is_matmul && op.cores * 2 < cores && op.cores > 0) {
    advice.detail = fmt::format("It runs on {:.0f} of {:.0f} cores", op.cores, cores);
  }
  advice.detail += fmt::format("{}The gain takes {:.0f} % of the peak as reachable; model: {}.",
                               advice.detail.empty() ? "" : ". ", kBoundPercent, key_of(bound.model));
}

/// Ops of one kind that stay below 65 % of their bound.
void Adviser::advise_on_bounds() {
  std::map<std::uint32_t, OpAdvice> by_kind;
  for (std::size_t i = 0; i < in_.ops.rows.size(); ++i) {
    const OpBound& bound = in_.bounds.rows[i];
    const ShownOp& row = in_.ops.rows[i];
    if (bound.ideal_us <= 0 || bound.limit == OpLimit::kDispatch) continue;
    const double gain = row.device_us - static_cast<double>(bound.ideal_us) / kBoundPercent * 100;
    if (!(gain > 0)) continue;
    OpAdvice& advice = by_kind[kind(i)];
    if (advice.row_count == 0) describe_bound(i, advice);
    add_row(advice, i, gain);
  }
  keep_largest(by_kind);
}

/// Half the passes take half the time, where compute is what limits.
void Adviser::advise_on_fidelity() {
  std::map<std::uint32_t, OpAdvice> by_kind;
  for (std::size_t i = 0; i < in_.ops.rows.size(); ++i) {
    const KindFacts& op = facts(i);
    const bool is_limited = in_.bounds.rows[i].limit == OpLimit::kCompute &&
                            static_cast<double>(in_.bounds.rows[i].percent) >= kBoundPercent / 2;
    if (op.fidelity_advice.verdict != FidelityVerdict::kTooHigh || !is_limited) continue;
    OpAdvice& advice = by_kind[kind(i)];
    if (advice.row_count == 0) {
      advice = {"lower_fidelity",
                fmt::format("{} needs no {}", op.label, op.fidelity.substr(0, op.fidelity.find(' '))),
                std::string(op.fidelity_advice.text) + ". The gain is half of its compute time.",
                0,
                false,
                GainBasis::kModelled,
                {},
                0};
    }
    add_row(advice, i, static_cast<double>(in_.bounds.rows[i].ideal_us) / 2);
  }
  keep_largest(by_kind);
}

/// Ops that only change how data lie; the gain is an upper limit.
void Adviser::advise_on_layouts() {
  OpAdvice advice{
      "keep_layouts",
      "Keep layouts and memories between ops",
      "Tilize, untilize, reshard and interleaved/sharded conversions only change how data lie. The gain is "
      "their whole device time: an upper limit.",
      0,
      false,
      GainBasis::kMeasured,
      {},
      0};
  for (std::size_t i = 0; i < in_.ops.rows.size(); ++i) {
    const ShownOp& row = in_.ops.rows[i];
    if (row.is_signpost || row.is_host || !(row.device_us > 0)) continue;
    const std::string_view name = in_.table.text(in_.table.kinds[kind(i)].op_code);
    for (const std::string_view word :
         {"Tilize", "Untilize", "ShardedToInterleaved", "InterleavedToSharded", "Reshard"}) {
      if (name.find(word) == std::string_view::npos) continue;
      add_row(advice, i, row.device_us);
      break;
    }
  }
  keep(std::move(advice));
}

void Adviser::advise_on_skew() {
  OpAdvice compute{"balance_devices",
                   "Balance the devices: some are slower at the same op",
                   "The gain is the slowest device's time over the median's, of each op but collectives.",
                   0,
                   false,
                   GainBasis::kMeasured,
                   {},
                   0};
  OpAdvice collective{
      "collective_wait",
      "Devices wait for each other in collectives",
      "The gain is the mean over the fastest device: who comes last waits least. Balance what runs "
      "before.",
      0,
      false,
      GainBasis::kMeasured,
      {},
      0};
  for (const GroupSkew& group : in_.skew.groups) {
    OpAdvice& advice = facts(group.row).category == OpCategory::kCcl ? collective : compute;
    add_row(advice, group.row, 0);
  }
  compute.gain_us = in_.skew.compute_lost_us;
  collective.gain_us = in_.skew.collective_wait_us;
  keep(std::move(compute));
  keep(std::move(collective));
}

}  // namespace

std::string_view key_of(GainBasis basis) {
  switch (basis) {
    case GainBasis::kMeasured:
      return "measured";
    case GainBasis::kDerived:
      return "derived";
    case GainBasis::kModelled:
      return "modelled";
  }
  return "";
}

std::vector<OpAdvice> find_advice(const AdviceInput& input) { return Adviser(input).advise(); }

}  // namespace ttscope::perf
