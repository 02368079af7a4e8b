#include "perf/diff_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/module_path.h"
#include "perf/analyse/advice/movement.h"
#include "perf/write/words/note_text.h"

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
std::string of_tensors(const OpsReport& report, const ReportKind& kind, Text text) {
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
ItemKind kind_of(const OpsReport& report, const ReportKind& kind, const KindFacts& facts) {
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

/// Wall of the device that took longest, in µs.
diff::RunTotal wall_of(const ShownOps& ops) {
  constexpr double kNsPerUs = 1000;
  diff::RunTotal wall = {"wall", "us", 0, ops.clock.is_known()};
  for (const DeviceLane& lane : ops.clock.lanes) wall.value = std::max(wall.value, lane.wall_ns / kNsPerUs);
  return wall;
}

diff::RunTotal busy_of(const ShownOps& ops) {
  constexpr double kNsPerUs = 1000;
  diff::RunTotal busy = {"busy", "us", 0, ops.clock.is_known()};
  for (const DeviceLane& lane : ops.clock.lanes) busy.value = std::max(busy.value, lane.busy_ns / kNsPerUs);
  return busy;
}

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
         kind == NoteKind::kWarmUpLeftOut;
}

/// What a note says of the window, without the advice to choose another one by an option of `ttscope perf`.
std::string window_text(const OpNote& note) {
  std::string text = note_text(note);
  const std::size_t advice = text.find("; --");
  if (advice != std::string::npos) text.resize(advice);
  return text;
}

/// The signpost that the window begins at; empty: it is the whole file.
std::string window_of(const ShownOps& ops) {
  for (const OpNote& note : ops.notes) {
    if (names_window(note.kind) && !note.names.empty()) return note.names.front();
  }
  return {};
}

/// How the times were taken, as far as the input tells.
std::string input_kind(const Profile& profile) {
  if (!profile.captures.empty()) return "files of the profiler";
  return profile.report.format == ReportFormat::kTable ? "table of tt-perf-report" : "ops report";
}

void add_settings(const Profile& profile, diff::ComparedRun& run) {
  const ShownOps& ops = profile.reading.ops;
  bool is_traced = false;
  for (const ShownOp& row : ops.rows) {
    is_traced = is_traced ||
                profile.report.rows[row.row].replay_session == profile.report.rows[row.row].replay_session;
  }
  std::uint32_t replays = 0;
  for (const IterationSeries& series : profile.reading.iterations.series)
    replays = std::max(replays, series.count);
  run.settings = {{"devices", std::to_string(ops.device_count)},
                  {"architecture", ops.peaks.arch},
                  {"mode", is_traced ? "traced" : "eager"},
                  {"repeats in the window", std::to_string(std::max(replays, 1u))},
                  {"window", window_of(ops)},
                  {"kind of input", input_kind(profile)}};
  if (replays > 1) {
    run.warnings.push_back(fmt::format("{}: the window holds {} repeats, and figures are of all of them",
                                       profile.name, replays));
  }
}

/// What of the run is missing, in words: its figures are those of a part of it. Empty: nothing is.
std::string missing_part(const Profile& profile) {
  const ShownOps& ops = profile.reading.ops;
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

}  // namespace

diff::ComparedRun diff_run_of(const Profile& profile) {
  const OpsReport& report = profile.report;
  const ShownOps& ops = profile.reading.ops;
  diff::ComparedRun run;
  run.name = profile.name;
  run.cost_name = "device";
  run.unit = "us";
  run.warnings = profile.warnings;
  run.failure = missing_part(profile);
  run.tells_all_operands = report.format != ReportFormat::kTable;
  run.device = device_text(ops);
  for (const OpNote& note : ops.notes) {
    if (names_window(note.kind)) run.what += (run.what.empty() ? "" : " ") + window_text(note);
  }
  // Rows of one kind that found their program in the cache, and those that did not.
  std::map<std::pair<std::uint32_t, std::int8_t>, std::uint32_t> kinds;
  const auto kind_number = [&](const OpRow& row) {
    const auto [place, is_new] =
        kinds.try_emplace({row.kind, row.cache_hit}, static_cast<std::uint32_t>(run.kinds.size()));
    if (is_new) {
      run.kinds.push_back(kind_of(report, report.kinds[row.kind], ops.facts[row.kind]));
      if (row.cache_hit >= 0)
        run.kinds.back().facts.push_back({"program_cache", row.cache_hit > 0 ? "hit" : "miss"});
    }
    return place->second;
  };
  diff::RunTotal device = {"device", "us", 0, true};
  diff::RunTotal gaps = {"gaps", "us", 0, true};
  for (const ShownOp& row : ops.rows) {
    if (row.is_signpost || !has_number(row.device_us)) continue;
    const OpRow& own = report.rows[row.row];
    const double gap = has_number(row.gap_us) ? row.gap_us : 0;
    run.items.push_back({kind_number(own), own.id, row.device_us, gap});
    device.value += row.device_us;
    gaps.value += gap;
  }
  run.totals = {device, gaps, wall_of(ops), busy_of(ops)};
  add_settings(profile, run);
  return run;
}

}  // namespace ttscope::perf
