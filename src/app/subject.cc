#include "app/subject.h"

namespace ttscope::app {

std::string_view name_of(Subject subject) {
  constexpr std::array<std::string_view, kSubjectCount> kNames = {"mem", "phases", "graph", "perf",
                                                                  "timeline"};
  return kNames[static_cast<std::size_t>(subject)];
}

}  // namespace ttscope::app
