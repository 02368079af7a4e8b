#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace ttscope::diff {

/// A property that may explain why an item costs more or less: `cores` = `64`.
struct Fact {
  std::string name;   ///< lower case, as it stands in `causes[]`: `cores`, `fidelity`, `dtype`, `layout`, ...
  std::string value;  ///< empty: not known
  bool of_operands = false;     ///< a summary may tell the first of them alone
  bool explains_costs = false;  ///< of a setting: why items may cost something else
};

/// What items that are alike share.
struct ItemKind {
  std::string op;        ///< its name: only items of one name are pairs
  std::string place;     ///< program, location, layer: where the model asks for it; empty: not known
  std::string location;  ///< as a compiler wrote it: what files of one run have in common; empty: not known
  std::string shape;     ///< of what it works on
  std::string form;      ///< data types and layouts of that
  std::string label;     ///< for people: name and shape
  std::string category;
  std::string movement;   ///< class of what moves data
  std::string placement;  ///< where its first input lies
  std::string layer;      ///< of the model; empty: not known
  std::vector<Fact> facts;
  bool is_named = false;  ///< its place is its name: of another place and shape it is another thing
};

/// One executed op, one tensor, one phase.
struct Item {
  std::uint32_t kind = 0;
  std::uint64_t row = 0;     ///< as the profile numbers it
  double cost = 0;           ///< in the unit of the run
  double gap = 0;            ///< time before it; 0: none, or not of this subject
  std::int32_t device = -1;  ///< that the cost is of, where several ran it; -1: one did, or none is the one
  double mean_cost = 0;      ///< of all these devices; 0: one did
};

/// What one device of several did.
struct DeviceShare {
  std::string name;
  double cost = 0;  ///< of its own items, those that wait for other devices left out
};

/// Name of the setting that tells how often the same ops stand in the run.
inline constexpr std::string_view kRepeatsInWindow = "repeats in the window";
/// The setting that tells how ops were started, and its value for replays of a trace.
inline constexpr std::string_view kModeSetting = "mode";
inline constexpr std::string_view kTraced = "traced";
/// The setting that tells what the costs of items are: those of unlike things say nothing of each other.
inline constexpr std::string_view kCostSetting = "time of an op";

/// A figure of the whole run.
struct RunTotal {
  std::string name;
  std::string unit;  ///< `us`, `bytes`, `count`, or `flag`: 1 or 0
  double value = 0;
  bool is_known = true;
  std::optional<double> whole{};         ///< what it is a part of: the size of a memory
  std::optional<double> exact_within{};  ///< the same run gives it again within this; none: it has noise
  std::string how{};                     ///< `measured`, `modeled`; empty: as the run says
};

/// One side of a comparison, in the order of execution. Made by a subject; the costs of its items add up to
/// the total that `cost_name` names.
struct ComparedRun {
  std::string name;              ///< the input as typed
  std::string what;              ///< what was compared of it: the window, in words
  std::string device;            ///< in words; empty: not known
  std::string failure{};         ///< how the run failed, in words; empty: it is not known to have failed
  std::string row_name = "row";  ///< what numbers of items are called
  std::string cost_name;
  std::string unit;
  std::vector<ItemKind> kinds;
  std::vector<Item> items;
  std::vector<RunTotal> totals;
  std::vector<DeviceShare> devices{};    ///< where there are several
  std::optional<double> exact_within{};  ///< of costs, as of totals
  std::vector<Fact> settings;            ///< what must be the same for the comparison to mean something
  std::vector<std::string> warnings;
  bool has_all_operands = true;  ///< false: facts of operands are not held against those of a run that does

  const ItemKind& kind_of(const Item& item) const { return kinds[item.kind]; }
};

}  // namespace ttscope::diff
