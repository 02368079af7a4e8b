#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perf/model/op_note.h"

namespace ttscope::perf {

/// A note as a sentence. Where tt-perf-report says the same, in its words: other tools match them.
std::string note_text(const OpNote& note);
/// The names of the input that the sentence holds, as they stand in it.
std::vector<std::string> names_in(const OpNote& note);
/// What is said of a capture none of whose rows belongs to an op.
std::string_view no_op_ids_text();

}  // namespace ttscope::perf
