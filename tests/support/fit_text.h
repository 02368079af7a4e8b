#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "mem/fit.h"
#include "support/profile_text.h"

/// Logs held against devices.
namespace ttscope::testing {

inline mem::Profile profile_of(const std::string& log) {
  mem::Profile profile{read_text(log), {}, {}};
  profile.memory = mem::profile_memory(profile.log, {});
  return profile;
}
inline mem::Profile profile_of(const LogText& log) { return profile_of(log.text()); }

inline fit::Report fit_of(const LogText& log, const fit::FitQuery& question = {}) {
  Result<fit::Report> report = mem::fit_profile(profile_of(log), question);
  EXPECT_TRUE(report) << (report ? "" : report.error().message);
  return report ? *report : fit::Report{};
}

inline bool leaves_out(const fit::Report& report, fit::Omission omission) {
  return std::find(report.omissions.begin(), report.omissions.end(), omission) != report.omissions.end();
}

/// A device of 12 banks with so much DRAM each.
inline std::string custom(std::int64_t dram_bytes) {
  return "custom:DRAM=12x" + std::to_string(dram_bytes) + "B,L1=64x1MB";
}

}  // namespace ttscope::testing
