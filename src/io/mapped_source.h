#pragma once

#include <memory>

#include "base/mapped_file.h"
#include "io/chunk_source.h"

namespace ttscope::io {

/// Views of a mapped file; nothing is copied. `start` is where the first line begins.
std::unique_ptr<ChunkSource> make_mapped_source(std::shared_ptr<const MappedFile> file, std::size_t start,
                                                const SourceOptions& options);

}  // namespace ttscope::io
