// Zstandard data, cut and damaged as they may be.
#include "fuzz/byte_source.h"

TTSCOPE_FUZZ_TARGET(io_zstd) { ttscope::fuzz::check_reader(text, ttscope::io::make_zstd_reader); }
