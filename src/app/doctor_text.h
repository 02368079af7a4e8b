#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "app/doctor_checks.h"

namespace ttscope::app {

/// What `ttscope doctor` prints: for a terminal of so many columns, as markdown, and as JSON
/// (`ttscope.doctor/1`).
std::string doctor_text(const Diagnosis& diagnosis, bool color, std::size_t width);
std::string doctor_markdown(const Diagnosis& diagnosis);
std::string doctor_json(const Diagnosis& diagnosis, std::string_view version);

}  // namespace ttscope::app
