#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tt_metal/host_api.hpp>
#include <vector>

#include "base/json_reader.h"
#include "chip/build/compiler.h"
#include "chip/driver/card.h"
#include "chip/runtime/device.h"
#include "metal/profiler.h"

namespace tt::tt_metal {

/// What a program consists of, as the API was told.
struct ProgramState {
  struct Kernel {
    bool on_ethernet() const { return std::holds_alternative<EthernetConfig>(config); }

    std::string file;
    std::set<CoreCoord> cores;
    KernelConfig config;
    std::map<CoreCoord, std::vector<std::uint32_t>> arguments;
    /// By the RISC, once compiled. Recorded traces keep them too.
    std::map<std::uint32_t, std::shared_ptr<const ttscope::chip::Binary>> binaries;
  };
  struct Semaphore {
    std::set<CoreCoord> cores;
    std::uint32_t initial_value = 0;
  };
  struct CircularBuffer {
    std::set<CoreCoord> cores;
    CircularBufferConfig config;
    std::uint32_t address = 0;
  };

  std::vector<Kernel> kernels;
  std::vector<Semaphore> semaphores;
  std::vector<CircularBuffer> circular_buffers;
  std::vector<std::uint32_t> common_arguments;
  std::uint32_t next_l1_address = 0;  ///< 0: nothing is placed yet
  std::optional<std::uint64_t> runtime_id;
};

std::set<CoreCoord> cores_of(const CoreSpec& spec);
/// The RISCs on which a kernel runs.
std::vector<std::uint32_t> riscs_of(const KernelConfig& config);

/// A program ready to run: what is written before, and the launches.
struct PreparedProgram {
  struct Write {
    ttscope::chip::Place place;
    std::uint32_t address = 0;
    std::vector<std::uint32_t> words;
  };
  std::vector<Write> writes;
  std::vector<ttscope::chip::Launch> launches;
  std::vector<ttscope::chip::Place> places;
  std::vector<std::shared_ptr<const ttscope::chip::Binary>> binaries;  ///< kept as long as the launches
  std::uint32_t host_id = 0;
  ttscope::JsonTree description;
};

struct DeviceState {
  DeviceState(int number, const ttscope::chip::Card& opened);

  int id;
  ttscope::chip::Card card;
  ttscope::chip::Device device;
  ttscope::metal::DeviceProfiler profiler;
  std::uint64_t next_runtime_id = 1;
  std::vector<ttscope::chip::Place> running;  ///< cores of the program that was started last

  std::map<std::uint64_t, std::uint64_t> dram_blocks;  ///< offset in each bank to bytes in each bank
  std::map<std::uint32_t, std::vector<PreparedProgram>> traces;
  std::optional<std::uint32_t> recording;
  std::uint32_t next_trace = 0;

  std::map<SubDeviceManagerId, std::vector<std::set<CoreCoord>>> managers;  ///< cores of each sub-device
  SubDeviceManagerId next_manager = 1;
  std::optional<SubDeviceManagerId> loaded_manager;

  ttscope::chip::Place place_of(const CoreCoord& logical) const;
  ttscope::chip::Place ethernet_place_of(const CoreCoord& logical) const;
  /// Compiles the kernels for their processors, unless that was done before.
  void compile(ProgramState& program);
  PreparedProgram prepare(ProgramState& program);
  void start(const PreparedProgram& program);
  void finish();

 private:
  void add_kernel(const ProgramState::Kernel& kernel, PreparedProgram& out,
                  std::map<ttscope::chip::Place, ttscope::chip::Launch>& launches);
  /// Notes on which sub-device a program runs; throws where it is on several.
  void find_sub_device(const ProgramState& program, std::uint32_t host_id);
};

}  // namespace tt::tt_metal
