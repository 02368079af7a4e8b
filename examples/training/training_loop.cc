#include "training_loop.h"

#include <ttscope/memory_usage_tracker.h>
#include <ttscope/ops.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

using namespace ttscope::train;
namespace sim = ttscope::sim;
namespace MemoryUsageTracker = ttscope::MemoryUsageTracker;

namespace {

constexpr double kMib = 1048576.0;

void print_usage(const char* program) {
  std::printf(
      "usage: %s [options]\n"
      "  --track_memory      print the memory of the phases of the first step\n"
      "  --recompute         keep only the inputs of blocks (memory-efficient mode)\n"
      "  --no_dispatch       record the first step without placing anything; it may need any amount\n"
      "  --batch N           sequences in a forward pass\n"
      "  --accumulation N    forward and backward passes before the optimizer's step\n"
      "  --steps N           steps of the optimizer\n"
      "  --device NAME       n150, n300, p100 or p150\n"
      "  --save FILE         write the capture, for `ttscope graph`\n",
      program);
}

std::optional<std::uint32_t> number_above_zero(const char* text) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value == 0 || value > 65536) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

bool read_value(const std::string& name, const char* value, TrainingOptions& options) {
  const std::optional<std::uint32_t> number = number_above_zero(value);
  if (name == "--device") options.device = value;
  if (name == "--save") options.save_path = value;
  if (name == "--device" || name == "--save") return true;
  if (!number) return false;
  if (name == "--batch") options.batch = *number;
  if (name == "--accumulation") options.accumulation = *number;
  if (name == "--steps") options.steps = *number;
  return name == "--batch" || name == "--accumulation" || name == "--steps";
}

bool read_options(int argc, char** argv, TrainingOptions& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--track_memory") {
      options.track_memory = true;
    } else if (name == "--recompute") {
      options.recompute = true;
    } else if (name == "--no_dispatch") {
      options.no_dispatch = true;
    } else if (i + 1 < argc && read_value(name, argv[i + 1], options)) {
      ++i;
    } else {
      std::fprintf(stderr, "%s: unknown option or value: %s\n", argv[0], argv[i]);
      return false;
    }
  }
  return true;
}

/// A step: so many forward and backward passes, then the optimizer's. Tracks the phases of the first one.
class Trainer {
 public:
  Trainer(const sim::Device& device, const ModelConfig& config, const TrainingOptions& options)
      : device_(device), config_(config), options_(options) {}

  void run(const ModelMaker& make_model) {
    std::optional<ttscope::ScopeGuard> guard;
    if (options_.track_memory) {
      using ttscope::RunMode;
      guard.emplace([] { MemoryUsageTracker::clear(); });
      begin(options_.no_dispatch ? RunMode::NO_DISPATCH : RunMode::NORMAL);
    }
    make_inputs();
    const auto model = make_model(device_, config_);
    std::printf("Model number of parameters: %llu\n",
                static_cast<unsigned long long>(model->parameter_count()));
    std::printf("Available Device Memory: %.0f MB\n",
                static_cast<double>(device_.spec().dram_capacity_bytes()) / kMib);
    snapshot("MODEL_CREATION");
    AdamW optimizer(model->parameters());
    std::printf("Total parameters: %llu\n", static_cast<unsigned long long>(model->parameter_count()));
    snapshot("OPTIMIZER_CREATION");
    for (std::uint32_t step = 1; step <= options_.steps; ++step) {
      train_step(*model, optimizer);
      std::printf("Step: %u, cache entries: %u\n", step, device_.program_cache_entries());
      if (step == 1 && options_.track_memory) report();
    }
  }

  bool fits() const { return fits_; }

 private:
  void begin(ttscope::RunMode mode) {
    auto own = MemoryUsageTracker::begin_capture(mode);
    own.release();  // the session ends with report(), or with the guard in run()
    tracking_ = true;
  }

  void make_inputs() {
    const std::uint32_t length = config_.sequence_length;
    mask_ = make_tensor(sim::from_host(device_, {.shape = {1, 1, length, length}, .memory = {}}), false);
    const sim::TensorSpec tokens{.shape = {options_.batch, 1, 1, length},
                                 .dtype = sim::DataType::kUint32,
                                 .layout = sim::Layout::kRowMajor,
                                 .memory = {}};
    tokens_ = make_tensor(sim::from_host(device_, tokens), false);
    targets_ = make_tensor(sim::from_host(device_, tokens), false);
  }

  void train_step(const LanguageModel& model, AdamW& optimizer) {
    optimizer.zero_grad();
    for (std::uint32_t micro = 0; micro < options_.accumulation; ++micro) {
      TensorPtr loss = cross_entropy_loss(model(tokens_, mask_), targets_);
      if (options_.accumulation > 1) loss = multiply(loss, 1.0F / static_cast<float>(options_.accumulation));
      snapshot(phase_name("FORWARD_PASS", micro));
      loss->backward();
      Graph::current().reset();
      snapshot(phase_name("BACKWARD_PASS", micro));
    }
    optimizer.step();
  }

  std::string phase_name(const std::string& phase, std::uint32_t micro) const {
    return options_.accumulation == 1 ? phase : phase + "_micro_" + std::to_string(micro);
  }

  void snapshot(const std::string& name) {
    if (tracking_) MemoryUsageTracker::snapshot(name);
  }

  void report() {
    tracking_ = false;
    MemoryUsageTracker::end_capture("FIRST_ITERATION_COMPLETE");
    std::printf("%s, %s\n", config_.name.c_str(), config_.recompute ? "memory efficient" : "default");
    std::fflush(stdout);
    MemoryUsageTracker::print_memory_usage();
    if (!options_.save_path.empty()) MemoryUsageTracker::save(options_.save_path);
    compare_with_capacity();
    MemoryUsageTracker::clear();
  }

  /// The peak over all phases, as the summary's relations define it.
  void compare_with_capacity() {
    std::int64_t current = 0;
    std::int64_t peak = 0;
    for (const auto& [name, dram] : MemoryUsageTracker::get_dram_usage_all()) {
      peak = std::max(peak, current + dram.peak);
      current += dram.total_allocations - dram.total_deallocations;
    }
    const auto capacity = static_cast<std::int64_t>(device_.spec().dram_capacity_bytes());
    fits_ = peak <= capacity;
    std::printf("Peak %.2f MB %s the %.2f MB of a %s\n", static_cast<double>(peak) / kMib,
                fits_ ? "fits in" : "does not fit in", static_cast<double>(capacity) / kMib,
                device_.spec().name.c_str());
  }

  sim::Device device_;
  ModelConfig config_;
  TrainingOptions options_;
  TensorPtr mask_;
  TensorPtr tokens_;
  TensorPtr targets_;
  bool tracking_ = false;
  bool fits_ = true;
};

}  // namespace

int run_training(int argc, char** argv, ModelConfig config, const ModelMaker& make_model) {
  TrainingOptions options;
  if (argc > 1 && std::strcmp(argv[1], "--help") == 0) {
    print_usage(argv[0]);
    return 0;
  }
  if (!read_options(argc, argv, options)) {
    print_usage(argv[0]);
    return 2;
  }
  config.recompute = options.recompute;
  try {
    Trainer trainer(sim::Device(sim::DeviceSpec::named(options.device)), config, options);
    trainer.run(make_model);
    return trainer.fits() ? 0 : 3;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}
