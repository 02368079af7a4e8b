#pragma once

#include <cstddef>

#include "mem/write/words/labels.h"
#include "report/text_layout.h"

namespace ttscope::mem {

/// The parts of the memory summary, each appending to the painter; one without content appends nothing.
void paint_verdict(const ProfileView& view, report::Painter& out);
/// The verdict's line alone.
void paint_verdict_line(const ProfileView& view, report::Painter& out);
/// With `with_evidence` also the tensors that each is about.
void paint_fixes(const ProfileView& view, std::size_t top, bool with_evidence, report::Painter& out);
void paint_input(const ProfileView& view, report::Painter& out);
void paint_peaks(const ProfileView& view, report::Painter& out);
void paint_ranks(const ProfileView& view, report::Painter& out);
void paint_programs(const ProfileView& view, std::size_t top, report::Painter& out);
void paint_failures(const ProfileView& view, report::Painter& out);
void paint_growth(const ProfileView& view, std::size_t top, report::Painter& out);
void paint_live_set(const ProfileView& view, std::size_t top, report::Painter& out);
/// The live set before the op that `--at` asked for.
void paint_live_moment(const ProfileView& view, std::size_t top, report::Painter& out);
/// With `all` also the types that padding costs most, and fragmentation that is none.
void paint_waste(const ProfileView& view, bool all, report::Painter& out);
/// What was repaired, skipped or is missing; with `all_notes` also what is the same for every log.
void paint_trust(const ProfileView& view, bool all_notes, report::Painter& out);

}  // namespace ttscope::mem
