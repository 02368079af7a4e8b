#include "phases/write/page/phases_page.h"

#include "base/text_escape.h"
#include "report/json_text.h"
#include "report/page_frame.h"

namespace ttscope::phases {

void write_phases_page(const Profile& profile, Writer& out, const PhasesJsonOptions& options) {
  std::string_view rest = phases_page_template();
  rest = report::write_page_until(out, rest, report::kTitleMark, rest.find(report::kTitleMark));
  out.write(options.title.empty() ? "Training memory by phase" : markup_text(options.title));
  rest = report::write_page_until(out, rest, report::kHeadMark, rest.find(report::kHeadMark));
  report::TextCatcher document;
  write_phases_json(profile, document, options);
  report::write_page_block(out, "application/json", "ttscope-phases", document.text());
  out.write(rest);
}

}  // namespace ttscope::phases
