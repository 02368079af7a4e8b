// Data of bzip2, cut and damaged as they may be.
#include "fuzz/byte_source.h"

TTSCOPE_FUZZ_TARGET(io_bzip2) { ttscope::fuzz::check_reader(text, ttscope::io::make_bzip2_reader); }
