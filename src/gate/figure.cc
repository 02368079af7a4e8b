#include "gate/figure.h"

#include <array>

namespace ttscope::gate {

std::string_view name_of(Quantity quantity) {
  constexpr std::array<std::string_view, 4> kNames = {"time", "size", "count", "flag"};
  return kNames[static_cast<std::size_t>(quantity)];
}

std::string_view unit_of(Quantity quantity) {
  constexpr std::array<std::string_view, 4> kUnits = {"us", "bytes", "count", "flag"};
  return kUnits[static_cast<std::size_t>(quantity)];
}

std::string_view name_of(Section section) { return section == Section::kMemory ? "memory" : "time"; }

const std::vector<BudgetFigure>& all_figures() {
  static const std::vector<BudgetFigure> kFigures = {
      {Section::kMemory, Scope::kRun, "dram_peak", "peak_dram", Quantity::kBytes, "the device's DRAM"},
      {Section::kMemory, Scope::kRun, "l1_peak", "peak_l1", Quantity::kBytes, "the device's L1"},
      {Section::kMemory, Scope::kRun, "fits", "fits", Quantity::kFlag, ""},
      {Section::kMemory, Scope::kRun, "failures", "failures", Quantity::kCount, ""},
      {Section::kMemory, Scope::kRun, "padding", "padding", Quantity::kBytes,
       "what the tensors at the peak hold without it"},
      {Section::kTime, Scope::kRun, "wall", "wall", Quantity::kTime, ""},
      {Section::kTime, Scope::kRun, "device", "device", Quantity::kTime, ""},
      {Section::kTime, Scope::kRun, "gaps", "gaps", Quantity::kTime, ""},
      {Section::kTime, Scope::kRun, "busy", "busy", Quantity::kTime, ""},
      {Section::kTime, Scope::kOp, "device", "device", Quantity::kTime, ""},
      {Section::kTime, Scope::kOp, "gaps", "gaps", Quantity::kTime, ""},
      {Section::kTime, Scope::kOp, "count", "count", Quantity::kCount, ""},
      {Section::kTime, Scope::kLayer, "device", "device", Quantity::kTime, ""},
      {Section::kTime, Scope::kLayer, "gaps", "gaps", Quantity::kTime, ""},
      {Section::kTime, Scope::kLayer, "count", "count", Quantity::kCount, ""},
  };
  return kFigures;
}

}  // namespace ttscope::gate
