// The four files of a run through reader, analysis and report page; the parts are those of mem_ttmem.
#include <string>

#include "base/writer.h"
#include "fuzz/ttmem_run.h"
#include "mem/analyse/recorded_profile.h"
#include "mem/write/page/mem_page.h"
#include "mem/write/page/recorded_absence.h"

TTSCOPE_FUZZ_TARGET(chain_mem_ttmem) {
  using namespace ttscope::fuzz;
  ttscope::mem::TtmemTexts texts;
  for (auto* part : {&texts.memory, &texts.operations, &texts.registry, &texts.modules}) {
    if (!text.empty()) *part = padded(take_part(text));
  }
  const auto run = read_run(std::move(texts));
  if (!run) return;
  const auto profile = ttscope::mem::profile_recorded_run(*run);
  const std::string broken = ttscope::testing::broken_invariant(run->trace, profile);
  require(broken.empty(), broken.c_str());
  ttscope::StringWriter page;
  ttscope::mem::MemPageOptions options;
  options.absent = ttscope::mem::recorded_absence(*run);
  options.threads = 1;
  ttscope::mem::write_mem_page(run->trace, profile, page, options);
  require(page.finish().has_value() && !page.text().empty(), "there is a page");
}
