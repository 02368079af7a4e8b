#include "perf/analyze/perf_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "base/number_text.h"

namespace ttscope::perf {
namespace {

/// How a metric of the hardware counters is computed on one core. A formula is `sum / sum` of counter values;
/// `@X` is the number of cycles that X counted during, `PORT1` the packer's L1 port, whose counter is named
/// differently on each architecture.
struct CounterMetric {
  enum Flags : std::uint32_t {
    kClip = 1,                  ///< not below 0
    kReferenceUnclipped = 2,    ///< the reference does so only in reports of the device alone
    kPlain = 4,                 ///< a ratio, not a percentage
    kReferenceUnscaled = 8,     ///< the reference forgets the factor 100
    kReferenceDeviceOnly = 16,  ///< the reference has it only in reports of the device alone
    kOnlyCaptured = 32,         ///< the reference never takes missing counters of it for 0
  };
  std::string_view name;
  std::string_view formula;  ///< empty: computed by code
  std::uint32_t flags = 0;

  bool has(Flags flag) const { return (flags & flag) != 0; }
};

constexpr auto kClip = CounterMetric::kClip;
constexpr auto kReferenceUnclipped = CounterMetric::kReferenceUnclipped;
constexpr auto kPlain = CounterMetric::kPlain;
constexpr auto kReferenceUnscaled = CounterMetric::kReferenceUnscaled;
constexpr auto kReferenceDeviceOnly = CounterMetric::kReferenceDeviceOnly;
constexpr auto kOnlyCaptured = CounterMetric::kOnlyCaptured;

constexpr std::array<CounterMetric, 84> kMetrics = {{
    {"SFPU Util", "SFPU_COUNTER / @SFPU_COUNTER", 0},
    {"FPU Util", "FPU_COUNTER / @FPU_COUNTER", 0},
    {"MATH Util", "MATH_COUNTER / @MATH_COUNTER", 0},
    {"Unpacker0 Write Efficiency", "SRCA_WRITE_ACTUAL / UNPACK0_BUSY_THREAD0", 0},
    {"Unpacker1 Write Efficiency", "SRCB_WRITE_NOT_BLOCKED_PORT / UNPACK1_BUSY_THREAD0", 0},
    {"Unpacker Write Efficiency", "", 0},
    {"Packer Efficiency", "PACKER_DEST_READ_AVAILABLE / PACKER_BUSY", 0},
    {"FPU Execution Efficiency", "FPU_COUNTER / FPU_INSTRN_AVAILABLE_1", 0},
    {"Math Pipeline Utilization", "MATH_INSTRN_STARTED / MATH_INSTRN_AVAILABLE", 0},
    {"Math-to-Pack Handoff Efficiency", "AVAILABLE_MATH / PACKER_BUSY", 0},
    {"Unpacker-to-Math Data Flow",
     "SRCA_WRITE_AVAILABLE + SRCB_WRITE_AVAILABLE / UNPACK0_BUSY_THREAD0 + UNPACK1_BUSY_THREAD0", 0},
    {"Thread 0 Stall Rate", "THREAD_STALLS_0 / @THREAD_STALLS_0", 0},
    {"Thread 1 Stall Rate", "THREAD_STALLS_1 / @THREAD_STALLS_1", 0},
    {"Thread 2 Stall Rate", "THREAD_STALLS_2 / @THREAD_STALLS_2", 0},
    {"SrcA Valid Wait", "WAITING_FOR_SRCA_VALID / @WAITING_FOR_SRCA_VALID", 0},
    {"SrcB Valid Wait", "WAITING_FOR_SRCB_VALID / @WAITING_FOR_SRCB_VALID", 0},
    {"SrcA Clear Wait", "WAITING_FOR_SRCA_CLEAR / @WAITING_FOR_SRCA_CLEAR", 0},
    {"SrcB Clear Wait", "WAITING_FOR_SRCB_CLEAR / @WAITING_FOR_SRCB_CLEAR", 0},
    {"Math Idle Wait T1", "WAITING_FOR_MATH_IDLE_1 / @WAITING_FOR_MATH_IDLE_1", 0},
    {"Pack Idle Wait T2", "WAITING_FOR_PACK_IDLE_2 / @WAITING_FOR_PACK_IDLE_2", 0},
    {"Unpack Idle Wait T0", "WAITING_FOR_UNPACK_IDLE_0 / @WAITING_FOR_UNPACK_IDLE_0", 0},
    {"Semaphore Zero Wait T0", "WAITING_FOR_NONZERO_SEM_0 / @WAITING_FOR_NONZERO_SEM_0", 0},
    {"Semaphore Zero Wait T1", "WAITING_FOR_NONZERO_SEM_1 / @WAITING_FOR_NONZERO_SEM_1", 0},
    {"Semaphore Zero Wait T2", "WAITING_FOR_NONZERO_SEM_2 / @WAITING_FOR_NONZERO_SEM_2", 0},
    {"Semaphore Full Wait T0", "WAITING_FOR_NONFULL_SEM_0 / @WAITING_FOR_NONFULL_SEM_0", 0},
    {"Semaphore Full Wait T1", "WAITING_FOR_NONFULL_SEM_1 / @WAITING_FOR_NONFULL_SEM_1", 0},
    {"Semaphore Full Wait T2", "WAITING_FOR_NONFULL_SEM_2 / @WAITING_FOR_NONFULL_SEM_2", 0},
    {"Data Hazard Stall Rate", "MATH_INSTRN_AVAILABLE - DATA_HAZARD_STALLS_MOVD2A / MATH_INSTRN_AVAILABLE",
     kClip},
    {"Fidelity Stall Rate", "MATH_FIDELITY_STALL / MATH_INSTRN_AVAILABLE", 0},
    {"HiFi Fraction",
     "MATH_INSTRN_HF_2_CYCLE + MATH_INSTRN_HF_4_CYCLE / MATH_INSTRN_HF_1_CYCLE + "
     "MATH_INSTRN_HF_2_CYCLE + MATH_INSTRN_HF_4_CYCLE",
     0},
    {"Avg HF Cycles Per Instrn",
     "MATH_INSTRN_HF_1_CYCLE + 2*MATH_INSTRN_HF_2_CYCLE + 4*MATH_INSTRN_HF_4_CYCLE / "
     "MATH_INSTRN_HF_1_CYCLE + MATH_INSTRN_HF_2_CYCLE + MATH_INSTRN_HF_4_CYCLE",
     kPlain},
    {"L1 Unpacker Port Util", "L1_0_UNPACKER_0 / @L1_0_UNPACKER_0", 0},
    {"L1 TDMA Bundle Util",
     "0.5*L1_0_TDMA_BUNDLE_0_RISC + 0.5*L1_0_TDMA_BUNDLE_1_TRISC / @L1_0_TDMA_BUNDLE_0_RISC", 0},
    {"NOC Ring 0 Outgoing Util",
     "0.5*L1_0_NOC_RING0_OUTGOING_0 + 0.5*L1_0_NOC_RING0_OUTGOING_1 / @L1_0_NOC_RING0_OUTGOING_0", 0},
    {"NOC Ring 0 Incoming Util",
     "0.5*L1_0_NOC_RING0_INCOMING_0 + 0.5*L1_0_NOC_RING0_INCOMING_1 / @L1_0_NOC_RING0_INCOMING_0", 0},
    {"NOC Ring 1 Outgoing Util",
     "0.5*L1_1_NOC_RING1_OUTGOING_0 + 0.5*L1_1_NOC_RING1_OUTGOING_1 / @L1_1_NOC_RING1_OUTGOING_0", 0},
    {"NOC Ring 1 Incoming Util",
     "0.5*L1_1_NOC_RING1_INCOMING_0 + 0.5*L1_1_NOC_RING1_INCOMING_1 / @L1_1_NOC_RING1_INCOMING_0", 0},
    {"L1 Packer Port Util", "PORT1 / @PORT1", 0},
    {"NOC Ring 0 Outgoing Backpressure",
     "L1_0_NOC_RING0_OUTGOING_0 - L1_0_NOC_RING0_OUTGOING_0_GRANT + L1_0_NOC_RING0_OUTGOING_1 - "
     "L1_0_NOC_RING0_OUTGOING_1_GRANT / L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1",
     kClip},
    {"NOC Ring 0 Incoming Backpressure",
     "L1_0_NOC_RING0_INCOMING_0 - L1_0_NOC_RING0_INCOMING_0_GRANT + L1_0_NOC_RING0_INCOMING_1 - "
     "L1_0_NOC_RING0_INCOMING_1_GRANT / L1_0_NOC_RING0_INCOMING_0 + L1_0_NOC_RING0_INCOMING_1",
     kClip},
    {"NOC Ring 1 Outgoing Backpressure",
     "L1_1_NOC_RING1_OUTGOING_0 - L1_1_NOC_RING1_OUTGOING_0_GRANT + L1_1_NOC_RING1_OUTGOING_1 - "
     "L1_1_NOC_RING1_OUTGOING_1_GRANT / L1_1_NOC_RING1_OUTGOING_0 + L1_1_NOC_RING1_OUTGOING_1",
     kClip},
    {"NOC Ring 1 Incoming Backpressure",
     "L1_1_NOC_RING1_INCOMING_0 - L1_1_NOC_RING1_INCOMING_0_GRANT + L1_1_NOC_RING1_INCOMING_1 - "
     "L1_1_NOC_RING1_INCOMING_1_GRANT / L1_1_NOC_RING1_INCOMING_0 + L1_1_NOC_RING1_INCOMING_1",
     kClip},
    {"L1 Unpacker Backpressure", "L1_0_UNPACKER_0 - L1_0_UNPACKER_0_GRANT / L1_0_UNPACKER_0", kClip},
    {"L1 Packer Port Backpressure", "PORT1 - L1_0_PORT1_GRANT / PORT1", kClip},
    {"SrcA Write Port Blocked Rate", "SRCA_WRITE_AVAILABLE - SRCA_WRITE_ACTUAL / SRCA_WRITE_AVAILABLE",
     kClip},
    {"SrcA Write Overwrite Blocked Rate",
     "SRCA_WRITE_AVAILABLE - SRCA_WRITE_NOT_BLOCKED_OVR / SRCA_WRITE_AVAILABLE", kClip},
    {"SrcB Write Overwrite Blocked Rate", "SRCB_WRITE_AVAILABLE - SRCB_WRITE_ACTUAL / SRCB_WRITE_AVAILABLE",
     kClip},
    {"Dest Read Backpressure",
     "PACKER_DEST_READ_AVAILABLE - DEST_READ_GRANTED_0 / PACKER_DEST_READ_AVAILABLE",
     kClip | kReferenceUnclipped},
    {"Math Dest Write Port Stall Rate",
     "MATH_INSTRN_AVAILABLE - MATH_NOT_STALLED_DEST_WR_PORT / MATH_INSTRN_AVAILABLE",
     kClip | kReferenceUnclipped},
    {"Math Scoreboard Stall Rate", "MATH_INSTRN_AVAILABLE - AVAILABLE_MATH / MATH_INSTRN_AVAILABLE",
     kClip | kReferenceUnclipped},
    {"T0 Instrn Issue Rate", "THREAD_INSTRUCTIONS_0 / @THREAD_INSTRUCTIONS_0", kPlain},
    {"T1 Instrn Issue Rate", "THREAD_INSTRUCTIONS_1 / @THREAD_INSTRUCTIONS_1", kPlain},
    {"T2 Instrn Issue Rate", "THREAD_INSTRUCTIONS_2 / @THREAD_INSTRUCTIONS_2", kPlain},
    {"CFG Instrn Avail Rate T0", "CFG_INSTRN_AVAILABLE_0 / @CFG_INSTRN_AVAILABLE_0", 0},
    {"SYNC Instrn Avail Rate T0", "SYNC_INSTRN_AVAILABLE_0 / @SYNC_INSTRN_AVAILABLE_0", 0},
    {"THCON Instrn Avail Rate T0", "THCON_INSTRN_AVAILABLE_0 / @THCON_INSTRN_AVAILABLE_0", 0},
    {"MOVE Instrn Avail Rate T0", "MOVE_INSTRN_AVAILABLE_0 / @MOVE_INSTRN_AVAILABLE_0", 0},
    {"MATH Instrn Avail Rate T1", "FPU_INSTRN_AVAILABLE_1 / @FPU_INSTRN_AVAILABLE_1", 0},
    {"UNPACK Instrn Avail Rate T0", "UNPACK_INSTRN_AVAILABLE_0 / @UNPACK_INSTRN_AVAILABLE_0", 0},
    {"PACK Instrn Avail Rate T2", "PACK_INSTRN_AVAILABLE_2 / @PACK_INSTRN_AVAILABLE_2", 0},
    {"SrcB Write Port Blocked Rate",
     "SRCB_WRITE_AVAILABLE - SRCB_WRITE_NOT_BLOCKED_PORT / SRCB_WRITE_AVAILABLE", kClip},
    {"SrcA Write Actual Efficiency", "SRCA_WRITE_ACTUAL / SRCA_WRITE_AVAILABLE", 0},
    {"SrcB Write Actual Efficiency", "SRCB_WRITE_NOT_BLOCKED_PORT / SRCB_WRITE_AVAILABLE", 0},
    {"Packer Engine 0 Util", "PACKER_BUSY_0 / @PACKER_BUSY_0", kOnlyCaptured},
    {"Packer Engine 1 Util", "PACKER_BUSY_1 / @PACKER_BUSY_1", kOnlyCaptured},
    {"Packer Engine 2 Util", "PACKER_BUSY_2 / @PACKER_BUSY_2", kOnlyCaptured},
    {"MMIO Idle Wait T0", "WAITING_FOR_MMIO_IDLE_0 / @WAITING_FOR_MMIO_IDLE_0", 0},
    {"SFPU Idle Wait T1", "WAITING_FOR_SFPU_IDLE_1 / @WAITING_FOR_SFPU_IDLE_1", 0},
    {"THCON Idle Wait T0", "WAITING_FOR_THCON_IDLE_0 / @WAITING_FOR_THCON_IDLE_0", 0},
    {"MOVE Idle Wait T0", "WAITING_FOR_MOVE_IDLE_0 / @WAITING_FOR_MOVE_IDLE_0", 0},
    {"RISC Core L1 Util", "L1_1_RISC_CORE / @L1_1_RISC_CORE", 0},
    {"L1 Total Bandwidth Util",
     "L1_0_UNPACKER_0 + PORT1 + L1_0_TDMA_BUNDLE_0_RISC + L1_0_TDMA_BUNDLE_1_TRISC + "
     "L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 + L1_0_NOC_RING0_INCOMING_0 + "
     "L1_0_NOC_RING0_INCOMING_1 / 8*@L1_0_UNPACKER_0",
     0},
    {"L1 Read vs Write Ratio",
     "L1_0_UNPACKER_0 + L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 / L1_0_UNPACKER_0 + "
     "L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 + PORT1 + L1_0_NOC_RING0_INCOMING_0 + "
     "L1_0_NOC_RING0_INCOMING_1",
     0},
    {"NOC Ring 0 Asymmetry",
     "L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 / L1_0_NOC_RING0_OUTGOING_0 + "
     "L1_0_NOC_RING0_OUTGOING_1 + L1_0_NOC_RING0_INCOMING_0 + L1_0_NOC_RING0_INCOMING_1",
     0},
    {"L1 Contention Index", "", 0},
    {"Unpacker L1 Efficiency", "L1_0_UNPACKER_0_GRANT / UNPACK0_BUSY_THREAD0", 0},
    {"Packer L1 Efficiency", "L1_0_PORT1_GRANT / PACKER_BUSY", 0},
    {"NOC vs Compute Balance",
     "L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 + L1_0_NOC_RING0_INCOMING_0 + "
     "L1_0_NOC_RING0_INCOMING_1 / FPU_COUNTER + L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 "
     "+ L1_0_NOC_RING0_INCOMING_0 + L1_0_NOC_RING0_INCOMING_1",
     0},
    {"TDMA vs NOC L1 Share",
     "L1_0_TDMA_BUNDLE_0_RISC + L1_0_TDMA_BUNDLE_1_TRISC / L1_0_TDMA_BUNDLE_0_RISC + "
     "L1_0_TDMA_BUNDLE_1_TRISC + L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 + "
     "L1_0_NOC_RING0_INCOMING_0 + L1_0_NOC_RING0_INCOMING_1",
     0},
    {"Stall Overlap T0",
     "WAITING_FOR_THCON_IDLE_0 + WAITING_FOR_UNPACK_IDLE_0 + WAITING_FOR_PACK_IDLE_0 + "
     "WAITING_FOR_MATH_IDLE_0 + WAITING_FOR_NONZERO_SEM_0 + WAITING_FOR_NONFULL_SEM_0 + "
     "WAITING_FOR_MOVE_IDLE_0 + WAITING_FOR_MMIO_IDLE_0 + WAITING_FOR_SFPU_IDLE_0 / THREAD_STALLS_0",
     kReferenceUnscaled | kReferenceDeviceOnly},
    {"Stall Overlap T1",
     "WAITING_FOR_THCON_IDLE_1 + WAITING_FOR_UNPACK_IDLE_1 + WAITING_FOR_PACK_IDLE_1 + "
     "WAITING_FOR_MATH_IDLE_1 + WAITING_FOR_NONZERO_SEM_1 + WAITING_FOR_NONFULL_SEM_1 + "
     "WAITING_FOR_MOVE_IDLE_1 + WAITING_FOR_MMIO_IDLE_1 + WAITING_FOR_SFPU_IDLE_1 / THREAD_STALLS_1",
     kReferenceUnscaled | kReferenceDeviceOnly},
    {"Stall Overlap T2",
     "WAITING_FOR_THCON_IDLE_2 + WAITING_FOR_UNPACK_IDLE_2 + WAITING_FOR_PACK_IDLE_2 + "
     "WAITING_FOR_MATH_IDLE_2 + WAITING_FOR_NONZERO_SEM_2 + WAITING_FOR_NONFULL_SEM_2 + "
     "WAITING_FOR_MOVE_IDLE_2 + WAITING_FOR_MMIO_IDLE_2 + WAITING_FOR_SFPU_IDLE_2 / THREAD_STALLS_2",
     kReferenceUnscaled | kReferenceDeviceOnly},
    {"Packer Load Imbalance", "", kReferenceDeviceOnly | kOnlyCaptured},
    {"Compute-to-Unpack Ratio", "MATH_COUNTER / UNPACK0_BUSY_THREAD0 + UNPACK1_BUSY_THREAD0",
     kReferenceDeviceOnly},
}};

/// All metrics in the order of their columns.
const std::vector<CounterMetric>& counter_metrics() {
  static const std::vector<CounterMetric> kAll(kMetrics.begin(), kMetrics.end());
  return kAll;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPercent = 100;
constexpr std::size_t kNoCounter = static_cast<std::size_t>(-1);

/// All counters of one core in one execution, by number; NaN where one was not captured.
struct CoreCounters {
  std::vector<double> values;
  std::vector<double> references;
};

CounterStats stats_of(std::vector<double>& samples) {
  samples.erase(std::remove_if(samples.begin(), samples.end(), [](double v) { return !std::isfinite(v); }),
                samples.end());
  if (samples.empty()) return {kNan, kNan, kNan, kNan};
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  const double median = samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
  double sum = 0;
  for (const double sample : samples) sum += sample;
  return {samples.front(), median, samples.back(), sum / static_cast<double>(samples.size())};
}

/// A term of a formula: `2*MATH_INSTRN_HF_2_CYCLE`, `@FPU_COUNTER`.
struct Term {
  double factor = 1;
  std::size_t counter = kNoCounter;
  bool reference = false;
};

class Evaluator {
 public:
  Evaluator(const DeviceProfile& log, CounterVariant variant)
      : log_(log), missing_is_zero_(variant == CounterVariant::kReferenceAlone) {}

  std::size_t find(std::string_view name) const {
    if (name == "PORT1") {
      const std::size_t unified = find("L1_0_UNIFIED_PACKER");
      return unified != kNoCounter ? unified : find("L1_0_UNPACKER_1_ECC_PACK1");
    }
    const auto found = std::find(log_.counter_names.begin(), log_.counter_names.end(), name);
    return found == log_.counter_names.end() ? kNoCounter
                                             : static_cast<std::size_t>(found - log_.counter_names.begin());
  }

  std::vector<Term> terms(std::string_view text) const {
    std::vector<Term> list;
    double sign = 1;
    while (!text.empty()) {
      const std::size_t blank = text.find(' ');
      std::string_view word = text.substr(0, blank);
      text = blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
      if (word == "+" || word == "-") {
        sign = word == "+" ? 1 : -1;
        continue;
      }
      Term term;
      term.factor = sign;
      sign = 1;
      if (const std::size_t times = word.find('*'); times != std::string_view::npos) {
        term.factor *= parse_number(word.substr(0, times)).value_or(1);
        word.remove_prefix(times + 1);
      }
      term.reference = word.front() == '@';
      term.counter = find(term.reference ? word.substr(1) : word);
      list.push_back(term);
    }
    return list;
  }

  bool is_captured(const std::vector<Term>& list) const {
    return std::all_of(list.begin(), list.end(), [](const Term& term) { return term.counter != kNoCounter; });
  }

  double sum(const std::vector<Term>& list, const CoreCounters& core) const {
    double total = 0;
    for (const Term& term : list) {
      double value =
          term.counter == kNoCounter ? kNan : (term.reference ? core.references : core.values)[term.counter];
      if (std::isnan(value) && missing_is_zero_) value = 0;
      total += term.factor * value;
    }
    return total;
  }

 private:
  const DeviceProfile& log_;
  bool missing_is_zero_;
};

/// One metric, ready to be computed on cores.
class Metric {
 public:
  Metric(const CounterMetric& metric, std::string_view formula, const Evaluator& evaluator,
         CounterVariant variant)
      : evaluator_(evaluator) {
    const std::size_t slash = formula.find(" / ");
    above_ = evaluator.terms(formula.substr(0, slash));
    below_ = evaluator.terms(formula.substr(slash + 3));
    const bool plain = metric.has(CounterMetric::kPlain) ||
                       (variant != CounterVariant::kOwn && metric.has(CounterMetric::kReferenceUnscaled));
    scale_ = plain ? 1 : kPercent;
    clip_ = metric.has(CounterMetric::kClip) && !(variant == CounterVariant::kReferenceWithHost &&
                                                  metric.has(CounterMetric::kReferenceUnclipped));
  }

  bool is_captured() const { return evaluator_.is_captured(above_) && evaluator_.is_captured(below_); }

  double on(const CoreCounters& core) const {
    const double value = evaluator_.sum(above_, core) / evaluator_.sum(below_, core) * scale_;
    if (!std::isfinite(value)) return kNan;
    return clip_ ? std::max(value, 0.0) : value;
  }

 private:
  const Evaluator& evaluator_;
  std::vector<Term> above_;
  std::vector<Term> below_;
  double scale_ = kPercent;
  bool clip_ = false;
};

constexpr std::array<std::string_view, 5> kContendedPorts = {
    "L1_0_UNPACKER_0", "L1_0_NOC_RING0_OUTGOING_0", "L1_0_NOC_RING0_OUTGOING_1", "L1_0_NOC_RING0_INCOMING_0",
    "L1_0_NOC_RING0_INCOMING_1"};
constexpr std::array<std::string_view, 4> kPackers = {"PACKER_BUSY_0", "PACKER_BUSY_1", "PACKER_BUSY_2",
                                                      "PACKER_BUSY"};

class Computation {
 public:
  Computation(const DeviceProfile& log, const std::vector<Execution>& measured, CounterVariant variant)
      : log_(log), measured_(measured), variant_(variant), evaluator_(log, variant) {
    collect();
  }

  CounterFigures run() {
    for (const CounterMetric& metric : counter_metrics()) {
      if (variant_ == CounterVariant::kReferenceWithHost && metric.has(CounterMetric::kReferenceDeviceOnly))
        continue;
      add(metric);
    }
    return std::move(figures_);
  }

 private:
  void collect() {
    const std::size_t counters = log_.counter_names.size();
    totals_.assign(counters, 0);
    for (const CounterSample& sample : log_.counters) {
      CoreCounters& core = cores_[sample.execution][{sample.x, sample.y}];
      if (core.values.empty()) {
        core.values.assign(counters, kNan);
        core.references.assign(counters, kNan);
      }
      core.values[sample.counter] = sample.value;
      core.references[sample.counter] = sample.reference;
      totals_[sample.counter] += sample.value;
    }
  }

  double total(std::string_view name) const {
    const std::size_t counter = evaluator_.find(name);
    return counter == kNoCounter ? 0 : totals_[counter];
  }

  /// Some metrics have two ways, by what the capture holds.
  std::string_view formula_of(const CounterMetric& metric) const {
    if (metric.name == "Packer Efficiency" && total("PACKER_BUSY") <= 0) {
      return "DEST_READ_GRANTED_0 / PACKER_DEST_READ_AVAILABLE";
    }
    if (metric.name == "Math-to-Pack Handoff Efficiency" && total("PACKER_BUSY") <= 0) {
      return "AVAILABLE_MATH / @AVAILABLE_MATH";
    }
    if (metric.name == "Unpacker1 Write Efficiency" && variant_ == CounterVariant::kReferenceAlone) {
      return "SRCB_WRITE_ACTUAL / UNPACK1_BUSY_THREAD0";
    }
    return metric.formula;
  }

  bool is_absent(const CounterMetric& metric) const {
    if (metric.name == "Math Pipeline Utilization") return total("MATH_INSTRN_STARTED") <= 0;
    if (metric.name == "Math Dest Write Port Stall Rate") return total("MATH_NOT_STALLED_DEST_WR_PORT") <= 0;
    if (metric.name == "L1 Unpacker Backpressure") return !unpacker_grants_count();
    return false;
  }

  /// The grant counter of the unpacker's port is dead on some parts: then nothing can be said.
  bool unpacker_grants_count() const {
    const Metric granted({"", "", CounterMetric::kPlain}, "L1_0_UNPACKER_0_GRANT / L1_0_UNPACKER_0",
                         evaluator_, variant_);
    std::vector<double> shares;
    for (const auto& [execution, cores] : cores_) {
      for (const auto& [place, core] : cores) shares.push_back(granted.on(core));
    }
    constexpr double kMinActiveShare = 0.1;
    return stats_of(shares).median > kMinActiveShare;
  }

  void add(const CounterMetric& metric) {
    const bool all_shown = variant_ == CounterVariant::kReferenceAlone;
    if (!all_shown && is_absent(metric)) return;
    if (metric.formula.empty()) {
      add_by_code(metric, all_shown);
      return;
    }
    const Metric ready(metric, formula_of(metric), evaluator_, variant_);
    const bool shown = ready.is_captured() || (all_shown && !metric.has(CounterMetric::kOnlyCaptured));
    if (shown) add_columns(metric, [&](const CoreCounters& core) { return ready.on(core); });
  }

  void add_by_code(const CounterMetric& metric, bool all_shown) {
    if (metric.name == "Unpacker Write Efficiency") {
      add_unpacker_mean(metric, all_shown);
    } else if (metric.name == "L1 Contention Index") {
      add_contention(metric, all_shown);
    } else {
      add_imbalance(metric);
    }
  }

  void add_unpacker_mean(const CounterMetric& metric, bool all_shown) {
    const CounterMetric second{"Unpacker1 Write Efficiency",
                               "SRCB_WRITE_NOT_BLOCKED_PORT / UNPACK1_BUSY_THREAD0", 0};
    const Metric a({"", "", 0}, "SRCA_WRITE_ACTUAL / UNPACK0_BUSY_THREAD0", evaluator_, variant_);
    const Metric b(second, formula_of(second), evaluator_, variant_);
    if (!all_shown && !(a.is_captured() && b.is_captured())) return;
    add_columns(metric, [&](const CoreCounters& core) { return (a.on(core) + b.on(core)) / 2; });
  }

  void add_contention(const CounterMetric& metric, bool all_shown) {
    std::vector<Metric> ports;
    for (const std::string_view port : kContendedPorts) {
      ports.emplace_back(CounterMetric{"", "", CounterMetric::kClip},
                         fmt::format("{0} - {0}_GRANT / {0}", port), evaluator_, variant_);
      if (!all_shown && !ports.back().is_captured()) return;
    }
    const bool idle_counts = variant_ == CounterVariant::kReferenceWithHost;
    add_columns(metric, [&](const CoreCounters& core) {
      double sum = 0;
      double count = 0;
      for (const Metric& port : ports) {
        const double value = port.on(core);
        if (std::isnan(value) && !idle_counts) continue;
        sum += value;
        ++count;
      }
      return sum / count;
    });
  }

  void add_imbalance(const CounterMetric& metric) {
    std::vector<std::size_t> packers;
    for (const std::string_view name : kPackers) {
      packers.push_back(evaluator_.find(name));
      if (packers.back() == kNoCounter) return;
    }
    add_columns(metric, [&](const CoreCounters& core) {
      double least = std::numeric_limits<double>::infinity();
      double most = 0;
      for (const std::size_t packer : packers) {
        least = std::min(least, core.values[packer]);
        most = std::max(most, core.values[packer]);
      }
      return (most - least) / most * kPercent;
    });
  }

  /// `SFPU Util` and its like have the average over the whole grid, not over the cores that ran.
  static std::string_view grid_column(std::string_view metric) {
    if (metric == "SFPU Util") return "Avg SFPU util on full grid (%)";
    if (metric == "FPU Util") return "Avg FPU util on full grid (%)";
    if (metric == "MATH Util") return "Avg Math util on full grid (%)";
    return {};
  }

  template <typename Compute>
  void add_columns(const CounterMetric& metric, Compute compute) {
    const std::string_view unit = metric.has(CounterMetric::kPlain) ? "" : " (%)";
    const auto column = [&](std::string_view stat) {
      return fmt::format("{} {}{}", metric.name, stat, unit);
    };
    const std::string_view grid = grid_column(metric.name);
    for (const char* stat : {"Min", "Median", "Max"}) figures_.columns.push_back(column(stat));
    figures_.columns.push_back(grid.empty() ? column("Avg") : std::string(grid));
    for (const auto& [execution, cores] : cores_) {
      std::vector<double> samples;
      samples.reserve(cores.size());
      for (const auto& [place, core] : cores) samples.push_back(compute(core));
      CounterStats stats = stats_of(samples);
      if (!grid.empty() && variant_ != CounterVariant::kReferenceAlone) {
        stats.average = grid_average(metric.name, execution, cores);
      }
      std::vector<double>& values = figures_.values[execution];
      values.insert(values.end(), {stats.min, stats.median, stats.max, stats.average});
    }
  }

  using Cores = std::map<std::pair<std::uint16_t, std::uint16_t>, CoreCounters>;

  double grid_average(std::string_view metric, std::uint32_t execution, const Cores& cores) const {
    const std::string name = std::string(metric.substr(0, metric.find(' '))) + "_COUNTER";
    const std::size_t counter = evaluator_.find(name);
    const Figures& figures = measured_[execution].figures;
    if (counter == kNoCounter || log_.max_compute_cores <= 0 || !figures.has(Figure::kKernelStartCycle))
      return kNan;
    double sum = 0;
    for (const auto& [place, core] : cores) {
      if (!std::isnan(core.values[counter])) sum += core.values[counter];
    }
    const auto cycles =
        static_cast<double>(figures[Figure::kKernelEndCycle] - figures[Figure::kKernelStartCycle]);
    const double value = sum / static_cast<double>(log_.max_compute_cores) / cycles * kPercent;
    return std::isfinite(value) ? value : kNan;
  }

  const DeviceProfile& log_;
  const std::vector<Execution>& measured_;
  CounterVariant variant_;
  Evaluator evaluator_;
  std::map<std::uint32_t, Cores> cores_;
  std::vector<double> totals_;
  CounterFigures figures_;
};

/// One column over the executions that have it.
std::vector<double> sorted_column(const CounterFigures& figures, std::size_t index) {
  std::vector<double> values;
  for (const auto& [execution, row] : figures.values) {
    if (!std::isnan(row[index])) values.push_back(row[index]);
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

CounterFigures compute_counter_metrics(const DeviceProfile& log, const std::vector<Execution>& measured,
                                       CounterVariant variant) {
  if (log.counters.empty()) return {};
  return Computation(log, measured, variant).run();
}

std::vector<CounterSummary> summarize_counters(const DeviceProfile& log) {
  std::map<std::string, std::map<std::uint32_t, std::vector<double>>> samples;
  for (const CounterSample& sample : log.counters) {
    samples[log.counter_names[sample.counter]][sample.execution].push_back(sample.value);
  }
  std::vector<CounterSummary> counters;
  for (auto& [name, executions] : samples) {
    CounterSummary& counter = counters.emplace_back();
    counter.name = name;
    counter.executions = executions.size();
    std::vector<double> least, middle, most, average;
    for (auto& [execution, values] : executions) {
      const CounterStats stats = stats_of(values);
      least.push_back(stats.min);
      middle.push_back(stats.median);
      most.push_back(stats.max);
      average.push_back(stats.average);
    }
    counter.stats = {stats_of(least).min, stats_of(middle).median, stats_of(most).max,
                     stats_of(average).average};
  }
  return counters;
}

std::vector<CounterSummary> summarize_metrics(const CounterFigures& figures) {
  constexpr std::size_t kColumnsPerMetric = 4;
  std::vector<CounterSummary> metrics;
  for (std::size_t i = 0; i + kColumnsPerMetric <= figures.columns.size(); i += kColumnsPerMetric) {
    const std::vector<double> least = sorted_column(figures, i);
    const std::vector<double> middle = sorted_column(figures, i + 1);
    const std::vector<double> most = sorted_column(figures, i + 2);
    const std::vector<double> average = sorted_column(figures, i + 3);
    if (least.empty() || average.empty()) continue;
    double sum = 0;
    for (const double value : average) sum += value;
    std::string name = figures.columns[i];
    name.erase(name.find(" Min"), 4);
    metrics.push_back(
        {name,
         least.size(),
         {least.front(), middle[middle.size() / 2], most.back(), sum / static_cast<double>(average.size())}});
  }
  return metrics;
}

}  // namespace ttscope::perf
