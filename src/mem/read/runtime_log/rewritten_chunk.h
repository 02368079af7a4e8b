#pragma once

#include <memory>
#include <string>
#include <utility>

#include "io/chunk_source.h"

namespace ttscope::mem {

/// What stands for a chunk whose lines were written anew: it keeps their text, and is cut where that was.
inline io::Chunk rewritten(const io::Chunk& chunk, std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  io::Chunk lines;
  lines.bytes = *owner;
  lines.cut_line = chunk.cut_line;
  lines.owner = std::move(owner);
  return lines;
}

}  // namespace ttscope::mem
