#pragma once

#include <string>

#include "gate/report.h"

namespace ttscope::gate {

// Words that all output forms share. They may hold text of inputs: each form escapes them.

/// `passed: 5 checks`, `failed: 2 of 5 checks`.
std::string verdict_text(const GateReport& report);
/// `dram_peak 10.2 GB, at most 10.8 GB (90% of the device's DRAM)`.
std::string check_text(const Check& check);
/// The bound as written, with what it means: `"+3%": at most 1.03 of the baseline`.
std::string bound_text(const Check& check);
/// A value of the figure: `3.52 ms`, `10.20 GB`, `yes`.
std::string value_text(const Check& check, double value);

}  // namespace ttscope::gate
