#include "training_loop.h"

#include <ttscope/device.h>
#include <ttscope/memory_usage_tracker.h>
#include <ttscope/signpost.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

#include "chip_ops.h"
#include "options.h"

using namespace ttscope::train;
namespace sim = ttscope::sim;
namespace MemoryUsageTracker = ttscope::MemoryUsageTracker;

namespace {

constexpr double kMib = 1048576.0;

double mib(std::uint64_t bytes) { return static_cast<double>(bytes) / kMib; }

/// Tracks the phases of the first step, and remembers what each phase left for the case of a failure.
class Trainer : public TrainingObserver {
 public:
  Trainer(const sim::Device& device, const TrainingOptions& options) : device_(device), options_(options) {}

  void run() {
    const ttscope::ScopeGuard guard([] { MemoryUsageTracker::clear(); });
    if (options_.track_memory) {
      using ttscope::RunMode;
      auto own =
          MemoryUsageTracker::begin_capture(options_.no_dispatch ? RunMode::NO_DISPATCH : RunMode::NORMAL);
      own.release();  // the session ends with report(), or with the guard
      tracking_ = true;
    }
    std::optional<ChipOps> chips;
    if (!options_.no_dispatch) chips.emplace(device_);
    chips_ = chips ? &*chips : nullptr;
    try {
      // After a recorded step nothing lies where it should: a second one would tell nothing.
      run_training(device_, options_.training, options_.no_dispatch ? 1 : options_.steps, *this);
    } catch (const sim::OutOfMemory& error) {
      print_failure(error);
      throw;
    }
  }

  bool fits() const { return fits_; }

  void begin_phase(const std::string& name) override {
    phase_ = name;
    if (name.find("FORWARD_PASS") != std::string::npos && !is_in_step_) {
      is_in_step_ = true;
      FrameMarkStart("step");
    }
    ttscope::signpost(signpost_of(name));
  }

  void end_phase(const std::string& name) override {
    left_.emplace_back(name, device_.stats(sim::BufferType::kDram).allocated_bytes_per_bank);
    if (name == "FIRST_ITERATION_COMPLETE") {
      if (tracking_) report();
    } else if (tracking_) {
      MemoryUsageTracker::snapshot(name);
    }
  }

  void on_model(const LanguageModel& model) override {
    const auto count = static_cast<unsigned long long>(model.parameter_count());
    std::printf("Total parameters: %llu\n", count);
    std::printf("Available Device Memory: %.0f MB\n", mib(device_.spec().dram_capacity_bytes()));
  }

  void on_step(std::uint32_t step) override {
    std::printf("Step: %u, cache entries: %u\n", step, device_.program_cache_entries());
    is_in_step_ = false;
    FrameMarkEnd("step");
    if (chips_ != nullptr) chips_->read_profiler();
  }

 private:
  /// Snapshots are named by what they end, signposts by what they begin: the last phase of a step is the
  /// optimizer's.
  static std::string signpost_of(const std::string& phase) {
    if (phase == "FIRST_ITERATION_COMPLETE") return "OPTIMIZER_STEP";
    const std::size_t end = phase.rfind("_COMPLETE");
    return end == std::string::npos ? phase : phase.substr(0, end) + "_OPTIMIZER_STEP";
  }

  void print_summary() {
    const ModelConfig& model = options_.training.model;
    std::printf("%s, %s\n", model.name.c_str(), model.recompute ? "memory efficient" : "default");
    std::fflush(stdout);
    MemoryUsageTracker::print_memory_usage();
    if (!options_.save_path.empty()) MemoryUsageTracker::save(options_.save_path);
  }

  void report() {
    tracking_ = false;
    MemoryUsageTracker::end_capture("FIRST_ITERATION_COMPLETE");
    print_summary();
    compare_with_capacity();
    MemoryUsageTracker::clear();
  }

  /// The peak over all phases, as the summary's relations define it: a sum, without holes and padding.
  void compare_with_capacity() {
    std::int64_t current = 0;
    std::int64_t peak = 0;
    for (const auto& [name, dram] : MemoryUsageTracker::get_dram_usage_all()) {
      peak = std::max(peak, current + dram.peak);
      current += dram.total_allocations - dram.total_deallocations;
    }
    const auto capacity = static_cast<std::int64_t>(device_.spec().dram_capacity_bytes());
    fits_ = peak <= capacity;
    const char* verdict = !fits_ ? "is more than" : options_.no_dispatch ? "is less than" : "fits in";
    std::printf("Peak %.2f MB %s the %.2f MB of a %s%s\n", static_cast<double>(peak) / kMib, verdict,
                static_cast<double>(capacity) / kMib, device_.spec().name.c_str(),
                fits_ && options_.no_dispatch
                    ? "; whether it can be placed, only a run that places it can tell"
                    : "");
  }

  /// The phases so far, the one that failed, and what was live then, by kind.
  void print_failure(const sim::OutOfMemory& error) {
    if (tracking_) {
      tracking_ = false;
      MemoryUsageTracker::end_capture(phase_);
      print_summary();
    }
    std::printf("\nPhases before the failure, DRAM of each bank at their end:\n");
    for (const auto& [name, bytes] : left_) std::printf("  %-28s %10.2f MB\n", name.c_str(), mib(bytes));
    std::printf("Failed in %s", phase_.c_str());
    const sim::MemoryFailure* failure = error.failure();
    if (failure == nullptr) return static_cast<void>(std::printf("\n"));
    if (!failure->module.empty()) std::printf(", %s", failure->module.c_str());
    if (!failure->operation.empty()) std::printf(", %s", failure->operation.c_str());
    std::printf(": %.2f MB of each bank wanted, %.2f MB free, the largest free block has %.2f MB\nLive then:",
                mib(failure->bytes_per_bank), mib(failure->stats.free_bytes_per_bank),
                mib(failure->stats.largest_free_bytes_per_bank));
    std::map<std::string, std::uint64_t> kinds;
    for (const sim::LiveMemory& live : failure->live) kinds[live.kind] += live.bytes_per_bank;
    const char* separator = " ";
    for (const auto& [kind, bytes] : kinds) {
      std::printf("%s%s %.2f MB", separator, kind.c_str(), mib(bytes));
      separator = ", ";
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  sim::Device device_;
  TrainingOptions options_;
  std::string phase_;
  std::vector<std::pair<std::string, std::uint64_t>> left_;
  ChipOps* chips_ = nullptr;  ///< while it runs
  bool tracking_ = false;
  bool is_in_step_ = false;
  bool fits_ = true;
};

sim::DeviceSpec device_of(const TrainingOptions& options) {
  sim::DeviceSpec spec = sim::DeviceSpec::named(options.device);
  if (options.dram_mb_per_bank > 0) {
    spec.dram_bank_bytes = (std::uint64_t{options.dram_mb_per_bank} << 20) + spec.dram_base_address();
    spec.name = "custom device";
  }
  return spec;
}

}  // namespace

int train_with_options(int argc, char** argv, const ModelConfig& config) {
  TrainingOptions options;
  options.training.model = config;
  if (argc > 1 && std::strcmp(argv[1], "--help") == 0) {
    print_usage(argv[0]);
    return 0;
  }
  if (!read_options(argc, argv, options)) {
    print_usage(argv[0]);
    return 2;
  }
  try {
    Trainer trainer(sim::Device(device_of(options)), options);
    trainer.run();
    return trainer.fits() ? 0 : 3;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}
