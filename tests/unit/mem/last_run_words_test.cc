#include "mem/write/last_run.h"

#include <gtest/gtest.h>

namespace ttscope::mem {
namespace {

RankCut cut(RankCut::Basis basis, std::uint32_t kept, std::uint32_t dropped) {
  RankCut made;
  made.basis = basis;
  made.kept_programs = kept;
  made.dropped_programs = dropped;
  return made;
}

TEST(LastRunWords, WhatWasKeptOfAllRanks) {
  EXPECT_EQ(
      last_run_text({cut(RankCut::Basis::kPrograms, 1, 2), cut(RankCut::Basis::kPrograms, 1, 3)}, {2000, 10}),
      "kept the last run, found by programs that repeat: 2 of 7 program runs, 10 of 2,000 lines");
}

TEST(LastRunWords, MarkersOfAnyRankAreTheBasis) {
  EXPECT_EQ(
      last_run_text({cut(RankCut::Basis::kWholeLog, 1, 0), cut(RankCut::Basis::kMarkers, 1, 1)}, {9, 5}),
      "kept the last run, found by \"Got output shape:\" lines: 2 of 3 program runs, 5 of 9 lines");
}

TEST(LastRunWords, AWholeLogSaysWhy) {
  EXPECT_EQ(last_run_text({cut(RankCut::Basis::kWholeLog, 1, 0)}, {1, 1}),
            "only one run found: the whole log is kept (1 line)");
  EXPECT_EQ(last_run_text({}, {3, 3}), "no program lines found: the whole log is kept (3 lines)");
}

}  // namespace
}  // namespace ttscope::mem
