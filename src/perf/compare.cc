#include "perf/compare.h"

#include <utility>

#include "io/whole_text.h"

namespace ttscope::perf {

Result<ComparedFiles> compare_files(const std::string& path_a, const std::string& path_b,
                                    const ReportDiffOptions& options) {
  ComparedFiles compared;
  std::vector<io::WholeText> texts;
  for (const std::string* path : {&path_a, &path_b}) {
    Result<io::WholeText> text = io::open_whole_text(*path);
    if (!text) return failure(text.error());
    if (!text->warning.empty()) compared.warnings.push_back(text->warning);
    if (!is_comparable_report(text->bytes())) return failure(bad_input(*path + ": " + no_report_words()));
    texts.push_back(std::move(*text));
  }
  Result<ReportDiff> diff = compare_reports(texts[0].bytes(), texts[1].bytes(), options);
  if (!diff) return failure(diff.error());
  compared.diff = std::move(*diff);
  return compared;
}

}  // namespace ttscope::perf
