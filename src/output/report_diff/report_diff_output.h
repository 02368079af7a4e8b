#pragma once

#include <string>
#include <string_view>

#include "analysis/report_diff/report_diff.h"
#include "base/writer.h"

namespace ttscope::output {

/// What was compared, for the head of the documents.
struct ReportDiffInputs {
  std::string first;
  std::string second;
  analysis::ReportDiffOptions options;
  std::string_view version;
};

std::string report_diff_text(const analysis::ReportDiff& diff);
/// `ttscope.perf_compare/1`
void write_report_diff_json(const analysis::ReportDiff& diff, const ReportDiffInputs& inputs, Writer& out);
void write_report_diff_markdown(const analysis::ReportDiff& diff, const ReportDiffInputs& inputs,
                                Writer& out);

}  // namespace ttscope::output
