#include "perf/read/device_log/old_log_row.h"

#include "base/number_text.h"

namespace ttscope::perf {
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
  if (*time > static_cast<std::uint64_t>(kMostTicks)) return false;
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

}  // namespace ttscope::perf
