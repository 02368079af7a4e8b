#pragma once

#include <utility>

#include "phases/analyse/phase_analysis.h"
#include "phases/model/phase_log.h"

namespace ttscope::phases {

/// What all tables and outputs of training phases are made from. Immutable once made; readers may share it
/// among threads.
struct Profile {
  PhaseLog log;
  PhaseAnalysis analysis;  ///< a configuration for each summary of the log, in the same order
};

inline Profile profile_of(PhaseLog log, const PhaseOptions& options = {}) {
  PhaseAnalysis analysis = analyze_phases(log, options);
  return {std::move(log), std::move(analysis)};
}

}  // namespace ttscope::phases
