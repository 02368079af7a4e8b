#include "app/timeline/memory_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/string_pool.h"
#include "diff/align.h"
#include "io/input_files.h"
#include "io/open_input.h"
#include "mem/load.h"
#include "mem/read/line_times.h"
#include "timeline/analyze/op_tracks.h"

namespace ttscope::app {
namespace {

using timeline::Timeline;

/// An op with its time or line.
struct NamedOp {
  std::uint32_t key = 0;
  std::int64_t at = 0;
};

/// What lies inside of `loc(` and `)`.
std::string_view location_text(std::string_view text) {
  constexpr std::string_view kMark = "loc(";
  const std::size_t at = text.find(kMark);
  const std::size_t end = text.rfind(')');
  if (at == std::string_view::npos || end == std::string_view::npos || end < at + kMark.size()) return {};
  return text.substr(at + kMark.size(), end - at - kMark.size());
}

/// `ttnn.matmul`, `Matmul` and `MatmulDeviceOperation` are one.
std::string plain_name(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) name.remove_prefix(dot + 1);
  const std::size_t scope = name.rfind(':');
  if (scope != std::string_view::npos) name.remove_prefix(scope + 1);
  for (const std::string_view ending : {"DeviceOperation", "Operation", "Op"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.remove_suffix(ending.size());
      break;
    }
  }
  std::string plain;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  return plain;
}

std::vector<SharedOp> matched(const std::vector<NamedOp>& log, const std::vector<NamedOp>& run) {
  std::vector<std::uint32_t> log_keys;
  std::vector<std::uint32_t> run_keys;
  log_keys.reserve(log.size());
  run_keys.reserve(run.size());
  for (const NamedOp& op : log) log_keys.push_back(op.key);
  for (const NamedOp& op : run) run_keys.push_back(op.key);
  std::vector<SharedOp> shared;
  const std::uint32_t edits = diff::affordable_edits(log_keys.size() + run_keys.size());
  for (const auto& [in_log, in_run] : diff::common_subsequence(log_keys, run_keys, edits)) {
    const auto line = static_cast<std::uint32_t>(log[in_log].at);
    const bool is_later =
        shared.empty() || (line > shared.back().line && run[in_run].at >= shared.back().time_ns);
    if (is_later) shared.push_back({line, run[in_run].at});
  }
  return shared;
}

/// Of all devices, and of the one that has the most.
void take_names(const Timeline& host, std::int64_t shift_ns, HostOps& host_ops) {
  std::map<std::string, std::vector<HostOps::Op>, std::less<>> by_device;
  for (const timeline::Message& message : host.messages) {
    const auto op = timeline::parse_op_message_line(host.text(message.text));
    if (!op) continue;
    host_ops.names.push_back({plain_name(op->name), message.time_ns + shift_ns});
    by_device[std::string(op->device)].push_back(host_ops.names.back());
  }
  for (auto& [device, ops] : by_device) {
    if (ops.size() > host_ops.names_of_one.size()) host_ops.names_of_one = std::move(ops);
  }
}

class OpFinder {
 public:
  OpFinder(const LogProcess& process, const Timeline& timeline)
      : log_(process.log), rank_(process.log.ranks[process.rank]), timeline_(timeline) {}

  std::vector<SharedOp> ops_shared_with(const HostOps& host) {
    std::vector<SharedOp> shared = matched(log_locations(), keyed(host.locations));
    if (!shared.empty()) return shared;
    shared = matched(log_names(), keyed(host.names));
    std::vector<SharedOp> of_one = matched(log_names(), keyed(host.names_of_one));
    // An op of a mesh is told by each of its devices, and only one of these is that of the log's line. Where
    // devices run ops of their own, one alone lacks most of them.
    return of_one.size() * 10 >= shared.size() * 9 ? of_one : shared;
  }
  std::vector<SharedOp> of_devices() { return matched(log_names(), device_names()); }

 private:
  std::vector<NamedOp> keyed(const std::vector<HostOps::Op>& host_ops) {
    std::vector<NamedOp> ops;
    ops.reserve(host_ops.size());
    for (const HostOps::Op& op : host_ops) ops.push_back({keys_.intern(op.text), op.time_ns});
    return ops;
  }
  std::vector<NamedOp> log_locations() {
    std::vector<NamedOp> ops;
    for (const mem::ExecutedOp& op : rank_.ops) {
      if (op.loc == kNone) continue;
      const std::string_view loc = log_.locs[op.loc];
      if (loc.empty() || loc == "unknown") continue;
      ops.push_back({keys_.intern(loc), op.line});
    }
    return ops;
  }
  std::vector<NamedOp> log_names() {
    std::vector<NamedOp> ops;
    for (const mem::ExecutedOp& op : rank_.ops) {
      if (!mem::is_counted(log_, op)) continue;
      ops.push_back({keys_.intern(plain_name(log_.name_of(op))), op.line});
    }
    return ops;
  }
  /// Of the first device: the others run the same.
  std::vector<NamedOp> device_names() {
    std::vector<NamedOp> ops;
    for (const timeline::Track& track : timeline_.tracks) {
      if (track.kind != timeline::TrackKind::kOps) continue;
      for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
        ops.push_back(
            {keys_.intern(plain_name(timeline_.name_of_zone(zone))), timeline_.zones.start_ns[zone]});
      }
      break;
    }
    return ops;
  }

  const mem::RuntimeLog& log_;
  const mem::RankLog& rank_;
  const Timeline& timeline_;
  StringPool keys_;
};

/// How many folders two files have in common.
std::size_t shared_folders(const std::string& path, const std::string& other) {
  std::error_code error;
  const auto folder = [&](const std::string& file) {
    return std::filesystem::absolute(file, error).lexically_normal().parent_path();
  };
  const std::filesystem::path one = folder(path);
  const std::filesystem::path two = folder(other);
  const auto [end, other_end] = std::mismatch(one.begin(), one.end(), two.begin(), two.end());
  return static_cast<std::size_t>(std::distance(one.begin(), end));
}

/// The hosts that a process may have run on: by the folders that their files share with the log, else by the
/// order of the ranks.
std::vector<std::size_t> hosts_of(const LogProcess& process, const std::vector<HostOps>& hosts) {
  std::vector<std::size_t> nearest;
  std::size_t most = 0;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    std::size_t shared = 0;
    for (const std::string& path : hosts[i].paths)
      shared = std::max(shared, shared_folders(process.path, path));
    if (shared > most) nearest.clear();
    if (shared >= most) nearest.push_back(i);
    most = std::max(most, shared);
  }
  const bool is_by_rank = nearest.size() > 1 && process.log.ranks.size() == hosts.size();
  return is_by_rank ? std::vector<std::size_t>{process.rank} : nearest;
}

}  // namespace

HostOps collect_host_ops(const Timeline& host, std::int64_t shift_ns) {
  HostOps host_ops;
  for (const timeline::TimelineSource& source : host.sources) host_ops.paths.push_back(source.path);
  for (const timeline::Message& message : host.messages) {
    const std::string_view text = host.text(message.text);
    if (!text.starts_with("loc(") && !text.starts_with("MLIR_OP_LOCATION")) continue;
    const std::string_view loc = location_text(text);
    if (!loc.empty()) host_ops.locations.push_back({std::string(loc), message.time_ns + shift_ns});
  }
  take_names(host, shift_ns, host_ops);
  return host_ops;
}

SharedOps shared_ops(const LogProcess& process, const std::vector<HostOps>& hosts, const Timeline& timeline) {
  OpFinder finder(process, timeline);
  SharedOps found;
  const std::vector<std::size_t> candidates = hosts_of(process, hosts);
  std::size_t answers = 0;
  for (const std::size_t host : candidates) {
    std::vector<SharedOp> ops = finder.ops_shared_with(hosts[host]);
    answers += ops.empty() ? 0 : 1;
    if (ops.size() <= found.ops.size()) continue;
    found.ops = std::move(ops);
    found.host = host;
  }
  found.is_host_guessed = answers > 1;
  if (found.ops.empty()) found.ops = finder.of_devices();
  return found;
}

namespace {

using timeline::Alignment;
using timeline::AlignmentBasis;
using timeline::FindingKind;
using timeline::LineClock;

/// Stamps of this resolution tell more than the ops between them do.
constexpr std::int64_t kFineNs = 10'000;
constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kZoneNs = 900 * kSecondNs;  ///< zones are whole quarters of hours
constexpr std::int64_t kDayNs = 86400 * kSecondNs;

/// Where the lines of a log are on the axis.
class LogAxis {
 public:
  LogAxis(const mem::LineTimes& times, std::vector<SharedOp> shared)
      : times_(times), shared_(std::move(shared)) {
    if (!shared_.empty()) {
      alignment.basis = AlignmentBasis::kOps;
      alignment.samples = shared_.size();
      fit_stamps();
    }
  }

  /// By the time of day alone; without an origin it begins where the axis begins.
  void use_time_of_day(const std::optional<LineClock>& origin, std::int64_t first_ns, bool is_alone) {
    by_stamps_ = true;
    const std::int64_t begin = times_.moments().front().ns;
    if (is_alone || !origin) {
      offset_ns_ = first_ns - begin;
      alignment.basis = is_alone ? AlignmentBasis::kAxis : AlignmentBasis::kStart;
      return;
    }
    offset_ns_ = -origin->at_zero_ns;
    if (const std::int64_t unit_ns = doubt_of(*origin); unit_ns > 0) {
      const double distance = static_cast<double>(begin + offset_ns_);
      offset_ns_ -= std::llround(distance / static_cast<double>(unit_ns)) * unit_ns;
    }
    alignment.basis = AlignmentBasis::kStamps;
    alignment.samples = times_.moments().size();
    alignment.worst_ns = origin->within_ns > 0 ? static_cast<double>(origin->within_ns) : -1;
  }

  /// What its lines say of the axis.
  std::optional<LineClock> clock() const {
    if (!by_stamps_) return std::nullopt;
    return LineClock{-offset_ns_, 0, times_.has_date(), times_.has_zone()};
  }

  bool is_known() const { return by_stamps_ || !shared_.empty(); }
  bool is_by_stamps() const { return by_stamps_; }

  std::int64_t at(std::uint32_t line) const {
    if (by_stamps_) return times_.at(line) + offset_ns_;
    const auto behind =
        std::lower_bound(shared_.begin(), shared_.end(), line,
                         [](const SharedOp& op, std::uint32_t wanted) { return op.line < wanted; });
    if (behind == shared_.end()) return shared_.back().time_ns + past(shared_.back().line, line);
    if (behind->line == line) return behind->time_ns;
    if (behind == shared_.begin()) return behind->time_ns - past(line, behind->line);
    const SharedOp& before = *(behind - 1);
    const double share = static_cast<double>(line - before.line) / (behind->line - before.line);
    return before.time_ns +
           static_cast<std::int64_t>(share * static_cast<double>(behind->time_ns - before.time_ns));
  }

  Alignment alignment;

 private:
  /// Of what whole multiples two times of day may differ that mean the same: both are taken to be near.
  std::int64_t doubt_of(const LineClock& origin) const {
    if (times_.has_zone() != origin.has_zone) return kZoneNs;
    return times_.has_date() && origin.has_date ? 0 : kDayNs;
  }

  /// What stamps say that passed between two lines.
  std::int64_t past(std::uint32_t from, std::uint32_t to) const {
    return times_.is_known() ? times_.at(to) - times_.at(from) : 0;
  }

  /// The distance of the two clocks, where every line has a time of its own.
  void fit_stamps() {
    if (!times_.is_known()) return;
    std::vector<std::int64_t> distances;
    for (const SharedOp& op : shared_) {
      if (times_.doubt_ns(op.line) <= kFineNs) distances.push_back(op.time_ns - times_.at(op.line));
    }
    if (distances.size() * 2 < shared_.size()) return;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    offset_ns_ = *middle;
    by_stamps_ = true;
    for (const std::int64_t distance : distances) {
      alignment.worst_ns = std::max(alignment.worst_ns, std::abs(static_cast<double>(distance - offset_ns_)));
    }
  }

  const mem::LineTimes& times_;
  std::vector<SharedOp> shared_;
  bool by_stamps_ = false;
  std::int64_t offset_ns_ = 0;
};

/// Where a state stands: its own line, or, where ops alone have times, that of the op that it was printed
/// for.
std::uint32_t line_of_state(const mem::RankLog& rank, const mem::MemoryBlock& block, std::size_t memory,
                            const LogAxis& axis) {
  const bool is_of_op =
      block.moment == mem::MemoryBlock::Moment::kBeforeOp && block.before_op < rank.ops.size();
  if (!axis.is_by_stamps() && is_of_op) return rank.ops[block.before_op].line;
  return block.view_line[memory] != 0 ? block.view_line[memory] : block.line;
}

void add_curves(const mem::RuntimeLog& log, const mem::RankLog& rank, const LogAxis& axis,
                Timeline& timeline) {
  const auto group = static_cast<std::uint32_t>(timeline.groups.size() - 1);
  for (const mem::Memory memory : mem::kMemories) {
    timeline::Plot plot;
    plot.name = timeline.texts.intern(fmt::format("{} allocated", mem::name_of(memory)));
    plot.unit = timeline::PlotUnit::kBytes;
    plot.made = true;
    plot.group = group;
    for (const mem::MemoryBlock& block : rank.blocks) {
      if (!block.has(memory)) continue;
      const std::size_t index = mem::index_of(memory);
      const auto banks = static_cast<std::int64_t>(log.geometries[block.geometry].banks[index]);
      const auto bytes =
          static_cast<double>(mem::bytes_of(block.allocated[index]) * std::max<std::int64_t>(banks, 1));
      std::int64_t at = axis.at(line_of_state(rank, block, index, axis));
      if (!plot.points.empty()) at = std::max(at, plot.points.back().time_ns);
      plot.points.push_back({at, bytes});
    }
    const bool is_used = std::any_of(plot.points.begin(), plot.points.end(),
                                     [](const timeline::PlotPoint& point) { return point.value > 0; });
    if (is_used) timeline.plots.push_back(std::move(plot));
  }
}

/// When the axis began, as a capture says it, else as the lines of a log before this one.
std::optional<LineClock> origin_of(const Timeline& timeline) {
  std::optional<LineClock> of_log;
  for (const timeline::TimelineSource& source : timeline.sources) {
    if (source.captured_at_ns != 0)
      return LineClock{source.captured_at_ns, source.captured_within_ns, true, true};
    if (!of_log) of_log = source.lines;
  }
  return of_log;
}

/// Of the lines that a curve is made of, what could not be read or was mended.
void add_problems_of_log(const mem::RuntimeLog& log, const std::string& name, Timeline& timeline) {
  using mem::LogProblem;
  for (const LogProblem problem :
       {LogProblem::kOpTextUnparsed, LogProblem::kOpTextCut, LogProblem::kBlockIncomplete,
        LogProblem::kBlockDisplaced, LogProblem::kBlockWithoutOp, LogProblem::kBadMemoryNumber,
        LogProblem::kViewInconsistent, LogProblem::kProgramLeftOpen, LogProblem::kLineTooLong,
        LogProblem::kLogWrapped, LogProblem::kInvalidUtf8}) {
    const std::uint64_t count = log.problems.count(problem);
    if (count == 0) continue;
    const std::vector<Place>& places = log.problems.places(problem);
    timeline.findings.push_back(
        {.kind = FindingKind::kBadRecords,
         .file = name,
         .problem = std::string(mem::info_of(problem).key),
         .text = std::string(mem::info_of(problem).sentence),
         .place = places.empty() ? std::string() : fmt::format("line {}", places.front().line),
         .count = count});
  }
}

/// The curves of a log, process by process.
class LogCurves {
 public:
  LogCurves(const MemoryLog& input, const mem::RuntimeLog& log, const mem::LineTimes& times)
      : input_(input), log_(log), times_(times) {}

  Result<void> add(const std::vector<HostOps>& hosts, Timeline& timeline) {
    const bool is_alone = !timeline.has_content();
    for (std::size_t rank = 0; rank < log_.ranks.size(); ++rank) {
      if (log_.ranks[rank].blocks.empty()) continue;
      Result<void> added = add_process({input_.path, log_, rank}, hosts, is_alone, timeline);
      if (!added) return added;
    }
    return {};
  }

  /// Of the first process whose lines have times.
  const std::optional<LineClock>& clock() const { return clock_; }

 private:
  Result<void> add_process(const LogProcess& process, const std::vector<HostOps>& hosts, bool is_alone,
                           Timeline& timeline) {
    const mem::RankLog& rank = log_.ranks[process.rank];
    const std::string what =
        log_.ranks.size() > 1 ? fmt::format("{} rank {}", input_.name, rank.number) : input_.name;
    SharedOps shared = shared_ops(process, hosts, timeline);
    LogAxis axis(times_, std::move(shared.ops));
    if (!axis.is_known() && times_.is_known())
      axis.use_time_of_day(origin_of(timeline), timeline.first_ns, is_alone);
    if (!axis.is_known() && is_alone) {
      return failure(
          bad_input(fmt::format("{}: its lines have no times; give it together with the capture or the "
                                "profiler's folder of the same run, or "
                                "keep it with times (| ts '%Y-%m-%dT%H:%M:%.S')",
                                input_.path)));
    }
    if (!axis.is_known()) {
      timeline.findings.push_back({.kind = FindingKind::kLogWithoutTimes, .file = input_.path});
      return {};
    }
    if (shared.is_host_guessed) {
      const std::vector<std::string>& paths = hosts[shared.host].paths;
      timeline.findings.push_back({.kind = FindingKind::kHostGuessed,
                                   .file = what,
                                   .place = paths.empty() ? std::string() : paths.front()});
    }
    timeline.groups.push_back({timeline.texts.intern("Memory of " + what), kNone});
    add_curves(log_, rank, axis, timeline);
    if (!clock_) clock_ = axis.clock();
    axis.alignment.what = what;
    timeline.alignments.push_back(axis.alignment);
    return {};
  }

  const MemoryLog& input_;
  const mem::RuntimeLog& log_;
  const mem::LineTimes& times_;
  std::optional<LineClock> clock_;
};

}  // namespace

std::vector<MemoryLog> named_logs(const std::vector<std::string>& paths) {
  std::vector<MemoryLog> logs;
  std::map<std::string, std::size_t> used;
  for (const std::string& path : paths) {
    logs.push_back({path, std::filesystem::path(path).filename().string()});
    ++used[logs.back().name];
  }
  const std::vector<std::string> folders = io::input_names(paths);
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (used[logs[i].name] > 1) logs[i].name = folders[i] + "/" + logs[i].name;
  }
  return logs;
}

Result<void> add_memory_curves(const MemoryLog& input, const std::vector<HostOps>& hosts, unsigned threads,
                               Timeline& timeline) {
  mem::LoadOptions load;
  load.threads = threads;
  const Result<mem::RuntimeLog> log = mem::load_runtime_logs({input.path}, load);
  if (!log) return failure(log.error());
  ASSIGN_OR_RETURN(const io::WholeText text, io::open_whole_text(input.path));
  for (const std::string& warning : log->warnings)
    timeline.findings.push_back(timeline::reader_warning(warning));
  add_problems_of_log(*log, input.name, timeline);
  timeline::TimelineSource source = {.path = input.path, .format = "runtime log"};
  const bool has_blocks = std::any_of(log->ranks.begin(), log->ranks.end(),
                                      [](const mem::RankLog& rank) { return !rank.blocks.empty(); });
  if (!has_blocks) {
    timeline.findings.push_back({.kind = FindingKind::kLogWithoutMemory, .file = input.path});
  } else {
    const mem::LineTimes times(text.bytes());
    LogCurves curves(input, *log, times);
    if (Result<void> added = curves.add(hosts, timeline); !added) return added;
    source.lines = curves.clock();
  }
  timeline.sources.push_back(std::move(source));
  return {};
}

}  // namespace ttscope::app
