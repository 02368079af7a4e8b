#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace ttscope::diff {

/// What became of an item.
enum class OpChange : std::uint8_t { kSame, kChanged, kMoved, kAdded, kRemoved };

std::string_view key_of(OpChange change);

/// A property that differs, of items that stand for each other.
struct Cause {
  std::string name;  ///< `cores`, `fidelity`, `dtype`, ...
  std::string before;
  std::string after;
};

/// A pair of rows, or a single row. Costs are 0 on the side where it is not.
struct DiffOp {
  std::string op;        ///< its name
  std::string label;     ///< name and shape, for people
  std::string layer;     ///< empty: not known
  std::string location;  ///< see ItemKind
  OpChange kind = OpChange::kSame;
  double before = 0;
  double after = 0;
  double gap_before = 0;
  double gap_after = 0;
  std::optional<std::uint64_t> before_row;
  std::optional<std::uint64_t> after_row;
  std::uint32_t before_place = kNone;  ///< among the items of its run, from 0; kNone: it is not there
  std::uint32_t after_place = kNone;
  std::int32_t device = -1;  ///< see Item; of the later run, of removed ops of the earlier one
  double confidence = 1;
  std::vector<Cause> causes;        ///< of another cost; a gap is in none
  bool has_other_property = false;  ///< one of its own; other causes explain a cost alone
  bool is_beyond_noise = false;
  bool is_gap_beyond_noise = false;
  /// The same op in the report of another subject: its place in DiffReport::ops there.
  std::optional<std::uint32_t> beside;

  double change() const { return after - before; }
  bool is_pair() const { return before_row && after_row; }
};

/// A figure of both runs as a whole; none where an input cannot tell it.
struct DiffTotal {
  std::string name;
  std::string unit;
  std::optional<double> before;
  std::optional<double> after;
  std::optional<double> exact_within;  ///< see RunTotal

  std::optional<double> change() const {
    return before && after ? std::optional(*after - *before) : std::nullopt;
  }
  /// Of figures without noise: whether it is another one.
  bool is_other() const {
    return exact_within && change() && (*change() > *exact_within || *change() < -*exact_within);
  }
};

/// Costs of ops that have something in common, added up.
struct DiffSum {
  std::string name;
  double before = 0;
  double after = 0;
  std::uint64_t ops_before = 0;
  std::uint64_t ops_after = 0;

  double change() const { return after - before; }
};

/// Neighbors that became others, or one cause over all ops that have it.
struct DiffChange {
  enum class What : std::uint8_t { kReplaced, kRemoved, kAdded, kCause, kSlower, kMoved };
  What what = What::kReplaced;
  std::string cause;  ///< `fidelity`, for kCause
  std::string before_value;
  std::string after_value;
  std::vector<std::uint32_t> ops;    ///< into DiffReport::ops
  double change = 0;                 ///< of their costs
  bool is_intended_unknown = false;  ///< a property that changed beside a larger change
};

std::string_view key_of(DiffChange::What what);

/// How much runs differ that are the same, by the rows that did not change.
struct Noise {
  std::uint64_t equal_rows = 0;
  double relative = 0;         ///< of a row: robust standard deviation of after / before
  double band = 0;             ///< of the whole cost: changes within it mean nothing
  double left_over = 0;        ///< sum of the changes of rows that did not change
  bool is_of_repeats = false;  ///< measured between runs of one side
  bool is_rounding = false;    ///< figures have no noise; within the band they are rounded
};

/// What must be known before any figure.
struct Caution {
  enum class What : std::uint8_t {
    kSetting,         ///< it differs; `before` and `after` are its values
    kReplays,         ///< the windows hold `before` and `after` replays: the mean of one is compared
    kRepeats,         ///< a repeat that is none is left out
    kEmpty,           ///< nothing is in the window of a run, which `before` describes
    kPartial,         ///< the run is not whole; `before` says why
    kLittleInCommon,  ///< little is the same: `before` is the share of the cost, in percent
  };
  What what = What::kSetting;
  std::string name{};  ///< of the setting, the run, the side
  std::string before{};
  std::string after{};
};

std::string_view key_of(Caution::What what);

/// By what ops of two reports were found to be the same.
enum class JoinBasis : std::uint8_t {
  kNone,
  kLocations,  ///< that a compiler gave them: the first of a location with the first
  kNames,      ///< what they are, and their order
};

struct JoinedOps {
  JoinBasis basis = JoinBasis::kNone;
  std::size_t count = 0;
};

struct DiffReport {
  std::string before_name;
  std::string after_name;
  std::string before_what;
  std::string after_what;
  std::string before_device;
  std::string after_device;
  std::string row_name;
  std::string cost_name;  ///< the total that the costs of ops add up to
  std::string unit;
  std::vector<Caution> cautions;
  std::vector<DiffTotal> totals;
  std::vector<DiffSum> categories;
  std::vector<DiffSum> movement;
  std::vector<DiffSum> classes;  ///< by name of the op
  std::vector<DiffSum> placements;
  std::vector<DiffSum> layers;
  std::vector<DiffSum> devices;     ///< see DeviceShare: they do not add up to the cost
  std::vector<DiffOp> ops;          ///< in the order of the later run; removed ones where they stood
  std::vector<DiffChange> changes;  ///< largest first
  Noise noise;
  std::vector<std::string> warnings;  ///< of the inputs
  std::optional<JoinedOps> joined;    ///< with the report of another subject, where there is one
  bool is_wall_beyond_noise = false;  ///< gaps or waiting changed the wall beside what ops did
  bool is_different = false;          ///< beyond noise

  double cost_change() const;
  bool has_caution(Caution::What what) const;
  /// The costs of the two runs are those of unlike things.
  bool has_unlike_costs() const;
};

/// By how much the gap before an op grew.
double gap_change(const DiffOp& op);

/// Ops whose gap changed beyond noise, or by half a microsecond or more with a single op, most first; none
/// where the runs are of no time. Into DiffReport::ops.
std::vector<std::uint32_t> ops_by_gap_change(const DiffReport& report);

}  // namespace ttscope::diff
