// NAME_ir.json of a run.
#include "fuzz/ttmem_run.h"

TTSCOPE_FUZZ_TARGET(mem_ttmem_modules) {
  using namespace ttscope::fuzz;
  ttscope::mem::TtmemTexts texts;
  texts.memory = padded(kRunMemory);
  texts.modules = padded(text);
  read_run(std::move(texts));
}
