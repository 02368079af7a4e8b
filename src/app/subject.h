#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ttscope::app {

/// What a profile is about. Each subject is a folder of src/ and a command of the same name.
enum class Subject : std::uint8_t { kMem, kPhases, kGraph, kPerf, kTimeline };
inline constexpr std::size_t kSubjectCount = 5;
inline constexpr std::array<Subject, kSubjectCount> kSubjects = {
    Subject::kMem, Subject::kPhases, Subject::kGraph, Subject::kPerf, Subject::kTimeline};

/// Its command: `mem`, `phases`, `graph`, `perf` or `timeline`.
std::string_view name_of(Subject subject);

}  // namespace ttscope::app
