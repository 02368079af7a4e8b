#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string_view>

#include "capture.h"

namespace ttscope::gen_device_log {
namespace {

constexpr std::array<std::string_view, kRiscs> kRiscNames = {"BRISC", "NCRISC", "TRISC_0", "TRISC_1",
                                                             "TRISC_2"};
constexpr std::array<std::string_view, kRiscs> kZones = {"BRISC", "NCRISC", "TRISC", "TRISC", "TRISC"};
constexpr std::array<std::string_view, kRiscs> kFiles = {"brisc", "ncrisc", "trisc", "trisc", "trisc"};

/// A file written in large pieces.
class File {
 public:
  File(const std::string& folder, const char* name)
      : file_(std::fopen((folder + "/" + name).c_str(), "wb")) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  File& operator<<(std::string_view text) {
    buffer_ += text;
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    if (buffer_.size() >= kPiece) flush();
    return *this;
  }
  File& operator<<(std::uint64_t number) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  File& operator<<(int number) { return *this << static_cast<std::uint64_t>(number); }
  bool close() {
    if (file_ == nullptr) return good_;
    flush();
    good_ &= std::fclose(file_) == 0;
    file_ = nullptr;
    return good_;
  }

 private:
  void flush() {
    if (file_ != nullptr) good_ &= std::fwrite(buffer_.data(), 1, buffer_.size(), file_) == buffer_.size();
    buffer_.clear();
  }

  std::FILE* file_;
  bool good_ = file_ != nullptr;
  std::string buffer_;
};

class LogWriter {
 public:
  LogWriter(const Capture& capture, File& out) : capture_(capture), out_(out) {}

  void write() {
    out_ << "ARCH: wormhole_b0, CHIP_FREQ[MHz]: " << static_cast<std::uint64_t>(capture_.options().clock_mhz)
         << ", Max Compute Cores: " << capture_.options().cores << "\n"
         << "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run "
            "host ID, "
            "trace id, trace id counter, zone name, type, source line, source file, meta data\n";
    if (capture_.options().op_major) {
      for (const Execution& execution : capture_.executions()) {
        for (int core = 0; core < capture_.options().cores; ++core) write_core(execution, core);
      }
      return;
    }
    for (int device = 0; device < capture_.options().devices; ++device) write_device(device);
  }

 private:
  void write_device(int device) {
    for (int core = 0; core < capture_.options().cores; ++core) {
      for (int risc = 0; risc < kRiscs; ++risc) {
        for (const Execution& execution : capture_.executions()) {
          if (execution.device == device) write_risc(execution, core, risc);
        }
      }
    }
  }

  void write_core(const Execution& execution, int core) {
    for (int risc = 0; risc < kRiscs; ++risc) write_risc(execution, core, risc);
  }

  void write_risc(const Execution& execution, int core, int risc) {
    const Times times = capture_.times(execution, core, risc);
    write_row(execution, core, risc, {false, true, times.fw_start});
    write_row(execution, core, risc, {true, true, times.kernel_start});
    write_row(execution, core, risc, {true, false, times.kernel_end});
    write_row(execution, core, risc, {false, false, times.fw_end});
  }

  struct Marker {
    bool kernel, start;
    std::uint64_t time;
  };

  void write_row(const Execution& execution, int core, int risc, const Marker& marker) {
    const auto r = static_cast<std::size_t>(risc);
    out_ << execution.device << "," << 1 + core % 8 << "," << 1 + core / 8 << "," << kRiscNames[r] << ","
         << 40000 + risc * 10 + (marker.kernel ? 1 : 0) << "," << marker.time << ",0," << execution.op_id
         << ",";
    if (execution.trace >= 0) out_ << execution.trace;
    out_ << ",";
    if (execution.replay >= 0) out_ << execution.replay;
    out_ << "," << kZones[r] << (marker.kernel ? "-KERNEL," : "-FW,")
         << (marker.start ? "ZONE_START," : "ZONE_END,") << (marker.kernel ? 78 : 433)
         << ",/home/user/tt-metal/tt_metal/hw/firmware/src/tt-1xx/" << kFiles[r]
         << (marker.kernel ? "k.cc," : ".cc,");
    if (capture_.options().sub_devices) out_ << "{\"sub_device_id\":0;\"sub_device_manager_id\":1}";
    out_ << "\n";
  }

  const Capture& capture_;
  File& out_;
};

/// The first start and the last end of kernels; times may pass the end of the timer.
struct Span {
  std::uint64_t start = UINT64_MAX;
  std::uint64_t end = 0;
  void add(std::uint64_t base, std::uint64_t from, std::uint64_t to) {
    start = std::min(start, (from + kTimerSpan - base) % kTimerSpan);
    end = std::max(end, (to + kTimerSpan - base) % kTimerSpan);
  }
};

/// Said from the made-up times themselves, not from the rows: what a reader of the log must find.
void write_cpp_report(const Capture& capture, File& out) {
  out << "GLOBAL CALL COUNT,METAL TRACE ID,METAL TRACE REPLAY SESSION ID,DEVICE ID,DEVICE ARCH,OP NAME,CORE "
         "COUNT,"
         "AVAILABLE WORKER CORE COUNT,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],"
         "DEVICE BRISC KERNEL DURATION [ns],DEVICE NCRISC KERNEL DURATION [ns],DEVICE TRISC0 KERNEL DURATION "
         "[ns],"
         "DEVICE TRISC1 KERNEL DURATION [ns],DEVICE TRISC2 KERNEL DURATION [ns]\n";
  for (const Execution& execution : capture.executions()) {
    Span fw;
    Span kernel;
    std::array<Span, kRiscs> riscs;
    for (int core = 0; core < capture.options().cores; ++core) {
      for (int risc = 0; risc < kRiscs; ++risc) {
        const Times times = capture.times(execution, core, risc);
        fw.add(execution.start, times.fw_start, times.fw_end);
        kernel.add(execution.start, times.kernel_start, times.kernel_end);
        riscs[static_cast<std::size_t>(risc)].add(execution.start, times.kernel_start, times.kernel_end);
      }
    }
    const auto ns = [&](const Span& span) {
      const double cycles = static_cast<double>(span.end - span.start);
      return static_cast<std::uint64_t>(std::nearbyint(cycles * 1000 / capture.options().clock_mhz));
    };
    out << execution.op_id << ",";
    if (execution.trace >= 0) out << execution.trace;
    out << ",";
    if (execution.replay >= 0) out << execution.replay;
    out << "," << execution.device << ",wormhole_b0,," << capture.options().cores << ","
        << capture.options().cores << "," << ns(fw) << "," << ns(kernel);
    for (const Span& span : riscs) out << "," << ns(span);
    out << "\n";
  }
}

void write_host_op(std::uint64_t id, int device, std::uint64_t time, File& times, File& messages) {
  constexpr std::uint64_t kHashes = 16;
  const std::uint64_t hash = 1000 + (id >> 10) % kHashes;
  times << "TT_DNN_DEVICE_OP,ttnn/device_operation.hpp,400,,\"id:" << id << "\"," << time << ",1500,1,\n";
  messages << "`TT_DNN_DEVICE_OP: \"MatmulDeviceOperation\", " << hash << ", " << device << ", false, " << id;
  if ((id >> 10) <= kHashes) {
    messages << " ->\n{\"attributes\": {\"transpose\": \"false\"}, \"device_id\": " << device
             << ", \"global_call_count\": " << id
             << ", \"input_tensors\": [], \"kernel_info\": {\"compute_kernels\": [{\"math_fidelity\": "
                "\"HiFi4\", \"name\": "
                "\"mm/1/\", \"source\": \"mm.cpp\"}], \"datamovement_kernels\": [], \"kernel_sizes\": {}}, "
                "\"op_code\": "
                "\"MatmulDeviceOperation\", \"op_hash\": "
             << hash
             << ", \"op_type\": \"tt_dnn_device\", \"optional_input_tensors\": [], \"output_tensors\": [], "
                "\"performance_model\": {\"bandwidth_ns\": 7, \"compute_ns\": 100, \"ideal_ns\": 100, "
                "\"input_bws\": "
                "[292.57], \"output_bws\": []}, \"program_cache_hit\": false}";
  }
  messages << "`;" << time + 1000 << "\n";
}

bool write_host(const Capture& capture) {
  File times(capture.options().folder, "tracy_ops_times.csv");
  File messages(capture.options().folder, "tracy_ops_data.csv");
  times << "name,src_file,src_line,zone_name,zone_text,ns_since_start,exec_time_ns,thread,special_parent_"
           "text\n";
  messages << "MessageName;total_ns\n";
  std::uint64_t time = 1000000;
  for (std::uint64_t op = 0; op < capture.ops(); ++op, time += 50000) {
    for (int device = 0; device < capture.options().devices; ++device) {
      if (op == capture.traced_from()) {
        messages << "`TT_METAL_TRACE_BEGIN: " << device << ", 7`;" << time << "\n";
      }
      write_host_op(((op + 1) << 10) | static_cast<std::uint64_t>(device), device, time, times, messages);
    }
  }
  for (int device = 0; capture.options().replays > 0 && device < capture.options().devices; ++device) {
    messages << "`TT_METAL_TRACE_END: " << device << ", 7`;" << time++ << "\n";
    for (int replay = 0; replay < capture.options().replays; ++replay) {
      messages << "`TT_METAL_TRACE_REPLAY: " << device << ", 7`;" << time++ << "\n";
    }
  }
  const bool good = times.close();
  return messages.close() && good;
}

}  // namespace

bool write_capture(const Capture& capture) {
  File log(capture.options().folder, "profile_log_device.csv");
  LogWriter(capture, log).write();
  File truth(capture.options().folder, "truth.csv");
  write_cpp_report(capture, truth);
  bool good = log.close();
  good &= truth.close();
  return good && (!capture.options().host || write_host(capture));
}

}  // namespace ttscope::gen_device_log
