#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perf/analyze/advice.h"

namespace ttscope::perf {

/// A change of the run that could be advised, before its gain is known.
struct AdviceCandidate {
  struct NewTime {
    std::uint32_t row = 0;  ///< in OpsReport::rows
    float kernel_us = 0;    ///< that its kernels would take
  };
  OpAdvice advice;
  std::vector<NewTime> ops;
  std::vector<std::uint32_t> gaps;   ///< rows of the report whose gap would be that of a usual launch
  std::vector<std::uint32_t> lanes;  ///< that would begin with the first, of the run's clock
  bool is_removed = false;           ///< the ops are gone, with their firmware and launches
  double max_us = 0;  ///< the gain is hardly larger: what the kernels of the shown rows would save

  /// A row of the table that says so.
  void add_row(std::uint32_t place, double measured_us, double target_us);
};

/// The candidates while they are found: one by cause, op and device. Rows of the table are asked by their
/// place in it.
class CandidateList {
 public:
  explicit CandidateList(const AdviceInput& input) : in_(input), names_(input.ops.facts.size()) {}

  const AdviceInput& input() const { return in_; }
  /// Whether a row is an op of a device whose time is known.
  bool is_timed(std::uint32_t place) const;
  const OpKind& kind_of(std::uint32_t place) const;
  std::uint32_t kind_number(std::uint32_t place) const;
  const KindFacts& facts_of(std::uint32_t place) const;
  std::string_view name_of_op(std::uint32_t place) const;
  const std::string& distinct_name_of(std::uint32_t kind);

  /// That of this cause; `kind` kNone: of all ops together, `device` -1: of all devices.
  AdviceCandidate& candidate(AdviceCause cause, GainBasis basis, std::uint32_t kind,
                             std::int32_t device = -1);
  /// All devices of a row would take no longer than `target_us`.
  void add_times(AdviceCandidate& to, std::uint32_t place, double target_us) const;
  /// What is slow on one device is uneven on all: one candidate for each op, whichever device it is.
  void make_uneven(const std::string& name, std::int32_t device);
  /// All of them, in the order of their causes, ops and devices.
  std::vector<AdviceCandidate> take();

 private:
  struct Key {
    AdviceCause cause;
    std::string name;
    std::int32_t device;
    bool operator<(const Key& other) const;
  };

  const AdviceInput& in_;
  std::vector<std::string> names_;  ///< by kind; empty: not asked yet
  std::map<Key, AdviceCandidate> found_;
};

/// The device of `from` is at fault as well: one finding of both.
void join_devices(const AdviceCandidate& from, AdviceCandidate& to);

/// All that could be advised, by cause and op.
std::vector<AdviceCandidate> find_candidates(const AdviceInput& input);

}  // namespace ttscope::perf
