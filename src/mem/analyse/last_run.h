#pragma once

#include <cstdint>
#include <vector>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// Lines of a file, both ends included, counted from 1.
struct LineRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// A module dump: a header line, then so many lines of the same rank.
struct ModuleLines {
  std::uint32_t header = 0;
  std::uint32_t count = 0;  ///< lines of the rank after the header, its end line included
};

/// What to leave out so that only the last run of a rank remains.
struct RankCut {
  enum class Basis : std::uint8_t {
    kWholeLog,  ///< only one run: nothing is dropped
    kMarkers,   ///< `Got output shape:` lines part the runs
    kPrograms,  ///< the outermost programs repeat
  };
  Basis basis = Basis::kWholeLog;
  std::uint32_t kept_programs = 0;  ///< outermost program instances of the last run
  std::uint32_t dropped_programs = 0;
  std::vector<LineRange> dropped;    ///< sorted, apart; they concern this rank's lines only
  std::vector<ModuleLines> modules;  ///< stay even within a dropped range; sorted by header
};

/// The last run of a log with warm-up passes, for each rank of the trace. With two or more output markers the
/// last run begins after the last but one; otherwise it is the last pass of the model: of the sequences of
/// outermost programs that stand twice at the end the one with the most graphs, the shortest of these (A A A:
/// the last A; A B A B: the last A B; C A A C A A: the last C A A). Helpers, graphs with less than an eighth
/// of the ops of the largest, do not count. Earlier programs, their markers and the memory blocks around them
/// are dropped; everything else stays, so that weights and modules can still be read.
std::vector<RankCut> find_last_run(const RuntimeTrace& trace);

}  // namespace ttscope::mem
