#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace ttscope::perf {

/// Whose markers an analysis looks at.
enum class AnalysisScope : std::uint8_t { kCore, kDevice, kOps, kDispatchOps };

/// How it makes durations of them.
enum class AnalysisKind : std::uint8_t {
  kAdjacent,         ///< from the last start marker to the end marker that follows it
  kOpFirstLast,      ///< from the first start marker to the last end marker
  kOpCoreFirstLast,  ///< the same for each core
  kSum,              ///< of the data of the markers
  kEvent,            ///< no durations: a list of the events of a processor
};

/// Which markers take part.
struct MarkerRule {
  std::string_view risc;           ///< ANY: all
  std::string_view phase;          ///< `ZONE_START`; empty: all
  std::vector<std::string> zones;  ///< exact names; an ending `*`: the name contains what is before it
};

struct TimerAnalysis {
  std::string_view name;
  AnalysisScope scope;
  AnalysisKind kind;
  MarkerRule start;  ///< of sums and events: the only rule
  MarkerRule end;
};

/// The analyses of a device log, in the order in which statistics list them.
const std::vector<TimerAnalysis>& timer_analyses();
/// The same by their names.
const std::vector<std::size_t>& analyses_by_name();
/// The processors that the reference lists in its setup, and the names that zones of firmware and kernels
/// begin with.
const std::vector<std::string>& setup_riscs();
const std::vector<std::string>& setup_risc_types();

/// The analyses, a bit each, that a marker may start or end.
struct AnalysisMarks {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
};

/// Finds them; remembers the few combinations that there are. Not thread safe; the texts must stay.
class AnalysisMatcher {
 public:
  AnalysisMarks marks_of(std::string_view zone, std::string_view type, std::string_view risc);

 private:
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, AnalysisMarks> known_;
};

}  // namespace ttscope::perf
