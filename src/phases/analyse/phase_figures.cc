// The figures of a run's phases, and whether they agree with each other. Steps of the analysis: declared in
// phase_parts.h.
#include <algorithm>
#include <array>

#include "phases/analyse/phase_parts.h"

namespace ttscope::phases {
namespace {

/// Three figures of two decimals each: their rounding adds up.
constexpr double kRoundingMb = 0.0151;

std::optional<std::int64_t> bytes_or_none(const std::optional<double>& mb) {
  return mb ? std::optional<std::int64_t>(bytes_of_mb(*mb)) : std::nullopt;
}

/// What a phase left behind, by the first relation that has its figures.
std::int64_t change_of(const PhaseRecord& record, std::int64_t start_bytes) {
  if (const auto& change = record.dram(DramField::kSegmentChange)) return bytes_of_mb(*change);
  const auto& allocated = record.dram(DramField::kAllocations);
  const auto& freed = record.dram(DramField::kDeallocations);
  if (allocated && freed) return bytes_of_mb(*allocated - *freed);
  const auto& current = record.dram(DramField::kCumulativeCurrent);
  return current ? plus(bytes_of_mb(*current), -start_bytes) : 0;
}

/// What was in use before the first phase: nothing, unless phases above it are lost.
std::int64_t start_of(const PhaseSummary& summary) {
  if (!summary.headless || summary.phases.empty()) return 0;
  const PhaseRecord& first = summary.phases.front();
  const auto& current = first.dram(DramField::kCumulativeCurrent);
  return current ? plus(bytes_of_mb(*current), -change_of(first, 0)) : 0;
}

PhaseStep step_of(const PhaseRecord& record, std::int64_t start_bytes, std::int64_t peak_bytes) {
  PhaseStep step;
  step.name = record.name;
  step.label = read_label(record.name);
  step.line = record.line;
  step.start_bytes = start_bytes;
  step.change_bytes = change_of(record, start_bytes);
  const auto& current = record.dram(DramField::kCumulativeCurrent);
  step.current_bytes = current ? bytes_of_mb(*current) : plus(start_bytes, step.change_bytes);
  const auto& segment_peak = record.dram(DramField::kSegmentPeak);
  const auto& peak = record.dram(DramField::kCumulativePeak);
  if (segment_peak) {
    step.segment_peak_bytes = bytes_of_mb(*segment_peak);
  } else {
    const bool new_peak = peak && bytes_of_mb(*peak) > peak_bytes;
    step.segment_peak_bytes =
        new_peak ? plus(bytes_of_mb(*peak), -start_bytes) : std::max<std::int64_t>(step.change_bytes, 0);
  }
  step.peak_so_far_bytes =
      peak ? bytes_of_mb(*peak) : std::max(peak_bytes, plus(start_bytes, step.segment_peak_bytes));
  step.allocations_bytes = bytes_or_none(record.dram(DramField::kAllocations));
  step.deallocations_bytes = bytes_or_none(record.dram(DramField::kDeallocations));
  step.l1 = record.l1;
  step.complete =
      std::all_of(record.dram_mb.begin(), record.dram_mb.end(), [](const auto& mb) { return !!mb; });
  return step;
}

/// Compares printed figures; absent ones break nothing.
class RelationCheck {
 public:
  explicit RelationCheck(std::vector<Violation>& violations) : violations_(violations) {}

  void equal(Relation relation, std::uint32_t phase, std::optional<double> printed,
             std::optional<double> expected) {
    if (printed && expected && std::abs(*printed - *expected) > kRoundingMb) {
      violations_.push_back({relation, phase, *printed, *expected});
    }
  }
  void at_least(Relation relation, std::uint32_t phase, std::optional<double> printed,
                std::optional<double> least) {
    if (printed && least && *printed < *least - kRoundingMb) {
      violations_.push_back({relation, phase, *printed, *least});
    }
  }

 private:
  std::vector<Violation>& violations_;
};

std::optional<double> sum(std::optional<double> a, std::optional<double> b, double sign = 1) {
  return a && b ? std::optional<double>(*a + sign * *b) : std::nullopt;
}

}  // namespace

std::string_view name_of(Relation relation) {
  constexpr std::array<std::string_view, 6> kNames = {"segment_change",  "cumulative_current",
                                                      "cumulative_peak", "segment_peak",
                                                      "overall_peak",    "final_usage"};
  return kNames[static_cast<std::size_t>(relation)];
}

void fill_phases(const PhaseSummary& summary, Configuration& configuration) {
  std::int64_t current = start_of(summary);
  std::int64_t peak = 0;
  for (const PhaseRecord& record : summary.phases) {
    const PhaseStep& step = configuration.phases.emplace_back(step_of(record, current, peak));
    current = step.current_bytes;
    peak = step.peak_so_far_bytes;
  }
  configuration.peak_bytes = summary.overall_peak_mb ? bytes_of_mb(*summary.overall_peak_mb) : peak;
  configuration.final_bytes = summary.final_usage_mb ? bytes_of_mb(*summary.final_usage_mb) : current;
  std::int64_t highest = 0;
  for (std::uint32_t i = 0; i < configuration.phases.size(); ++i) {
    const std::int64_t reached = configuration.phases[i].reached_bytes();
    if (reached <= highest) continue;
    highest = reached;
    configuration.peak_phase = i;
  }
}

void check_relations(const PhaseSummary& summary, Configuration& configuration) {
  RelationCheck check(configuration.violations);
  std::optional<double> current = summary.headless ? std::nullopt : std::optional<double>(0);
  std::optional<double> peak = current;
  for (std::uint32_t i = 0; i < summary.phases.size(); ++i) {
    const PhaseRecord& phase = summary.phases[i];
    const auto& change = phase.dram(DramField::kSegmentChange);
    const auto& segment_peak = phase.dram(DramField::kSegmentPeak);
    check.equal(Relation::kSegmentChange, i, change,
                sum(phase.dram(DramField::kAllocations), phase.dram(DramField::kDeallocations), -1));
    check.at_least(Relation::kSegmentPeak, i, segment_peak, change);
    check.equal(Relation::kCumulativeCurrent, i, phase.dram(DramField::kCumulativeCurrent),
                sum(current, change));
    const std::optional<double> reached = sum(current, segment_peak);
    if (peak && reached) {
      check.equal(Relation::kCumulativePeak, i, phase.dram(DramField::kCumulativePeak),
                  std::max(*peak, *reached));
    }
    current = phase.dram(DramField::kCumulativeCurrent);
    peak = phase.dram(DramField::kCumulativePeak);
  }
  if (summary.phases.empty()) return;
  const auto last = static_cast<std::uint32_t>(summary.phases.size() - 1);
  check.equal(Relation::kOverallPeak, last, summary.overall_peak_mb, peak);
  check.equal(Relation::kFinalUsage, last, summary.final_usage_mb, current);
}

}  // namespace ttscope::phases
