#include "perf/read/device_log/zone_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/number_text.h"
#include "base/parallel.h"
#include "perf/model/device_timer.h"
#include "perf/read/device_log/device_log.h"
#include "perf/read/device_log/log_lines.h"
#include "perf/read/device_log/zone_names.h"

namespace ttscope::perf {
namespace {

constexpr std::size_t kLeastShare = std::size_t{1} << 20;

/// Lines of one processor that follow each other.
struct Run {
  std::string_view processor;  ///< `3,1,1,BRISC,`
  ZonePlace::Stretch stretch;
};

/// What a line begins with is compared with the last one's: that is all this pass does with most of them.
std::vector<Run> find_runs(std::string_view text, std::size_t begin, std::size_t end) {
  std::vector<Run> runs;
  for (std::size_t at = begin; at < end;) {
    const std::size_t next = line_end(text, at);
    const bool same = !runs.empty() && !runs.back().processor.empty() &&
                      text.compare(at, runs.back().processor.size(), runs.back().processor) == 0;
    if (!same) runs.push_back({processor_of(without_break(text.substr(at, next - at))), {at, at}});
    runs.back().stretch.end = next;
    at = next;
  }
  return runs;
}

using PlaceKey = std::tuple<std::uint32_t, std::uint16_t, std::uint16_t, std::string_view>;
using PlaceMap = std::map<PlaceKey, std::vector<ZonePlace::Stretch>>;

void add_stretch(PlaceMap& places, const PlaceKey& key, ZonePlace::Stretch stretch) {
  std::vector<ZonePlace::Stretch>& list = places[key];
  if (!list.empty() && list.back().end == stretch.begin) {
    list.back().end = stretch.end;
  } else {
    list.push_back(stretch);
  }
}

/// False if this is no processor.
bool read_place(std::string_view processor, PlaceKey& key) {
  std::array<std::string_view, 4> fields;
  for (std::string_view& field : fields) {
    const std::size_t comma = processor.find(',');
    if (comma == std::string_view::npos) return false;
    field = processor.substr(0, comma);
    processor.remove_prefix(comma + 1);
  }
  const auto device = parse_unsigned(fields[0]);
  const auto x = parse_unsigned(fields[1]);
  const auto y = parse_unsigned(fields[2]);
  if (!device || !x || !y || *device > UINT32_MAX || *x > UINT16_MAX || *y > UINT16_MAX) return false;
  key = {static_cast<std::uint32_t>(*device), static_cast<std::uint16_t>(*x), static_cast<std::uint16_t>(*y),
         fields[3]};
  return true;
}

PlaceMap find_places(std::string_view text, std::size_t begin, unsigned threads) {
  const std::size_t size = text.size() - begin;
  const std::size_t shares = std::clamp<std::size_t>(size / kLeastShare, 1, std::max(1u, threads));
  std::vector<std::size_t> cuts = {begin};
  for (std::size_t i = 1; i < shares; ++i) {
    cuts.push_back(std::max(cuts.back(), line_end(text, begin + size / shares * i)));
  }
  cuts.push_back(text.size());
  std::vector<std::vector<Run>> runs(shares);
  run_parallel(shares, threads, [&](std::size_t i) { runs[i] = find_runs(text, cuts[i], cuts[i + 1]); });
  PlaceMap places;
  PlaceKey key;
  for (const std::vector<Run>& share : runs) {
    for (const Run& run : share) {
      if (read_place(run.processor, key)) add_stretch(places, key, run.stretch);
    }
  }
  return places;
}

/// The same for logs whose columns are known by their names only.
PlaceMap find_old_places(std::string_view text, std::size_t begin, const std::vector<std::string>& columns) {
  PlaceMap places;
  NamedRowReader reader(columns);
  if (!reader.is_usable()) return places;
  LogRow row;
  for (std::size_t at = begin; at < text.size();) {
    const std::size_t next = line_end(text, at);
    if (reader.parse(without_break(text.substr(at, next - at)), row)) {
      add_stretch(places, {row.device, row.x, row.y, row.risc_text}, {at, next});
    }
    at = next;
  }
  return places;
}

}  // namespace

namespace {

/// What a row is by its type alone; of starts and ends the name decides.
ZoneKind kind_of_marker(MarkerType type) {
  if (type == MarkerType::kTotal) return ZoneKind::kSum;
  if (type == MarkerType::kData) return ZoneKind::kData;
  return type == MarkerType::kEvent ? ZoneKind::kEvent : ZoneKind::kUser;
}

}  // namespace

ZonePlaces::ZonePlaces(std::string_view text, unsigned threads) : text_(text) {
  DeviceLogHeader header;
  if (!read_device_log_header(text, header)) return;
  current_ = header.current_columns;
  columns_ = header.columns;
  PlaceMap places =
      current_ ? find_places(text, header.rows_at, threads) : find_old_places(text, header.rows_at, columns_);
  for (auto& [key, stretches] : places) {
    const auto& [device, x, y, risc] = key;
    places_.push_back({device, x, y, risc, std::move(stretches)});
  }
}

ZoneGroupReader::ZoneGroupReader(const ZonePlaces& places) : places_(places) {
  if (places.old_columns() != nullptr) old_reader_ = std::make_unique<NamedRowReader>(*places.old_columns());
}

ZoneGroup& ZoneGroupReader::read(const ZonePlace& place) {
  group_.device = place.device;
  group_.x = place.x;
  group_.y = place.y;
  group_.risc = place.risc;
  group_.markers.clear();
  group_.totals.clear();
  group_.wraps = true;
  for (const ZonePlace::Stretch& stretch : place.stretches) {
    read_stretch(places_.text().substr(stretch.begin, stretch.end - stretch.begin));
  }
  return group_;
}

void ZoneGroupReader::read_stretch(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = line_end(text, at);
    const std::string_view line = without_break(text.substr(at, next - at));
    at = next;
    if (line.size() > kMostLineBytes) continue;
    if (old_reader_ ? old_reader_->parse(line, row_) : reader_.parse(line, row_)) take(row_);
  }
}

void ZoneGroupReader::take(const LogRow& row) {
  const bool is_zone = row.type == MarkerType::kStart || row.type == MarkerType::kEnd;
  if (!is_zone && row.type != MarkerType::kTotal && !is_user_mark(row)) return;
  const std::uint32_t zone = zone_number(row);
  const std::uint32_t execution = execution_number(row);
  if (!is_zone) {
    group_.totals.push_back({row.time, row.data, zone, execution});
    return;
  }
  if ((row.time >> kTimerBits) != 0) group_.wraps = false;
  group_.markers.push_back({row.time, zone, execution, row.type == MarkerType::kStart});
}

std::uint32_t ZoneGroupReader::zone_number(const LogRow& row) {
  const MarkerType type = row.type == MarkerType::kEnd ? MarkerType::kStart : row.type;
  if (last_marker_ >= followers_.size()) followers_.resize(last_marker_ + 1);
  Follower& expected = followers_[last_marker_];
  const bool as_expected = !row.rest.empty() && !row.zone.empty() && expected.type == type &&
                           expected.rest == row.rest && expected.zone == row.zone;
  if (!as_expected) expected = {row.zone, row.rest, type, intern_zone(row)};
  const std::uint32_t number = expected.number;
  last_marker_ = 2 * std::size_t{number} + (row.type == MarkerType::kStart ? 1 : 0);
  return number;
}

std::uint32_t ZoneGroupReader::intern_zone(const LogRow& row) {
  const SourcePlace source = source_of(row);
  const std::string_view name = grouped_zone_name(row.zone, space_);
  const ZoneKind kind = kind_of_marker(row.type);
  key_.assign(1, static_cast<char>('0' + static_cast<int>(kind)));
  key_ += name;
  // The runtime leaves the name of a marker that it does not know empty; its number is all there is.
  if (name.empty())
    key_ += (kind == ZoneKind::kEvent ? "event " : "marker ") + std::to_string(row.timer & UINT16_MAX);
  const std::size_t name_end = key_.size();
  key_ += '\n';
  key_ += source.line;
  key_ += '\n';
  key_ += source.file;
  const std::uint32_t number = zone_keys_.intern(key_);
  if (number < catalog_.zones.size()) return number;
  ZoneSource& zone = catalog_.zones.emplace_back();
  zone.name = key_.substr(1, name_end - 1);
  zone.line = source.line;
  zone.file = source.file;
  zone.kind = kind == ZoneKind::kUser ? kind_of_zone(zone.name) : kind;
  zone.pair = pairs_.intern(bare_zone_name(zone.name));
  return number;
}

std::uint32_t ZoneGroupReader::execution_number(const LogRow& row) {
  if (row.op_id == 0) return kNone;
  const ExecutionKey key{0, row.op_id, row.trace, row.replay};
  if (last_execution_ != kNone && key == last_key_) return last_execution_;
  last_key_ = key;
  // The next processor of a core goes through the same executions in the same order.
  const std::size_t following = last_execution_ == kNone ? 0 : std::size_t{last_execution_} + 1;
  if (following < catalog_.executions.size() && catalog_.executions[following] == key) {
    last_execution_ = static_cast<std::uint32_t>(following);
    return last_execution_;
  }
  const auto [slot, added] =
      executions_.try_emplace(key, static_cast<std::uint32_t>(catalog_.executions.size()));
  if (added) catalog_.executions.push_back(key);
  last_execution_ = slot->second;
  return last_execution_;
}

}  // namespace ttscope::perf
