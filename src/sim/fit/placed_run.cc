#include "sim/fit/placed_run.h"

#include <algorithm>

#include "sim/device/device_state.h"

namespace ttscope::sim {
namespace {

constexpr std::uint64_t kEndlessBankBytes = std::uint64_t{1} << 46;

class Watch : public train::TrainingObserver {
 public:
  explicit Watch(const Device& device) : device_(device) {}

  void begin_phase(const std::string& name) override {
    phase_.name = name;
    phase_.before_bytes = allocated();
    device_.begin_window();
  }

  void end_phase(const std::string&) override { close_phase(); }

  /// What a run does depends on nothing but the free blocks and the programs that are there.
  bool repeats() override {
    State now{device_.state().allocator().free_list(BufferType::kDram).free_blocks(),
              device_.program_cache_entries()};
    const bool same = now == last_;
    last_ = std::move(now);
    return same;
  }

  void skip_phase(const std::string& name) override {
    PhaseUse again = run_.phases[run_.phases.size() - 2];  // a forward and a backward pass take turns
    again.name = name;
    run_.phases.push_back(std::move(again));
  }

  void close_phase() {
    const MemoryWindow& window = device_.window(BufferType::kDram);
    phase_.peak_bytes = window.peak_allocated_bytes_per_bank;
    phase_.after_bytes = allocated();
    phase_.smallest_largest_free_bytes = window.smallest_largest_free_bytes_per_bank;
    if (run_.phases.empty() || phase_.peak_bytes > run_.dram.peak_allocated_bytes_per_bank) {
      run_.peak_phase = phase_.name;
      run_.dram.peak_operation = window.peak_operation;
      run_.dram.peak_module = window.peak_module;
    }
    const bool first = run_.phases.empty();
    run_.dram.peak_allocated_bytes_per_bank =
        std::max(run_.dram.peak_allocated_bytes_per_bank, phase_.peak_bytes);
    run_.dram.smallest_largest_free_bytes_per_bank =
        first ? phase_.smallest_largest_free_bytes
              : std::min(run_.dram.smallest_largest_free_bytes_per_bank, phase_.smallest_largest_free_bytes);
    run_.dram.worst_fragmentation = std::max(run_.dram.worst_fragmentation, window.worst_fragmentation);
    run_.phases.push_back(phase_);
  }

  void fail(const OutOfMemory& error) {
    close_phase();
    run_.failure = RunFailure{phase_.name, error.what(), std::nullopt};
    if (error.failure() == nullptr) return;
    run_.failure->allocation = *error.failure();
    run_.phases.back().after_bytes = error.failure()->stats.allocated_bytes_per_bank;
  }

  PlacedRun finish() {
    run_.l1_peak_bytes = device_.peak_allocated_bytes_per_bank(BufferType::kL1);
    return std::move(run_);
  }

 private:
  std::uint64_t allocated() const { return device_.stats(BufferType::kDram).allocated_bytes_per_bank; }

  struct State {
    std::vector<fit::Block> free_blocks;
    std::uint32_t programs = 0;
    bool operator==(const State&) const = default;
  };

  Device device_;
  State last_;
  PhaseUse phase_;
  PlacedRun run_;
};

}  // namespace

PlacedRun place_training(const DeviceSpec& spec, const train::TrainingConfig& config) {
  const Device device(spec);
  Watch watch(device);
  try {
    train::run_training(device, config, kFitSteps, watch);
  } catch (const OutOfMemory& error) {
    watch.fail(error);
  }
  return watch.finish();
}

PlacedRun place_without_limit(DeviceSpec spec, const train::TrainingConfig& config) {
  spec.dram_bank_bytes = kEndlessBankBytes;
  return place_training(spec, config);
}

}  // namespace ttscope::sim
