#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace ttscope::testing {

/// The files of a profiler run: a device at 1 cycle a nanosecond whose timer stands at `kZero` when the
/// host's clock is 0, one core with one processor, and the host that sent each op 20 us before it ran.
class ProfilerFolder {
 public:
  static constexpr long long kZero = 5'000'000'000;
  static constexpr long long kSentBefore = 20'000;
  static constexpr long long kOpNs = 10'000;

  explicit ProfilerFolder(const std::string& path) : logs_(path + "/.logs") {
    std::filesystem::create_directories(logs_);
  }

  /// An op that begins then, by the host's clock.
  ProfilerFolder& op(int number, const std::string& name, long long start_ns, int device = 0) {
    on_device(number, start_ns, device);
    return on_host(number, name, start_ns, device);
  }
  ProfilerFolder& on_device(int number, long long start_ns, int device = 0) {
    marker(number, device, "BRISC-FW", "ZONE_START", start_ns);
    marker(number, device, "BRISC-KERNEL", "ZONE_START", start_ns + 1000);
    marker(number, device, "BRISC-KERNEL", "ZONE_END", start_ns + kOpNs - 1000);
    marker(number, device, "BRISC-FW", "ZONE_END", start_ns + kOpNs);
    return *this;
  }
  ProfilerFolder& on_host(int number, const std::string& name, long long start_ns, int device = 0) {
    const std::string id = std::to_string(number);
    const std::string at = std::to_string(device);
    times_ += "TT_DNN_DEVICE_OP,op.hpp,9,,\"id:" + id + "\"," + std::to_string(start_ns - kSentBefore) +
              ",15000,1,\n";
    messages_ += "`TT_DNN_DEVICE_OP: \"" + name + "\", 77, " + at + ", true, " + id +
                 " ->\n{\"op_code\": \"" + name + "\", \"device_id\": " + at +
                 ", \"op_type\": \"tt_dnn_device\", \"global_call_count\": " + id +
                 ", \"input_tensors\": [], \"output_tensors\": []}`;" +
                 std::to_string(start_ns - kSentBefore + 1000) + "\n";
    return *this;
  }
  ProfilerFolder& message(const std::string& text, long long at_ns) {
    messages_ += text + ";" + std::to_string(at_ns) + "\n";
    return *this;
  }

  /// Another file among the logs.
  std::string file(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(logs_ + "/" + name).parent_path());
    std::ofstream(logs_ + "/" + name, std::ios::binary) << text;
    return logs_ + "/" + name;
  }
  /// Writes what was told; the folder.
  std::string write(bool with_device = true) const {
    if (with_device) file("profile_log_device.csv", log_);
    file("tracy_ops_times.csv", times_);
    file("tracy_ops_data.csv", messages_);
    return std::filesystem::path(logs_).parent_path().string();
  }

 private:
  void marker(int number, int device, const std::string& zone, const std::string& kind, long long ns) {
    log_ += std::to_string(device) + ",1,1,BRISC,7," + std::to_string(kZero + ns) + ",0," +
            std::to_string(number) + ",,," + zone + "," + kind + ",1,/a/brisc.cc,\n";
  }

  std::string logs_;
  std::string log_ =
      "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n"
      "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host "
      "ID, trace id, trace id counter, zone name, type, source line, source file, meta data\n";
  std::string times_ =
      "name,src_file,src_line,zone_name,zone_text,ns_since_start,exec_time_ns,thread,special_parent_text\n";
  std::string messages_ = "MessageName;total_ns\n";
};

}  // namespace ttscope::testing
