#include "perf/read/noc_trace/noc_events.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <optional>

namespace ttscope::perf {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

std::optional<std::uint64_t> event_number(object map, const char* key) {
  std::uint64_t value = 0;
  return map[key].get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
}

std::string_view event_text(object map, const char* key) {
  std::string_view value;
  return map[key].get(value) == simdjson::SUCCESS ? value : std::string_view{};
}

std::string pair_of(object map, const char* x_key, const char* y_key) {
  const auto x = event_number(map, x_key);
  const auto y = event_number(map, y_key);
  return x && y ? fmt::format("{},{}", *x, *y) : std::string();
}

/// A fabric event lists its destinations; the first is told, and all bytes.
void read_destinations(object map, NocEvent& event) {
  event.to = pair_of(map, "dx", "dy");
  if (event.to.empty()) {
    const std::string from = pair_of(map, "mcast_start_x", "mcast_start_y");
    if (!from.empty()) event.to = from + " to " + pair_of(map, "mcast_end_x", "mcast_end_y");
  }
  event.bytes = event_number(map, "num_bytes").value_or(0);
  array destinations;
  if (map["dst"].get(destinations) != simdjson::SUCCESS) return;
  event.bytes = 0;
  for (const element item : destinations) {
    object destination;
    if (item.get(destination) != simdjson::SUCCESS) continue;
    if (event.to.empty()) event.to = pair_of(destination, "dx", "dy");
    event.bytes += event_number(destination, "num_bytes").value_or(0);
  }
}

bool read_event(object map, NocEvent& event) {
  const auto cycle = event_number(map, "timestamp");
  const auto x = event_number(map, "sx");
  const auto y = event_number(map, "sy");
  if (!cycle || !x || !y || *x > UINT16_MAX || *y > UINT16_MAX) return false;
  event.cycle = *cycle;
  event.x = static_cast<std::uint16_t>(*x);
  event.y = static_cast<std::uint16_t>(*y);
  event.op = event_number(map, "run_host_id").value_or(0);
  event.risc = event_text(map, "proc");
  event.type = event_text(map, "type");
  event.noc = event_text(map, "noc");
  if (event.type.empty()) {
    event.zone = event_text(map, "zone");
    return !event.zone.empty() && event_text(map, "zone_phase") == "ZONE_START";
  }
  read_destinations(map, event);
  return true;
}

}  // namespace

bool read_noc_events(std::string_view text, const std::function<void(const NocEvent&)>& take) {
  simdjson::dom::parser parser;
  array events;
  if (parser.parse(text.data(), text.size()).get(events) != simdjson::SUCCESS) return false;
  for (const element item : events) {
    object map;
    NocEvent event;
    if (item.get(map) == simdjson::SUCCESS && read_event(map, event)) take(event);
  }
  return true;
}

}  // namespace ttscope::perf
