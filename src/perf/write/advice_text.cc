#include "perf/write/advice_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "perf/analyze/op_groups.h"
#include "perf/write/notes_text.h"
#include "perf/write/table_csv.h"
#include "ui/text.h"

namespace ttscope::perf {

std::string readable_label(std::string_view label) {
  constexpr std::array<std::string_view, 2> kEndings = {"DeviceOperation", "Operation"};
  const std::size_t blank = std::min(label.find(' '), label.size());
  std::string_view name = label.substr(0, blank);
  for (const std::string_view ending : kEndings) {
    if (!name.ends_with(ending)) continue;
    if (name != ending) name.remove_suffix(ending.size());
    break;
  }
  if (const std::size_t scope = name.rfind("::"); scope != std::string_view::npos && scope + 2 < name.size())
    name.remove_prefix(scope + 2);
  std::string text(name);
  text += label.substr(blank);
  return text.empty() ? "(unnamed)" : text;
}

std::string label_with_shape(const OpsReport& table, const ShownOps& ops, std::uint32_t kind) {
  const KindFacts& facts = ops.facts[kind];
  std::string text = readable_label(facts.label);
  if (facts.is_matmul || facts.is_conv) return text;
  const std::string shapes = shapes_text(table, table.kinds[kind]);
  if (!shapes.empty()) text.append(" ").append(shapes);
  return text;
}

namespace {

/// `12.3 µs`, `80.1 ms`.
std::string time_text(double us) {
  if (us >= 1e6) return fmt::format("{:.2f} s", us / 1e6);
  if (us >= 1e4) return fmt::format("{:.1f} ms", us / 1e3);
  return us >= 100 ? fmt::format("{:.0f} μs", us) : fmt::format("{:.1f} μs", us);
}

std::string bytes_text(double bytes) {
  if (bytes >= 1024.0 * 1024) return fmt::format("{:.1f} MiB", bytes / 1024 / 1024);
  return bytes >= 1024 ? fmt::format("{:.0f} KiB", bytes / 1024) : fmt::format("{:.0f} B", bytes);
}

std::string percent_of(double part, double whole) {
  if (!(whole > 0)) return "-";
  const double percent = part / whole * 100;
  return percent < 1 && percent > 0 ? "under 1 %" : fmt::format("{:.0f} %", percent);
}

std::string op_text(const OpsReport& table, const OpAnalysis& analysis, const OpAdvice& advice) {
  return readable_label(distinct_name(table, analysis.ops.facts[advice.kind], table.kinds[advice.kind]));
}

double cores_of(const OpAnalysis& analysis, const OpAdvice& advice) {
  return analysis.ops.facts[advice.kind].cores;
}

std::string speed_text(const OpAdvice& advice) {
  const double us = advice.measured_us / static_cast<double>(advice.row_count);
  if (!(advice.bytes > 0)) return fmt::format("takes {}", time_text(us));
  const double bytes = advice.bytes / static_cast<double>(advice.row_count);
  return fmt::format("moves {} in {}: {:.1f} GB/s", bytes_text(bytes), time_text(us), bytes / us / 1e3);
}

std::string_view hint_text(AdviceHint hint) {
  switch (hint) {
    case AdviceHint::kInputOutsideL1:
      return "Its first input is not in L1: place it there if it fits";
    case AdviceHint::kNoProgramConfig:
      return "The runtime chose its program config: one of your own can set in0_block_w and the output "
             "subblock";
    case AdviceHint::kSmallInnerBlock:
      return "in0_block_w is below 2: try 2 or more";
    case AdviceHint::kSmallSubblock:
      return "Its output subblock is one tile: try two or more";
    case AdviceHint::kTryDramSharded:
      return "Its weights are read from interleaved DRAM: try a DRAM-sharded program config";
    case AdviceHint::kCoresFixedByBatch:
      return "It has a core or more for each user of the batch or each output row of tiles: more cores are "
             "no way";
  }
  return {};
}

std::string cores_text_of(const OpAnalysis& analysis, const OpAdvice& advice) {
  const double all = analysis.ops.peaks.worker_cores;
  const double cores = cores_of(analysis, advice);
  // The cores of a DRAM-sharded matmul are those at the DRAM banks, and those of some ops their users.
  if (!(cores > 0) || !(all > cores) || analysis.ops.facts[advice.kind].is_dram_sharded) return {};
  std::string text = fmt::format("It runs on {:.0f} of {:.0f} cores", cores, all);
  if (advice.all_cores_us > 0 && analysis.ops.facts[advice.kind].is_matmul) {
    constexpr double kNotable = 0.99;
    text += advice.all_cores_us > advice.ideal_us * kNotable
                ? fmt::format(": its bound of {} is the same with all cores", time_text(advice.ideal_us))
                : fmt::format(": its bound there is {}, with all cores {}", time_text(advice.ideal_us),
                              time_text(advice.all_cores_us));
  }
  return text;
}

/// `how` is the word for what was recorded: measured, or modeled of simulated chips.
std::string figure_text(LimitModel model, std::string_view how) {
  switch (model) {
    case LimitModel::kNpe:
      return "the bound is what tt-npe found in this run's NoC traces";
    case LimitModel::kCounters:
      return fmt::format("the bound is {}: hardware counters of this run", how);
    case LimitModel::kNocTrace:
      return fmt::format(
          "the bound is {} bytes, those of this run's NoC trace, over the peak of a core's port", how);
    case LimitModel::kShapes:
      return "the bound is modelled from shapes, data types and the peaks of the device";
    case LimitModel::kPm:
      return "the bound is that of the runtime's performance model";
    default:
      return "the bound follows from recorded times";
  }
}

/// What decided the bound, and where its time comes from.
std::string model_text(const OpAdvice& advice, std::string_view how) {
  std::string text = figure_text(advice.figure, how);
  if (advice.model == LimitModel::kWaits)
    text += fmt::format("; that it limits is {}: waits for circular buffers in this run", how);
  if (advice.model == LimitModel::kZones)
    text += fmt::format("; that it limits is {}: zones of the kernels in this run", how);
  return text;
}

std::string latency_text(const OpAdvice& advice, std::string_view how) {
  if (advice.latency_basis == LatencyBasis::kNone) return {};
  const std::string each = time_text(advice.latency_us / static_cast<double>(advice.row_count));
  return advice.latency_basis == LatencyBasis::kShortestOfRun
             ? fmt::format(", and {} each for start and hops: the shortest of its name in this run ({})",
                           each, how)
             : fmt::format(", and {} each for hops between devices: {:.0f} μs a hop (assumed)", each,
                           kHopLatencyUs);
}

std::string_view floor_text(const OpAdvice& advice) {
  if (!advice.is_floor) return "";
  return advice.cause == AdviceCause::kSlowConversion
             ? ", but no less than the fastest of its kind take in real reports however little they move"
             : ", but no kernel shorter than the shortest of the run or 1 μs";
}

std::string below_peak_detail(const OpsReport& table, const OpAnalysis& analysis, const OpAdvice& advice) {
  const std::string_view how = time_tag(table);
  std::string text;
  const auto say = [&](std::string_view sentence) {
    if (!sentence.empty()) text.append(text.empty() ? "" : " ").append(sentence).append(".");
  };
  const bool is_moving = advice.cause == AdviceCause::kCollectiveBelowPeak;
  // The title of few cores says so already, unless there are bounds to compare.
  const bool has_core_sentence =
      advice.cause == AdviceCause::kFewCores && !analysis.ops.facts[advice.kind].is_matmul;
  if (!is_moving && !has_core_sentence) say(cores_text_of(analysis, advice));
  for (const AdviceHint hint : advice.hints) say(hint_text(hint));
  if (is_moving)
    say("Without what it waits for late devices. More links, larger messages or fewer collectives");
  say(fmt::format("The gain takes {:.0f} % of the peak as reachable{}{}; {}", kBoundPercent,
                  floor_text(advice), latency_text(advice, how), model_text(advice, how)));
  return text;
}

std::string gap_detail(const OpsReport& table, const OpAdvice& advice) {
  switch (advice.cause) {
    case AdviceCause::kHostSync:
      return "Read back later or not at all, start the next replay early. The gain takes 6 μs as the gap "
             "that stays.";
    case AdviceCause::kHostOps:
      return "Ops on the host stand between those of the device: move them to the device, or out of the way. "
             "The "
             "gain takes 6 μs as the gap that stays.";
    case AdviceCause::kTraceGaps:
      return "The device's own dispatch takes longer than usual here: many or large runtime arguments, or "
             "cores that "
             "wait for each other.";
    case AdviceCause::kUnknownGaps:
      return std::string(
                 table.has_host_start
                     ? "The host had sent these ops in time, or too little is recorded before them to say."
                     : "The report does not say when the host sent these ops.") +
             " Dispatch profiling (--profile-dispatch-cores) says more.";
    default:
      return "Capture the ops as a trace and replay it. The gain takes 6 μs as the gap that stays.";
  }
}

std::string device_name(std::int32_t device) {
  return device < 0 ? std::string("the device") : fmt::format("device {}", device);
}

/// `, most of all TilizeDeviceOperation 32x64 BF16 and UntilizeDeviceOperation 64x64 BF16`.
std::string costliest_conversions(const OpsReport& table, const OpAnalysis& analysis) {
  constexpr std::size_t kMax = 2;
  std::string text;
  std::size_t named = 0;
  for (const Conversion& one : analysis.movement.conversions) {
    if (one.movement != MovementClass::kLayout || named == kMax) continue;
    text += (named++ == 0 ? ", most of all " : " and ") +
            readable_label(distinct_name(table, analysis.ops.facts[one.kind], table.kinds[one.kind]));
  }
  return text;
}

/// `device 2`, `devices 1, 2`, `devices 1, 2, 3, 4, 5, 6, 7, 8 and 4 more`.
std::string devices_at_fault(const OpAdvice& advice) {
  constexpr std::size_t kMaxMoreDevices = 7;
  std::string text = fmt::format("device{} {}", advice.more_devices.empty() ? "" : "s", advice.device);
  const std::size_t listed = std::min(advice.more_devices.size(), kMaxMoreDevices);
  for (std::size_t i = 0; i < listed; ++i) text += fmt::format(", {}", advice.more_devices[i]);
  if (advice.more_devices.size() > listed)
    text += fmt::format(" and {} more", advice.more_devices.size() - listed);
  return text;
}

/// `Device 2 begins`, `Devices 1, 2 begin up to`.
std::string late_start_title(const OpAdvice& advice) {
  std::string devices = devices_at_fault(advice);
  devices.front() = 'D';
  return fmt::format("{} {} {} after the first, and others wait for {}", devices,
                     advice.more_devices.empty() ? "begins" : "begin up to", time_text(advice.measured_us),
                     advice.more_devices.empty() ? "it" : "them");
}

std::string gap_title(const OpsReport& table, const OpAnalysis& analysis, const OpAdvice& advice) {
  const std::uint32_t row = analysis.ops.rows[advice.rows.front()].row;
  const std::string where = advice.row_count == 1
                                ? fmt::format("before row {} ({})", table.rows[row].id,
                                              readable_label(analysis.ops.facts[table.rows[row].kind].label))
                                : fmt::format("before {} ops", advice.row_count);
  const std::string device = device_name(advice.device);
  const std::string on_device =
      advice.device < 0 ? std::string() : fmt::format("on device {} ", advice.device);
  switch (advice.cause) {
    case AdviceCause::kHostSync:
      return fmt::format("Keep the host from stopping {} {}", device, where);
    case AdviceCause::kHostOps:
      return fmt::format("Move ops from the host to {}: it waits for them {}", device, where);
    case AdviceCause::kTraceGaps:
      return fmt::format("Gaps inside replayed traces {}{}", on_device, where);
    case AdviceCause::kUnknownGaps:
      return fmt::format("Look into gaps without a known cause {}{}", on_device, where);
    default:
      return fmt::format("Run from a trace: {} waits for the host {}", device, where);
  }
}

std::string iteration_text(const IterationSeries& series) {
  std::string text =
      series.kind == IterationKind::kReplay
          ? fmt::format("{}{} replay{}", series.name == "?" ? std::string() : "Trace " + series.name + ": ",
                        series.count, series.count == 1 ? "" : "s")
          : fmt::format("'{}': {} times", series.name, series.count);
  const std::uint32_t whole = series.count - series.cut;
  if (series.cut > 0)
    text += whole == 0 ? std::string(" (none of them whole)") : fmt::format(" ({} not whole)", series.cut);
  const bool is_single = (whole == 0 ? series.count : whole) == 1;
  text += fmt::format(", {}{}", time_text(series.mean_ns / 1000), is_single ? "" : " each");
  if (has_number(series.spread_ns)) {
    text += fmt::format(" on average (spread {}, {} to {})", time_text(series.spread_ns / 1000),
                        time_text(series.min_ns / 1000), time_text(series.max_ns / 1000));
  }
  return text;
}

/// Device time of rows that are whole replays.
double replays_us(const OpsReport& table, const ShownOps& ops) {
  double sum = 0;
  for (const ShownOp& row : ops.rows) {
    const OpKind& kind = table.kind_of(table.rows[row.row]);
    if (has_number(row.device_us) && table.text(kind.op_code) == kTraceReplayOp) sum += row.device_us;
  }
  return sum;
}

/// How the time divides into what computes, what moves data and what lies between kernels.
std::string movement_text(const OpsReport& table, const OpAnalysis& analysis) {
  const ShownOps& ops = analysis.ops;
  const MovementBudget& movement = analysis.movement;
  // Firmware times, where there are no others, and rows that stand twice take longer than the device ran.
  const bool overlap = ops.device_us > ops.counted_us();
  const double all_us = overlap ? ops.device_us : ops.counted_us();
  const std::string_view of_time = overlap ? "of the time of all ops, which overlap," : "of the time";
  const double replay_us = replays_us(table, ops);
  const double layout_us = movement.of(MovementClass::kLayout);
  const double structural_us = movement.of(MovementClass::kStructural);
  std::string text;
  const auto say = [&](double us, std::string_view what) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", percent_of(us, all_us), what);
  };
  if (replay_us > 0) say(replay_us, fmt::format("{} is whole replays whose ops were not measured", of_time));
  if (!(ops.device_us > replay_us)) return text;
  say(movement.of(MovementClass::kComputes),
      replay_us > 0 ? "computes" : fmt::format("{} computes", of_time));
  if (movement.of(MovementClass::kCollective) > 0)
    say(movement.of(MovementClass::kCollective), "is collectives");
  if (movement.of(MovementClass::kOther) > replay_us)
    say(movement.of(MovementClass::kOther) - replay_us, "is other ops");
  say(layout_us + structural_us, "only moves or converts data");
  text += fmt::format(" ({} by layout, {} by the graph)", percent_of(layout_us, all_us),
                      percent_of(structural_us, all_us));
  const double rest_us = std::max(all_us - ops.device_us, 0.0);
  const double unmeasured_us = std::min(movement.unmeasured_us, rest_us);
  if (unmeasured_us > 0) {
    say(unmeasured_us, fmt::format("is {} without a kernel duration (firmware)",
                                   ui::counted(movement.unmeasured_ops, "op")));
  }
  if (rest_us > unmeasured_us) say(rest_us - unmeasured_us, "lies between kernels");
  return text;
}

std::string detail_of_cause(const OpsReport& table, const OpAnalysis& analysis, const OpAdvice& advice) {
  switch (advice.cause) {
    case AdviceCause::kSlowDevice:
      return fmt::format(
          "{} on {}, {} on the others (median). What the others wait for it, in collectives too, is in the "
          "gain: the wall time when the run is replayed with {} as fast as they are.",
          time_text(advice.measured_us), devices_at_fault(advice), time_text(advice.target_us),
          advice.more_devices.empty() ? "this device" : "these devices, which hide each other,");
    case AdviceCause::kUnevenDevices:
      return fmt::format(
          "{} where it was slower, {} on the others there (median); in all executions together none is much "
          "slower: times scatter, or work is divided anew each time. What others wait for it is in the gain: "
          "the wall time when the run is replayed with all as fast as the median.",
          time_text(advice.measured_us), time_text(advice.target_us));
    case AdviceCause::kLateStart:
      return fmt::format(
          "What {} before lies outside the window: the first op was sent later, or what came before was not "
          "done. The gain is what the wall loses when all begin with the first.",
          advice.more_devices.empty() ? "it did" : "they did");
    case AdviceCause::kOpBelowPeak:
    case AdviceCause::kMatmulBelowPeak:
    case AdviceCause::kCollectiveBelowPeak:
    case AdviceCause::kFewCores:
      return below_peak_detail(table, analysis, advice);
    case AdviceCause::kHighFidelity:
      return std::string(fidelity_text(analysis.ops.facts[advice.kind].fidelity_advice.remark)) +
             ". The gain is half of its compute time (modelled).";
    case AdviceCause::kSlowConversion:
      return fmt::format(
          "It only moves or converts data. Small dimensions on the tile axes and strided reads are usual "
          "reasons; "
          "keeping the layout would save all of it. The gain takes {:.0f} % of its {} bound as reachable{}; "
          "{}.",
          kBoundPercent, key_of(advice.limit), floor_text(advice), model_text(advice, time_tag(table)));
    case AdviceCause::kViewCostsTime:
      return "A view costs nothing where shape and layout allow it; here data are copied. The gain is all "
             "that it takes, firmware and launch too: an upper limit, since a copy that the next op needs "
             "stays.";
    case AdviceCause::kConversions:
      return "Tilize, untilize, typecast, reshard and conversions between interleaved and sharded only "
             "change how data "
             "lie. The gain is all that they take, firmware and launches too: an upper limit, less what "
             "other advice has of it.";
    default:
      return gap_detail(table, advice);
  }
}

}  // namespace

std::string advice_title(const OpsReport& table, const OpAnalysis& analysis, const OpAdvice& advice) {
  const std::string op = advice.kind == kNone ? std::string() : op_text(table, analysis, advice);
  switch (advice.cause) {
    case AdviceCause::kSlowDevice:
      return fmt::format("{} takes {:.1f} times as long on {} as on the others", op,
                         advice.measured_us / advice.target_us, devices_at_fault(advice));
    case AdviceCause::kUnevenDevices:
      return fmt::format("{} at times takes {:.1f} times as long on {} as on the others", op,
                         advice.measured_us / advice.target_us, devices_at_fault(advice));
    case AdviceCause::kLateStart:
      return late_start_title(advice);
    case AdviceCause::kOpBelowPeak:
    case AdviceCause::kMatmulBelowPeak:
      return fmt::format("{} is at {} of what its {} bound allows", op,
                         percent_of(advice.ideal_us, advice.measured_us), key_of(advice.limit));
    case AdviceCause::kCollectiveBelowPeak:
      return fmt::format("{} is at {} of what {}", op, percent_of(advice.ideal_us, advice.measured_us),
                         advice.limit == OpLimit::kLink
                             ? std::string("its links allow")
                             : fmt::format("its {} bound allows", key_of(advice.limit)));
    case AdviceCause::kFewCores:
      return fmt::format("{} runs on {:.0f} of {:.0f} cores", op, cores_of(analysis, advice),
                         analysis.ops.peaks.worker_cores);
    case AdviceCause::kHighFidelity:
      return fmt::format("{} needs no {}", op, table.text(table.kinds[advice.kind].math_fidelity));
    case AdviceCause::kSlowConversion:
      return op + " " + speed_text(advice);
    case AdviceCause::kViewCostsTime:
      return fmt::format("{} is a view that copies: it {}", op, speed_text(advice));
    case AdviceCause::kConversions:
      return fmt::format("Keep layouts and memories between ops: {} conversion{}{}", advice.row_count,
                         advice.row_count == 1 ? "" : "s", costliest_conversions(table, analysis));
    default:
      return gap_title(table, analysis, advice);
  }
}

std::string advice_detail(const OpsReport& table, const OpAnalysis& analysis, const OpAdvice& advice) {
  std::string detail = detail_of_cause(table, analysis, advice);
  if (advice.is_after_others)
    detail += " Most of it shows only once the advice before it is followed: until then others hide it.";
  return detail;
}

std::string_view no_advice_text(const OpsReport& table, const OpAnalysis& analysis) {
  if (!(analysis.ops.device_us > 0))
    return "No op has a device time: what would make the run faster is not known.";
  if (!(analysis.ops.device_us > replays_us(table, analysis.ops)))
    return "Whole replays of traces were measured, not their ops: what would make them faster is not known.";
  return "Nothing found that would make the run faster.";
}

std::string counted_time_text(const ShownOps& ops) {
  const std::string_view compiling = ops.compile_wall_us > 0 ? ", without compiling" : "";
  switch (ops.base) {
    case TimeBase::kWall:
      return fmt::format("the wall time of {}{}", device_name(ops.path.device), compiling);
    case TimeBase::kWallsOfDevices:
      return fmt::format("the wall times of all devices together{}", compiling);
    case TimeBase::kSum:
      break;
  }
  return fmt::format("device time and gaps{}", ops.compile_us > 0 ? " without those of compiling" : "");
}

std::string clock_basis_text(const OpsReport& table, ClockBasis basis) {
  const std::string none =
      table.hosts.size() > 1 ? "No clock synchronisation between the hosts" : "No clock synchronisation";
  switch (basis) {
    case ClockBasis::kNone:
      return "The devices are not aligned: there is no clock synchronisation and no op in common; each "
             "begins at 0";
    case ClockBasis::kSync:
      return table.has_modeled_times()
                 ? "The clocks of the simulated chips were synchronised with their simulated host's "
                   "(modelled)"
                 : "The clocks of the devices were synchronised with the host's (measured)";
    case ClockBasis::kCollectives:
      return none + ": the devices are aligned by the ends of collectives (derived)";
    case ClockBasis::kSharedOps:
      return none + ": the devices are aligned by the starts of the ops they share (derived)";
    case ClockBasis::kHost:
      return none + ": the devices are aligned by when the host sent their ops (derived)";
  }
  return {};
}

/// `Collectives along axis 1 of the mesh meet in 2 groups: devices 0 1 2 3 / 4 5 6 7 (derived: ...)`
std::string mesh_axis_text(const OpsReport& table, const RunClock& clock, const MeshAxis& axis) {
  constexpr std::size_t kMaxDevices = 16;
  const std::vector<std::vector<std::int32_t>> groups = groups_of_devices(clock, axis);
  std::string devices;
  std::size_t listed = 0;
  for (const std::vector<std::int32_t>& group : groups) {
    if (listed > 0 && listed + group.size() > kMaxDevices) break;
    devices += fmt::format("{}{}", listed == 0 ? "" : " / ", fmt::join(group, " "));
    listed += group.size();
  }
  const std::string collectives =
      axis.cluster_axis >= 0 ? fmt::format("Collectives along axis {} of the mesh", axis.cluster_axis)
                             : readable_label(table.text(axis.op_code));
  return fmt::format(
      "{} meet in {} groups: devices {}{} (derived: how many from shapes or attributes, who from "
      "times)",
      collectives, groups.size(), devices, listed < clock.lanes.size() ? " / ..." : "");
}

std::vector<std::string> time_lines(const OpsReport& table, const OpAnalysis& analysis) {
  const ShownOps& ops = analysis.ops;
  std::vector<std::string> lines = lost_lines(table, analysis.ops);
  constexpr std::size_t kMaxDevices = 8;
  if (!ops.clock.is_known()) {
    lines.push_back(fmt::format("No device cycles in the report: no wall time. Device time {}, gaps {}",
                                time_text(ops.device_us), time_text(ops.gap_us)));
  } else if (ops.clock.lanes.size() > 1) {
    lines.push_back(fmt::format("Wall time {} on device {}, the longest of {}", time_text(ops.path.wall_us),
                                ops.path.device, ops.clock.lanes.size()));
  }
  for (std::size_t i = 0; i < std::min(ops.clock.lanes.size(), kMaxDevices); ++i) {
    const DeviceLane& lane = ops.clock.lanes[i];
    lines.push_back(
        fmt::format("{}: wall {} = busy {} ({}) + idle {}",
                    lane.device < 0 ? std::string("Device") : fmt::format("Device {}", lane.device),
                    time_text(lane.wall_ns / 1000), time_text(lane.busy_ns / 1000),
                    percent_of(lane.busy_ns, lane.wall_ns), time_text(lane.idle_ns() / 1000)));
  }
  if (ops.clock.lanes.size() > kMaxDevices)
    lines.push_back(fmt::format("{} more devices (--json has all)", ops.clock.lanes.size() - kMaxDevices));
  if (ops.clock.lanes.size() > 1) lines.push_back(clock_basis_text(table, ops.clock.basis));
  for (const MeshAxis& axis : ops.clock.mesh) lines.push_back(mesh_axis_text(table, ops.clock, axis));
  if (ops.compile_wall_us > 0)
    lines.push_back(fmt::format("Of the idle time {} is compiling; it is in no percentage",
                                time_text(ops.compile_wall_us)));
  constexpr std::size_t kMaxSeries = 4;
  for (std::size_t i = 0; i < std::min(analysis.iterations.series.size(), kMaxSeries); ++i)
    lines.push_back(iteration_text(analysis.iterations.series[i]));
  if (ops.device_us > 0) lines.push_back(movement_text(table, analysis));
  lines.push_back("Percentages are of " + counted_time_text(ops));
  return lines;
}

}  // namespace ttscope::perf
