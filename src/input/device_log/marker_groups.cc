#include "input/device_log/marker_groups.h"

#include <array>
#include <map>
#include <memory>
#include <tuple>

#include "base/number_text.h"
#include "input/device_log/device_log.h"
#include "input/device_log/log_row.h"

namespace ttscope::input {
namespace {

constexpr std::size_t kColumns = 15;

std::string_view line_at(std::string_view text, std::size_t at) {
  std::string_view line = text.substr(at, text.find('\n', at) - at);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// The fifteen fields; the last one takes what is left.
std::array<std::string_view, kColumns> split(std::string_view line) {
  std::array<std::string_view, kColumns> fields;
  for (std::size_t i = 0; i < kColumns; ++i) {
    const std::size_t comma = i + 1 == kColumns ? std::string_view::npos : line.find(',');
    fields[i] = line.substr(0, comma);
    line = comma == std::string_view::npos ? std::string_view{} : line.substr(comma + 1);
  }
  return fields;
}

LogMarker marker_of(std::string_view line) {
  const auto fields = split(line);
  return {fields[4],  fields[5],  fields[6],  fields[7],  fields[8], fields[9],
          fields[10], fields[11], fields[12], fields[13], fields[14]};
}

}  // namespace

std::vector<MarkerGroup> group_markers(std::string_view text) {
  DeviceLogHeader header;
  std::vector<MarkerGroup> groups;
  if (!read_device_log_header(text, header) || !header.current_columns) return groups;
  using Place = std::tuple<std::uint32_t, std::uint16_t, std::uint16_t, std::string_view>;
  std::map<Place, std::shared_ptr<std::vector<std::size_t>>> places;
  RowReader reader;
  LogRow row;
  std::vector<std::size_t>* last = nullptr;
  Place last_place;
  for (std::size_t at = header.rows_at; at < text.size();) {
    const std::string_view line = line_at(text, at);
    const std::size_t end = text.find('\n', at);
    if (reader.parse(line, row)) {
      const Place place{row.device, row.x, row.y, row.risc_text};
      if (last == nullptr || place != last_place) {
        auto& list = places[place];
        if (list == nullptr) list = std::make_shared<std::vector<std::size_t>>();
        last = list.get();
        last_place = place;
      }
      last->push_back(at);
    }
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  for (const auto& [place, offsets] : places) {
    const auto& [device, x, y, risc] = place;
    groups.push_back(
        {device, x, y, risc, [text, list = offsets](const std::function<void(const LogMarker&)>& take) {
           for (const std::size_t offset : *list) take(marker_of(line_at(text, offset)));
         }});
  }
  return groups;
}

}  // namespace ttscope::input
