#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "timeline/analyse/profile.h"

namespace ttscope::timeline {

/// The tables of Tracy's csvexport, and of tt-metal's fork of it.
enum class CsvForm {
  kStats,        ///< sums by place of the source: no option
  kSelf,         ///< the same of self times: `-e`
  kUnwrap,       ///< every zone of a thread: `-u`
  kUnwrapPlots,  ///< and the points of plots behind them: `-u -p`
  kMessages,     ///< `-m`
  kGpu,          ///< every zone of a device: `-g`
  kOpsTimes,     ///< tracy_ops_times.csv: `-u -p TT_ -x NAMES` of the fork
  kOpsData,      ///< tracy_ops_data.csv: `-m -s ";"`
};
/// `stats`, `self`, `unwrap`, `unwrap-plots`, `messages`, `gpu`, `ops-times`, `ops-data`; none: no form.
std::optional<CsvForm> csv_form(std::string_view key);

struct CsvOptions {
  CsvForm form = CsvForm::kStats;
  /// Of ops-times: zones whose row names the text of the zone around them that is of an op.
  std::vector<std::string> child_names = {"CompileProgram", "HWCommandQueue_write_buffer"};
};

/// Writes what csvexport prints, places of the source in the order of their first zone. Two things differ,
/// both to make the rows readable: a zone without a text has none, where csvexport repeats the one before,
/// and a cell with a separator, a quote or a line break is quoted. Messages are as they are.
void write_csv(const Profile& profile, const CsvOptions& options, Writer& out);

}  // namespace ttscope::timeline
