// NAME_inputs_registry.json of a run.
#include "fuzz/ttmem_run.h"

TTSCOPE_FUZZ_TARGET(mem_ttmem_registry) {
  using namespace ttscope::fuzz;
  ttscope::mem::TtmemTexts texts;
  texts.memory = padded(kRunMemory);
  texts.registry = padded(text);
  read_run(std::move(texts));
}
