#pragma once

#include <cstdint>
#include <memory>

#include "io/byte_reader.h"
#include "io/chunk_source.h"

namespace ttscope::io {

/// Lines of a stream in buffers of their own. `total_bytes` is the size of the input as stored, 0 if unknown.
std::unique_ptr<ChunkSource> make_stream_source(std::unique_ptr<ByteReader> reader, std::uint64_t total_bytes,
                                                const SourceOptions& options);

}  // namespace ttscope::io
