#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "diff/compare_runs.h"

/// Runs of a made model, for tests that compare them.
namespace ttscope::testing {

/// One op of a made model.
struct MadeOp {
  std::string op;
  std::string shape;
  double cost;
  std::string cores = "64";
  std::string fidelity = "HiFi2";
  std::string dtype = "BFLOAT16";
};

/// Eight ops of a layer.
inline std::vector<MadeOp> layer() {
  return {{"LayerNorm", "32x1024", 12}, {"Matmul", "32x1024x3072", 80}, {"Heads", "32x3072", 9},
          {"SDPA", "32x64", 30},        {"Concat", "32x1024", 5},       {"Matmul", "32x1024x1024", 40},
          {"Add", "32x1024", 3},        {"Gelu", "32x4096", 1.5}};
}

inline std::vector<MadeOp> model(int layers) {
  std::vector<MadeOp> ops;
  for (int i = 0; i < layers; ++i) {
    for (const MadeOp& op : layer()) ops.push_back(op);
  }
  return ops;
}

/// With noise of one percent on every row, more on short ones.
inline diff::ComparedRun run_of(const std::vector<MadeOp>& ops, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 1);
  diff::ComparedRun run;
  run.name = "run" + std::to_string(seed);
  run.cost_name = "device";
  run.unit = "us";
  diff::RunTotal total = {"device", "us", 0, true};
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const MadeOp& op = ops[i];
    diff::ItemKind kind;
    kind.op = op.op;
    kind.shape = op.shape;
    kind.form = op.dtype;
    kind.label = op.op + " " + op.shape;
    kind.category = op.op == "Concat" || op.op == "Heads" ? "TM" : "Compute";
    kind.facts = {{"cores", op.cores}, {"fidelity", op.fidelity}, {"dtype", op.dtype}, {"shape", op.shape}};
    run.kinds.push_back(kind);
    const double cost = op.cost * (1 + (op.cost < 2 ? 0.03 : 0.01) * std::clamp(noise(random), -4.0, 4.0));
    run.items.push_back({static_cast<std::uint32_t>(i), i + 2, cost, 0.5});
    total.value += cost;
  }
  run.totals = {total};
  return run;
}

inline diff::DiffReport compared(const std::vector<MadeOp>& before, const std::vector<MadeOp>& after,
                                 unsigned seed = 1) {
  return diff::compare_runs({run_of(before, seed)}, {run_of(after, seed + 1000)});
}

inline std::size_t count_of(const diff::DiffReport& report, diff::OpChange kind) {
  std::size_t count = 0;
  for (const diff::DiffOp& op : report.ops) count += op.kind == kind ? 1 : 0;
  return count;
}

/// Whatever changed: every row stands once, and the parts are the whole.
inline void check_sums(const diff::DiffReport& report, std::size_t before, std::size_t after) {
  std::set<std::uint64_t> old_rows;
  std::set<std::uint64_t> new_rows;
  double sum = 0;
  for (const diff::DiffOp& op : report.ops) {
    const bool is_new_before = !op.before_row || old_rows.insert(*op.before_row).second;
    const bool is_new_after = !op.after_row || new_rows.insert(*op.after_row).second;
    EXPECT_TRUE(is_new_before && is_new_after) << "every row stands once";
    sum += op.change();
  }
  EXPECT_EQ(old_rows.size(), before);
  EXPECT_EQ(new_rows.size(), after);
  ASSERT_EQ(report.totals.front().name, "device");
  EXPECT_NEAR(sum, *report.totals.front().change(), 1e-6);
  double named = report.noise.left_over;
  std::set<std::uint32_t> seen;
  for (const diff::DiffChange& change : report.changes) {
    named += change.change;
    for (const std::uint32_t op : change.ops)
      EXPECT_TRUE(seen.insert(op).second) << "an op is in one change only";
  }
  EXPECT_NEAR(named, sum, 1e-6);
  for (const std::vector<diff::DiffSum>* sums : {&report.categories, &report.classes}) {
    double parts = 0;
    for (const diff::DiffSum& one : *sums) parts += one.change();
    EXPECT_NEAR(parts, sum, 1e-6);
  }
}

}  // namespace ttscope::testing
