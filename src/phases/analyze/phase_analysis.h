#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/trust.h"
#include "phases/model/phase_log.h"

namespace ttscope::phases {

/// One phase of a run, in bytes of one device. What the log does not print is taken from the relations of the
/// other figures.
struct PhaseStep {
  std::string name;
  PhaseLabel label;
  std::uint32_t line = 0;
  std::int64_t start_bytes = 0;         ///< in use before it
  std::int64_t segment_peak_bytes = 0;  ///< most in use at once, above the start
  std::int64_t change_bytes = 0;        ///< what it left behind
  std::int64_t current_bytes = 0;       ///< in use after it
  std::int64_t peak_so_far_bytes = 0;   ///< most since the capture began
  std::optional<std::int64_t> allocations_bytes;
  std::optional<std::int64_t> deallocations_bytes;
  std::optional<PhaseL1> l1;
  bool complete = true;  ///< all six DRAM figures were printed

  std::int64_t reached_bytes() const { return start_bytes + segment_peak_bytes; }
};

/// The relations that the tracker's document states.
enum class Relation : std::uint8_t {
  kSegmentChange,      ///< change = allocations - deallocations
  kCumulativeCurrent,  ///< current = current before + change
  kCumulativePeak,     ///< peak = max(peak before, current before + segment peak)
  kSegmentPeak,        ///< segment peak >= change
  kOverallPeak,        ///< overall peak = peak of the last phase
  kFinalUsage,         ///< final usage = current of the last phase
};

std::string_view name_of(Relation relation);

/// A relation that printed figures break by more than their rounding.
struct Violation {
  Relation relation = Relation::kSegmentChange;
  std::uint32_t phase = 0;
  double printed_mb = 0;
  double expected_mb = 0;  ///< from the other figures
};

/// What memory is used for, in the order of the stacked bar, from below.
enum class ComponentKind : std::uint8_t {
  kOther,  ///< the peak less all others; negative when they explain too much
  kModel,
  kGradientsOverhead,  ///< what the backward pass needs above its start
  kOptimizer,
  kActivations,  ///< kept by forward passes whose backward pass is not over
  kGradients,    ///< kept from backward passes before the peak
  kOtherPhases,  ///< left behind by phases of other names
  kTemporaries,  ///< of the phase that makes the peak, gone after it
};

inline constexpr std::size_t kComponentCount = 8;

std::string_view name_of(ComponentKind kind);

struct Component {
  ComponentKind kind = ComponentKind::kOther;
  std::int64_t bytes = 0;           ///< measured, or for model and optimizer as expected
  std::int64_t measured_bytes = 0;  ///< these too add up to the peak
  Confidence confidence = Confidence::kMeasured;
};

/// A size as measured and as expected from the number of parameters or given by the user.
struct SizeCheck {
  std::optional<std::int64_t> actual_bytes;
  std::optional<std::int64_t> expected_bytes;
};

/// A forward pass and its backward pass: one micro-step of gradient accumulation, or the whole step.
struct TrainingStep {
  std::optional<std::uint32_t> micro_step;
  std::uint32_t first_phase = 0;
  std::uint32_t last_phase = 0;
  bool has_backward = false;
  std::int64_t activations_bytes = 0;  ///< kept when the forward pass was over
  std::int64_t net_bytes = 0;          ///< left when the step was over: gradients
  std::int64_t peak_bytes = 0;         ///< most in use during it
};

/// kAssumed: nothing tells it; that of the device that tt-train's document speaks of.
enum class FactOrigin : std::uint8_t { kUnknown, kOption, kLog, kEarlierInLog, kAssumed };

std::string_view name_of(FactOrigin origin);

/// What the peak is compared with.
struct DeviceMemory {
  std::optional<std::int64_t> bytes;  ///< of one device
  std::optional<std::int64_t> bytes_of_all;
  std::uint32_t devices = 1;
  FactOrigin origin = FactOrigin::kUnknown;
  FactOrigin devices_origin = FactOrigin::kUnknown;
};

enum class AdviceKind : std::uint8_t {
  kOtherConfiguration,    ///< one of the runs given needs less
  kRecomputation,         ///< recompute activations in the backward pass
  kSmallerBatch,          ///< half the batch, or as small as it takes to fit
  kGradientAccumulation,  ///< the same batch in micro-steps
  kOptimizerState,        ///< state of more than two bf16 values a parameter
};

std::string_view name_of(AdviceKind kind);

struct Advice {
  AdviceKind kind = AdviceKind::kRecomputation;
  std::int64_t bytes = 0;  ///< at stake: by how much the peak would fall
  /// Measured for kOtherConfiguration, otherwise modeled, and not below what a run given measures of it.
  std::int64_t peak_after_bytes = 0;
  std::uint32_t micro_steps = 0;    ///< kGradientAccumulation: of how many the batch would be made
  double batch_share = 0;           ///< kSmallerBatch: of the batch now
  std::uint32_t configuration = 0;  ///< kOtherConfiguration
  std::int64_t affected_bytes = 0;  ///< the activations or the state that it is about
};

enum class PhaseNoteKind : std::uint8_t {
  kDeviceMemoryAssumed,  ///< no line tells it
  kDeviceMemoryOfAll,    ///< the log prints the memory of all devices together
  kWholeModelExpected,   ///< several devices: one may hold a part of the model only
  kFactInherited,        ///< parameters or device memory stand before an earlier summary
  kExpectedTooLarge,     ///< expected sizes explain more than the peak: measured ones are shown
  kNoExpectedSizes,      ///< neither parameters nor sizes are known
  kNamesRepeated,        ///< phases of one name with the same figures: overwritten by an old tracker
  kCbPerChip,            ///< circular buffers beyond the L1 of a core: counted once a chip
  kCbCached,             ///< no circular buffers in later steps: the programs came from the cache
  kNegativeCurrent,      ///< more freed than allocated: memory from before the capture
  kTotalsDerived,        ///< the summary was cut
};

/// `device_memory_assumed` and so on.
std::string_view name_of(PhaseNoteKind kind);

struct PhaseNote {
  PhaseNoteKind kind = PhaseNoteKind::kTotalsDerived;
  std::string name;         ///< of phases
  std::uint64_t count = 0;  ///< devices, repetitions
  double mb = 0;
};

/// One run: a summary and what it means.
struct Configuration {
  std::string name;
  std::uint32_t summary = 0;  ///< in PhaseLog::summaries
  std::optional<std::uint64_t> parameters;
  std::optional<std::uint32_t> batch;
  /// Names of phases under which an old tracker shows the figures of the last micro-step only: the gradients
  /// that the first one made are in no figure. Empty: nothing is lost.
  std::string lost_gradients;
  /// The last phase of a summary that ends in the middle of the iteration: the peak may come after it. Empty:
  /// the summary is whole.
  std::string cut_after;
  std::uint32_t failure_line = 0;  ///< an allocation that failed after the summary; 0: none
  DeviceMemory device;
  std::vector<PhaseStep> phases;
  std::vector<TrainingStep> steps;
  std::int64_t peak_bytes = 0;
  std::int64_t final_bytes = 0;
  std::optional<std::uint32_t> peak_phase;  ///< the first that reaches the peak
  SizeCheck model;
  SizeCheck optimizer;
  SizeCheck gradients;
  std::optional<std::int64_t> activations_bytes;  ///< the most that a forward pass kept
  bool actual_sizes = false;          ///< model and optimizer components are measured, not expected
  bool expected_too_large = false;    ///< why they are, although it was not asked for
  std::vector<Component> components;  ///< at the moment of the peak; they add up to it
  std::vector<Violation> violations;
  std::vector<Advice> advice;  ///< most bytes first
  std::vector<PhaseNote> notes;
  Severity severity = Severity::kOk;

  const Component* component(ComponentKind kind) const;
  /// Whether the figures are those of the run: without the gradients, or what a cut summary or a failure
  /// after it lacks, the peak is too small by an unknown size. What exceeds the device already does so with
  /// the rest.
  bool has_verdict() const;
  /// Whether they tell if it fits: what exceeds the device without the gradients does so with them.
  bool decides_fit() const;
};

struct PhaseAnalysis {
  std::vector<Configuration> configurations;
  std::optional<Severity> verdict =
      Severity::kOk;  ///< nothing: a run without one, and none that does not fit
};

struct PhaseOptions {
  std::optional<std::int64_t> model_bytes{};
  std::optional<std::int64_t> optimizer_bytes{};
  std::optional<std::int64_t> gradients_bytes{};
  std::optional<std::int64_t> device_bytes{};  ///< of one device
  std::optional<std::uint32_t> devices{};      ///< how many share the memory that the log prints
  bool use_actual_sizes = false;
};

/// Above this share of the device's memory a run is in danger: fragmentation and reserved regions are not in
/// the tracker's figures.
inline constexpr double kNearlyFull = 0.9;
/// The device of tt-train's document, 12 GB: assumed where neither log nor option tells a size.
inline constexpr std::int64_t kAssumedDeviceBytes = std::int64_t{12} << 30;

PhaseAnalysis analyze_phases(const PhaseLog& log, const PhaseOptions& options);

/// Whether the peak is over the memory of a device; false while that is not known.
bool exceeds_device(const Configuration& configuration);

/// What all tables and outputs of training phases are made from. Immutable once made; readers may share it
/// among threads.
struct Profile {
  PhaseLog log;
  PhaseAnalysis analysis;  ///< a configuration for each summary of the log, in the same order
};

inline Profile profile_of(PhaseLog log, const PhaseOptions& options = {}) {
  PhaseAnalysis analysis = analyze_phases(log, options);
  return {std::move(log), std::move(analysis)};
}

}  // namespace ttscope::phases
