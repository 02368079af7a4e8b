#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ttscope::app {

/// What a profile is about. Each subject is a folder of src/ and a command of the same name.
enum class Subject : std::uint8_t { kMem, kPhases, kGraph, kPerf };
inline constexpr std::size_t kSubjectCount = 4;
inline constexpr std::array<Subject, kSubjectCount> kSubjects = {Subject::kMem, Subject::kPhases,
                                                                 Subject::kGraph, Subject::kPerf};

/// Its command: `mem`, `phases`, `graph` or `perf`.
std::string_view name_of(Subject subject);

}  // namespace ttscope::app
