#include "perf/read/device_log/log_part.h"

#include <algorithm>

#include "base/none.h"
#include "base/number_text.h"
#include "perf/read/device_log/log_lines.h"

namespace ttscope::perf {
namespace {

/// The value of `"name":` in meta data, up to the next `;` or `}`; without quotes.
std::string_view meta_value(std::string_view meta, std::string_view name) {
  const std::size_t found = meta.find(name);
  if (found == std::string_view::npos) return {};
  std::string_view rest = meta.substr(found + name.size());
  if (rest.substr(0, 2) != "\":") return {};
  rest.remove_prefix(2);
  rest = trimmed(rest.substr(0, rest.find_first_of(";}")));
  if (rest.size() >= 2 && rest.front() == '"' && rest.back() == '"') rest = rest.substr(1, rest.size() - 2);
  return rest;
}

/// Zones of the dispatcher, and its note which program it is about to start.
bool is_dispatch(const LogRow& row) {
  if (row.type == MarkerType::kData) return row.meta.find("workers_runtime_id") != std::string_view::npos;
  return row.zone.size() > 3 && row.zone[0] == 'C' && row.zone[1] == 'Q' && row.zone[2] == '-';
}

/// Whether the start of this firmware zone begins the next execution on its processor. Processors that share
/// a slot with their master do not.
bool begins_execution(const LogRow& row) {
  if (row.zone.substr(0, 11) == "SUBORDINATE" || row.zone == "ERISC-IDLE-FW" || row.zone == "DM-FW")
    return false;
  return row.risc_text.substr(0, 6) != "QUASAR" || row.zone == "DM0-FW";
}

bool is_quasar_compute(const LogRow& row) {
  return row.risc == RiscSlot::kTrisc0 && row.risc_text.front() == 'Q';
}

}  // namespace

std::uint32_t* LogPart::Index::find_or_add(std::uint64_t key, bool& added) {
  if ((size_ + 1) * 4 > slots_.size() * 3) grow();
  std::size_t at = ExecutionKeyHash::mixed(key) & (slots_.size() - 1);
  while (slots_[at].value != kNone && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  added = slots_[at].value == kNone;
  if (added) {
    slots_[at].key = key;
    ++size_;
  }
  return &slots_[at].value;
}

void LogPart::Index::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(old.empty() ? 1024 : old.size() * 2, Slot{});
  for (const Slot& slot : old) {
    if (slot.value == kNone) continue;
    std::size_t at = ExecutionKeyHash::mixed(slot.key) & (slots_.size() - 1);
    while (slots_[at].value != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

void LogPart::expect(std::size_t text_bytes) {
  constexpr std::size_t kBytesOfRun = 2600;  // five processors with four markers each
  records.reserve(text_bytes / kBytesOfRun + 1);
}

std::uint32_t LogPart::key_index(const ExecutionKey& key) {
  bool added = false;
  std::uint32_t* slot = key_slots_.find_or_add(ExecutionKeyHash{}(key), added);
  const std::uint32_t first = added ? kNone : *slot;
  for (std::uint32_t at = first; at != kNone; at = key_next_[at]) {
    if (keys[at].key == key) return at;
  }
  const auto index = static_cast<std::uint32_t>(keys.size());
  keys.push_back({key, kNoFigure, false});
  key_next_.push_back(first);
  *slot = index;
  return index;
}

std::uint32_t LogPart::core_index(std::uint32_t device, std::uint16_t x, std::uint16_t y) {
  const std::uint64_t place = (std::uint64_t{device} << 32) | (std::uint64_t{x} << 16) | y;
  const auto [slot, added] = core_slots_.try_emplace(place, static_cast<std::uint32_t>(cores.size()));
  if (added) cores.push_back({device, x, y});
  return slot->second;
}

std::uint32_t LogPart::base_record(std::uint32_t key, std::uint32_t core) {
  if (core < unindexed_cores_.size() && unindexed_cores_[core]) index_core(core);
  bool added = false;
  std::uint32_t* slot = pair_slots_.find_or_add((std::uint64_t{key} << 32) | core, added);
  if (added) {
    *slot = static_cast<std::uint32_t>(records.size());
    CoreRecord& record = records.emplace_back();
    record.key = key;
    record.core = core;
  }
  return *slot;
}

std::uint32_t LogPart::current_record(std::uint32_t base, RiscSlot risc) {
  if (records[base].next == kNone) return base;
  return chains_.at(base)[static_cast<std::size_t>(risc)];
}

/// The first execution, from the processor's current one on, where it has not started yet.
std::uint32_t LogPart::next_record(std::uint32_t base, RiscSlot risc) {
  const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(risc));
  std::uint32_t at = current_record(base, risc);
  while ((records[at].fw_starts & bit) != 0) {
    if (records[at].next == kNone) {
      CoreRecord added;
      added.key = records[at].key;
      added.core = records[at].core;
      added.occurrence = records[at].occurrence + 1;
      records[at].next = static_cast<std::uint32_t>(records.size());
      records.push_back(added);
      if (chains_.find(base) == chains_.end()) chains_[base].fill(base);
    }
    at = records[at].next;
  }
  if (records[base].next != kNone) chains_.at(base)[static_cast<std::size_t>(risc)] = at;
  return at;
}

void LogPart::locate(const LogRow& row) {
  const bool same_core = core_ != kNone && cores[core_].x == row.x && cores[core_].y == row.y &&
                         cores[core_].device == row.device;
  if (!same_core) core_ = core_index(row.device, row.x, row.y);
  const ExecutionKey key{row.device, row.op_id, row.trace, row.replay};
  const bool same_key = key_ != kNone && keys[key_].key == key;
  if (same_core && same_key) return;
  // The next processor of a core goes through the same executions in the same order.
  const std::uint32_t hint = base_ + 1;
  if (base_ != kNone && hint < records.size() && records[hint].core == core_ &&
      records[hint].occurrence == 0 && keys[records[hint].key].key == key) {
    key_ = records[hint].key;
    base_ = hint;
    return;
  }
  if (!same_key) key_ = key_index(key);
  base_ = base_record(key_, core_);
}

void LogPart::take(const LogRow& row) {
  ++rows;
  wide |= (row.time >> kTimerBits) != 0;
  if (is_dispatch(row)) take_dispatch(row);
  user_marks += is_user_mark(row) ? 1 : 0;
  if (row.op_id == 0 || row.risc == RiscSlot::kCount) return;
  const ZoneRole role = zone_role(row.zone, substrings_);
  const bool is_sum =
      row.type == MarkerType::kTotal && (role == ZoneRole::kCbWait || role == ZoneRole::kCbReserve);
  const bool is_zone = row.type == MarkerType::kStart || row.type == MarkerType::kEnd;
  if (role == ZoneRole::kOther && is_zone) ++(row.type == MarkerType::kStart ? user_starts : user_ends);
  const bool is_counter =
      row.timer == kPerfCounterTimer && row.type == MarkerType::kData && !row.meta.empty();
  const bool matters = is_sum || is_counter || (is_zone && role != ZoneRole::kOther);
  // Data of the dispatcher name programs too; only what a program itself recorded makes it an execution.
  if (!matters && row.meta.find("sub_device_id") == std::string_view::npos) return;
  locate(row);
  if (is_counter) {
    take_counter(row);
  } else if (!row.meta.empty()) {
    take_meta(row);
  }
  if (is_sum) {
    (role == ZoneRole::kCbWait ? waits : reserves)
        .push_back({current_record(base_, row.risc), 0, static_cast<double>(row.data), 0});
  } else if (is_zone && (role == ZoneRole::kFw || role == ZoneRole::kKernel)) {
    take_zone(row, role);
  }
}

void LogPart::take_zone(const LogRow& row, ZoneRole role) {
  const bool start = row.type == MarkerType::kStart;
  const bool new_run = role == ZoneRole::kFw && start && begins_execution(row);
  CoreRecord& record = records[new_run ? next_record(base_, row.risc) : current_record(base_, row.risc)];
  const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(row.risc));
  order_.keep_first(record.first_cycle, row.time);
  if (role == ZoneRole::kFw) {
    (start ? record.fw_starts : record.fw_ends) |= bit;
    CycleSpan& fw = is_quasar_compute(row) ? record.compute_fw : record.fw;
    if (start) {
      order_.keep_first(fw.start, row.time);
    } else {
      order_.keep_last(fw.end, row.time);
    }
    return;
  }
  CycleSpan& kernel = record.kernel[static_cast<std::size_t>(row.risc)];
  std::uint8_t& seen = start ? record.kernel_starts : record.kernel_ends;
  const bool shared = row.risc == RiscSlot::kErisc || row.risc_text.substr(0, 6) == "QUASAR" || substrings_;
  record.repeated |= (seen & bit) != 0 && !shared;
  seen |= bit;
  if (start) {
    order_.keep_first(kernel.start, row.time);
    order_.keep_last(record.last_kernel_start, row.time);
  } else {
    order_.keep_last(kernel.end, row.time);
  }
}

/// `{"sub_device_id":0;"sub_device_manager_id":7}`
void LogPart::take_meta(const LogRow& row) {
  KeyEntry& entry = keys[key_];
  if (entry.sub_device != kNoFigure && row.meta == last_meta_) return;
  const auto id = parse_whole(meta_value(row.meta, "sub_device_id"));
  if (!id) return;
  last_meta_ = row.meta;
  if (entry.sub_device != kNoFigure && entry.sub_device != *id) entry.sub_device_conflict = true;
  entry.sub_device = *id;
}

/// `{"counter type":"FPU_COUNTER";"ref cnt":5000;"value":123}`
void LogPart::take_counter(const LogRow& row) {
  const std::string_view name = meta_value(row.meta, "counter type");
  const auto value = parse_number(meta_value(row.meta, "value"));
  const auto reference = parse_number(meta_value(row.meta, "ref cnt"));
  if (name.empty() || !value || !reference) return;
  counters.push_back({current_record(base_, row.risc), counter_names.intern(name), *value, *reference});
}

void LogPart::take_dispatch(const LogRow& row) {
  if (row.risc == RiscSlot::kCount || row.risc == RiscSlot::kErisc) return;
  DispatchMarker& marker = dispatch.emplace_back();
  marker.device = row.device;
  marker.x = row.x;
  marker.y = row.y;
  marker.risc = row.risc;
  marker.is_start = row.type == MarkerType::kStart;
  marker.cycle = row.time;
  marker.op_id = row.op_id;
  marker.zone = row.zone;
  marker.meta = row.meta;
}

void LogPart::reject(std::size_t offset) {
  ++rejected;
  if (rejected_offsets.size() < PerfProblems::kPlacesKept) rejected_offsets.push_back(offset);
}

}  // namespace ttscope::perf
