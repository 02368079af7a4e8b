// Declared in log_part.h, of which it is the second half.
#include "perf/read/device_log/log_part.h"

namespace ttscope::perf {

void LogPart::widen(CycleSpan& span, const CycleSpan& other) const {
  if (other.start != kNoCycle) order_.keep_first(span.start, other.start);
  if (other.end != kNoCycle) order_.keep_last(span.end, other.end);
}

std::uint32_t LogPart::join_record(const CoreRecord& from, std::uint32_t base) {
  std::uint32_t last = base;
  for (std::size_t slot = 0; slot < kRiscSlotCount; ++slot) {
    const auto bit = static_cast<std::uint8_t>(1u << slot);
    const auto risc = static_cast<RiscSlot>(slot);
    if (((from.fw_starts | from.fw_ends | from.kernel_starts | from.kernel_ends) & bit) == 0) continue;
    last = (from.fw_starts & bit) != 0 ? next_record(base, risc) : current_record(base, risc);
    CoreRecord& to = records[last];
    to.fw_starts |= from.fw_starts & bit;
    to.fw_ends |= from.fw_ends & bit;
    to.kernel_starts |= from.kernel_starts & bit;
    to.kernel_ends |= from.kernel_ends & bit;
    widen(to.kernel[slot], from.kernel[slot]);
  }
  CoreRecord& to = records[last];
  to.repeated |= from.repeated;
  widen(to.fw, from.fw);
  widen(to.compute_fw, from.compute_fw);
  if (from.last_kernel_start != kNoCycle) order_.keep_last(to.last_kernel_start, from.last_kernel_start);
  if (from.first_cycle != kNoCycle) order_.keep_first(to.first_cycle, from.first_cycle);
  return last;
}

std::uint32_t LogPart::take_over(CoreRecord record) {
  const std::size_t known = records.size();
  const std::uint32_t base = base_record(record.key, record.core);
  const bool is_new = records.size() > known;
  if (!is_new || record.occurrence != 0) return join_record(record, base);
  // Nothing to join with: a core's rows are mostly in one part.
  record.next = kNone;
  records[base] = record;
  return base;
}

void LogPart::index_core(std::uint32_t core) {
  unindexed_cores_[core] = false;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    if (records[i].core != core || records[i].occurrence != 0) continue;
    bool added = false;
    *pair_slots_.find_or_add((std::uint64_t{records[i].key} << 32) | core, added) = i;
  }
}

/// Mostly a core's rows are in one part: what is about cores that were not seen here is taken as it is,
/// without looking for what to join it with. The new numbers of the records.
std::vector<std::uint32_t> LogPart::join_records(const LogPart& later,
                                                 const std::vector<std::uint32_t>& new_keys) {
  const std::size_t known_cores = cores.size();
  std::vector<std::uint32_t> new_cores;
  new_cores.reserve(later.cores.size());
  for (const CorePlace& core : later.cores) new_cores.push_back(core_index(core.device, core.x, core.y));
  unindexed_cores_.resize(known_cores, false);
  unindexed_cores_.resize(cores.size(), true);
  const auto is_new = [&](const CoreRecord& record) { return new_cores[record.core] >= known_cores; };
  std::vector<std::uint32_t> new_records(later.records.size());
  records.reserve(records.size() + later.records.size());
  // A chain's records follow their base, so the first ones come first.
  for (std::size_t i = 0; i < later.records.size(); ++i) {
    CoreRecord record = later.records[i];
    record.key = new_keys[record.key];
    record.core = new_cores[record.core];
    if (is_new(later.records[i])) {
      new_records[i] = static_cast<std::uint32_t>(records.size());
      records.push_back(record);
    } else {
      new_records[i] = take_over(record);
    }
  }
  for (std::size_t i = 0; i < later.records.size(); ++i) {
    std::uint32_t& next = records[new_records[i]].next;
    if (is_new(later.records[i]) && next != kNone) next = new_records[next];
  }
  for (const auto& [base, chain] : later.chains_) {
    if (!is_new(later.records[base])) continue;
    Chain& mine = chains_[new_records[base]];
    for (std::size_t slot = 0; slot < kRiscSlotCount; ++slot) mine[slot] = new_records[chain[slot]];
  }
  return new_records;
}

void LogPart::join(LogPart& later) {
  std::vector<std::uint32_t> new_keys;
  for (const KeyEntry& entry : later.keys) {
    new_keys.push_back(key_index(entry.key));
    KeyEntry& mine = keys[new_keys.back()];
    mine.sub_device_conflict |=
        entry.sub_device_conflict || (mine.sub_device != kNoFigure && entry.sub_device != kNoFigure &&
                                      mine.sub_device != entry.sub_device);
    if (entry.sub_device != kNoFigure) mine.sub_device = entry.sub_device;
  }
  const std::vector<std::uint32_t> new_records = join_records(later, new_keys);
  std::vector<std::uint32_t> new_counters;
  for (std::uint32_t i = 0; i < later.counter_names.size(); ++i) {
    new_counters.push_back(counter_names.intern(later.counter_names[i]));
  }
  const auto take_samples = [&](std::vector<Sample>& to, const std::vector<Sample>& from, bool counted) {
    for (Sample sample : from) {
      sample.record = new_records[sample.record];
      if (counted) sample.counter = new_counters[sample.counter];
      to.push_back(sample);
    }
  };
  take_samples(waits, later.waits, false);
  take_samples(reserves, later.reserves, false);
  take_samples(counters, later.counters, true);
  dispatch.insert(dispatch.end(), later.dispatch.begin(), later.dispatch.end());
  rows += later.rows;
  rejected += later.rejected;
  for (const std::size_t offset : later.rejected_offsets) {
    if (rejected_offsets.size() < PerfProblems::kPlacesKept) rejected_offsets.push_back(offset);
  }
  user_starts += later.user_starts;
  user_ends += later.user_ends;
  user_marks += later.user_marks;
  wide |= later.wide;
}

}  // namespace ttscope::perf
