// The four files of a run together: memory, operations, registry, modules; a part that is missing is a
// missing file.
#include "fuzz/ttmem_run.h"

TTSCOPE_FUZZ_TARGET(mem_ttmem) {
  using namespace ttscope::fuzz;
  ttscope::mem::TtmemTexts texts;
  for (auto* part : {&texts.memory, &texts.operations, &texts.registry, &texts.modules}) {
    if (!text.empty()) *part = padded(take_part(text));
  }
  read_run(std::move(texts));
}
