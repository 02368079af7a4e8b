#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <ttscope_device/memory_map.h>
#include <ttscope_device/profiler_layout.h>

#include "base/writer.h"
#include "chip/build/compiler.h"
#include "chip/driver/card.h"
#include "chip/runtime/device.h"
#include "chip/simulator.h"

namespace ttscope::testing {

inline bool has_cross_compiler() {
  static const bool found = chip::run_command({chip::Compiler::kProgram, "--version"}).exit_code == 0;
  return found;
}

/// Where tests keep binaries of device code: once for all of them.
inline std::string chip_cache() {
  const char* build = std::getenv("TTSCOPE_BUILD_DIR");
  return (build == nullptr ? std::filesystem::temp_directory_path().string() : std::string(build)) +
         "/chip-test-cache";
}

template <typename T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

/// A chip with one core that runs our firmware.
class ChipCase {
 public:
  explicit ChipCase(chip::Arch arch = chip::Arch::kWormhole, chip::ProfilerBuild profiler = {},
                    std::optional<std::uint32_t> dram_address = {}, chip::ClockModel clock = {},
                    chip::Latency latency = {})
      : simulator(chip::embedded_simulator({{.arch = arch, .clock = clock, .latency = latency}})),
        card(value_of(chip::Card::open(*simulator, 0))),
        compiler(chip::Compiler::kProgram, chip_cache()),
        device(card, compiler, profiler, dram_address) {
    const Result<void> booted = device.boot({facts_of(arch).tensix.front()});
    if (!booted) throw std::runtime_error(booted.error().message);
  }

  chip::Place place() const { return device.cores().front().place; }

  /// A kernel of this text.
  const chip::Binary* kernel(std::string_view text, chip::Processor processor = chip::Processor::kBrisc,
                             const std::vector<std::string>& defines = {}) {
    // By content, so that each is compiled once for all tests.
    const std::string sources = chip_cache() + "/sources";
    const std::string file = sources + "/" + std::to_string(std::hash<std::string_view>{}(text)) + ".cpp";
    std::filesystem::create_directories(sources);
    if (!std::filesystem::exists(file))
      static_cast<void>(write_file(file, [&](Writer& out) { out.write(text); }));
    const chip::KernelSource source = {file, sources, defines, {}};
    binaries.push_back(std::make_unique<chip::Binary>(
        value_of(compiler.kernel(device.arch(), processor, device.profiler(), source))));
    return binaries.back().get();
  }

  /// Runs kernels, by RISC, and waits.
  void run(std::uint32_t host_id, const chip::KernelSet& kernels) {
    start(host_id, kernels);
    const Result<void> done = device.wait({place()});
    if (!done) throw std::runtime_error(done.error().message);
  }
  void start(std::uint32_t host_id, const chip::KernelSet& kernels) {
    chip::Launch launch = {place(), host_id, 0, kernels};
    for (std::uint32_t risc = 0; risc < 5; ++risc)
      launch.enables |= kernels[risc] != nullptr ? 1u << risc : 0;
    device.start({launch});
  }
  /// The same text on some RISCs.
  chip::KernelSet on(std::string_view text, const std::vector<std::uint32_t>& riscs) {
    chip::KernelSet set{};
    for (std::uint32_t risc : riscs) set[risc] = kernel(text, static_cast<chip::Processor>(risc));
    return set;
  }

  std::vector<std::uint32_t> control() {
    return card.read_words(place(), device.control_address(device.cores().front()),
                           ttscope_device::kControlWords);
  }
  std::vector<std::uint32_t> buffer(std::uint32_t risc) {
    const std::uint32_t base = device.control_address(device.cores().front()) +
                               4 * (ttscope_device::kControlWords + risc * ttscope_device::kBufferWords);
    return card.read_words(place(), base, ttscope_device::kBufferWords);
  }
  /// What a RISC has sent.
  std::vector<std::uint32_t> sent(std::uint32_t risc) {
    std::vector<std::uint32_t> words(control()[risc]);
    const chip::Device::Region region = device.region(device.cores().front(), risc);
    card.read_dram(region.bank, region.address,
                   {reinterpret_cast<std::uint8_t*>(words.data()), 4 * words.size()});
    return words;
  }

  std::unique_ptr<chip::Simulator> simulator;
  chip::Card card;
  chip::Compiler compiler;
  chip::Device device;
  std::vector<std::unique_ptr<chip::Binary>> binaries;
};

/// The time of the marker at a word.
inline std::uint64_t marker_time(const std::vector<std::uint32_t>& words, std::size_t index) {
  return std::uint64_t{words[index] & 0xFFF} << 32 | words[index + 1];
}

#define SKIP_WITHOUT_CROSS_COMPILER() \
  if (!ttscope::testing::has_cross_compiler()) GTEST_SKIP() << "no " << ttscope::chip::Compiler::kProgram

}  // namespace ttscope::testing
