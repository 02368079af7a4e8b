// Gzip data, cut and damaged as they may be.
#include "fuzz/byte_source.h"

TTSCOPE_FUZZ_TARGET(io_gzip) { ttscope::fuzz::check_reader(text, ttscope::io::make_gzip_reader); }
