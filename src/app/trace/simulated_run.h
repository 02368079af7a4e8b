#pragma once

#include <string>

namespace ttscope::app {

/// Whether the chips of a run were simulated, by what is in its `.logs`: the host that they exchange with is
/// simulated too, so that no exchange brings them to the clock of the host's zones.
bool had_simulated_chips(const std::string& logs);

}  // namespace ttscope::app
