// One target as a libFuzzer program.
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ttscope::fuzz::targets().front().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
