// NAME_memory.json of a run.
#include "fuzz/ttmem_run.h"

TTSCOPE_FUZZ_TARGET(mem_ttmem_memory) {
  using namespace ttscope::fuzz;
  ttscope::mem::TtmemTexts texts;
  texts.memory = padded(text);
  read_run(std::move(texts));
}
