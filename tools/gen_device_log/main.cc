#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "capture.h"

namespace {

constexpr const char* kUsage =
    "Usage: ttscope-gen-device-log -o DIR [options]\n"
    "Writes a made-up capture of the device profiler: profile_log_device.csv, the host's files, and "
    "truth.csv with\n"
    "the figures that follow from it.\n"
    "  --rows N         rows of the device log, about (default 100000)\n"
    "  --cores N        cores of a device (default 64)\n"
    "  --devices N      devices (default 1)\n"
    "  --replays N      half of the ops are in a trace that runs N times\n"
    "  --clock MHZ      clock (default 1000)\n"
    "  --start CYCLE    the timer at the beginning; it has 44 bits\n"
    "  --op-major       op after op instead of core after core\n"
    "  --sub-devices    meta data in every row\n"
    "  --no-host        no files of the host\n"
    "  --seed N         other times\n";

bool read_option(int argc, char** argv, int& at, ttscope::gen_device_log::Options& options) {
  const std::string name = argv[at];
  if (name == "--op-major") return options.op_major = true;
  if (name == "--sub-devices") return options.sub_devices = true;
  if (name == "--no-host") {
    options.host = false;
    return true;
  }
  if (at + 1 >= argc) return false;
  const char* value = argv[++at];
  if (name == "-o") {
    options.folder = value;
    return true;
  }
  const std::uint64_t number = std::strtoull(value, nullptr, 10);
  if (name == "--rows")
    options.rows = number;
  else if (name == "--cores")
    options.cores = static_cast<int>(number);
  else if (name == "--devices")
    options.devices = static_cast<int>(number);
  else if (name == "--replays")
    options.replays = static_cast<int>(number);
  else if (name == "--clock")
    options.clock_mhz = static_cast<double>(number);
  else if (name == "--start")
    options.start_cycle = number;
  else if (name == "--seed")
    options.seed = number;
  else
    return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  ttscope::gen_device_log::Options options;
  bool good = true;
  for (int at = 1; at < argc && good; ++at) good = read_option(argc, argv, at, options);
  if (!good || options.folder.empty() || options.cores < 1 || options.devices < 1) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (!error && ttscope::gen_device_log::write_capture(ttscope::gen_device_log::Capture(options))) return 0;
  std::fprintf(stderr, "ttscope-gen-device-log: %s could not be written\n", options.folder.c_str());
  return 1;
}
