#pragma once

#include <cstddef>

#include "mem/write/words/labels.h"
#include "report/text_layout.h"

namespace ttscope::mem {

/// The parts of the memory summary, each appending to the painter; one without content appends nothing.
void paint_verdict(const ProfileView& view, report::Painter& out);
void paint_input(const ProfileView& view, report::Painter& out);
void paint_peaks(const ProfileView& view, report::Painter& out);
void paint_ranks(const ProfileView& view, report::Painter& out);
void paint_programs(const ProfileView& view, std::size_t top, report::Painter& out);
void paint_failures(const ProfileView& view, report::Painter& out);
void paint_growth(const ProfileView& view, std::size_t top, report::Painter& out);
void paint_live_set(const ProfileView& view, std::size_t top, report::Painter& out);
/// The live set before the op that `--at` asked for.
void paint_live_moment(const ProfileView& view, std::size_t top, report::Painter& out);
void paint_waste(const ProfileView& view, report::Painter& out);
void paint_trust(const ProfileView& view, report::Painter& out);

}  // namespace ttscope::mem
