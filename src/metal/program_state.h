#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tt_metal/host_api.hpp>

#include "chip/build/compiler.h"

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

}  // namespace tt::tt_metal
