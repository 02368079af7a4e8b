#include "perf/read/noc_trace/noc_trace.h"

#include <simdjson.h>

#include <limits>

#include "base/number_text.h"
#include "perf/read/noc_trace/noc_events.h"

namespace ttscope::perf {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::uint64_t kMostEventBytes = 8160;
constexpr std::string_view kNameStart = "noc_trace_";

/// The number behind `mark` in a file name.
std::optional<std::uint64_t> number_after(std::string_view name, std::string_view mark) {
  const std::size_t at = name.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = name.substr(at + mark.size());
  return parse_unsigned(rest.substr(0, rest.find_first_not_of("0123456789")));
}

std::uint64_t whole(object map, const char* key) {
  std::uint64_t value = 0;
  return map[key].get(value) == simdjson::SUCCESS ? value : 0;
}

std::string_view text_of(object map, const char* key) {
  std::string_view value;
  return map[key].get(value) == simdjson::SUCCESS ? value : std::string_view{};
}

/// A fabric event lists its destinations, each with its bytes.
std::uint64_t bytes_of(object event) {
  array destinations;
  if (event["dst"].get(destinations) != simdjson::SUCCESS) return whole(event, "num_bytes");
  std::uint64_t bytes = 0;
  for (const element item : destinations) {
    object destination;
    if (item.get(destination) == simdjson::SUCCESS) bytes += whole(destination, "num_bytes");
  }
  return bytes;
}

void take_event(object event, NocSummary& summary) {
  if (summary.op_name.empty()) summary.op_name = text_of(event, "op_name");
  if (summary.key.op_id == 0) summary.key.op_id = whole(event, "run_host_id");
  const std::string_view type = text_of(event, "type");
  if (type.empty()) return;
  constexpr std::uint64_t kSane = std::uint64_t{1} << 40;
  const std::uint64_t bytes = std::min(bytes_of(event), kSane);
  summary.all.add(bytes);
  summary.by_type[std::string(type)].add(bytes);
  const auto x = static_cast<std::int64_t>(whole(event, "sx"));
  const auto y = static_cast<std::int64_t>(whole(event, "sy"));
  summary.by_core[{x, y}].add(bytes);
  // What a core reads comes in, all else goes out.
  summary.by_port[{x, y, std::string(text_of(event, "noc")), type.starts_with("READ")}] += bytes;
  if (bytes == kMostEventBytes) ++summary.saturated;
}

double number(object map, const char* key) {
  double value = 0;
  return map[key].get(value) == simdjson::SUCCESS ? value : std::numeric_limits<double>::quiet_NaN();
}

/// `{...}` behind the key, complete or nothing.
std::string_view object_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  const std::size_t open = at == std::string_view::npos ? at : text.find('{', at);
  if (open == std::string_view::npos) return {};
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return text.substr(open, i - open + 1);
  }
  return {};
}

}  // namespace

ExecutionKey key_of_noc_file(std::string_view file_name) {
  ExecutionKey key;
  if (const auto device = number_after(file_name, "_dev")) key.device = static_cast<std::uint32_t>(*device);
  if (const auto id = number_after(file_name, "_ID")) key.op_id = *id;
  if (const auto trace = number_after(file_name, "_traceID")) {
    key.trace = static_cast<std::int64_t>(*trace >> 32);
    key.replay = static_cast<std::int64_t>(*trace & 0xffffffff);
  }
  return key;
}

std::optional<NocSummary> read_noc_trace(std::string_view file_name, std::string_view text) {
  simdjson::dom::parser parser;
  array events;
  if (parser.parse(text.data(), text.size()).get(events) != simdjson::SUCCESS) return std::nullopt;
  NocSummary summary;
  summary.key = key_of_noc_file(file_name);
  for (const element item : events) {
    object event;
    if (item.get(event) == simdjson::SUCCESS) take_event(event, summary);
  }
  // A file that was renamed, of events that name no op.
  if (summary.op_name.empty() && !file_name.starts_with(kNameStart))
    summary.op_name = file_name.substr(0, file_name.find('.'));
  return summary;
}

std::optional<NpeResult> read_npe_result(std::string_view text) {
  const std::string_view info = object_after(text, "\"common_info\"");
  simdjson::dom::parser parser;
  object map;
  if (info.empty() || parser.parse(info.data(), info.size()).get(map) != simdjson::SUCCESS)
    return std::nullopt;
  NpeResult result;
  result.link_util = number(map, "link_util");
  result.multicast_util = number(map, "mcast_write_link_util");
  result.dram_util = number(map, "dram_bw_util");
  result.congestion_impact = number(map, "congestion_impact");
  return result;
}

std::vector<std::pair<std::uint64_t, std::string>> read_npe_manifest(std::string_view text) {
  std::vector<std::pair<std::uint64_t, std::string>> files;
  simdjson::dom::parser parser;
  array list;
  if (parser.parse(text.data(), text.size()).get(list) != simdjson::SUCCESS) return files;
  for (const element item : list) {
    object entry;
    if (item.get(entry) == simdjson::SUCCESS) {
      files.emplace_back(whole(entry, "global_call_count"), std::string(text_of(entry, "file")));
    }
  }
  return files;
}

}  // namespace ttscope::perf
