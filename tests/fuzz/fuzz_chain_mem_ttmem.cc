// The four files of a run through reader, analysis and report page; the parts are those of mem_ttmem.
#include <string>

#include "base/writer.h"
#include "fuzz/output_rules.h"
#include "fuzz/ttmem_run.h"
#include "mem/analyze/memory_profile.h"
#include "mem/write/json.h"
#include "mem/write/markdown.h"
#include "mem/write/page.h"
#include "mem/write/terminal.h"

TTSCOPE_FUZZ_TARGET(chain_mem_ttmem) {
  using namespace ttscope::fuzz;
  ttscope::mem::TtmemTexts texts;
  for (auto* part : {&texts.memory, &texts.operations, &texts.registry, &texts.modules}) {
    if (!text.empty()) *part = padded(take_part(text));
  }
  const auto run = read_run(std::move(texts));
  if (!run) return;
  const auto profile = ttscope::mem::profile_recorded_run(*run);
  const std::string broken = ttscope::testing::broken_invariant(run->log, profile);
  require(broken.empty(), broken.c_str());
  ttscope::StringWriter page, json, markdown;
  ttscope::mem::write_mem_json(run->log, profile, json);
  ttscope::mem::write_mem_markdown(run->log, profile, "log", markdown);
  require(json.finish() && markdown.finish(), "a string can be written");
  require_json(json.text());
  require_markdown(markdown.text());
  require_terminal_text(ttscope::mem::mem_summary_text(run->log, profile, {.top = 0}));
  ttscope::mem::MemPageOptions options;
  options.absent = ttscope::mem::recorded_absence(*run);
  options.threads = 1;
  ttscope::mem::write_mem_page(run->log, profile, page, options);
  require(page.finish().has_value() && !page.text().empty(), "there is a page");
}
