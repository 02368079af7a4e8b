#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ttscope::testing {

/// DRAM and L1, bytes per bank.
using BankBytes = std::array<std::int64_t, 2>;

/// What one executed op really did.
struct TrueOp {
  BankBytes growth{};
  bool retained = false;
};

/// What one process prints, line by line without any prefix of its own, and the exact truth about its memory.
struct RandomRun {
  std::vector<std::string> lines;
  std::vector<TrueOp> ops;
  BankBytes peak{};
};

struct RandomRunOptions {
  unsigned seed = 1;
  int runs = 3;    ///< of the main program; const-eval functions run in the first only
  int steps = 12;  ///< about so many ops a run
  bool colors = false;
  bool memory_lines = true;
};

/// Simulates a few runs of one random graph on a device with 12 DRAM and 64 L1 banks. The same seed gives the
/// same lines on every machine: only the raw numbers of the generator are used.
RandomRun make_random_run(const RandomRunOptions& options);

/// Numbers for the tests, the same everywhere (the standard distributions are not).
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  /// 0 ... count - 1.
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(count)); }
  bool one_in(int count) { return below(count) == 0; }

 private:
  std::mt19937 engine_;
};

}  // namespace ttscope::testing
