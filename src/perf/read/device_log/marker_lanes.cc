#include "perf/read/device_log/marker_lanes.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/number_text.h"
#include "base/text_search.h"
#include "perf/model/device_timer.h"
#include "perf/read/device_log/device_log.h"
#include "perf/read/device_log/log_lines.h"
#include "perf/read/device_log/log_row.h"
#include "perf/read/device_log/old_log_row.h"

namespace ttscope::perf {
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
    std::array<std::string_view, kMostColumns> cells;
    std::string_view line = line_at(text_, at);
    for (std::size_t i = 0; i < std::min(columns_, kMostColumns); ++i) {
      const std::size_t comma = i + 1 == columns_ ? std::string_view::npos : line.find(',');
      cells[i] = line.substr(0, comma);
      if (comma == std::string_view::npos) break;
      line.remove_prefix(comma + 1);
    }
    for (std::size_t i = 0; i < kFields; ++i) {
      if (places_[i] >= kMostColumns) continue;
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
  static constexpr std::size_t kMostColumns = 32;
  static constexpr std::array<std::size_t, kFields> nowhere() {
    std::array<std::size_t, kFields> places{};
    for (std::size_t& place : places) place = kMostColumns;
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
    least_ = std::min(least_, row.time);
    most_ = std::max(most_, row.time);
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
    markers.wrapped = least_ < kTimerSpan / 4 && most_ >= kTimerSpan / 4 * 3 && most_ < kTimerSpan;
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
  std::uint64_t least_ = kNoCycle;
  std::uint64_t most_ = 0;
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
    if (line.size() <= kMostLineBytes && reader.parse(line, row)) {
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

}  // namespace ttscope::perf
