#include "perf/diff_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/module_path.h"
#include "perf/analyze/op_groups.h"
#include "perf/write/notes_text.h"

namespace ttscope::perf {
namespace {

using diff::ItemKind;

/// `128x5376`, without leading ones.
std::string shape_text(const OpTensor& tensor) {
  std::string text;
  for (const std::int64_t size : tensor.padded) {
    if (size < 0) return {};  // the table of tt-perf-report has none
    if (text.empty() && size == 1) continue;
    text += (text.empty() ? "" : "x") + std::to_string(size);
  }
  return text.empty() ? "1" : text;
}

/// `DEV_0_DRAM_INTERLEAVED` without the device, which is not a property of the op.
std::string_view memory_text(std::string_view memory) {
  if (!memory.starts_with("DEV_")) return memory;
  const std::size_t end = memory.find_first_not_of("0123456789", 4);
  return end == std::string_view::npos || memory[end] != '_' ? memory : memory.substr(end + 1);
}

/// `DRAM_INTERLEAVED` as buffer type and layout of the memory.
std::pair<std::string, std::string> place_of(std::string_view memory) {
  const std::string_view text = memory_text(memory);
  const std::size_t cut = text.find('_');
  if (cut == std::string_view::npos) return {std::string(text), {}};
  return {std::string(text.substr(0, cut)), std::string(text.substr(cut + 1))};
}

/// One property of all tensors of an op: `BFLOAT16, BFLOAT8_B => BFLOAT16`.
template <typename Text>
std::string of_tensors(const OpsReport& report, const OpKind& kind, Text text) {
  std::string all;
  const auto add = [&](const OpTensor* tensor, bool is_first_output) {
    if (tensor == nullptr || !tensor->is_present()) return;
    const std::string own = text(*tensor);
    if (own.empty()) return;
    all += (is_first_output ? " => " : all.empty() ? "" : ", ") + own;
  };
  for (std::size_t i = 0; i < kind.input_count; ++i) add(report.input(kind, i), false);
  for (std::size_t i = 0; i < kind.output_count; ++i) add(report.output(kind, i), i == 0);
  return all;
}

std::string count_text(double count) {
  return has_number(count) ? fmt::format("{}", std::llround(count)) : "";
}

std::string config_text(const KindFacts& facts) {
  if (facts.in0_block_w < 0 && facts.out_subblock_h < 0) return {};
  return fmt::format("block {} subblock {}x{}", facts.in0_block_w, facts.out_subblock_h,
                     facts.out_subblock_w);
}

/// A kind of the report as one of the comparison.
ItemKind kind_of(const OpsReport& report, const OpKind& kind, const KindFacts& facts) {
  ItemKind made;
  made.op = report.text(kind.op_code);
  made.label = facts.label;
  made.place = report.text(kind.location);
  made.location = made.place;
  made.layer = made.place.empty() ? "" : module_of_location(made.place);
  made.category = name_of(facts.category);
  made.movement = key_of(movement_of(made.op, facts.category));
  made.shape = of_tensors(report, kind, shape_text);
  const auto texts = [&](std::uint32_t OpTensor::*field) {
    return of_tensors(report, kind,
                      [&](const OpTensor& tensor) { return std::string(report.text(tensor.*field)); });
  };
  const std::string types = texts(&OpTensor::datatype);
  const std::string layouts = texts(&OpTensor::layout);
  const auto places = [&](auto half) {
    return of_tensors(report, kind,
                      [&](const OpTensor& tensor) { return place_of(report.text(tensor.memory)).*half; });
  };
  made.form = types + " " + layouts;
  if (const OpTensor* first = report.input(kind, 0)) made.placement = memory_text(report.text(first->memory));
  made.facts = {{"cores", count_text(kind.core_count)},
                {"fidelity", std::string(report.text(kind.math_fidelity))},
                {"dtype", types, true},
                {"layout", layouts, true},
                {"buffer_type", places(&std::pair<std::string, std::string>::first), true},
                {"sharding", places(&std::pair<std::string, std::string>::second), true},
                {"shape", made.shape, true},
                {"program_config", config_text(facts)}};
  return made;
}

constexpr double kNsPerUs = 1000;

/// Wall and busy time of the devices that took longest, in µs.
struct WallTimes {
  double wall_us = 0;
  double busy_us = 0;

  void take(double wall_ns, double busy_ns) {
    wall_us = std::max(wall_us, wall_ns / kNsPerUs);
    busy_us = std::max(busy_us, busy_ns / kNsPerUs);
  }
};

/// `Blackhole, device 0`.
std::string device_text(const ShownOps& ops) {
  std::string text = ops.peaks.arch;
  std::string numbers;
  for (const DeviceLane& lane : ops.clock.lanes) {
    numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", lane.device);
  }
  if (numbers.empty()) {
    text += fmt::format("{}{} device{}", text.empty() ? "" : ", ", ops.device_count,
                        ops.device_count == 1 ? "" : "s");
  } else {
    text += fmt::format("{}device{} {}", text.empty() ? "" : ", ", ops.clock.lanes.size() == 1 ? "" : "s",
                        numbers);
  }
  return text;
}

bool names_window(NoteKind kind) {
  return kind == NoteKind::kLastStretch || kind == NoteKind::kFromLastSignpost ||
         kind == NoteKind::kAfterSignpost || kind == NoteKind::kUntilSignpost ||
         kind == NoteKind::kNoSignposts || kind == NoteKind::kSignpostsIgnored ||
         kind == NoteKind::kWarmUpLeftOut || kind == NoteKind::kNothingAfterSignposts ||
         kind == NoteKind::kStretchWithoutTimes;
}

/// What a note says of the window, without the advice to choose another one by an option of `ttscope perf`.
std::string window_text(const OpNote& note) {
  std::string text = note_text(note);
  const std::size_t advice = text.find("; --");
  if (advice != std::string::npos) text.resize(advice);
  return text;
}

/// The signpost that the window begins at; empty: a table does not tell.
std::string window_of(const Profile& profile) {
  for (const OpNote& note : profile.analysis.ops.notes) {
    if (note.kind == NoteKind::kNothingAfterSignposts) return "what stands before the signposts";
    if (names_window(note.kind) && !note.names.empty()) return note.names.front();
  }
  return profile.report.format == ReportFormat::kTable ? "" : "the whole file";
}

/// How the times were taken, as far as the input tells.
std::string input_kind(const Profile& profile) {
  if (!profile.captures.empty()) return "files of the profiler";
  return profile.report.format == ReportFormat::kTable ? "table of tt-perf-report" : "ops report";
}

/// How often the window runs the same ops.
std::uint32_t repeats_in(const Profile& profile) {
  std::uint32_t most = 1;
  for (const IterationSeries& series : profile.analysis.iterations.series)
    most = std::max(most, series.count);
  return most;
}

/// The columns that the times of ops are of: what stands for a column that is not there is another thing.
std::string duration_columns(const Profile& profile) {
  const std::vector<OpNote>& remarks = profile.report.remarks;
  const auto stand_in = std::find_if(remarks.begin(), remarks.end(), [](const OpNote& remark) {
    return remark.kind == NoteKind::kStandInDuration;
  });
  return stand_in == remarks.end() ? "that of its kernels" : stand_in->names.back();
}

/// In tens of MHz: what cycles and rounded durations give varies by less, and what clocks differ by is more.
std::string clock_text(const OpsReport& report) {
  constexpr double kStep = 10;
  if (report.clock_mhz <= 0) return {};
  return fmt::format("{:.0f} MHz", kStep * std::round(report.clock_mhz / kStep));
}

void add_settings(const Profile& profile, diff::ComparedRun& run) {
  const ShownOps& ops = profile.analysis.ops;
  const bool is_traced = std::any_of(ops.rows.begin(), ops.rows.end(), [&](const ShownOp& row) {
    return has_number(static_cast<double>(profile.report.rows[row.row].replay_session));
  });
  run.settings = {{"devices", std::to_string(ops.device_count)},
                  {"architecture", ops.peaks.arch, false, true},
                  {"clock", clock_text(profile.report), false, true},
                  {std::string(diff::kModeSetting), is_traced ? std::string(diff::kTraced) : "eager"},
                  {std::string(diff::kRepeatsInWindow), std::to_string(repeats_in(profile))},
                  {"window", window_of(profile)},
                  {std::string(diff::kCostSetting), duration_columns(profile)},
                  {"kind of input", input_kind(profile)}};
}

/// What of the run is missing, in words: its figures are those of a part of it. Empty: nothing is.
std::string missing_part(const Profile& profile) {
  const ShownOps& ops = profile.analysis.ops;
  if (profile.report.problems.count(ReportProblem::kCutRow) > 0) return "the file ends inside a row";
  if (profile.report.problems.count(ReportProblem::kUnclosedQuote) > 0)
    return "the file ends inside a quoted cell";
  if (!profile.warnings.empty()) return profile.warnings.front();
  if (profile.report.capture_problems.count(PerfProblem::kFileCut) > 0) return "a file of the capture is cut";
  if (ops.without_duration > 0) {
    return fmt::format("{} {} of the window {} no duration", ops.without_duration,
                       ops.without_duration == 1 ? "op" : "ops", ops.without_duration == 1 ? "has" : "have");
  }
  const auto lacks = std::find_if(ops.notes.begin(), ops.notes.end(), [](const OpNote& note) {
    return note.kind == NoteKind::kOpsOfSomeDevices;
  });
  return lacks == ops.notes.end() ? "" : note_text(*lacks);
}

/// Makes runs of the rows of a window: one of all, or one of each replay.
class WindowRunBuilder {
 public:
  explicit WindowRunBuilder(const Profile& profile)
      : profile_(profile), report_(profile.report), ops_(profile.analysis.ops) {}

  diff::ComparedRun whole() {
    begin();
    for (const ShownOp* row : rows_in_order()) add(*row, false);
    WallTimes times;
    for (const DeviceLane& lane : ops_.clock.lanes) times.take(lane.wall_ns, lane.busy_ns);
    finish(times);
    if (const std::uint32_t repeats = repeats_in(profile_); repeats > 1) {
      run_.warnings.push_back(fmt::format("{}: the window holds {} repeats, and figures are of all of them",
                                          profile_.name, repeats));
    }
    if (ops_.device_count > 1) {
      // In collectives all devices take as long as the slowest one lets them.
      for (const DeviceSkew& device : profile_.analysis.skew.devices) {
        run_.devices.push_back(
            {fmt::format("device {}", device.device), device.device_us - device.collective_us});
      }
    }
    return std::move(run_);
  }

  /// Of windows that hold whole replays of one trace and nothing else, or no repeats at all.
  std::vector<diff::ComparedRun> replays() {
    if (repeats_in(profile_) == 1) return {whole()};
    const std::vector<IterationSeries>& series = profile_.analysis.iterations.series;
    if (series.size() != 1 || series.front().kind != IterationKind::kReplay || series.front().count < 2)
      return {};
    std::map<float, std::vector<const ShownOp*>> rows_of;  // by replay session
    for (const ShownOp* row : rows_in_order()) {
      if (row->is_signpost || !has_number(row->device_us)) continue;
      const float session = report_.rows[row->row].replay_session;
      if (!has_number(static_cast<double>(session))) return {};
      rows_of[session].push_back(row);
    }
    if (rows_of.size() != series.front().count) return {};
    std::vector<diff::ComparedRun> runs;
    std::uint32_t number = 0;
    for (const auto& [session, rows] : rows_of) {
      const std::optional<WallTimes> times = times_of(number++);
      if (!times) continue;
      begin();
      for (const ShownOp* row : rows) add(*row, row == rows.front());
      finish(*times);
      if (!runs.empty()) run_.name += fmt::format(" (replay {})", number);
      runs.push_back(std::move(run_));
    }
    return runs;
  }

 private:
  /// As the first of its devices ran it. The table has an op where its slowest device lists it, which is
  /// another place from run to run.
  std::vector<const ShownOp*> rows_in_order() const {
    const auto place = [&](const ShownOp* row) {
      return row->group == kNone ? row->row : ops_.members[ops_.groups[row->group].first];
    };
    std::vector<const ShownOp*> rows;
    for (const ShownOp& row : ops_.rows) rows.push_back(&row);
    if (ops_.device_count > 1) {
      std::stable_sort(rows.begin(), rows.end(),
                       [&](const ShownOp* a, const ShownOp* b) { return place(a) < place(b); });
    }
    return rows;
  }

  void begin() {
    run_ = {};
    numbers_.clear();
    device_us_ = 0;
    gap_us_ = 0;
    run_.name = profile_.name;
    run_.cost_name = "device";
    run_.unit = "us";
    run_.warnings = profile_.warnings;
    if (report_.has_modeled_times())
      run_.warnings.push_back(profile_.name + ": its chips were simulated: times of devices are modelled");
    run_.failure = missing_part(profile_);
    run_.has_all_operands = report_.format != ReportFormat::kTable;
    run_.device = device_text(ops_);
    for (const OpNote& note : ops_.notes) {
      if (names_window(note.kind)) run_.what += (run_.what.empty() ? "" : " ") + window_text(note);
    }
  }

  /// What stands before the first op of a replay is no part of it.
  void add(const ShownOp& row, bool is_first_of_replay) {
    if (row.is_signpost || !has_number(row.device_us)) return;
    const OpRow& own = report_.rows[row.row];
    const double gap = has_number(row.gap_us) && !is_first_of_replay ? row.gap_us : 0;
    run_.items.push_back({kind_number(own), own.id, row.device_us, gap, deciding_device(row), mean_us(row)});
    device_us_ += row.device_us;
    gap_us_ += gap;
  }

  /// Rows of one kind that found their program in the cache, and those that did not.
  std::uint32_t kind_number(const OpRow& row) {
    const auto [place, is_new] =
        numbers_.try_emplace({row.kind, row.cache_hit}, static_cast<std::uint32_t>(run_.kinds.size()));
    if (is_new) {
      run_.kinds.push_back(kind_of(report_, report_.kinds[row.kind], ops_.facts[row.kind]));
      if (row.cache_hit >= 0)
        run_.kinds.back().facts.push_back({"program_cache", row.cache_hit > 0 ? "hit" : "miss"});
    }
    return place->second;
  }

  /// Of collectives the mean over the devices is shown: none of them is the one.
  std::int32_t deciding_device(const ShownOp& row) const {
    const OpRow& own = report_.rows[row.row];
    const bool decides = row.group != kNone && ops_.facts[own.kind].category != OpCategory::kCcl;
    return decides ? own.device : -1;
  }

  /// Of all devices that ran it; 0: one did.
  double mean_us(const ShownOp& row) const {
    if (row.group == kNone) return 0;
    double sum_ns = 0;
    double count = 0;
    for_each_member(report_, ops_, row, [&](std::uint32_t member) {
      if (!has_number(report_.rows[member].kernel_duration_ns)) return;
      sum_ns += report_.rows[member].kernel_duration_ns;
      ++count;
    });
    return count > 0 ? sum_ns / count / kNsPerUs : 0;
  }

  /// None: the replay lacks ops.
  std::optional<WallTimes> times_of(std::uint32_t replay) const {
    WallTimes times;
    for (const IterationTime& time : profile_.analysis.iterations.times) {
      if (time.number != replay) continue;
      if (time.is_cut) return std::nullopt;
      times.take(time.wall_ns, time.busy_ns);
    }
    return times;
  }

  void finish(const WallTimes& times) {
    const bool has_clock = ops_.clock.is_known();
    run_.totals = {{"device", "us", device_us_, true},
                   {"gaps", "us", gap_us_, true},
                   {"wall", "us", times.wall_us, has_clock},
                   {"busy", "us", times.busy_us, has_clock}};
    for (diff::RunTotal& total : run_.totals) total.how = time_tag(report_);
    add_settings(profile_, run_);
  }

  const Profile& profile_;
  const OpsReport& report_;
  const ShownOps& ops_;
  diff::ComparedRun run_;
  std::map<std::pair<std::uint32_t, std::int8_t>, std::uint32_t> numbers_;  ///< of kinds
  double device_us_ = 0;
  double gap_us_ = 0;
};

}  // namespace

diff::ComparedRun diff_run_of(const Profile& profile) { return WindowRunBuilder(profile).whole(); }

std::vector<diff::ComparedRun> diff_replays_of(const Profile& profile) {
  return WindowRunBuilder(profile).replays();
}

}  // namespace ttscope::perf
