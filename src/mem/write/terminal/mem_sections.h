#pragma once

#include <cstddef>

#include "mem/write/terminal/mem_summary.h"
#include "mem/write/words/labels.h"
#include "report/text_layout.h"

namespace ttscope::mem {

/// The parts of the memory summary, each appending to the painter; one without content appends nothing.
void paint_verdict(const ProfileView& view, report::Painter& out);
/// The verdict's line alone.
void paint_verdict_line(const ProfileView& view, report::Painter& out);
/// With `with_evidence` also the tensors that each is about.
void paint_fixes(const ProfileView& view, std::size_t top, bool with_evidence, report::Painter& out);
void paint_input(const ProfileView& view, MemDetail detail, report::Painter& out);
/// Usually without the maker of a peak that is far from its memory's size, but for DRAM.
void paint_peaks(const ProfileView& view, MemDetail detail, report::Painter& out);
void paint_ranks(const ProfileView& view, std::size_t most, report::Painter& out);
/// Usually only graphs whose runs do not all reach the same peak.
void paint_programs(const ProfileView& view, std::size_t top, MemDetail detail, report::Painter& out);
void paint_failures(const ProfileView& view, report::Painter& out);
/// So many rows of DRAM and of L1.
struct GrowthRows {
  std::size_t dram = 0;
  std::size_t l1 = 0;
};
void paint_growth(const ProfileView& view, GrowthRows shown, report::Painter& out);
void paint_live_set(const ProfileView& view, std::size_t top, report::Painter& out);
/// The live set before the op that `--at` asked for.
void paint_live_moment(const ProfileView& view, std::size_t top, report::Painter& out);
/// Usually only what costs much of the peak.
void paint_waste(const ProfileView& view, MemDetail detail, report::Painter& out);
/// What was skipped or is missing; in detail also what was repaired and what is the same for every log.
void paint_trust(const ProfileView& view, MemDetail detail, report::Painter& out);

}  // namespace ttscope::mem
