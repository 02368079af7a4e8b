#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ttscope::testing {

inline constexpr std::string_view kLogColumns =
    "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, "
    "trace id, "
    "trace id counter, zone name, type, source line, source file, meta data\n";
inline const std::string kLogHead =
    "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n" + std::string(kLogColumns);

/// One zone of a processor: start and end.
struct ZoneText {
  std::string where = "0,1,1,BRISC";  ///< device, core, processor
  std::string op = "1024,,";          ///< id, trace, replay
  std::string zone = "BRISC-FW";
  std::uint64_t start = 1000;
  std::uint64_t end = 2000;
  std::string meta;
};

inline std::string marker_line(const ZoneText& zone, bool start) {
  return zone.where + ",7," + std::to_string(start ? zone.start : zone.end) + ",0," + zone.op + "," +
         zone.zone + (start ? ",ZONE_START" : ",ZONE_END") + ",12,k.cc," + zone.meta + "\n";
}
inline std::string zone_lines(const ZoneText& zone) {
  return marker_line(zone, true) + marker_line(zone, false);
}

/// Firmware and kernel of one processor; the kernel begins 100 after and ends 50 before.
inline std::string risc_lines(const std::string& place, const std::string& risc, const std::string& op,
                              std::uint64_t start, std::uint64_t end) {
  const std::string name = risc.substr(0, 5) == "TRISC" ? "TRISC" : risc;
  const std::string where = place + "," + risc;
  return zone_lines({where, op, name + "-FW", start, end, ""}) +
         zone_lines({where, op, name + "-KERNEL", start + 100, end - 50, ""});
}

/// The message and the zone of an op of the host.
inline std::string op_message(std::uint64_t id, const std::string& name = "Op", int device = 0,
                              std::uint64_t hash = 0, std::uint64_t time = 0) {
  const std::string number = std::to_string(id);
  const std::string hash_text = std::to_string(hash == 0 ? id + 1000 : hash);
  return "`TT_DNN_DEVICE_OP: \"" + name + "\", " + hash_text + ", " + std::to_string(device) + ", false, " +
         number + " ->\n{\"global_call_count\": " + number + ", \"op_code\": \"" + name +
         "\", \"attributes\": {}, \"input_tensors\": [], \"output_tensors\": [], \"op_type\": "
         "\"tt_dnn_device\", "
         "\"device_id\": " +
         std::to_string(device) + ", \"op_hash\": " + hash_text +
         ", \"program_cache_hit\": false, \"performance_model\": {\"compute_ns\": 10, \"ideal_ns\": 10, "
         "\"bandwidth_ns\": "
         "1, \"input_bws\": [], \"output_bws\": []}}`;" +
         std::to_string(time == 0 ? id : time) + "\n";
}
inline std::string op_zone(std::uint64_t id, std::uint64_t start, std::uint64_t ns,
                           const std::string& file = "device_operation.hpp") {
  return "TT_DNN_DEVICE_OP," + file + ",1,,\"id:" + std::to_string(id) + "\"," + std::to_string(start) + "," +
         std::to_string(ns) + ",1,\n";
}
inline const std::string kMessagesHead = "MessageName;total_ns\n";
inline const std::string kTimesHead =
    "name,src_file,src_line,zone_name,zone_text,ns_since_start,exec_time_ns,thread,special_parent_text\n";

}  // namespace ttscope::testing
