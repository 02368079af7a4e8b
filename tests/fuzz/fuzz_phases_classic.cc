// A training log as analyze_memory.py reads it.
#include <cmath>

#include "fuzz/fuzz_target.h"
#include "phases/classic_analysis.h"

TTSCOPE_FUZZ_TARGET(phases_classic) {
  const ttscope::phases::ClassicLog log = ttscope::phases::read_classic_log(text);
  for (const ttscope::phases::ClassicSection& section : log.sections) {
    ttscope::fuzz::require(!section.peak_mb || !std::isnan(*section.peak_mb), "a peak is a number");
  }
}
