#include "graph/read/graph_trace/capture_facts.h"

#include <charconv>
#include <optional>
#include <unordered_map>

#include "base/json_cursor.h"
#include "graph/read/graph_trace/params_text.h"

namespace ttscope::graph {
namespace {

void take_number(std::string_view value, std::int64_t& to) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size() && number >= 0) to = number;
}

GraphDevice read_device(std::string_view json) {
  GraphDevice device;
  for_each_param(json, [&](std::string_view key, std::string_view value) {
    if (key == "device_id") take_number(value, device.device_id);
    if (key == "num_y_cores") take_number(value, device.num_y_cores);
    if (key == "num_x_cores") take_number(value, device.num_x_cores);
    if (key == "worker_l1_size") take_number(value, device.worker_l1_size_bytes);
    if (key == "l1_num_banks") take_number(value, device.l1_num_banks);
    if (key == "l1_bank_size") take_number(value, device.l1_bank_size_bytes);
    if (key == "address_at_first_l1_bank") take_number(value, device.first_l1_bank_address);
    if (key == "address_at_first_l1_cb_buffer") take_number(value, device.first_l1_cb_address);
    if (key == "num_dram_channels") take_number(value, device.num_dram_channels);
    if (key == "dram_size_per_channel") take_number(value, device.dram_size_per_channel_bytes);
    if (key == "cb_limit") take_number(value, device.cb_limit_bytes);
    if (key == "arch" && value.size() >= 2) {
      device.arch = json_unescaped(value.substr(1, value.size() - 2)).value_or(std::string());
    }
    return true;
  });
  return device;
}

/// Banks of DRAM by device. The devices of a mesh are alike, and its buffers may carry the number of the
/// mesh: then what all say counts.
class DramBanks {
 public:
  explicit DramBanks(const std::vector<GraphDevice>& devices) {
    for (const GraphDevice& device : devices) {
      of_device_.emplace(device.device_id, device.num_dram_channels);
      if (&device == &devices.front()) common_ = device.num_dram_channels;
      if (device.num_dram_channels != common_) common_ = kNotRecorded;
    }
  }
  std::int64_t of(std::int64_t device_id) const {
    const auto found = of_device_.find(device_id);
    return found != of_device_.end() ? found->second : common_;
  }

 private:
  std::unordered_map<std::int64_t, std::int64_t> of_device_;
  std::int64_t common_ = kNotRecorded;
};

}  // namespace

std::vector<GraphDevice> read_devices(std::string_view json) {
  std::vector<GraphDevice> devices;
  JsonCursor cursor(json);
  if (!cursor.take('[')) return devices;
  while (cursor.peek() == '{') {
    const std::optional<std::string_view> value = cursor.take_value();
    if (!value) break;
    devices.push_back(read_device(*value));
    if (!cursor.take(',')) break;
  }
  return devices;
}

void take_dram_banks(GraphCapture& capture) {
  if (capture.devices.empty()) return;
  const DramBanks banks(capture.devices);
  for (GraphSegment& segment : capture.segments) {
    GraphTrace& trace = segment.trace;
    for (BufferFacts& facts : trace.buffer_facts) {
      if (!facts.in_dram || trace.text(facts.layout) != "INTERLEAVED") continue;
      facts.dram_banks = banks.of(facts.device_id);
    }
  }
}

void read_metadata(std::string_view json, GraphCapture& capture) {
  for_each_param(json, [&](std::string_view key, std::string_view value) {
    if (key == "rank") take_number(value, capture.rank);
    if (key == "total_duration_ns") take_number(value, capture.total_duration_ns);
    return true;
  });
}

}  // namespace ttscope::graph
