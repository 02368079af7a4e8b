#include "output/phases_page/phases_page.h"

#include "base/text_escape.h"
#include "output/json_text/json_text.h"
#include "output/page_frame/page_frame.h"

namespace ttscope::output {

void write_phases_page(const PhaseLog& log, const analysis::PhaseAnalysis& analysis, Writer& out,
                       const PhasesJsonOptions& options) {
  std::string_view rest = phases_page_template();
  rest = write_page_until(out, rest, kTitleMark, rest.find(kTitleMark));
  out.write(options.title.empty() ? "Training memory by phase" : markup_text(options.title));
  rest = write_page_until(out, rest, kHeadMark, rest.find(kHeadMark));
  TextCatcher document;
  write_phases_json(log, analysis, document, options);
  write_page_block(out, "application/json", "ttscope-phases", document.text());
  out.write(rest);
}

}  // namespace ttscope::output
