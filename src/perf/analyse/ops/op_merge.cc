#include "perf/analyse/ops/op_merge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/text_search.h"
#include "perf/analyse/ops/shown_times.h"

namespace ttscope::perf {
namespace {

constexpr std::size_t kMostWarnings = 3;

/// The ops of one device that are not merged yet.
struct DeviceQueue {
  std::int32_t device = 0;
  std::vector<std::uint32_t> rows;
  std::size_t next = 0;

  bool is_empty() const { return next == rows.size(); }
};

class DeviceMerger {
 public:
  DeviceMerger(const OpsReport& table, const Rules& rules, ShownOps& result)
      : table_(table), rules_(rules), result_(result) {}

  void merge(const std::vector<std::uint32_t>& window);

 private:
  std::uint32_t name_of(std::uint32_t row) const { return table_.kind_of(table_.rows[row]).op_code; }
  void fill_queues(const std::vector<std::uint32_t>& window);
  bool take_round();
  void add_merged();
  void add_single(std::uint32_t row);
  void warn(OpNote note) {
    if (warnings_++ < kMostWarnings || !rules_.counts_many_warnings) result_.notes.push_back(std::move(note));
  }

  const OpsReport& table_;
  const Rules& rules_;
  ShownOps& result_;
  std::vector<DeviceQueue> queues_;
  std::vector<std::uint32_t> round_;  ///< rows of the op that is merged
  std::size_t rounds_ = 0;
  std::size_t warnings_ = 0;
};

void DeviceMerger::add_single(std::uint32_t row) {
  ShownOp added;
  added.row = row;
  added.duration_ns = table_.rows[row].kernel_duration_ns;
  result_.rows.push_back(added);
}

void DeviceMerger::fill_queues(const std::vector<std::uint32_t>& window) {
  std::map<std::int32_t, std::size_t> places;
  for (const std::uint32_t row : window) {
    const OpRow& op = table_.rows[row];
    if (op.type != OpRowType::kDevice) {
      add_single(row);
      continue;
    }
    const auto [place, is_new] = places.try_emplace(op.device, queues_.size());
    if (is_new) queues_.push_back({op.device, {}, 0});
    queues_[place->second].rows.push_back(row);
  }
  std::sort(queues_.begin(), queues_.end(),
            [](const DeviceQueue& a, const DeviceQueue& b) { return a.device < b.device; });
}

/// Takes the next op from each device whose next op has the name of the first one's.
bool DeviceMerger::take_round() {
  round_.clear();
  std::uint32_t name = 0;
  bool named = false;
  std::vector<double> missing = {static_cast<double>(rounds_)};
  std::vector<OpNote> warnings;
  for (DeviceQueue& queue : queues_) {
    if (queue.is_empty()) {
      if (named || rules_.warns_before_names_are_known) {
        warnings.push_back(
            {NoteKind::kDeviceLacksOp,
             named ? std::vector<std::string>{std::string(table_.text(name))} : std::vector<std::string>(),
             {static_cast<double>(queue.device), static_cast<double>(rounds_)}});
      }
      continue;
    }
    const std::uint32_t row = queue.rows[queue.next];
    if (!named) {
      name = name_of(row);
      named = true;
    } else if (name_of(row) != name) {
      missing.push_back(queue.device);
      continue;
    }
    round_.push_back(row);
    ++queue.next;
  }
  if (missing.size() > 1)
    warnings.push_back({NoteKind::kOpOfSomeDevices, {std::string(table_.text(name))}, std::move(missing)});
  for (OpNote& warning : warnings) {
    if (!round_.empty()) warn(std::move(warning));
  }
  ++rounds_;
  return !round_.empty();
}

void DeviceMerger::add_merged() {
  const auto duration = [&](std::uint32_t row) { return table_.rows[row].kernel_duration_ns; };
  ShownOp added;
  added.row = round_.front();
  for (const std::uint32_t row : round_) {
    const bool is_first_measured = rules_.prefers_measured_device && !has_number(duration(added.row));
    if (duration(row) > duration(added.row) || is_first_measured) added.row = row;
  }
  added.duration_ns = duration(added.row);
  const std::string_view name = table_.text(name_of(round_.front()));
  if (contains(name, "AllGather") || contains(name, "ReduceScatter") || contains(name, "AllReduce")) {
    double sum = 0;
    double count = 0;
    for (const std::uint32_t row : round_) {
      if (!has_number(duration(row))) continue;
      sum += duration(row);
      ++count;
    }
    added.row = round_.front();
    added.duration_ns = count > 0 ? sum / count : kNoNumber;
  }
  if (queues_.size() > 1) {
    added.group = static_cast<std::uint32_t>(result_.groups.size());
    result_.groups.push_back(
        {static_cast<std::uint32_t>(result_.members.size()), static_cast<std::uint32_t>(round_.size())});
    result_.members.insert(result_.members.end(), round_.begin(), round_.end());
  }
  result_.rows.push_back(added);
}

void DeviceMerger::merge(const std::vector<std::uint32_t>& window) {
  result_.rows.reserve(window.size());
  fill_queues(window);
  while (take_round()) add_merged();
  if (warnings_ > kMostWarnings && rules_.counts_many_warnings) {
    result_.notes.push_back({NoteKind::kMoreOfThese, {}, {static_cast<double>(warnings_ - kMostWarnings)}});
  }
  std::stable_sort(result_.rows.begin(), result_.rows.end(),
                   [](const ShownOp& a, const ShownOp& b) { return a.row < b.row; });
}

std::uint32_t count_devices(const OpsReport& table, const std::vector<std::uint32_t>& window) {
  std::vector<bool> seen;
  std::uint32_t count = 0;
  for (const std::uint32_t row : window) {
    const OpRow& op = table.rows[row];
    if (op.device < 0) continue;
    const auto device = static_cast<std::size_t>(op.device);
    if (device >= seen.size()) seen.resize(device + 1);
    if (!seen[device]) ++count;
    seen[device] = true;
  }
  return count;
}

/// Ops that not all devices have: a device ended early, lost them, or runs another program.
void note_lacking_devices(const OpsReport& table, ShownOps& result) {
  const auto devices_of = [&](const ShownOp& row) {
    std::set<std::int32_t> devices;
    for_each_member(table, result, row,
                    [&](std::uint32_t member) { devices.insert(table.rows[member].device); });
    return devices;
  };
  std::set<std::int32_t> all;
  for (const ShownOp& row : result.rows) all.merge(devices_of(row));
  OpNote note = {NoteKind::kOpsOfSomeDevices, {}, {0, 0}};
  std::set<std::int32_t> lacking;
  for (const ShownOp& row : result.rows) {
    const std::set<std::int32_t> devices = devices_of(row);
    if (devices.empty() || devices.size() == all.size()) continue;
    if (note.figures[0]++ == 0) {
      note.names.emplace_back(table.text(table.kind_of(table.rows[row.row]).op_code));
      note.figures[1] = table.rows[row.row].id;
    }
    std::set_difference(all.begin(), all.end(), devices.begin(), devices.end(),
                        std::inserter(lacking, lacking.end()));
  }
  if (note.names.empty()) return;
  note.figures.insert(note.figures.end(), lacking.begin(), lacking.end());
  result.notes.push_back(std::move(note));
}

}  // namespace

void make_rows(const OpsReport& table, const std::vector<std::uint32_t>& window, const ShownOptions& options,
               ShownOps& result) {
  result.device_count = count_devices(table, window);
  const bool has_ops = std::any_of(window.begin(), window.end(), [&](std::uint32_t row) {
    return table.rows[row].type == OpRowType::kDevice;
  });
  if (options.no_merge_devices && result.device_count > 1) {
    result.notes.push_back({NoteKind::kDevicesApart, {}, {static_cast<double>(result.device_count)}});
  } else if (!has_ops) {
    result.notes.push_back({NoteKind::kNoDeviceOps});
  } else {
    if (result.device_count > (options.rules->notes_merging_of_one_device ? 0u : 1u)) {
      result.notes.push_back({NoteKind::kDevicesMerged, {}, {static_cast<double>(result.device_count)}});
    }
    const bool is_by_id = options.rules->knows_ops_by_program && result.device_count > 1 &&
                          group_by_program(table, window, result);
    if (is_by_id) {
      note_lacking_devices(table, result);
      return;
    }
    DeviceMerger(table, *options.rules, result).merge(window);
    return;
  }
  result.rows.reserve(window.size());
  for (const std::uint32_t row : window) {
    ShownOp added;
    added.row = row;
    added.duration_ns = table.rows[row].kernel_duration_ns;
    result.rows.push_back(added);
  }
}

}  // namespace ttscope::perf
