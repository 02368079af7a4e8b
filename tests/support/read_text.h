#pragma once

#include <cstddef>
#include <string_view>

#include "mem/model/runtime_log.h"

namespace ttscope::testing {

struct ReadTextOptions {
  std::size_t chunk_bytes = 0;  ///< 0: as the program does it
  unsigned threads = 0;
  bool as_stream = false;  ///< compressed in between, so that lines come in buffers and not from a mapping
};

/// Reads a log that is a string, through the same functions as a file. Throws if it cannot be read.
mem::RuntimeLog read_text(std::string_view text, const ReadTextOptions& options = {});

}  // namespace ttscope::testing
