#include "sim/fit/training_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "base/chips.h"
#include "base/result.h"
#include "fit/search.h"
#include "sim/device/allocator.h"
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

namespace {

/// As near to a square as the number of cores allows.
void set_grid(DeviceSpec& spec, std::uint32_t cores) {
  spec.grid_x = 1;
  for (std::uint32_t side = 1; side * side <= cores; ++side) {
    if (cores % side == 0) spec.grid_x = cores / side;
  }
  spec.grid_y = cores / spec.grid_x;
}

DeviceSpec custom_spec(const fit::Device& asked) {
  DeviceSpec spec = spec_of(usual_product(wormhole_or_blackhole(asked.arch)));
  spec.name = asked.name;
  const fit::Region& dram = asked.region(fit::Memory::kDram);
  const fit::Region& l1 = asked.region(fit::Memory::kL1);
  spec.dram_banks = dram.banks;
  spec.dram_alignment_bytes = asked.alignment_bytes;
  spec.dram_bank_bytes = static_cast<std::uint64_t>(dram.bytes_per_bank) + spec.dram_base_address();
  set_grid(spec, l1.banks);
  spec.l1_bytes_per_core = static_cast<std::uint64_t>(l1.bytes_per_bank) + spec.l1_base_address;
  return spec;
}

fit::Device described(const DeviceSpec& spec, const fit::Device& asked) {
  fit::Device device = asked;
  device.arch = architecture_of(spec.arch).name;
  device.alignment_bytes = static_cast<std::uint32_t>(spec.dram_alignment_bytes);
  device.l1_alignment_bytes = static_cast<std::uint32_t>(spec.l1_alignment_bytes);
  device.regions = {};
  device.regions[fit::index_of(fit::Memory::kDram)] = {
      spec.dram_banks, static_cast<std::int64_t>(spec.dram_usable_bytes_per_bank())};
  device.regions[fit::index_of(fit::Memory::kL1)] = {
      spec.l1_banks(), static_cast<std::int64_t>(spec.l1_usable_bytes_per_core())};
  return device;
}

}  // namespace

Result<ChosenDevice> choose_device(const fit::Device& asked) {
  const Product* product = find_product(asked.name);
  DeviceSpec spec = product != nullptr ? spec_of(*product) : custom_spec(asked);
  spec.name = asked.name;
  spec.chips = 1;  // a run is looked at on one of its chips; all are alike
  RETURN_IF_ERROR(Allocator::create(spec));
  return ChosenDevice{spec, described(spec, asked)};
}

ChosenDevice default_device(std::uint32_t chips) {
  const Product* product = find_product("galaxy");
  for (const std::string_view name : {"t3000", "n300", "n150"}) {
    const Product* smaller = find_product(name);
    if (smaller->chips >= chips) product = smaller;
  }
  return *choose_device(fit::device_of(*product));
}

namespace {

constexpr std::string_view kTrainingOptions =
    "a training configuration takes --batch, --sequence, --recompute, --optimizer, --tp, --best-fit and "
    "--device";

/// Changes of tensors and weights that only a recorded run has.
std::string_view unsupported_option(const fit::Changes& changes) {
  if (changes.weights != fit::WeightFormat::kAsRecorded) return "--weights";
  if (changes.free_originals) return "--free-originals";
  if (changes.originals_on_host) return "--originals-on-host";
  if (!changes.row_major.empty()) return "--row-major";
  if (!changes.free_early.empty()) return "--free-early";
  return {};
}

fit::AppliedChange change(std::string option, std::string value, std::int64_t from = 0, std::int64_t to = 0) {
  fit::AppliedChange applied;
  applied.option = std::move(option);
  applied.value = std::move(value);
  applied.whole_model = true;
  applied.from = from;
  applied.to = to;
  applied.basis = fit::Basis::kEstimated;
  return applied;
}

/// `--batch 4:8` says what it was; a configuration tells that itself.
Result<void> scale(ChangedTraining& training, std::string_view option, const fit::Scaling& scaling,
                   std::uint32_t& value) {
  if (scaling.to == 0) return {};
  if (scaling.from != 0 && scaling.from != value)
    return failure(bad_input(
        fmt::format("{} {}:{}: the configuration has {}", option, scaling.from, scaling.to, value)));
  training.applied.push_back(change(std::string(option), std::to_string(scaling.to), value, scaling.to));
  value = static_cast<std::uint32_t>(scaling.to);
  return {};
}

}  // namespace

Result<ChangedTraining> apply_changes(const train::TrainingConfig& config, const fit::Changes& changes) {
  if (const std::string_view foreign = unsupported_option(changes); !foreign.empty()) {
    return failure(
        bad_input(fmt::format("{} is for runtime logs and modules; {}", foreign, kTrainingOptions)));
  }
  ChangedTraining training{config, {}, changes.best_fit};
  train::ModelConfig& model = training.config.model;
  RETURN_IF_ERROR(scale(training, "--batch", changes.batch, training.config.batch));
  RETURN_IF_ERROR(scale(training, "--sequence", changes.sequence, model.sequence_length));
  if (changes.recompute) {
    training.applied.push_back(change("--recompute", ""));
    model.recompute = true;
  }
  if (!changes.optimizer.empty()) {
    ASSIGN_OR_RETURN(const train::OptimizerKind kind, optimizer_named(changes.optimizer));
    training.applied.push_back(change("--optimizer", changes.optimizer));
    training.config.optimizer.kind = kind;
  }
  if (changes.tensor_parallel > 1) {
    training.applied.push_back(change("--tp", std::to_string(changes.tensor_parallel), model.tensor_parallel,
                                      changes.tensor_parallel));
    model.tensor_parallel = changes.tensor_parallel;
  }
  if (changes.best_fit) training.applied.push_back(change("--best-fit", ""));
  if (const auto contradiction = contradiction_in(training.config))
    return failure(bad_input(contradiction->text));
  return training;
}

namespace {

std::int64_t signed_bytes(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

fit::Place place_of(const std::string& phase, const std::string& operation, const std::string& module) {
  fit::Place place;
  place.op = operation;
  place.loc = module;
  place.phase = phase;
  return place;
}

fit::Shortage shortage_of(const MemoryFailure& failure) {
  if (failure.bytes_per_bank > failure.stats.total_bytes_per_bank) return fit::Shortage::kLargerThanBank;
  return failure.bytes_per_bank <= failure.stats.free_bytes_per_bank ? fit::Shortage::kFragmented
                                                                     : fit::Shortage::kExhausted;
}

void list_live(const std::vector<LiveMemory>& live, fit::Failure& failure) {
  std::map<std::string, fit::KindBytes> kinds;
  for (const LiveMemory& entry : live) {
    fit::KindBytes& kind = kinds[entry.kind];
    kind.kind = entry.kind;
    kind.bytes_per_bank += signed_bytes(entry.bytes_per_bank);
    kind.tensors += entry.buffers;
    failure.live_tensors += entry.buffers;
    if (failure.live.size() >= fit::kMaxLiveTensors) continue;
    fit::LiveTensor tensor;
    tensor.name = entry.name;
    tensor.kind = entry.kind;
    tensor.bytes_per_bank = signed_bytes(entry.bytes_per_bank);
    failure.live.push_back(std::move(tensor));
  }
  for (auto& [name, kind] : kinds) failure.held.push_back(std::move(kind));
  std::stable_sort(
      failure.held.begin(), failure.held.end(),
      [](const fit::KindBytes& a, const fit::KindBytes& b) { return a.bytes_per_bank > b.bytes_per_bank; });
}

fit::Failure failure_of(const RunFailure& failed) {
  fit::Failure failure;
  failure.basis = fit::Basis::kEstimated;
  failure.place.phase = failed.phase;
  if (!failed.allocation) {
    failure.shortage = fit::Shortage::kCircularBuffers;
    failure.memory = fit::Memory::kL1;
    return failure;
  }
  const MemoryFailure& allocation = *failed.allocation;
  failure.shortage = shortage_of(allocation);
  failure.memory = allocation.memory == BufferType::kDram ? fit::Memory::kDram : fit::Memory::kL1;
  failure.place = place_of(failed.phase, allocation.operation, allocation.module);
  failure.bytes_per_bank = signed_bytes(allocation.bytes_per_bank);
  failure.free_bytes_per_bank = signed_bytes(allocation.stats.free_bytes_per_bank);
  failure.largest_free_bytes_per_bank = signed_bytes(allocation.stats.largest_free_bytes_per_bank);
  list_live(allocation.live, failure);
  return failure;
}

fit::PhaseUse told(const PhaseUse& phase, fit::PhaseUse::State state) {
  return {phase.name, state, signed_bytes(phase.before_bytes), signed_bytes(phase.peak_bytes),
          signed_bytes(phase.after_bytes)};
}

/// What was run as it was; from the failing phase on what would have been needed.
std::vector<fit::PhaseUse> phases_of(const PlacedRun& placed, const PlacedRun& needed) {
  using State = fit::PhaseUse::State;
  std::vector<fit::PhaseUse> phases;
  const std::size_t failed = placed.failure ? placed.phases.size() - 1 : placed.phases.size();
  for (std::size_t i = 0; i < failed; ++i) phases.push_back(told(placed.phases[i], State::kDone));
  for (std::size_t i = failed; placed.failure && i < needed.phases.size(); ++i) {
    phases.push_back(told(needed.phases[i], i == failed ? State::kFailed : State::kNotReached));
  }
  return phases;
}

}  // namespace

fit::DeviceVerdict judge_training(const ChangedTraining& training, const ChosenDevice& device) {
  fit::DeviceVerdict verdict;
  verdict.device = device.device;
  verdict.basis = fit::Basis::kEstimated;
  DeviceSpec spec = device.spec;
  spec.best_fit = training.best_fit;
  const PlacedRun placed = place_training(spec, training.config);
  const PlacedRun needed = placed.failure ? place_without_limit(spec, training.config) : placed;
  verdict.phases = phases_of(placed, needed);
  verdict.fits = !placed.failure;
  if (placed.failure) verdict.failure = failure_of(*placed.failure);

  fit::MemoryUse dram;
  dram.region = device.device.region(fit::Memory::kDram);
  dram.peak_bytes_per_bank = signed_bytes(needed.dram.peak_allocated_bytes_per_bank);
  dram.headroom_bytes_per_bank = dram.region.bytes_per_bank - dram.peak_bytes_per_bank;
  dram.peak_place = place_of(needed.peak_phase, needed.dram.peak_operation, needed.dram.peak_module);
  dram.smallest_largest_free_bytes_per_bank = signed_bytes(placed.dram.smallest_largest_free_bytes_per_bank);
  dram.worst_fragmentation = placed.dram.worst_fragmentation;
  dram.basis = fit::Basis::kEstimated;
  verdict.memories.push_back(std::move(dram));

  const std::uint32_t chips = training.config.data_parallel * training.config.model.tensor_parallel;
  if (device.device.chips != 0 && device.device.name != "custom" && chips > device.device.chips) {
    fit::Failure too_few;
    too_few.shortage = fit::Shortage::kTooFewChips;
    too_few.needed = chips;
    too_few.basis = fit::Basis::kEstimated;
    verdict.fits = false;
    if (!verdict.failure) verdict.failure = std::move(too_few);
  }
  return verdict;
}

namespace {

constexpr std::int64_t kTile = 32;
constexpr std::int64_t kMaxTried = 1 << 16;

using Step = std::function<void(fit::Changes&)>;

/// What keeps results comes first, then what asks for less at once, then more chips, then other training.
std::vector<Step> steps_for(const train::TrainingConfig& config) {
  std::vector<Step> steps;
  if (!config.model.recompute) steps.push_back([](fit::Changes& c) { c.recompute = true; });
  for (std::int64_t batch = config.batch / 2; batch >= config.data_parallel && batch >= 1; batch /= 2) {
    if (batch % config.data_parallel == 0) steps.push_back([batch](fit::Changes& c) { c.batch.to = batch; });
  }
  for (std::uint32_t ways = 2; ways <= 32; ways *= 2) {
    if (ways > config.model.tensor_parallel)
      steps.push_back([ways](fit::Changes& c) { c.tensor_parallel = ways; });
  }
  for (std::int64_t length = config.model.sequence_length / 2; length >= kTile; length /= 2) {
    if (length % kTile == 0) steps.push_back([length](fit::Changes& c) { c.sequence.to = length; });
  }
  if (config.optimizer.kind == train::OptimizerKind::kAdamWFullPrecision)
    steps.push_back([](fit::Changes& c) { c.optimizer = "AdamW"; });
  if (config.optimizer.kind != train::OptimizerKind::kSgd)
    steps.push_back([](fit::Changes& c) { c.optimizer = "SGD"; });
  return steps;
}

class Searcher {
 public:
  Searcher(const train::TrainingConfig& config, const fit::Changes& given, const ChosenDevice& device)
      : config_(config), given_(given), device_(device) {}

  Result<fit::Search> search() {
    fit::Search found;
    found.device = device_.device.name;
    ASSIGN_OR_RETURN(const ChangedTraining unchanged, apply_changes(config_, given_));
    found.fits_unchanged = judge_training(unchanged, device_).fits;
    if (found.fits_unchanged) return found;
    const std::vector<Step> steps = steps_for(unchanged.config);
    for (const Step& step : steps) {
      if (attempt({&step}, found)) return found;
    }
    for (std::size_t a = 0; a < steps.size(); ++a) {
      for (std::size_t b = a + 1; b < steps.size(); ++b) {
        if (attempt({&steps[a], &steps[b]}, found)) return found;
      }
    }
    return found;
  }

 private:
  bool attempt(const std::vector<const Step*>& steps, fit::Search& found) {
    fit::Changes changes = given_;
    for (const Step* step : steps) (*step)(changes);
    const Result<ChangedTraining> changed = apply_changes(config_, changes);
    if (!changed) return false;  // heads that cannot be divided, for example
    const fit::DeviceVerdict verdict = judge_training(*changed, device_);
    const bool too_few = verdict.failure && verdict.failure->shortage == fit::Shortage::kTooFewChips;
    if (too_few) return false;
    const fit::MemoryUse& dram = verdict.memories.front();
    found.attempts.push_back({changed->applied, verdict.fits, dram.peak_bytes_per_bank,
                              dram.headroom_bytes_per_bank, verdict.basis});
    if (!verdict.fits) return false;
    found.answer = found.attempts.size() - 1;
    return true;
  }

  const train::TrainingConfig& config_;
  const fit::Changes& given_;
  const ChosenDevice& device_;
};

}  // namespace

Result<fit::Search> search_training(const train::TrainingConfig& config, const fit::Changes& given,
                                    const ChosenDevice& device) {
  return Searcher(config, given, device).search();
}

Result<fit::Maximum> largest_training(const train::TrainingConfig& config, const fit::Changes& given,
                                      const ChosenDevice& device, fit::Growth growth) {
  fit::Changes changes = given;
  const bool of_batch = growth == fit::Growth::kBatch;
  const std::int64_t step = of_batch ? config.data_parallel : kTile;
  fit::Maximum maximum;
  maximum.device = device.device.name;
  maximum.growth = growth;
  ASSIGN_OR_RETURN(const ChangedTraining unchanged, apply_changes(config, given));
  maximum.recorded = of_batch ? unchanged.config.batch : unchanged.config.model.sequence_length;

  const auto fits = [&](std::int64_t steps) {
    (of_batch ? changes.batch : changes.sequence).to = steps * step;
    const Result<ChangedTraining> changed = apply_changes(config, changes);
    if (!changed) return false;
    const fit::DeviceVerdict verdict = judge_training(*changed, device);
    if (verdict.fits) maximum.headroom_bytes_per_bank = verdict.memories.front().headroom_bytes_per_bank;
    return verdict.fits;
  };
  const fit::LargestFit found = fit::find_largest_fit(1, kMaxTried, fits);
  maximum.at_limit = found.at_limit;
  if (found.value > 0) maximum.largest = found.value * step;
  return maximum;
}

namespace {

Result<std::vector<ChosenDevice>> devices_of(const train::TrainingConfig& config,
                                             const fit::FitQuery& question) {
  std::vector<ChosenDevice> chosen;
  if (question.devices.empty()) {
    chosen.push_back(default_device(config.data_parallel * config.model.tensor_parallel));
    chosen.back().device.is_own = false;
    return chosen;
  }
  const auto asked = fit::requested_devices(question, {});
  if (!asked) return failure(asked.error());
  for (const fit::Device& device : *asked) {
    ASSIGN_OR_RETURN(ChosenDevice one, choose_device(device));
    chosen.push_back(std::move(one));
  }
  return chosen;
}

std::vector<fit::Omission> omissions_of(const LoadedConfig& config, const fit::FitQuery& question) {
  std::vector<fit::Omission> omissions{fit::Omission::kModeledTraining};
  if (question.devices.empty()) omissions.push_back(fit::Omission::kDeviceAssumed);
  for (const Assumption assumption : config.assumptions) {
    const bool of_batch = assumption == Assumption::kBatchOfOne;
    if (of_batch && question.changes.batch.to != 0) continue;
    omissions.push_back(of_batch ? fit::Omission::kBatchAssumed : fit::Omission::kVocabularyAssumed);
  }
  return omissions;
}

}  // namespace

Result<fit::Report> fit_training(const LoadedConfig& config, const fit::FitQuery& question) {
  ASSIGN_OR_RETURN(const ChangedTraining changed, apply_changes(config.training, question.changes));
  ASSIGN_OR_RETURN(const std::vector<ChosenDevice> devices, devices_of(changed.config, question));
  fit::Report report;
  report.inputs = config.files;
  report.input_kind = "training config";
  report.changes = changed.applied;
  report.omissions = omissions_of(config, question);
  for (const ChosenDevice& device : devices) report.devices.push_back(judge_training(changed, device));
  if (question.search) {
    ASSIGN_OR_RETURN(fit::Search search, search_training(config.training, question.changes, devices.front()));
    report.search = std::move(search);
  }
  if (question.maximum) {
    ASSIGN_OR_RETURN(fit::Maximum maximum,
                     largest_training(config.training, question.changes, devices.front(), *question.maximum));
    report.maximum = maximum;
  }
  return report;
}

}  // namespace ttscope::sim
