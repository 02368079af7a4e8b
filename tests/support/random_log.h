#pragma once

#include <string>

#include "support/random_program.h"

namespace ttscope::testing {

struct RandomLogOptions {
  unsigned seed = 1;
  int ranks = 1;  ///< more than one: lines are tagged and interleaved
  int runs = 3;
  int steps = 12;
  bool damaged = false;  ///< lines are lost, cut, repeated and displaced
};

/// A whole log with what real ones have in front of the lines and between them: rank tags, times, progress of
/// other programs, colors, carriage returns, foreign lines, bytes that are not UTF-8.
std::string make_random_log(const RandomLogOptions& options);

/// Loses, cuts, repeats and displaces a few of the lines of one process.
void damage_lines(std::vector<std::string>& lines, Dice& dice);

}  // namespace ttscope::testing
