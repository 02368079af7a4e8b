#pragma once

#include <string>
#include <string_view>

#include "base/writer.h"
#include "perf/analyze/report_diff.h"

namespace ttscope::perf {

/// What was compared, for the head of the documents.
struct ReportDiffInputs {
  std::string first;
  std::string second;
  ReportDiffOptions options;
  std::string_view version;
};

std::string report_diff_text(const ReportDiff& diff);
/// `ttscope.perf_compare/1`
void write_report_diff_json(const ReportDiff& diff, const ReportDiffInputs& inputs, Writer& out);
void write_report_diff_markdown(const ReportDiff& diff, const ReportDiffInputs& inputs, Writer& out);

}  // namespace ttscope::perf
