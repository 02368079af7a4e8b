// The four files of a capture through readers, matching and report, both ways. The input holds them one
// behind the other, each ended by a line of `=`: device log, runtime's report, host zones, host messages.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/json_reader.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/output_rules.h"
#include "perf/analyze/report_diff.h"
#include "support/device_analysis_text.h"
#include "support/perf_texts.h"
#include "support/zone_texts.h"

TTSCOPE_FUZZ_TARGET(chain_perf_files) {
  using namespace ttscope;
  using fuzz::require;
  testing::PerfTexts texts;
  texts.log = fuzz::take_part(text);
  texts.cpp = fuzz::take_part(text);
  texts.times = fuzz::take_part(text);
  texts.messages = fuzz::take_part(text);
  for (const bool compat : {false, true}) {
    const testing::MadeReport made = testing::make_report(texts, compat);
    require(made.difference.empty(), "rows made directly are those of the written report");
    CsvScanner scanner(made.csv);
    std::size_t columns = 0;
    std::size_t rows = 0;
    while (scanner.next()) {
      if (rows++ == 0) columns = scanner.cells().size();
      require(scanner.cells().size() == columns, "every row has all columns");
    }
    require(scanner.unclosed_quotes() == 0, "the report is well formed");
    require(columns == 0 || rows == made.report.rows.size() + 1, "one line a row");
    if (!compat) fuzz::require_csv(made.csv);
    if (!compat && columns > 0) {
      const auto diff = perf::compare_reports(made.csv, made.csv, {});
      require(diff.has_value() && diff->is_equal(), "a report equals itself");
    }
  }
  if (const auto log = perf::read_device_log(texts.log, {})) {
    for (const bool compat : {false, true}) {
      const std::string analysis_text = testing::device_analysis_text(*log, texts.log, compat);
      require(parse_json_tree(analysis_text, "analysis").has_value(), "the analysis of a log is JSON");
      fuzz::require_json(analysis_text);
    }
    const perf::ZoneStats zones = testing::zones_of(texts.log, 2);
    for (const perf::ZoneFigures& zone : zones.zones) {
      require(zone.self_cycles <= zone.total_cycles, "a zone is no longer inside than it is");
      require(zones.self_share(zone) <= 1, "no zone has more time than its processors");
    }
  }
}
