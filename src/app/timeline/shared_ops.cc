#include "app/timeline/shared_ops.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/string_pool.h"
#include "diff/align/edit_script.h"
#include "timeline/analyse/told_op.h"

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
void take_names(const Timeline& host, std::int64_t shift_ns, ToldOps& told) {
  std::map<std::string, std::vector<ToldOps::Op>, std::less<>> by_device;
  for (const timeline::Message& message : host.messages) {
    const auto op = timeline::told_op(host.text(message.text));
    if (!op) continue;
    told.names.push_back({plain_name(op->name), message.time_ns + shift_ns});
    by_device[std::string(op->device)].push_back(told.names.back());
  }
  for (auto& [device, ops] : by_device) {
    if (ops.size() > told.names_of_one.size()) told.names_of_one = std::move(ops);
  }
}

class OpFinder {
 public:
  OpFinder(const LogProcess& process, const Timeline& timeline)
      : trace_(process.trace), rank_(process.trace.ranks[process.rank]), timeline_(timeline) {}

  std::vector<SharedOp> told_by(const ToldOps& host) {
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
  std::vector<NamedOp> keyed(const std::vector<ToldOps::Op>& told) {
    std::vector<NamedOp> ops;
    ops.reserve(told.size());
    for (const ToldOps::Op& op : told) ops.push_back({keys_.intern(op.text), op.time_ns});
    return ops;
  }
  std::vector<NamedOp> log_locations() {
    std::vector<NamedOp> ops;
    for (const mem::ExecutedOp& op : rank_.ops) {
      if (op.loc == kNone) continue;
      const std::string_view loc = trace_.locs[op.loc];
      if (loc.empty() || loc == "unknown") continue;
      ops.push_back({keys_.intern(loc), op.line});
    }
    return ops;
  }
  std::vector<NamedOp> log_names() {
    std::vector<NamedOp> ops;
    for (const mem::ExecutedOp& op : rank_.ops) {
      if (!mem::is_counted(trace_, op)) continue;
      ops.push_back({keys_.intern(plain_name(trace_.name_of(op))), op.line});
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

  const mem::RuntimeTrace& trace_;
  const mem::RankTrace& rank_;
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
std::vector<std::size_t> hosts_of(const LogProcess& process, const std::vector<ToldOps>& hosts) {
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
  const bool is_by_rank = nearest.size() > 1 && process.trace.ranks.size() == hosts.size();
  return is_by_rank ? std::vector<std::size_t>{process.rank} : nearest;
}

}  // namespace

ToldOps told_ops(const Timeline& host, std::int64_t shift_ns) {
  ToldOps told;
  for (const timeline::TimelineSource& source : host.sources) told.paths.push_back(source.path);
  for (const timeline::Message& message : host.messages) {
    const std::string_view text = host.text(message.text);
    if (!text.starts_with("loc(") && !text.starts_with("MLIR_OP_LOCATION")) continue;
    const std::string_view loc = location_text(text);
    if (!loc.empty()) told.locations.push_back({std::string(loc), message.time_ns + shift_ns});
  }
  take_names(host, shift_ns, told);
  return told;
}

SharedOps shared_ops(const LogProcess& process, const std::vector<ToldOps>& hosts, const Timeline& timeline) {
  OpFinder finder(process, timeline);
  SharedOps found;
  const std::vector<std::size_t> candidates = hosts_of(process, hosts);
  std::size_t answers = 0;
  for (const std::size_t host : candidates) {
    std::vector<SharedOp> ops = finder.told_by(hosts[host]);
    answers += ops.empty() ? 0 : 1;
    if (ops.size() <= found.ops.size()) continue;
    found.ops = std::move(ops);
    found.host = host;
  }
  found.is_host_guessed = answers > 1;
  if (found.ops.empty()) found.ops = finder.of_devices();
  return found;
}

}  // namespace ttscope::app
