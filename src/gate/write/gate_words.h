#pragma once

#include <string>

#include "gate/report.h"

namespace ttscope::gate {

// Words that all output forms share. They may hold text of inputs: each form escapes them.

/// `passed: 5 checks`, `failed: 2 of 5 checks`.
std::string verdict_text(const GateReport& report);
/// `10.2 GB (84.0%); at most 10.8 GB (90% of the device's DRAM)`.
std::string check_text(const Check& check);
/// `at most 3.65 ms (baseline 3.54 ms, +3%)`.
std::string bound_text(const Check& check);
/// `memory.dram_peak`, and of which input where several tell it.
std::string check_name(const Check& check);
/// A value of the figure: `3.52 ms`, `10.20 GB`, `yes`.
std::string value_text(const Check& check, double value);

}  // namespace ttscope::gate
