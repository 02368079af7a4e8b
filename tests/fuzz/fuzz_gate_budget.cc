// Budgets files: TOML of anybody, read to bounds or refused with a line.
#include "fuzz/fuzz_target.h"
#include "gate/budget.h"

namespace ttscope::gate {
namespace {

using fuzz::require;

TTSCOPE_FUZZ_TARGET(gate_budget) {
  const Result<Budget> read = read_budget("fuzz.toml", text);
  if (!read) {
    require(read.error().message.find("fuzz.toml") == 0, "an error names the file");
    return;
  }
  require(!read->bounds.empty(), "a budget bounds something");
  for (const Bound& bound : read->bounds) {
    require(bound.figure != nullptr && bound.line > 0, "a bound has a figure and a line");
    require(bound.value == bound.value, "a bound is a number");
    require(bound.figure->scope != Scope::kRun || bound.name.empty(), "only ops and layers have names");
  }
}

}  // namespace
}  // namespace ttscope::gate
