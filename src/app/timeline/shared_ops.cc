#include "app/timeline/shared_ops.h"

#include <string>
#include <string_view>

#include "base/string_pool.h"
#include "diff/align/edit_script.h"

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

class OpFinder {
 public:
  OpFinder(const mem::RuntimeTrace& trace, const mem::RankTrace& rank, const Timeline& timeline)
      : trace_(trace), rank_(rank), timeline_(timeline) {}

  std::vector<SharedOp> find() {
    std::vector<SharedOp> shared = matched(log_locations(), told_locations());
    if (shared.empty()) shared = matched(log_names(), told_names());
    if (shared.empty()) shared = matched(log_names(), device_names());
    return shared;
  }

 private:
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
  std::vector<NamedOp> told_locations() {
    std::vector<NamedOp> ops;
    for (const timeline::Message& message : timeline_.messages) {
      const std::string_view text = timeline_.text(message.text);
      if (!text.starts_with("loc(") && !text.starts_with("MLIR_OP_LOCATION")) continue;
      const std::string_view loc = location_text(text);
      if (!loc.empty()) ops.push_back({keys_.intern(loc), message.time_ns});
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
  /// `TT_DNN_DEVICE_OP: "Matmul", 77, 0, true, 1024 ->`
  std::vector<NamedOp> told_names() {
    constexpr std::string_view kMark = "TT_DNN_DEVICE_OP: \"";
    std::vector<NamedOp> ops;
    for (const timeline::Message& message : timeline_.messages) {
      std::string_view text = timeline_.text(message.text);
      const std::size_t at = text.substr(0, kMark.size() + 1).find(kMark);
      if (at == std::string_view::npos) continue;
      text.remove_prefix(at + kMark.size());
      ops.push_back({keys_.intern(plain_name(text.substr(0, text.find('"')))), message.time_ns});
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

}  // namespace

std::vector<SharedOp> shared_ops(const mem::RuntimeTrace& trace, const mem::RankTrace& rank,
                                 const timeline::Timeline& timeline) {
  return OpFinder(trace, rank, timeline).find();
}

}  // namespace ttscope::app
