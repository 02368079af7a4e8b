#include "perf/read/log_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "base/number_text.h"
#include "base/resources.h"
#include "base/text.h"
#include "perf/model/capture_files.h"
#include "perf/model/device_profile.h"
#include "perf/read/device_log.h"

namespace ttscope::perf {
namespace {

/// Texts of a row are short; comparing eight bytes at a time in place beats a call for each.
bool equal_bytes(const char* a, const char* b, std::size_t size) {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  if (size >= sizeof(x)) {
    for (std::size_t at = 0; at + sizeof(x) <= size; at += sizeof(x)) {
      std::memcpy(&x, a + at, sizeof(x));
      std::memcpy(&y, b + at, sizeof(y));
      if (x != y) return false;
    }
    std::memcpy(&x, a + size - sizeof(x), sizeof(x));
    std::memcpy(&y, b + size - sizeof(y), sizeof(y));
    return x == y;
  }
  for (std::size_t at = 0; at < size; ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

bool is(std::string_view text, std::string_view name) {
  return text.size() == name.size() && equal_bytes(text.data(), name.data(), name.size());
}

/// Reads numbers and texts up to the next comma.
class Fields {
 public:
  explicit Fields(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  /// Digits only; an empty field is not a number.
  bool number(std::uint64_t& value) {
    const char* const start = at_;
    std::uint64_t sum = 0;
    while (at_ != end_ && static_cast<unsigned char>(*at_ - '0') < 10) {
      sum = sum * 10 + static_cast<unsigned char>(*at_ - '0');
      ++at_;
    }
    constexpr std::ptrdiff_t kMaxDigits = 19;  // no overflow below
    const bool good = at_ != start && at_ - start <= kMaxDigits && at_ != end_ && *at_ == ',';
    if (!good) return false;
    value = sum;
    ++at_;
    return true;
  }

  /// The same; an empty field is 0.
  bool number_or_none(std::uint64_t& value) {
    if (at_ == end_ || *at_ != ',') return number(value);
    value = 0;
    ++at_;
    return true;
  }

  /// The same with up to 20 digits (64-bit data) or no digit at all.
  bool optional(std::int64_t& value) {
    if (at_ != end_ && *at_ == ',') {
      value = -1;
      ++at_;
      return true;
    }
    const bool negative = at_ != end_ && *at_ == '-';
    if (negative) ++at_;
    std::uint64_t sum = 0;
    if (!number(sum) || sum > static_cast<std::uint64_t>(INT64_MAX)) return false;
    value = negative ? -1 : static_cast<std::int64_t>(sum);
    return true;
  }

  /// 64 bits; what does not fit becomes the most.
  bool data(std::uint64_t& value) {
    std::uint64_t sum = 0;
    bool over = false;
    const char* const start = at_;
    while (at_ != end_ && static_cast<unsigned char>(*at_ - '0') < 10) {
      const std::uint64_t digit = static_cast<unsigned char>(*at_ - '0');
      over |= sum > (UINT64_MAX - digit) / 10;
      sum = sum * 10 + digit;
      ++at_;
    }
    if (at_ == start || at_ == end_ || *at_ != ',') return no_data(value);
    value = over ? UINT64_MAX : sum;
    ++at_;
    return true;
  }

  /// Texts are short: calling a search function would cost more than looking.
  bool text(std::string_view& value) {
    const char* const start = at_;
    while (at_ != end_ && *at_ != ',') ++at_;
    if (at_ == end_) return false;
    value = {start, static_cast<std::size_t>(at_ - start)};
    ++at_;
    return true;
  }

  /// Goes behind these bytes if they are next.
  bool skip(std::string_view bytes) {
    if (bytes.empty() || static_cast<std::size_t>(end_ - at_) < bytes.size()) return false;
    if (!equal_bytes(at_, bytes.data(), bytes.size())) return false;
    at_ += bytes.size();
    return true;
  }

  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  /// What was read since `before` was the rest.
  std::string_view taken_from(std::string_view before) const {
    return before.substr(0, static_cast<std::size_t>(at_ - before.data()));
  }

 private:
  bool no_data(std::uint64_t& value) {
    std::string_view ignored;
    value = 0;
    return text(ignored);
  }

  const char* at_;
  const char* end_;
};

bool ends_with(std::string_view text, char end) { return !text.empty() && text.back() == end; }

/// The meta data of `12,file.cc,{...}`; file names may contain commas, braces stand only here.
std::string_view meta_of(std::string_view rest) {
  if (rest.empty() || rest.back() != '}') return {};
  const std::size_t open = rest.find(",{");
  return open == std::string_view::npos ? std::string_view{} : rest.substr(open + 1);
}

/// `3,1,1,BRISC,`
bool parse_processor(Fields& fields, LogRow& row) {
  std::uint64_t device = 0;
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  if (!fields.number(device) || !fields.number(x) || !fields.number(y)) return false;
  if (device > UINT32_MAX || x > UINT16_MAX || y > UINT16_MAX || !fields.text(row.risc_text)) return false;
  row.device = static_cast<std::uint32_t>(device);
  row.x = static_cast<std::uint16_t>(x);
  row.y = static_cast<std::uint16_t>(y);
  row.risc = slot_of(row.risc_text);
  return true;
}

constexpr std::array<std::string_view, 11> kFwZones = {"BRISC-FW",
                                                       "NCRISC-FW",
                                                       "TRISC-FW",
                                                       "ERISC-FW",
                                                       "TRACE-FW",
                                                       "DM0-FW",
                                                       "DM-FW",
                                                       "ERISC-IDLE-FW",
                                                       "SUBORDINATE-DM-FW",
                                                       "SUBORDINATE-ERISC-FW",
                                                       "SUBORDINATE-ERISC-IDLE-FW"};
constexpr std::array<std::string_view, 8> kKernelZones = {
    "BRISC-KERNEL", "NCRISC-KERNEL", "TRISC-KERNEL",      "ERISC-KERNEL",
    "TRACE-KERNEL", "DM-KERNEL",     "IDLE-ERISC-KERNEL", "DRISC-KERNEL"};

}  // namespace

RiscSlot slot_of(std::string_view risc) {
  if (risc == "BRISC") return RiscSlot::kBrisc;
  if (risc == "NCRISC") return RiscSlot::kNcrisc;
  if (risc == "TRISC_0") return RiscSlot::kTrisc0;
  if (risc == "TRISC_1") return RiscSlot::kTrisc1;
  if (risc == "TRISC_2") return RiscSlot::kTrisc2;
  if (risc == "ERISC") return RiscSlot::kErisc;
  if (risc == "TENSIX_RISC_AGG") return RiscSlot::kAggregate;
  if (risc.substr(0, 9) == "QUASAR_DM") return RiscSlot::kBrisc;
  if (risc.substr(0, 10) == "QUASAR_NEO") return RiscSlot::kTrisc0;
  return RiscSlot::kCount;
}

MarkerType marker_type(std::string_view text) {
  if (is(text, "ZONE_END")) return MarkerType::kEnd;
  if (is(text, "ZONE_START") || text == "begin") return MarkerType::kStart;
  if (text == "end") return MarkerType::kEnd;
  if (text == "ZONE_TOTAL") return MarkerType::kTotal;
  if (text == "TS_DATA" || text == "TS_DATA_16B") return MarkerType::kData;
  if (text == "TS_EVENT") return MarkerType::kEvent;
  return MarkerType::kOther;
}

ZoneRole zone_role(std::string_view zone, bool substrings) {
  if (substrings) {
    if (zone.find("-FW") != std::string_view::npos) return ZoneRole::kFw;
    if (zone.find("-KERNEL") != std::string_view::npos) return ZoneRole::kKernel;
  } else if (ends_with(zone, 'W')) {
    for (const std::string_view name : kFwZones) {
      if (is(zone, name)) return ZoneRole::kFw;
    }
  } else if (ends_with(zone, 'L')) {
    for (const std::string_view name : kKernelZones) {
      if (is(zone, name)) return ZoneRole::kKernel;
    }
  }
  if (zone == "CB-COMPUTE-WAIT-FRONT") return ZoneRole::kCbWait;
  if (zone == "CB-COMPUTE-RESERVE-BACK") return ZoneRole::kCbReserve;
  return ZoneRole::kOther;
}

std::string_view processor_of(std::string_view line) {
  std::size_t at = 0;
  for (int commas = 0; commas < 4; ++commas) {
    at = line.find(',', at);
    if (at == std::string_view::npos) return {};
    ++at;
  }
  return line.substr(0, at);
}

SourceLocation source_of(const LogRow& row) {
  std::string_view rest = row.rest;
  if (rest.empty()) return row.source;
  rest.remove_suffix(std::min(rest.size(), row.meta.size()));
  if (ends_with(rest, ',')) rest.remove_suffix(1);
  const std::size_t comma = rest.find(',');
  if (comma == std::string_view::npos) return {rest, {}};
  return {rest.substr(0, comma), rest.substr(comma + 1)};
}

bool RowReader::parse(std::string_view line, LogRow& row) {
  Fields fields(line);
  if (!fields.skip(processor_)) {
    processor_ = {};
    if (!parse_processor(fields, row)) return false;
    processor_ = fields.taken_from(line);
  }
  std::uint64_t timer = 0;
  if (!fields.number(timer) || !fields.number(row.time) || !fields.data(row.data)) return false;
  if (row.time > static_cast<std::uint64_t>(kMaxTicks)) return false;
  row.timer = static_cast<std::uint32_t>(timer);
  if (!fields.skip(op_)) {
    const std::string_view rest = fields.rest();
    if (!fields.number_or_none(row.op_id) || !fields.optional(row.trace) || !fields.optional(row.replay)) {
      op_ = {};
      return false;
    }
    op_ = fields.taken_from(rest);
  }
  std::string_view type;
  if (!fields.text(row.zone) || !fields.text(type)) return false;
  row.type = marker_type(type);
  row.rest = fields.rest();
  row.meta = meta_of(row.rest);
  return true;
}

namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// The first column with one of these names.
std::size_t place_of(const std::vector<std::string>& columns, const std::vector<std::string_view>& names) {
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] == name) return i;
    }
  }
  return kNowhere;
}

}  // namespace

NamedRowReader::NamedRowReader(const std::vector<std::string>& columns)
    : places_{place_of(columns, {"PCIe slot"}),
              place_of(columns, {"core_x"}),
              place_of(columns, {"core_y"}),
              place_of(columns, {"RISC processor type"}),
              place_of(columns, {"timer_id"}),
              place_of(columns, {"time[cycles since reset]"}),
              place_of(columns, {"data", "stat value"}),
              place_of(columns, {"run host ID"}),
              place_of(columns, {"trace id"}),
              place_of(columns, {"trace id counter"}),
              place_of(columns, {"zone name"}),
              place_of(columns, {"type", "zone phase"}),
              place_of(columns, {"source line"}),
              place_of(columns, {"source file"}),
              place_of(columns, {"meta data"})},
      last_column_(columns.empty() ? 0 : columns.size() - 1) {}

bool NamedRowReader::is_usable() const {
  for (const Column column : {kDevice, kX, kY, kRisc, kTime, kZone, kType}) {
    if (places_[column] == kNowhere) return false;
  }
  return true;
}

std::string_view NamedRowReader::cell(Column column) const {
  const std::size_t place = places_[column];
  return place < cells_.size() ? trimmed(cells_[place]) : std::string_view{};
}

bool NamedRowReader::parse(std::string_view line, LogRow& row) {
  cells_.clear();
  for (;;) {
    const std::size_t comma = cells_.size() == last_column_ ? std::string_view::npos : line.find(',');
    cells_.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  const auto device = parse_unsigned(cell(kDevice));
  const auto x = parse_unsigned(cell(kX));
  const auto y = parse_unsigned(cell(kY));
  const auto time = parse_unsigned(cell(kTime));
  if (!device || !x || !y || !time || *device > UINT32_MAX || *x > UINT16_MAX || *y > UINT16_MAX)
    return false;
  if (*time > static_cast<std::uint64_t>(kMaxTicks)) return false;
  if (cells_.size() <= places_[kType]) return false;
  row.device = static_cast<std::uint32_t>(*device);
  row.x = static_cast<std::uint16_t>(*x);
  row.y = static_cast<std::uint16_t>(*y);
  row.time = *time;
  row.timer = static_cast<std::uint32_t>(parse_unsigned(cell(kTimer)).value_or(0));
  row.data = parse_unsigned(cell(kData)).value_or(0);
  row.op_id = parse_unsigned(cell(kOp)).value_or(0);
  row.trace = parse_whole(cell(kTrace)).value_or(-1);
  row.replay = parse_whole(cell(kReplay)).value_or(-1);
  row.risc_text = cell(kRisc);
  row.risc = slot_of(row.risc_text);
  row.zone = cell(kZone);
  row.type = marker_type(cell(kType));
  row.rest = {};
  row.source = {cell(kLine), cell(kFile)};
  row.meta = cell(kMeta);
  if (row.meta.size() < 2 || row.meta.front() != '{' || row.meta.back() != '}') row.meta = {};
  return true;
}

namespace {

std::string_view line_at(std::string_view text, std::size_t at) { return next_line(text, at); }

/// Reads rows again, whatever the order of the columns.
class TextRows : public MarkerRows {
 public:
  TextRows(std::string_view text, const DeviceLogHeader& header)
      : text_(text), trims_(!header.current_columns) {
    constexpr std::array<std::array<std::string_view, 2>, kFields> kNames = {
        {{"timer_id", ""},
         {"time[cycles since reset]", ""},
         {"data", "stat value"},
         {"run host ID", ""},
         {"trace id", ""},
         {"trace id counter", ""},
         {"zone name", ""},
         {"type", "zone phase"},
         {"source line", ""},
         {"source file", ""},
         {"meta data", ""}}};
    columns_ = header.columns.size();
    for (std::size_t column = columns_; column-- > 0;) {
      for (std::size_t field = 0; field < kFields; ++field) {
        const std::string_view name = header.columns[column];
        if (name == kNames[field][0] || (name == kNames[field][1] && !name.empty())) places_[field] = column;
      }
    }
  }

  LogMarker read(std::uint64_t at) const override {
    std::array<std::string_view, kFields> fields;
    std::array<std::string_view, kMaxColumns> cells;
    std::string_view line = line_at(text_, at);
    for (std::size_t i = 0; i < std::min(columns_, kMaxColumns); ++i) {
      const std::size_t comma = i + 1 == columns_ ? std::string_view::npos : line.find(',');
      cells[i] = line.substr(0, comma);
      if (comma == std::string_view::npos) break;
      line.remove_prefix(comma + 1);
    }
    for (std::size_t i = 0; i < kFields; ++i) {
      if (places_[i] >= kMaxColumns) continue;
      fields[i] = trims_ ? trimmed(cells[places_[i]]) : cells[places_[i]];
    }
    return {fields[0], fields[1], fields[2], fields[3], fields[4], fields[5],
            fields[6], fields[7], fields[8], fields[9], fields[10]};
  }

  std::uint64_t cycle_at(std::uint64_t at) const override {
    std::string_view rest = text_.substr(at);  // the commas are there: the row was read before
    for (std::size_t i = 0; i < places_[1]; ++i) rest.remove_prefix(rest.find(',') + 1);
    return parse_unsigned(rest.substr(0, rest.find_first_of(",\r\n"))).value_or(0);
  }

  std::uint64_t after(std::uint64_t at) const override { return line_end(text_, at); }

 private:
  static constexpr std::size_t kFields = 11;
  static constexpr std::size_t kMaxColumns = 32;
  static constexpr std::array<std::size_t, kFields> nowhere() {
    std::array<std::size_t, kFields> places{};
    for (std::size_t& place : places) place = kMaxColumns;
    return places;
  }

  std::string_view text_;
  bool trims_;
  std::size_t columns_ = 0;
  std::array<std::size_t, kFields> places_ = nowhere();
};

/// Collects the lanes of one device.
class DeviceCollector {
 public:
  void take(const LogRow& row, std::uint64_t at, bool joins) {
    Processor& processor = processor_of(row);
    const std::uint32_t op = op_of(row);
    min_ = std::min(min_, row.time);
    max_ = std::max(max_, row.time);
    note_dispatch(row, processor);
    if (processor.lanes.empty() || row.time < processor.last_cycle) processor.lanes.emplace_back();
    std::vector<MarkerExtent>& extents = processor.lanes.back();
    // Behind a fall the lane is new, so its extent is too.
    if (joins && !extents.empty() && extents.back().op == op && extents.back().rows < UINT32_MAX) {
      ++extents.back().rows;
    } else {
      extents.push_back({at, row.time, 1, op});
    }
    processor.last_cycle = row.time;
  }

  DeviceMarkers finish(std::uint32_t device) {
    DeviceMarkers markers;
    markers.device = device;
    markers.wrapped = min_ < kTimerSpan / 4 && max_ >= kTimerSpan / 4 * 3 && max_ < kTimerSpan;
    markers.cores = std::move(cores_);
    markers.ops = std::move(ops_);
    std::vector<std::vector<Processor*>> by_core(markers.cores.size());
    for (Processor& processor : processors_) by_core[processor.core].push_back(&processor);
    for (std::size_t core = 0; core < by_core.size(); ++core) {
      for (Processor* processor : by_core[core]) add_lanes(*processor, markers);
    }
    return markers;
  }

 private:
  struct Processor {
    std::uint32_t core = 0;
    std::string_view risc;
    std::uint64_t last_cycle = 0;
    std::vector<std::vector<MarkerExtent>> lanes;
  };

  static void add_lanes(Processor& processor, DeviceMarkers& markers) {
    const MarkerCore& core = markers.cores[processor.core];
    const auto index = static_cast<std::uint32_t>(markers.processors.size());
    markers.processors.push_back({core.x, core.y, processor.core, processor.risc});
    for (std::vector<MarkerExtent>& extents : processor.lanes) {
      markers.lanes.push_back({index, std::move(extents)});
    }
  }

  Processor& processor_of(const LogRow& row) {
    if (last_ < processors_.size()) {
      Processor& last = processors_[last_];
      const MarkerCore& core = cores_[last.core];
      if (core.x == row.x && core.y == row.y && last.risc == row.risc_text) return last;
    }
    const auto [core, is_new] =
        core_at_.try_emplace({row.x, row.y}, static_cast<std::uint32_t>(cores_.size()));
    if (is_new) cores_.push_back({row.x, row.y, false});
    const auto [place, added] = processor_at_.try_emplace({core->second, row.risc_text}, processors_.size());
    if (added) processors_.push_back({core->second, row.risc_text, 0, {}});
    last_ = place->second;
    return processors_[last_];
  }

  std::uint32_t op_of(const LogRow& row) {
    const ExecutionKey key{0, row.op_id, row.trace, row.replay};
    if (last_op_ < ops_.size() && ops_[last_op_] == key) return last_op_;
    const auto [place, is_new] = op_at_.try_emplace(key, static_cast<std::uint32_t>(ops_.size()));
    if (is_new) ops_.push_back(key);
    last_op_ = place->second;
    return last_op_;
  }

  void note_dispatch(const LogRow& row, const Processor& processor) {
    if (row.zone.find("CQ-") == std::string_view::npos) return;
    if (!contains(row.zone, "CQ-DISPATCH") && !contains(row.zone, "CQ-PREFETCH")) return;
    if (!contains(row.risc_text, "ERISC")) cores_[processor.core].dispatches = true;
  }

  std::vector<MarkerCore> cores_;
  std::vector<Processor> processors_;
  std::vector<ExecutionKey> ops_;
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint32_t> core_at_;
  std::map<std::pair<std::uint32_t, std::string_view>, std::size_t> processor_at_;
  std::unordered_map<ExecutionKey, std::uint32_t, ExecutionKeyHash> op_at_;
  std::size_t last_ = 0;
  std::uint32_t last_op_ = 0;
  std::uint64_t min_ = kNoCycle;
  std::uint64_t max_ = 0;
};

/// Takes all rows; those that follow one of the same processor without anything between them join it.
template <typename Reader>
void collect(std::string_view text, std::size_t from, Reader reader,
             std::map<std::uint32_t, DeviceCollector>& devices) {
  LogRow row;
  DeviceCollector* collector = nullptr;
  std::uint32_t device = 0;
  std::tuple<std::uint16_t, std::uint16_t, std::string_view> last;
  for (std::size_t at = from; at < text.size();) {
    std::size_t next = at;
    const std::string_view line = next_line(text, next);
    if (line.size() <= kMaxLineBytes && reader.parse(line, row)) {
      const std::tuple place{row.x, row.y, row.risc_text};
      const bool joins = collector != nullptr && device == row.device && place == last;
      if (collector == nullptr || device != row.device) collector = &devices[row.device];
      collector->take(row, at, joins);
      device = row.device;
      last = place;
    } else {
      std::get<2>(last) = {};
    }
    at = next;
  }
}

}  // namespace

MarkerLog find_marker_lanes(std::string_view text) {
  MarkerLog log;
  DeviceLogHeader header;
  if (!read_device_log_header(text, header)) return log;
  log.rows = std::make_shared<TextRows>(text, header);
  std::map<std::uint32_t, DeviceCollector> devices;
  if (header.current_columns) {
    collect(text, header.rows_at, RowReader(), devices);
  } else if (NamedRowReader reader(header.columns); reader.is_usable()) {
    collect(text, header.rows_at, reader, devices);
  }
  for (auto& [device, collector] : devices) log.devices.push_back(collector.finish(device));
  return log;
}

namespace {

bool begins_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool is_dispatch_zone(std::string_view name) { return begins_with(name, "CQ-"); }

ZoneKind kind_of_zone(std::string_view name) {
  const ZoneRole role = zone_role(name, false);
  if (role == ZoneRole::kFw) return ZoneKind::kFirmware;
  if (role == ZoneRole::kKernel) return ZoneKind::kKernel;
  if (is_dispatch_zone(name)) return ZoneKind::kDispatch;
  if (begins_with(name, "PROFILER-")) return ZoneKind::kProfiler;
  if (begins_with(name, "SYNC-ZONE-")) return ZoneKind::kSync;
  return ZoneKind::kUser;
}

/// The name without what tells single programs apart: `CQ-DISPATCH:17:CQ_DISPATCH_CMD_WAIT` is
/// `CQ-DISPATCH:CQ_DISPATCH_CMD_WAIT`. `space` holds the text where it has to be put together.
std::string_view grouped_zone_name(std::string_view name, std::string& space) {
  if (!is_dispatch_zone(name)) return name;
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return name;
  const std::string_view bare = name.substr(0, colon);
  std::string_view rest = name.substr(colon + 1);
  const std::string_view id = rest.substr(0, rest.find(':'));
  if (id.empty() || id.find_first_not_of("0123456789") != std::string_view::npos) return name;
  rest.remove_prefix(id.size());  // keeps the colon before the command
  space.assign(bare);
  space += rest;
  return space;
}

/// The name before the runtime put a command behind it, which it does for starts and not always for ends.
std::string_view bare_zone_name(std::string_view name) {
  return is_dispatch_zone(name) ? name.substr(0, name.find(':')) : name;
}

constexpr std::size_t kMinShare = std::size_t{1} << 20;

/// Lines of one processor that follow each other.
struct Run {
  std::string_view processor;  ///< `3,1,1,BRISC,`
  ProcessorRows::Stretch stretch;
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
using PlaceMap = std::map<PlaceKey, std::vector<ProcessorRows::Stretch>>;

void add_stretch(PlaceMap& places, const PlaceKey& key, ProcessorRows::Stretch stretch) {
  std::vector<ProcessorRows::Stretch>& list = places[key];
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
  const std::size_t shares = std::clamp<std::size_t>(size / kMinShare, 1, std::max(1u, threads));
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

/// What a row is by its type alone; of starts and ends the name decides.
ZoneKind kind_of_marker(MarkerType type) {
  if (type == MarkerType::kTotal) return ZoneKind::kSum;
  if (type == MarkerType::kData) return ZoneKind::kData;
  return type == MarkerType::kEvent ? ZoneKind::kEvent : ZoneKind::kUser;
}

}  // namespace

ProcessorRowIndex::ProcessorRowIndex(std::string_view text, unsigned threads) : text_(text) {
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

ZoneGroupReader::ZoneGroupReader(const ProcessorRowIndex& places) : places_(places) {
  if (places.old_columns() != nullptr) old_reader_ = std::make_unique<NamedRowReader>(*places.old_columns());
}

ZoneGroup& ZoneGroupReader::read(const ProcessorRows& place) {
  group_.device = place.device;
  group_.x = place.x;
  group_.y = place.y;
  group_.risc = place.risc;
  group_.markers.clear();
  group_.totals.clear();
  group_.wraps = true;
  for (const ProcessorRows::Stretch& stretch : place.stretches) {
    read_stretch(places_.text().substr(stretch.begin, stretch.end - stretch.begin));
  }
  return group_;
}

void ZoneGroupReader::read_stretch(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = line_end(text, at);
    const std::string_view line = without_break(text.substr(at, next - at));
    at = next;
    if (line.size() > kMaxLineBytes) continue;
    if (old_reader_ ? old_reader_->parse(line, row_) : reader_.parse(line, row_)) take(row_);
  }
}

void ZoneGroupReader::take(const LogRow& row) {
  const bool is_zone = row.type == MarkerType::kStart || row.type == MarkerType::kEnd;
  if (!is_zone && row.type != MarkerType::kTotal && !is_user_marker(row)) return;
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
  const SourceLocation source = source_of(row);
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
