// NAME_operations.json of a run.
#include "fuzz/ttmem_run.h"

TTSCOPE_FUZZ_TARGET(mem_ttmem_operations) {
  using namespace ttscope::fuzz;
  ttscope::mem::TtmemTexts texts;
  texts.memory = padded(kRunMemory);
  texts.operations = padded(text);
  read_run(std::move(texts));
}
