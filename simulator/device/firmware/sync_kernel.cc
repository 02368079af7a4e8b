/// Clock synchronisation: the host writes its time again and again, this kernel notes when it sees it. Pairs
/// of words (the device's low word, what the host wrote) follow the slots of BRISC's buffer; the first pair
/// is the whole clock of the first.
#include "dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
  using namespace ttscope_device;
  volatile uint32_t* const mail = words_at(kMap.profiler) + kFwResetLow;
  volatile uint32_t* pair = words_at(kMap.profiler) + kControlWords + kGuaranteedWords;
  const uint32_t samples = get_arg_val<uint32_t>(0);
  for (uint32_t i = 0; i < samples; ++i) {
    uint32_t host = 0;
    while ((host = *mail) == 0) {
    }
    const uint32_t low = *words_at(kClockLow);
    if (i == 0) {
      uint32_t high = *words_at(kClockHigh);
      if (*words_at(kClockLow) < low) --high;  // it wrapped in between
      pair[0] = high;
      pair[1] = low;
      pair += 2;
    }
    pair[0] = low;
    pair[1] = host;
    pair += 2;
    *mail = 0;
  }
}
