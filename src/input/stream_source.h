#pragma once

#include <cstdint>
#include <memory>

#include "input/byte_reader.h"
#include "input/chunk_source.h"

namespace ttscope::input {

/// Lines of a stream in buffers of their own. `total_bytes` is the size of the input as stored, 0 if unknown.
std::unique_ptr<ChunkSource> make_stream_source(std::unique_ptr<ByteReader> reader, std::uint64_t total_bytes,
                                                const SourceOptions& options);

}  // namespace ttscope::input
