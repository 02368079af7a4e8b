#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/writer.h"
#include "timeline/analyze/profile.h"
#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// Writes the timeline as trace events in JSON, in the form that both Tracy's import-chrome and Perfetto
/// take: complete events, parents before what lies in them, earlier before later; process and thread numbers
/// that are unique in the file, a name for each; messages as instants, plots as counters whose key says their
/// unit, links as flows. Times are microseconds with three decimals.
void write_chrome(const Timeline& timeline, Writer& out);

/// What is added to all times, which are not below zero there.
std::int64_t perfetto_shift_ns(const Timeline& timeline);

/// Writes the timeline as a trace of Perfetto: track descriptors nested as the groups are, slices as track
/// events with interned names and source places, messages as instants, plots as counters, links as flows.
/// docs/formats/timeline_files.md has the fields. A zone that reaches beyond the one around it is cut to it.
void write_perfetto(const Timeline& timeline, Writer& out);

/// About how large the files of write_chrome and write_perfetto become: within a fifth, told without writing
/// them.
std::uint64_t chrome_bytes(const Timeline& timeline);
std::uint64_t perfetto_bytes(const Timeline& timeline);

/// What is said before a file is written that its viewers cannot open; empty: they can.
std::string chrome_size_warning(std::uint64_t bytes);
std::string perfetto_size_warning(std::uint64_t bytes);

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

/// Versions of .tracy that are written; their content is the same. Tracy 0.11 to 0.14 read the first,
/// tt-metal's fork of 0.10 the second.
enum class TracyVersion { kMinor11, kMinor10 };

/// What of a timeline did not go into a file.
struct TracyLosses {
  bool ops = false;           ///< which op a zone belongs to: more of them than a file can name
  std::uint64_t links = 0;    ///< arrows, which Tracy does not have
  std::int64_t shift_ns = 0;  ///< what was added to all times, because the file's are of 47 bits
};

/// Writes a capture of the Tracy profiler. Zones of device lanes are those of a GPU context for each core, as
/// tt-metal names them. An error where the file cannot hold the timeline; nothing is written then.
Result<TracyLosses> write_tracy(const Timeline& timeline, TracyVersion version, Writer& out);

/// That all times of a file are later than those of the timeline; empty: they are not.
std::vector<std::string> shift_texts(std::int64_t shift_ns);
/// What of a timeline did not go into a .tracy file, a sentence each.
std::vector<std::string> loss_texts(const TracyLosses& losses);

}  // namespace ttscope::timeline
