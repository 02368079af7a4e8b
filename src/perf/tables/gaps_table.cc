// gaps_spec() is declared in table_source.h, as all tables of this folder are.
#include "perf/tables/gaps_table.h"

#include <array>

#include "perf/tables/table_source.h"

namespace ttscope::perf {

std::string_view sentence_of(GapCause cause) {
  constexpr std::array<std::string_view, kGapCauseCount> kSentences = {
      "usual launches, up to 6.5 μs",
      "first run of a program (cache miss or compile)",
      "host dispatch: the op was sent late",
      "inside a replayed trace",
      "host sync or other host work (read-back, start of a replay, ops on the host)",
      "unknown: the host had sent the op in time, or what is recorded does not tell",
      "no gap: ops ran here that the report lacks (lost markers, or a replay that is not whole)",
  };
  return kSentences[static_cast<std::size_t>(cause)];
}

const table::TableOf<TableSource>& gaps_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "gaps", "The gaps of the shown ops by their cause (derived); they add up to those of the table",
      {
          table::column<TableSource>(
              "cause", "",
              "Why the device waited: launch, compile, dispatch, trace, sync, unknown or missing_ops",
              [](const TableSource&, std::size_t row) { return key_of(static_cast<GapCause>(row)); }),
          table::column<TableSource>(
              "what", "", "The same as a sentence",
              [](const TableSource&, std::size_t row) { return sentence_of(static_cast<GapCause>(row)); }),
          table::column<TableSource>("ops", "", "Rows of the shown table",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.gaps.totals[row].rows;
                                     }),
          table::column<TableSource>("gap_us", "us", "Their gaps (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.gaps.totals[row].gap_us;
                                     }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
