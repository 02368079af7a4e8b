#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <string>

#include "perf/analyze/profile.h"
#include "support/ops_csv.h"

namespace ttscope::testing {

/// What is said of all its rows, or of those behind a signpost that the options name.
inline perf::OpAnalysis reading_of(const perf::OpsReport& table, perf::ShownOptions options = {}) {
  options.ignore_signposts = options.start_signpost.empty();
  Result<perf::OpAnalysis> analysis = perf::analyze_ops(table, options);
  EXPECT_TRUE(analysis.has_value());
  return std::move(*analysis);
}

/// The first advice of that cause; null: there is none.
inline const perf::OpAdvice* advice_of(const perf::OpAnalysis& analysis, perf::AdviceCause cause) {
  for (const perf::OpAdvice& advice : analysis.advice) {
    if (advice.cause == cause) return &advice;
  }
  return nullptr;
}

/// Microseconds as a cell of nanoseconds.
inline std::string ns(double us) { return std::to_string(std::llround(us * 1000)); }

/// A tensor of one row of tiles, this wide.
inline Cells tensor(const std::string& prefix, const std::string& width) {
  return {{prefix + "W_PAD[LOGICAL]", "1[1]"},   {prefix + "Z_PAD[LOGICAL]", "1[1]"},
          {prefix + "Y_PAD[LOGICAL]", "32[32]"}, {prefix + "X_PAD[LOGICAL]", width},
          {prefix + "DATATYPE", "BFLOAT16"},     {prefix + "MEMORY", "DEV_0_DRAM_INTERLEAVED"}};
}

inline Cells joined_cells(std::initializer_list<Cells> parts) {
  Cells all;
  for (const Cells& part : parts) all.insert(part.begin(), part.end());
  return all;
}

/// Four devices run `layers` times Matmul, Softmax and AllBroadcast; one is slower at Softmax and all others
/// wait for it. In us: 20, 10 (10 * factor), 5, with gaps of 1; device `d` counts from its own reset.
class SlowDeviceRun {
 public:
  static constexpr int kDevices = 4;

  SlowDeviceRun(int layers, double factor) : layers_(layers), factor_(factor) {}

  /// Row after row of all devices, or one block for each device.
  perf::OpsReport table(bool in_blocks) const {
    OpsCsv csv;
    if (in_blocks) {
      for (int device = 0; device < kDevices; ++device) {
        for (int layer = 0; layer < layers_; ++layer) {
          for (int op = 0; op < 3; ++op) add(csv, device, layer, op);
        }
      }
    } else {
      for (int layer = 0; layer < layers_; ++layer) {
        for (int op = 0; op < 3; ++op) {
          for (int device = 0; device < kDevices; ++device) add(csv, device, layer, op);
        }
      }
    }
    return csv.table();
  }
  double layer_us() const { return 1 + 20 + 1 + 10 * factor_ + 1 + 5; }
  double wall_us() const { return layers_ * layer_us() - 1; }

 private:
  void add(OpsCsv& csv, int device, int layer, int op) const {
    const bool is_slow = device == 2;
    const double softmax = is_slow ? 10 * factor_ : 10;
    const double waits = is_slow ? 0 : 10 * factor_ - 10;
    const double start_of_op[] = {1, 22, 23 + softmax};
    const double time_of_op[] = {20, softmax, 5 + waits};
    const char* names[] = {"Matmul", "Softmax", "AllBroadcast"};
    const double start = (layer * layer_us() + start_of_op[op]) * 1350 + 1e9 * (device + 1);
    csv.op(names[op], {{"DEVICE ID", std::to_string(device)},
                       {"GLOBAL CALL COUNT", std::to_string(1024 * (layer * 3 + op + 1) + device)},
                       {"OP TO OP LATENCY [ns]", layer + op == 0 ? "90000000" : "1000"},
                       {"DEVICE FW START CYCLE", std::to_string(std::llround(start))},
                       {"DEVICE FW END CYCLE", std::to_string(std::llround(start + time_of_op[op] * 1350))},
                       {"DEVICE KERNEL DURATION [ns]", ns(time_of_op[op])}});
  }

  int layers_;
  double factor_;
};

}  // namespace ttscope::testing
