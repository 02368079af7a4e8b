#pragma once

#include <cstddef>

#include "output/text/text_layout.h"
#include "output/wording/op_facts.h"

namespace ttscope::output {

/// The parts of the memory summary, each appending to the painter; one without content appends nothing.
void paint_verdict(const ProfileView& view, Painter& out);
void paint_input(const ProfileView& view, Painter& out);
void paint_peaks(const ProfileView& view, Painter& out);
void paint_ranks(const ProfileView& view, Painter& out);
void paint_programs(const ProfileView& view, std::size_t top, Painter& out);
void paint_failures(const ProfileView& view, Painter& out);
void paint_growth(const ProfileView& view, std::size_t top, Painter& out);
void paint_live_set(const ProfileView& view, std::size_t top, Painter& out);
/// The live set before the op that `--at` asked for.
void paint_live_moment(const ProfileView& view, std::size_t top, Painter& out);
void paint_waste(const ProfileView& view, Painter& out);
void paint_trust(const ProfileView& view, Painter& out);

}  // namespace ttscope::output
