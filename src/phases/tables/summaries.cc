// A table of declared.h.
#include "phases/tables/declared.h"

namespace ttscope::phases {
namespace {

template <typename Get>
table::ColumnOf<Profile> of_summary(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc, [](const Profile& profile, std::size_t row) {
    return Get{}(profile.log.summaries[row]);
  });
}

template <typename T>
std::optional<T> value_of(const std::optional<RunFact<T>>& fact) {
  return fact ? std::optional<T>(fact->value) : std::nullopt;
}

}  // namespace

const table::TableOf<Profile>& summaries_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "summaries", "A summary of MemoryUsageTracker as printed, without interpretation",
      {
          table::ascending(table::column<Profile>("summary", "",
                                                  "Number of the summary, from 0, over all logs",
                                                  [](const Profile&, std::size_t row) { return row; })),
          table::column<Profile>("file", "", "Log that it stands in, as given",
                                 [](const Profile& profile, std::size_t row) -> const std::string& {
                                   return profile.log.files[profile.log.summaries[row].file];
                                 }),
          of_summary("line", "", "Line that opens it, or of what stands in for it",
                     [](const PhaseSummary& summary) { return summary.line; }),
          of_summary("rank", "", "Rank that the prefix of its lines names",
                     [](const PhaseSummary& summary) { return summary.rank; }),
          table::column<Profile>("heading", "", "Title printed above it between two rules",
                                 [](const Profile& profile, std::size_t row) -> std::optional<std::string> {
                                   const std::string& heading = profile.log.summaries[row].heading;
                                   return heading.empty() ? std::nullopt : std::optional(heading);
                                 }),
          of_summary("overall_peak_mb", "MB", "Most DRAM of one device in use at once, as printed",
                     [](const PhaseSummary& summary) { return summary.overall_peak_mb; }),
          of_summary("final_usage_mb", "MB", "DRAM of one device in use at the end, as printed",
                     [](const PhaseSummary& summary) { return summary.final_usage_mb; }),
          of_summary("parameters", "", "Number of parameters, as printed around it",
                     [](const PhaseSummary& summary) { return value_of(summary.facts.parameters); }),
          of_summary("device_memory_mb", "MB", "Memory of all devices together, as printed around it",
                     [](const PhaseSummary& summary) { return value_of(summary.facts.device_memory_mb); }),
          of_summary("devices", "", "Number of devices, as printed around it",
                     [](const PhaseSummary& summary) { return value_of(summary.facts.devices); }),
          of_summary("is_cut", "", "Whether the line with the totals is missing",
                     [](const PhaseSummary& summary) { return summary.cut; }),
          of_summary("is_headless", "", "Whether the line that opens it is missing, so that phases may be",
                     [](const PhaseSummary& summary) { return summary.headless; }),
      });
  return kSpec;
}

}  // namespace ttscope::phases
