#pragma once
// Ops on simulated chips: each is a program of a told length, and is told to the profiler as tt-metal tells
// its ops (`TT_DNN_DEVICE_OP`), so that `ttscope trace -r` ends in a report with their rows.

#include <tt_metal/host_api.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ttscope {

/// A tensor as the messages of ops describe it.
struct ProfiledTensor {
  std::array<std::uint32_t, 4> shape{1, 1, 1, 1};   ///< W, Z, Y, X
  std::array<std::uint32_t, 4> padded{1, 1, 1, 1};  ///< the same in whole tiles
  std::string dtype = "BFLOAT16";
  std::string layout = "TILE";
  std::string buffer_type = "DRAM";  ///< empty: it is on the host
  std::string memory_layout = "INTERLEAVED";
  std::uint64_t bytes = 0;
  /// Of its pages on each device: interleaved ones of ProfiledOps::kPageBytes, as many as `bytes` has, at
  /// least one and no more than ProfiledOps::kMovedPages. 0 or none: kernels move nothing, but take their
  /// time.
  std::vector<std::uint32_t> dram_addresses;
};

/// One call of an op.
struct ProfiledOp {
  std::string code;  ///< `MatmulDeviceOperation`
  std::map<std::string, std::string> attributes;
  std::vector<ProfiledTensor> inputs;
  std::vector<ProfiledTensor> outputs;
  std::uint64_t hash = 0;  ///< equal ones are the same program
  std::string fidelity = "HiFi4";
  std::uint32_t turns = 1;          ///< of the compute kernel's loop, on each of its cores
  std::uint32_t reading_turns = 0;  ///< of the reader's, at least; its pages are a part of them
  std::uint64_t compute_ns = 1;     ///< that its arithmetic takes at best
};

/// Runs ops on devices, which must be open as long. With the environment variable TTNN_OP_PROFILER they are
/// told: all of an op once for each device, then only that it ran again, unless
/// TT_METAL_PROFILER_NO_CACHE_OP_INFO is set. One thread at a time.
class ProfiledOps {
 public:
  static constexpr std::uint32_t kCores = 4;  ///< of an op
  static constexpr std::uint32_t kPageBytes = 2048;
  static constexpr std::uint32_t kMovedPages = 128;  ///< at most: those of a tensor that kernels touch
  /// About; with more turns a run takes longer, because simulated chips are slow.
  static constexpr std::uint32_t kCyclesOfTurn = 4;

  explicit ProfiledOps(std::vector<tt::tt_metal::IDevice*> devices);
  ~ProfiledOps();
  ProfiledOps(const ProfiledOps&) = delete;
  ProfiledOps& operator=(const ProfiledOps&) = delete;

  /// On each of the devices.
  void run(const ProfiledOp& op);
  /// An op of tensors that are on no device.
  static void run_on_host(const ProfiledOp& op);

 private:
  class OpProgram;
  struct Call {
    std::uint32_t number = 0;
    bool is_hit = false;  ///< its program was there
  };

  void run_on(std::size_t device, const ProfiledOp& op, const Call& call);
  /// Compiled on the device, if it is new.
  OpProgram& program_of(const ProfiledOp& op, tt::tt_metal::IDevice& device);

  std::vector<tt::tt_metal::IDevice*> devices_;
  std::map<std::uint64_t, std::unique_ptr<OpProgram>> programs_;  ///< by hash
  std::set<std::pair<int, std::uint64_t>> told_;                  ///< device and hash
};

}  // namespace ttscope
