#pragma once

#include <string>

#include "serve/library.h"

namespace ttscope::cli {

// What lists on the terminal say of a report; `-` where it is not known.

/// Of all its files: `236.1 KB`.
std::string report_size_text(const serve::Report& report);
/// When it was written, in local time: `2026-01-22 14:39`.
std::string report_date_text(const serve::Report& report);
/// How the run ended: `out of memory`; `-`: not known.
std::string report_outcome_text(const serve::Report& report);
/// Whether its memory fits: `yes`, `no`, `unknown`; `-`: not known.
std::string report_fit_text(const serve::Report& report);
/// The DRAM peak of a bank and its share of the capacity: `5.0 MB   1%`.
std::string report_peak_text(const serve::Report& report);

}  // namespace ttscope::cli
