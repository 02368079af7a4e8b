// Zstandard data, cut and damaged as they may be.
#include "fuzz/byte_source.h"

namespace {

/// Room for large windows would take most of the time.
std::unique_ptr<ttscope::io::ByteReader> small_window_reader(ttscope::io::InputBuffer input) {
  return ttscope::io::make_zstd_reader(std::move(input), 14);
}

}  // namespace

TTSCOPE_FUZZ_TARGET(io_zstd) { ttscope::fuzz::check_reader(text, small_window_reader); }
